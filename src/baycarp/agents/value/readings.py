"""What is known of the opponents, in either betting: their ranges, their folds, and the likelihood of acts.

Fixed limit reads them by the action-conditioned model, whose beliefs describe the cases, too; bets of any
size by clusters of players and a model of the individual (``opponents.moves``).
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.anytime import Answer, Recorder
from baycarp.agents.cases.case_player import CasePlayer
from baycarp.agents.cases.stages import BeliefStage
from baycarp.agents.mcts import policy_of
from baycarp.agents.sampling import draw, generator
from baycarp.agents.searching import SIZES
from baycarp.card import blocked_by
from baycarp.game import Action, Event, HandOver, Observation
from baycarp.game.state import State
from baycarp.kernels.game import FOLD
from baycarp.opponents.actions.model import PlayerModels
from baycarp.opponents.actions.situations import hand_moves
from baycarp.opponents.belief import Belief, belief_of
from baycarp.opponents.model import opponents_of
from baycarp.opponents.moves.buckets import OUTS
from baycarp.opponents.moves.players import SHIPPED, load_players
from baycarp.opponents.moves.reading import Reader
from baycarp.rules.betting.context import FOLD_CALL_RAISE
from baycarp.rules.features import coded
from baycarp.rules.income import IncomeGroup

__all__ = ["BySizes", "ByStyles", "TableReading"]

Array = NDArray[np.float64]

TINY = 1e-9
"""Of an action that a model does not take at all, so that shares can be normalized."""


class TableReading(Protocol):
    """What is known of the opponents of a seat."""

    @property
    def model(self) -> PlayerModels | Reader:
        """What a look-ahead draws from."""

    def begin(self, seed: int) -> None:
        """Forget everything."""

    def propose(self, observation: Observation, recorder: Recorder) -> tuple[Answer, Mapping[int, Belief]]:
        """The prior over the actions, and the belief about each opponent still in, by position."""

    def beliefs(self, observation: Observation) -> Mapping[int, Belief]:
        """The belief about each opponent still in, by position; the observation may be the public one."""

    def folds(self, observation: Observation, state: State, player: str) -> Array:
        """The probability that the player to act folds in a later state, by holding; shape (1326,)."""

    def likelihood(self, observation: Observation, opponent: tuple[int, str], street: int = 4) -> Array:
        """The probability of the acts of a position and name before a street, given its holding; (1326,).

        All sizes of a bet count together.
        """

    def shares(self, observation: Observation, state: State, actions: Sequence[Action], player: str) -> Array:
        """What the player to act does in a later state of the street: float64, shape (actions, 1326)."""

    def suppose(self, ranges: Mapping[int, Array]) -> None:
        """Replace the belief; see ``agents.base.Supposing``."""

    def learn(self, event: Event) -> None:
        """Learn from an event."""


class ByStyles:
    """The action-conditioned model, and the cases that are described by its beliefs; fixed limit.

    Parameters
    ----------
    cases
        The player whose cases propose.
    """

    def __init__(self, cases: CasePlayer) -> None:
        self.cases = cases

    @property
    def model(self) -> PlayerModels:
        """The models of the opponents."""
        model = self.cases.full.opponents
        assert isinstance(model, PlayerModels)
        return model

    def begin(self, seed: int) -> None:
        """Forget everything but the cases."""
        self.cases.begin(seed)

    def propose(self, observation: Observation, recorder: Recorder) -> tuple[Answer, Mapping[int, Belief]]:
        """The vote of the retrieved cases."""
        return self.cases.propose(observation, recorder)

    def beliefs(self, observation: Observation) -> Mapping[int, Belief]:
        """The belief about each opponent still in, by position."""
        return self.cases.beliefs(observation)

    def folds(self, observation: Observation, state: State, player: str) -> Array:
        """Given its holding and its acts so far."""
        return np.asarray(self.model.shares(state, (Action("fold"),), player)[0])

    def likelihood(self, observation: Observation, opponent: tuple[int, str], street: int = 4) -> Array:
        """Of the player's model before it learns the hand."""
        seat, name = opponent
        _, by_seat, groups = hand_moves(observation.acts, observation.variant)
        moves = [move for move in by_seat.get(seat, ()) if move.street < street]
        group = groups.get(seat, IncomeGroup.IR2)
        return self.model.of(name).likelihood(moves, observation.board, group)

    def shares(self, observation: Observation, state: State, actions: Sequence[Action], player: str) -> Array:
        """Given its holding and its acts so far."""
        found = self.model.shares(state, actions, player) + TINY
        return np.asarray(found / found.sum(axis=0))

    def suppose(self, ranges: Mapping[int, Array]) -> None:
        """Replace the belief."""
        self.cases.suppose(ranges)

    def learn(self, event: Event) -> None:
        """The models learn, and the cases."""
        self.cases.learn(event)


