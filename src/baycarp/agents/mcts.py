"""The tree-search player: Monte-Carlo tree search against models of the opponents at the table.

Source: van der Kleij (2010), chapters 3 and 6. ``opponents.moves.reading`` computes for every opponent the
joint probability of its cluster and its holding; the search (``csrc/include/baycarp/search.h``) draws from
it, plays the hands out by the models, and keeps its tree from one decision of a hand to the next. The action
is drawn by a softmax over the values. Under a time limit the tiers are the cheapest legal action, the policy
of all players together at the own bucket, and the search.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.anytime import Answer, Anytime, Recorder, Tier
from baycarp.agents.base import Decision, Plays
from baycarp.agents.factory import Factory
from baycarp.agents.sampling import draw, generator
from baycarp.agents.searching import SIZES, SearchTurn
from baycarp.agents.trace import Stage
from baycarp.budget import Budget
from baycarp.card import blocked_by, holding_index
from baycarp.errors import ArgumentError, brief
from baycarp.game import Action, Event, HandOver, Observation, State, Variant
from baycarp.game.seats import seat_names
from baycarp.game.variant import DEEP
from baycarp.kernels.arguments import MOST_SEED, whole
from baycarp.kernels.search import MoveValue, Search, TreePolicies
from baycarp.opponents.moves.fold_correction import with_corrected_folds
from baycarp.opponents.moves.players import SHIPPED, SHIPPED_LEARNED, Players, load_players
from baycarp.opponents.moves.reading import PUBLISHED, TREES, Reader
from baycarp.rules.features import coded

__all__ = [
    "LEARNED",
    "MCTS",
    "SEARCHER",
    "ModelSettings",
    "OpponentReading",
    "ReadingStage",
    "SearchSettings",
    "SearchStage",
    "SearchedMove",
    "policy_of",
]

CHUNK = 50
"""Iterations between two readings of the clock."""

MOST_SIZES = 8
"""Of raises, beside the least and all-in: the kernel's bound."""

TRUSTED = 0.1
"""An action is taken only with this share of the visits of the one that was visited most; our choice."""


@dataclass(frozen=True, slots=True)
class OpponentReading:
    """The belief of a tree search about one opponent.

    Parameters
    ----------
    position, player
        Position in the hand, and name.
    clusters
        The probabilities of its likeliest clusters, given its actions of this hand, too.
    strength
        Of its holding, 0..1: the share of buckets below it, weighted; the mean, and the lower and upper
        quartile.
    """

    position: int
    player: str
    clusters: Mapping[str, float]
    strength: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ReadingStage(Stage, name="reading"):
    """What the opponents still in are, and hold, by their actions."""

    opponents: Sequence[OpponentReading] = ()


@dataclass(frozen=True, slots=True)
class SearchedMove:
    """The result of a tree search for one action: big blinds to be won from here, standard error, visits."""

    action: str
    value: float
    standard_error: float
    visits: int
    pruned: bool


@dataclass(frozen=True, slots=True)
class SearchStage(Stage, name="search"):
    """A tree search: its iterations and nodes, whether the tree of the last decision was kept, every action.

    Parameters
    ----------
    iterations, nodes
        Of this decision; of the tree.
    kept
        Whether the tree of the last decision was continued.
    temperature
        Of the softmax over the values, in big blinds.
    moves
        Every action of the abstraction.
    reply
        Of the opponent that acts next after the best action, on the same street: the probabilities of its
        answers; empty where there is none.
    """

    iterations: int
    nodes: int
    kept: bool
    temperature: float
    moves: Sequence[SearchedMove] = ()
    reply: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """The settings of the search.

    Parameters
    ----------
    playouts
        Iterations a decision, where neither a budget nor the clock sets the number.
    temperature
        Of the softmax over values, in big blinds; 0 = the best value alone.
    explore
        The constant of UCT, in big blinds.
    prune
        The half-width, in standard errors, of progressive pruning; 0 = none.
    backup
        ``"frequency"`` or ``"maximum"``: how values return at the player's own nodes.
    nodes
        Of the tree, at most.
    all_in
        Whether the whole stack is a bet of its own beside the seven sizes; False = only where a size is as
        large.
    sizes
        Of its raises in pots after the call, ascending, besides the least one; the models know the nearest of
        the usual six.

    Raises
    ------
    ArgumentError
        A number out of its range.
    """

    playouts: int = 1000
    temperature: float = 0.25
    explore: float = 20.0
    prune: float = 0.0
    backup: str = "maximum"
    nodes: int = 100_000
    all_in: bool = True
    sizes: Sequence[float] = SIZES

    def __post_init__(self) -> None:
        if not (self.playouts >= 1 and 100 <= self.nodes <= 10_000_000):
            raise ArgumentError(f"{self}: expected at least 1 playout, 100 to 10,000,000 nodes")
        if not (min(self.temperature, self.prune) >= 0 and 0 < self.explore < np.inf):
            raise ArgumentError(f"{self}: expected temperature and prune of at least 0, explore above 0")
        if self.backup not in ("frequency", "maximum"):
            raise ArgumentError(f"backup {self.backup!r}: expected 'frequency' or 'maximum'")
        ascending = all(one < other < np.inf for one, other in pairwise((0, *self.sizes)))
        if not (1 <= len(self.sizes) <= MOST_SIZES and ascending):
            raise ArgumentError(
                f"sizes {brief(self.sizes, 80)}: expected 1 to {MOST_SIZES} ascending, above 0"
            )


