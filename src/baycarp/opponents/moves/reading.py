"""Reading opponents online: which cluster each belongs to, and what it holds, from its actions.

The joint probability of an opponent's cluster and holding, given its actions of the hand, is the product of
the cluster's membership, of the holding's share of the deal, and of the probabilities of the actions by the
cluster's model (van der Kleij 2010, equation 5.2 and section 6.1). After a hand the membership takes
the actions with every holding that the player may have had, weighted, or with the one that it showed. It
depends on the last actions alone, so that it follows a change of style. Beside the clusters every opponent
has a model of its own (``individual``) as one more cluster, which gains membership by predicting better.

That the actions say as much about the cards as the trees have it, is earned by shown cards
(``opponents.reliance``): on people the product alone is worse than the deal, the more it learns. With
``PUBLISHED`` the reading is as van der Kleij has it.
"""

from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from baycarp.card import HOLDINGS, blocked_by, holding_index
from baycarp.errors import ArgumentError, brief
from baycarp.game import Act, Observation
from baycarp.kernels.features import hand_features
from baycarp.kernels.search import TreePolicies, hand_choices
from baycarp.opponents.moves.individual import Individual, PredictedAct
from baycarp.opponents.moves.players import Players
from baycarp.opponents.reliance import KINDS, Confidence, Reliance, kind_of
from baycarp.opponents.table_prior import TablePrior
from baycarp.rules.features import coded

__all__ = ["PUBLISHED", "TREES", "Reader", "legal_chances"]

Array = NDArray[np.float64]

RAISES = 2
"""The first choice that is a bet or raise."""

PREFLOP = 2
"""The first situations are those before the flop (``rules.features.SITUATIONS``)."""

TREES = Confidence((0.125, 0.25, 0.5, 1.0), ((0.25,) * 4,) * len(KINDS), blind=0.25)
"""What is believed of a new player; chosen on one population of people, and reported on others."""

PUBLISHED = Confidence(powers=(1.0,), prior=((1.0,),) * len(KINDS), blind=0.0, actions=1.0)
"""Every action is relied on as the trees have it."""


@dataclass(slots=True)
class _HandSoFar:
    """A hand in progress: the models by position, and what they make of the actions so far.

    ``place`` is its number, game and players, ``seat`` that of the observer, ``hole`` the cards at its last
    decision: nothing else depends on them. ``clusters`` has the numbers of an opponent's clusters in
    ``policies``, its own model last; ``found`` the likelihood of its actions, shape (clusters, 1326).
    """

    place: tuple[object, ...]
    seat: int | None
    hole: tuple[int, ...]
    policies: TreePolicies
    clusters: dict[int, NDArray[np.intp]]
    board: tuple[int, ...] = ()
    acts: tuple[Act, ...] = ()
    moves: dict[int, list[PredictedAct]] = field(default_factory=dict)
    found: dict[int, Array] = field(default_factory=dict)


@dataclass(slots=True)
class _Record:
    """A player: its own model and leaves, its reliance, and the hands that count: logarithms, and actions."""

    individual: Individual
    values: list[Array]
    reliance: Reliance
    hands: deque[tuple[Array, int]] = field(default_factory=deque)
    moves: int = 0