class BySizes:
    """Clusters of players, each with its probabilities of bets by size; any betting."""

    def __init__(self) -> None:
        self.players = load_players(SHIPPED)
        self.begin(0)

    def begin(self, seed: int) -> None:
        """Forget everything."""
        self.model = Reader(self.players)
        self._seed = seed
        self._supposed: dict[int, Array] = {}
        self._last: tuple[Observation, Array, Array] | None = None

    def propose(self, observation: Observation, recorder: Recorder) -> tuple[Answer, Mapping[int, Belief]]:
        """What the players of the models do with such a hand."""
        beliefs = self.beliefs(observation)
        recorder.add(BeliefStage.of(beliefs, recorder.lap()))
        bucket, policy = policy_of(self.players, observation)
        action = draw(policy, generator(self._seed, observation).random())
        return Answer(
            action, policy, f"bucket {bucket} of {OUTS.count}, as the players of the models act"
        ), beliefs

    def beliefs(self, observation: Observation) -> dict[int, Belief]:
        """The belief about each opponent still in, by position."""
        _, holdings = self._joint(observation)
        free = ~blocked_by((*observation.hole, *observation.board))
        found = {}
        for seat, player in opponents_of(observation).items():
            held = self._supposed.get(seat, holdings[seat]) * free
            found[seat] = belief_of((seat, player), {}, held / held.sum(), observation.board)
        return found

    def _joint(self, observation: Observation) -> tuple[Array, Array]:
        """The clusters and the holdings of each position; those of the last observation are kept."""
        if self._last is None or self._last[0] is not observation:
            joint = self.model.joint(observation)
            self._last = observation, joint.sum(axis=2), joint.sum(axis=1)
        return self._last[1:]

    def folds(self, observation: Observation, state: State, player: str) -> Array:
        """The folds of the player's clusters, weighed by its actions so far."""
        moves, by_bucket = self._moves(observation, state)
        folding = by_bucket[:, [kind == FOLD for kind, _ in moves]].sum(axis=1)
        return np.asarray(folding[OUTS.on(observation.board, observation.variant.seats)])

    def likelihood(self, observation: Observation, opponent: tuple[int, str], street: int = 4) -> Array:
        """Of the player's clusters before they learn the hand."""
        seat, name = opponent
        member = self.model.membership(name if observation.players else seat)
        found = np.ones((len(member), 1326))
        for move in self.model.moves(observation).get(seat, ()):
            if move.situation // 2 >= street:
                continue
            kind = slice(2, None) if move.choice >= 2 else slice(move.choice, move.choice + 1)
            found = found * move.chances[:, :, kind].sum(axis=2)[:, move.buckets]
        return np.asarray(member @ found)

    def shares(self, observation: Observation, state: State, actions: Sequence[Action], player: str) -> Array:
        """Of the player's clusters; a size counts for the action of its kind that is nearest."""
        moves, by_bucket = self._moves(observation, state)
        found = np.full((len(actions), OUTS.count), TINY)
        for (kind, amount), chances in zip(moves, by_bucket.T, strict=True):
            same = [at for at, action in enumerate(actions) if FOLD_CALL_RAISE[action.name] == kind]
            if same:
                found[min(same, key=lambda at: abs(actions[at].amount - amount))] += chances
        found /= found.sum(axis=0)
        return np.asarray(found[:, OUTS.on(state.board, state.variant.seats)])

    def _moves(self, observation: Observation, state: State) -> tuple[Sequence[tuple[int, int]], Array]:
        """The moves of the player to act in a later state, and their probabilities: (buckets, moves)."""
        acts = coded([act.action for act in state.acts])
        policies = self.model.policies(observation)
        moves, chances = policies.moves(state, acts, state.board, SIZES, OUTS.count)
        assert state.to_act is not None
        return moves, np.einsum("c,cbm->bm", self._joint(observation)[0][state.to_act], chances[:-1])

    def suppose(self, ranges: Mapping[int, Array]) -> None:
        """Replace the belief."""
        self._supposed = dict(ranges)

    def learn(self, event: Event) -> None:
        """The clusters learn when a hand is over."""
        if isinstance(event, HandOver):
            self.model.learn(event.observation)