LEARNED = "learned"
"""In place of a file: the shipped models of ten clusters, which EM learned from showdowns alone, by buckets
of E[HS^2]."""


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """The models of players, and how opponents are read by them.

    Parameters
    ----------
    model
        A file of ``baycarp train --agent mcts``; "learned" = the shipped one that EM learned from showdowns
        (its buckets are of E[HS^2], its clusters ten); None = the shipped one of all cards.
    corrected
        Whether strong holdings fold more seldom than the models have it (section 6.2.1).
    blind
        Whether there are clusters that act without regard to their cards.
    window
        An opponent's last actions that its cluster is inferred from, at least 1.
    own
        The prior share of a model of the individual opponent, which learns from its actions; 0 = clusters
        alone.
    in_hand
        Whether the cluster is also inferred from the hand in progress; False = after every hand.
    earned
        Whether it has to be earned by shown cards that actions say as much as the models have it.

    Raises
    ------
    ArgumentError
        A window below 1.
    """

    model: str | None = None
    corrected: bool = False
    blind: bool = True
    window: int = 400
    own: float = 0.5
    in_hand: bool = True
    earned: bool = True

    def __post_init__(self) -> None:
        if self.window < 1:
            raise ArgumentError(f"window {self.window}: expected at least 1")

    def load(self) -> Players:
        """The models.

        Raises
        ------
        ModelError
            The file cannot be read.
        """
        known = SHIPPED_LEARNED if self.model == LEARNED else SHIPPED if self.model is None else self.model
        players = load_players(known)
        players = with_corrected_folds(players) if self.corrected else players
        return players if self.blind else replace(players, blind=False)

    def reader(self, players: Players) -> Reader:
        """What reads the opponents of a new table."""
        confidence = TREES if self.earned else PUBLISHED
        return Reader(players, self.window, self.own, confidence=confidence, in_hand=self.in_hand)


def policy_of(players: Players, observation: Observation) -> tuple[int, dict[Action, float]]:
    """The own bucket of the seat to act, and the probability of each action by the last row of the models."""
    turn = SearchTurn.of(observation, players.buckets)
    bucket = int(turn.buckets[holding_index(*observation.hole)])
    given = (turn.acts, observation.board, turn.sizes, players.buckets.count)
    moves, chances = players.policies.moves(observation.state, *given)
    chosen = zip(moves, chances[-1, bucket].tolist(), strict=True)
    return bucket, {turn.action(*move): chance for move, chance in chosen}


def _moved(turn: SearchTurn, value: MoveValue) -> SearchedMove:
    """The result for a move, in big blinds."""
    big = turn.observation.variant.big_blind
    worth, error = (value.value / big, value.error / big) if value.visits > 1 else (0.0, 0.0)
    return SearchedMove(str(turn.action(*value[:2])), worth, error, value.visits, value.pruned)


@dataclass(frozen=True, slots=True)
class _Tree:
    """The search of the hand, and the turn that it has come to."""

    search: Search
    turn: SearchTurn
    policies: TreePolicies