class Reader:
    """What is known of the opponents at a table.

    Parameters
    ----------
    players
        The models of the clusters.
    window
        The membership depends on the hands with a player's last so many actions, at least 1.
    own
        The prior share of the model of the individual, at least 0 and below 1.
    watched
        The names of the players that are read; None = all.
    confidence
        How far the actions of a new player are relied on.
    in_hand
        Whether the actions of a hand in progress count for the membership, too.

    Raises
    ------
    ArgumentError
        A share outside its range.
    """

    def __init__(
        self,
        players: Players,
        window: int = 400,
        own: float = 0.5,
        watched: Collection[str] | None = None,
        confidence: Confidence = TREES,
        in_hand: bool = True,
    ) -> None:
        if not 0 <= own < 1:
            raise ArgumentError(f"own {brief(own)}: expected at least 0 and below 1")
        self.players, self.window, self._watched_names = players, window, watched
        self.in_hand = in_hand
        with np.errstate(divide="ignore"):
            self._priors: Array = np.log(np.append(players.priors * (1 - own), own))
        self._unknown = Individual(players).values(players.priors)
        self.confidence = confidence
        self._new = Reliance(confidence)
        self._table = TablePrior(confidence)
        self._records: dict[str | int, _Record] = {}
        self._hand: _HandSoFar | None = None

    def membership(self, name: str | int) -> Array:
        """The probability of each cluster, shape (clusters + 1,): the last is the player's own model."""
        return _shares(self._logs(name))

    def individual(self, name: str | int) -> list[Array]:
        """The leaves of the player's own model, by situation; of an unknown player those of the clusters."""
        return self._records[name].values if name in self._records else self._unknown

    def reliance(self, name: str | int) -> Reliance:
        """How far the player's actions are relied on."""
        return self._records[name].reliance if name in self._records else self._new

    def relied(self, name: str | int, move: PredictedAct) -> Array:
        """The probability of each choice by cluster and bucket, as far as the player's actions are relied on.

        Returns
        -------
        float64, shape (clusters, buckets, choices)
            Sums to 1 over the choices; at power 1 it is ``move.chances``.
        """
        kinds = [kind_of(move.situation >= PREFLOP, choice) for choice in range(move.chances.shape[2])]
        weights = self.reliance(name).powers[kinds]
        mixed = np.einsum("kp,pcbk->cbk", weights, self._at_powers(move))
        return np.asarray(mixed / mixed.sum(axis=2, keepdims=True))

    def shares(self, observation: Observation, seat: int, move: PredictedAct) -> Array:
        """The probability of each choice of a player in turn, given each holding.

        Parameters
        ----------
        observation
            Before the choice.
        seat
            The player's position.
        move
            Its situation; the choice does not count.

        Returns
        -------
        float64, shape (choices, 1326)
            0 for holdings that a known card excludes.
        """
        informed, prior, blind = self._parts(self._watched(observation), observation, seat)
        relied = self.relied(_name(observation, seat), move)[:, move.buckets]
        acts, deal = np.einsum("ch,chk->kh", informed, relied), prior.sum(axis=0)
        both = (1 - blind) * acts + blind * acts.sum(axis=1)[:, None] * deal
        held = (1 - blind) * informed.sum(axis=0) + blind * deal
        return np.asarray(np.divide(both, held, out=np.zeros_like(both), where=held > 0))

    def policies(self, observation: Observation) -> TreePolicies:
        """The models at the table: the clusters, then each opponent's own by position, then the player's."""
        return self._watched(observation).policies

    def joint(self, observation: Observation) -> Array:
        """The joint probability of cluster and holding by position, shape (seats, clusters, 1326).

        The clusters are those of ``policies`` but the last. Rows of opponents still in sum to 1 over the
        holdings that the observed cards leave; others are 0.
        """
        hand = self._watched(observation)
        found = np.zeros((observation.variant.seats, hand.policies.clusters - 1, len(HOLDINGS)))
        for seat in observation.state.seats_in:
            if seat != observation.seat:
                informed, prior, blind = self._parts(hand, observation, seat)
                found[seat, hand.clusters[seat]] = (1 - blind) * informed + blind * prior
        return found

    def _parts(self, hand: _HandSoFar, observation: Observation, seat: int) -> tuple[Array, Array, float]:
        """The joint of a player by its actions, and by the deal, each with sum 1; the share of the deal."""
        name, free = _name(observation, seat), ~blocked_by((*observation.hole, *observation.board))
        prior = self.membership(name)[:, None] * free
        informed = prior * hand.found.get(seat, 1.0)
        if not self.in_hand:
            before, after = prior.sum(axis=1), informed.sum(axis=1)
            informed *= np.divide(before, after, out=np.zeros_like(after), where=after > 0)[:, None]
        return informed / informed.sum(), prior / prior.sum(), self.reliance(name).blind

    def moves(self, observation: Observation) -> dict[int, list[PredictedAct]]:
        """The actions of the opponents so far, by position; their models are those of the hand's start."""
        return self._watched(observation).moves

    def learn(self, observation: Observation) -> None:
        """Update the memberships and the individual models with a finished hand.

        It may be observed in public: the seat and the hole cards are those of the hand's decisions.
        """
        hand, self._hand = self._watched(observation), None
        free = ~blocked_by((*hand.hole, *observation.board))
        for seat, likelihood in hand.found.items():
            self._learn_player(observation, seat, hand, likelihood * free)
        names = [_name(observation, seat) for seat in hand.found]
        for name in names:
            self._table.count(name, self._records[name].reliance)
        for name in names:
            self._records[name].reliance.adjust(*self._table.prior_of(name))
        self._new.adjust(*self._table.prior_of(""))

    def _learn_player(self, observation: Observation, seat: int, hand: _HandSoFar, likelihood: Array) -> None:
        """Learn from one player's actions; the likelihood is 0 where a holding is impossible."""
        name, hole, free = _name(observation, seat), observation.state.hole_of(seat), likelihood.any(axis=0)
        if name not in self._records:
            reliance = Reliance(self.confidence)
            reliance.adjust(*self._table.prior_of(""))
            self._records[name] = _Record(Individual(self.players), [], reliance)
        record, moves, member = self._records[name], hand.moves[seat], self.membership(name)
        hidden = likelihood.sum(axis=1) / free.sum()
        logs = self.confidence.actions * np.log(hidden)
        if hole:
            shown = holding_index(*hole)
            logs += np.log(likelihood[:, shown]) - np.log(hidden)
            holdings = np.eye(1, len(HOLDINGS), shown)[0]
            by_power = self._by_power(name, moves, np.outer(member, free), shown)
            record.reliance.learn(by_power, float(member @ likelihood[:, shown] / (member @ hidden)))
        else:
            informed, blind = member @ likelihood, record.reliance.blind
            holdings = (1 - blind) * informed / informed.sum() + blind * free / free.sum()
        record.individual.learn(moves, holdings, self._mixture(name))
        record.hands.append((logs, len(moves)))
        record.moves += len(moves)
        while record.moves - record.hands[0][1] >= self.window:
            record.moves -= record.hands.popleft()[1]
        record.values = record.individual.values(self._mixture(name))

    def _by_power(self, name: str | int, moves: Sequence[PredictedAct], prior: Array, shown: int) -> Array:
        """The probability of a shown holding by the power of each act, the other acts at their mean ones."""
        found = np.ones_like(self.reliance(name).powers)
        if found.shape[1] == 1:
            return found
        relied = [self.relied(name, move)[:, move.buckets, move.choice] for move in moves]
        product = prior * np.prod(relied, axis=0)
        for move, own in zip(moves, relied, strict=True):
            tried = self._at_powers(move)
            chances = (tried[..., move.choice] / tried.sum(axis=3))[:, :, move.buckets]
            by_holding = np.einsum("ch,pch->ph", product / own, chances)
            kind = kind_of(move.situation >= PREFLOP, move.choice)
            found[kind] *= by_holding[:, shown] / by_holding.sum(axis=1)
        return found

    def _at_powers(self, move: PredictedAct) -> Array:
        """The choices by power, cluster and bucket, not normalised; the mean of the deal stays at power 0."""
        shares = self.players.buckets.shares[move.situation // 2]
        mean = np.einsum("cbk,b->ck", move.chances, shares)[:, None]
        ratio = np.divide(move.chances, mean, out=np.ones_like(move.chances), where=mean > 0)
        powers = self.confidence.powers
        return np.stack([move.chances if power == 1 else mean * ratio**power for power in powers])

    def _logs(self, name: str | int) -> Array:
        if name not in self._records:
            return self._priors
        return np.asarray(self._priors + sum(each for each, _ in self._records[name].hands))

    def _mixture(self, name: str | int) -> Array:
        """The membership of the clusters alone, sums to 1; however small beside that of the own model."""
        return _shares(self._logs(name)[:-1])

    def _watched(self, observation: Observation) -> _HandSoFar:
        """The hand with the likelihoods of all actions; those of its earlier actions are kept."""
        hand = self._hand
        if not hand or not _continues(hand, observation):
            hand = self._started(observation)
        if len(observation.acts) > len(hand.acts):
            self._add(observation, hand)
        if observation.seat is not None:
            hand.hole = observation.hole
        hand.acts = observation.acts
        hand.board = observation.board
        self._hand = hand
        return hand

    def _started(self, observation: Observation) -> _HandSoFar:
        others = [
            seat
            for seat in range(observation.variant.seats)
            if seat != observation.seat
            and (self._watched_names is None or _name(observation, seat) in self._watched_names)
        ]
        count, models, clusters = len(self.players.priors), [], {}
        for number, seat in enumerate(others):
            record = self._records.get(_name(observation, seat))
            models.append(record.values if record else self._unknown)
            clusters[seat] = np.append(np.arange(count), count + number)
        policies = self.players.policies.extended(models)
        return _HandSoFar(_place(observation), observation.seat, observation.hole, policies, clusters)

    def _add(self, observation: Observation, hand: _HandSoFar) -> None:
        state, actions = observation.state, coded([act.action for act in observation.acts])
        stacks = tuple(map(sum, zip(state.stacks, state.committed, strict=True)))
        rows, labels = hand_features(state.rules, stacks, actions, observation.board)
        choices, legal = hand_choices(state.rules, stacks, actions)
        for at in range(len(hand.acts), len(actions)):
            seat, situation = labels[at, :2].tolist()
            act = observation.acts[at]
            if seat not in hand.clusters or (act.action.name == "fold" and not act.owed):
                continue  # no model folds where a check is free: of people it says that they left
            kinds = self.players.buckets
            inputs = np.column_stack([np.tile(rows[at], (kinds.count, 1)), np.arange(kinds.count)])
            chances = hand.policies.chances(inputs, situation)[hand.clusters[seat]]
            shown = observation.board[: situation // 2 + 2] if situation >= 2 else ()
            buckets = kinds.on(tuple(shown), state.variant.seats)
            leaves = self.players.leaves(inputs, situation)
            move = PredictedAct(
                situation, int(choices[at]), leaves, buckets, legal_chances(chances, legal[at])
            )
            hand.moves.setdefault(seat, []).append(move)
            likelihood = self.relied(_name(observation, seat), move)[:, buckets, move.choice]
            hand.found[seat] = hand.found.get(seat, 1.0) * likelihood


def _shares(logs: Array) -> Array:
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum())


def _place(observation: Observation) -> tuple[object, ...]:
    return observation.hand, observation.variant, tuple(observation.players)


def _continues(hand: _HandSoFar, observation: Observation) -> bool:
    """Whether the hand is that of the observation, from the same seat or in public, and not later."""
    same = hand.place == _place(observation) and observation.seat in (hand.seat, None)
    acts, board = observation.acts[: len(hand.acts)], observation.board[: len(hand.board)]
    return same and acts == hand.acts and board == hand.board


def legal_chances(chances: Array, legal: NDArray[np.bool_]) -> Array:
    """Probabilities of the legal choices, shape (clusters, buckets, choices).

    As in the search (csrc/include/baycarp/search_trees.h), choices that are not legal are left out, and
    legal bets and raises have together the probability of all bets and raises.
    """
    raises = chances[:, :, RAISES:].sum(axis=2, keepdims=True)
    chances = chances * legal
    if legal[RAISES:].any():
        chances[:, :, RAISES:] *= raises / chances[:, :, RAISES:].sum(axis=2, keepdims=True)
    return np.asarray(chances / chances.sum(axis=2, keepdims=True))


def _name(observation: Observation, seat: int) -> str | int:
    """The player of a position; where names are unknown, the position."""
    return observation.players[seat] if observation.players else seat