class MCTS:
    """A tree-search player.

    Parameters
    ----------
    settings
        Of the search.
    models
        Of players, and how they are read.

    Raises
    ------
    ModelError
        The file cannot be read.
    """

    plays = Plays(frozenset({"limit", "no-limit"}), 2, 9)

    def __init__(
        self,
        settings: SearchSettings | None = None,
        models: ModelSettings | None = None,
    ) -> None:
        self.settings, self.models = settings or SearchSettings(), models or ModelSettings()
        self.players = self.models.load()
        self._anytime, self._seed = Anytime(), 0
        self._reader = self.models.reader(self.players)
        self._tree: _Tree | None = None
        self._ranges: dict[int, NDArray[np.float64]] = {}

    @property
    def loaded_from(self) -> list[str]:
        """The digests of its files."""
        return [f"model {self.players.digest}"]

    @property
    def size(self) -> str:
        """The size of its models."""
        return f"decision trees of {len(self.players.shares):,} clusters of players"

    def sit(self, seat: int, variant: Variant, seed: int) -> None:
        """Take a seat, without observations of any opponent; refuse a game of ten seats (``TableError``)."""
        self.plays.verify(variant)
        self._decide_once(variant)
        self._seed = whole(seed, "seed", 0, MOST_SEED)
        self._tree, self._ranges = None, {}
        self._reader = self.models.reader(self.players)

    def _decide_once(self, variant: Variant) -> None:
        """Make what a process computes once, so that no decision under a time limit waits for it."""
        state = State(variant, variant.stacks or (DEEP,) * variant.seats)
        for hole, board in (((0, 1), ()), ((2, 3), (4, 5, 6))):
            while state.to_act is not None and state.street < bool(board):
                state.apply(state.named("call" if state.owed else "check"))
            if state.to_act is not None:
                state.deal({state.to_act: hole}, board or None)
                observation, recorder = state.observe(state.to_act), Recorder(Budget(playouts=1).start())
                self._by_policy(observation, recorder)
                self._by_search(observation, recorder)

    def learn(self, event: Event) -> None:
        """Update the opponents' clusters when a hand is over."""
        if isinstance(event, HandOver):
            self._tree = None
            self._reader.learn(event.observation)

    def decide(
        self, observation: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """Search, and draw an action by the values; see ``Agent.decide``."""
        budget = budget or Budget(time=time_limit)
        meter = budget.start()
        self.plays.verify_turn(observation)
        if budget.time is None:
            recorder = Recorder(meter)
            return recorder.decision(self._by_search(observation, recorder))
        tiers: dict[str, Tier] = {"policy": self._by_policy, "search": self._by_search}
        return self._anytime.decide(meter, observation, tiers, first="cheapest")

    def _by_policy(self, observation: Observation, recorder: Recorder) -> Answer:
        bucket, policy = policy_of(self.players, observation)
        action = draw(policy, generator(self._seed, observation).random())
        return Answer(
            action,
            policy,
            f"bucket {bucket} of {self.players.buckets.count}, as the players of the models act",
        )

    def _by_search(self, observation: Observation, recorder: Recorder) -> Answer:
        turn, joint = self._turn(observation), self._joint(observation)
        recorder.add(ReadingStage(self._readings(turn, joint), seconds=recorder.lap()))
        random = generator(self._seed, observation)
        search, kept = self._searched(turn, joint, int(random.integers(2**63)))
        self._tree = _Tree(search, turn, self._reader.policies(observation))
        done = self._run(search, recorder)
        values = search.values()
        policy = self._policy(turn, values)
        action = draw(policy, random.random())
        playable = [value for value in values if policy.get(turn.action(*value[:2]), 0.0) > 0]
        best = max(playable, key=lambda value: value.value)
        recorder.add(
            SearchStage(
                search.iterations,
                search.nodes,
                kept,
                self.settings.temperature,
                tuple(_moved(turn, value) for value in values),
                self._reply(turn, joint, turn.action(*best[:2])),
                seconds=recorder.lap(),
                done=done,
            )
        )
        worth = _moved(turn, best)
        reason = (
            f"{worth.action} is worth {worth.value:+.2f} ± {worth.standard_error:.2f} big blinds from here"
        )
        return Answer(action, policy, reason, exact=False)

    def _turn(self, observation: Observation) -> SearchTurn:
        return SearchTurn.of(observation, self.players.buckets, self.settings.sizes)

    def suppose(self, ranges: Mapping[int, NDArray[np.float64]]) -> None:
        """Replace the belief about the holdings of opponents; see ``agents.base.Supposing``."""
        self._ranges = dict(ranges)
        self._tree = None

    def _joint(self, observation: Observation) -> NDArray[np.float64]:
        """The belief about clusters and holdings; a range that is supposed has the holdings' part."""
        joint = self._reader.joint(observation)
        for seat, weights in self._ranges.items():
            held = weights * ~blocked_by((*observation.hole, *observation.board))
            joint[seat] = joint[seat].sum(axis=1, keepdims=True) * held / held.sum()
        return joint

    def _reply(self, turn: SearchTurn, joint: NDArray[np.float64], action: Action) -> dict[str, float]:
        """What the next opponent does after an action, by its cluster and holding."""
        observation, after = turn.observation, turn.observation.state.copy()
        after.apply(action)
        if after.to_act is None or after.street != observation.street:
            return {}
        acts = coded([act.action for act in after.acts])
        policies, count = self._reader.policies(observation), turn.kind.count
        known = policies.moves(after, acts, observation.board, turn.sizes, count, self.settings.all_in)
        by_bucket = np.array([np.bincount(turn.buckets, row, count) for row in joint[after.to_act]])
        chances = np.einsum("cb,cbm->m", by_bucket, known[1][:-1]).tolist()
        found: dict[str, float] = {}
        for (kind, _), chance in zip(known[0], chances, strict=True):
            name = ("fold", "call" if after.owed else "check", "raise" if after.bets_made else "bet")[kind]
            found[name] = found.get(name, 0.0) + chance
        return found

    def _searched(self, turn: SearchTurn, joint: NDArray[np.float64], seed: int) -> tuple[Search, bool]:
        """The search of this turn, and whether it is that of the last one, where the hand went on from it."""
        tree, settings, observation = self._tree, self.settings, turn.observation
        explore = settings.explore * observation.variant.big_blind
        if tree and turn.follows(tree.turn):
            moves = turn.acts[len(tree.turn.acts) :]
            return tree.search, tree.search.advance(
                observation.state, observation.board, joint, turn.buckets, moves, seed, explore
            )
        policies = self._reader.policies(observation)
        same = tree and (tree.turn.observation.board, tree.turn.acts) == (observation.board, turn.acts)
        if tree and same and tree.policies is policies and turn.begins_as(tree.turn):
            tree.search.restart(observation.hole, joint, seed)
            return tree.search, False
        search = Search(
            observation.state,
            observation.hole,
            observation.board,
            joint,
            policies,
            turn.buckets,
            turn.kind.edges,
            draw=turn.kind.draw,
            ranked=turn.kind.ranked,
            acts=turn.acts,
            sizes=turn.sizes,
            all_in=settings.all_in,
            explore=explore,
            prune=settings.prune,
            backup=settings.backup,
            nodes=settings.nodes,
            seed=seed,
        )
        return search, False

    def _run(self, search: Search, recorder: Recorder) -> bool:
        """Search until the budget is spent; False if the clock ended it."""
        budget = recorder.meter.budget
        most = budget.playouts or (np.inf if budget.time is not None else self.settings.playouts)

        def chunk() -> bool:
            search.run(int(min(CHUNK, most - search.iterations)))
            return search.iterations >= most

        return recorder.repeat(chunk) or budget.playouts is None

    def _policy(self, turn: SearchTurn, values: Sequence[MoveValue]) -> dict[Action, float]:
        """Softmax (equation 6.2) over the actions that were visited often enough."""
        live = [value for value in values if value.visits and not value.pruned]
        least = TRUSTED * max(value.visits for value in live)
        live = [value for value in live if value.visits >= least]
        found = np.array([value.value for value in live])
        if scale := self.settings.temperature * turn.observation.variant.big_blind:
            weights = np.exp((found - found.max()) / scale)
        else:
            weights = (np.arange(len(found)) == found.argmax()).astype(float)
        shares = (weights / weights.sum()).tolist()
        policy = {turn.action(*value[:2]): 0.0 for value in values}
        return policy | {turn.action(*value[:2]): share for value, share in zip(live, shares, strict=True)}

    def _readings(self, turn: SearchTurn, joint: NDArray[np.float64]) -> tuple[OpponentReading, ...]:
        observation, street = turn.observation, turn.observation.street
        strengths = turn.kind.stretches(street)[0][turn.buckets]
        order = np.argsort(strengths, kind="stable")
        found = []
        for seat in observation.state.seats_in:
            if seat == observation.seat:
                continue
            clusters, holdings = joint[seat].sum(axis=1), joint[seat].sum(axis=0)
            likely = np.argsort(-clusters, kind="stable")[:3].tolist()
            below = np.cumsum(holdings[order])
            quartiles = [strengths[order[int(np.searchsorted(below, part))]] for part in (0.25, 0.5, 0.75)]
            names = ("lower quartile", "median", "upper quartile")
            strength = {name: float(value) for name, value in zip(names, quartiles, strict=True)}
            name = (observation.players or seat_names(observation.variant))[seat]
            shares = {self.players.cluster_name(each): float(clusters[each]) for each in likely}
            found.append(OpponentReading(seat, name, shares, strength))
        return tuple(found)


SEARCHER = Factory(
    MCTS,
    "Monte-Carlo tree search; its models of players saw all cards of rule players (van der Kleij 2010)",
    published={
        "model": LEARNED,
        "corrected": True,
        "blind": False,
        "own": 0.0,
        "in_hand": False,
        "earned": False,
        "all_in": False,
    },
    settings=SearchSettings,
    models=ModelSettings,
)
"""As published: section 6.1, with the models of chapter 5 as 6.2.1 corrects them, and seven bet sizes."""
