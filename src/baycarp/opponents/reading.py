"""Reading opponents online: which cluster each belongs to, and what it holds, from its actions.

The joint probability of an opponent's cluster and holding, given its actions of the hand, is the product of
the cluster's membership, of the holding's share of the deal, and of the probabilities of the actions by the
cluster's model (van der Kleij 2010, equation 5.2 and section 6.1). After a hand the membership takes
the actions with every holding that the player may have had, weighted, or with the one that it showed. It
depends on the last actions alone, so that it follows a change of style.
"""

from collections import deque
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from baycarp.card import HOLDINGS, blocked_by, holding_index
from baycarp.game import Act, Observation
from baycarp.kernels.features import hand_features
from baycarp.kernels.search import hand_choices
from baycarp.opponents.players import Players
from baycarp.opponents.strength_buckets import BUCKETS, buckets_on
from baycarp.rules.features import coded

__all__ = ["Reader"]

Array = NDArray[np.float64]

RAISES = 2
"""The first choice that is a bet or raise."""


@dataclass(slots=True)
class _Hand:
    """The likelihoods of a hand's actions, by position: shape (clusters, 1326)."""

    number: int
    board: tuple[int, ...]
    acts: tuple[Act, ...]
    found: dict[int, Array]


@dataclass(slots=True)
class _Record:
    """The hands of a player that count: log-likelihoods by cluster, and actions."""

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
    """

    def __init__(self, players: Players, window: int = 400) -> None:
        self.players, self.window = players, window
        self._records: dict[str | int, _Record] = {}
        self._hand = _Hand(0, (), (), {})

    def membership(self, name: str | int) -> Array:
        """The probability of each cluster, shape (clusters,)."""
        logs = np.log(self.players.priors)
        if name in self._records:
            logs = logs + sum(each for each, _ in self._records[name].hands)
        weights = np.exp(logs - logs.max())
        return np.asarray(weights / weights.sum())

    def joint(self, observation: Observation) -> Array:
        """The joint probability of cluster and holding by position, shape (seats, clusters, 1326).

        Rows of opponents still in sum to 1 over the holdings that the observed cards leave; others are 0.
        """
        seats = observation.variant.seats
        free = ~blocked_by((*observation.hole, *observation.board))
        found = np.zeros((seats, len(self.players.priors), len(HOLDINGS)))
        likelihoods = self._likelihoods(observation)
        for seat in observation.state.seats_in:
            if seat == observation.seat:
                continue
            joint = self.membership(_name(observation, seat))[:, None] * free
            joint = joint * likelihoods.get(seat, 1.0)
            found[seat] = joint / joint.sum()
        return found

    def learn(self, observation: Observation) -> None:
        """Update the memberships with a finished hand."""
        likelihoods = self._likelihoods(observation)
        own = () if observation.seat is None else observation.hole
        free = ~blocked_by((*own, *observation.board))
        for seat, likelihood in likelihoods.items():
            if seat == observation.seat:
                continue
            shown = observation.state.hole_of(seat)
            possible = [holding_index(*shown)] if shown else free
            mean = likelihood[:, possible].mean(axis=1)
            count = sum(act.seat == seat for act in observation.acts)
            self._record(_name(observation, seat), np.log(mean), count)

    def _record(self, name: str | int, logs: Array, moves: int) -> None:
        record = self._records.setdefault(name, _Record())
        record.hands.append((logs, moves))
        record.moves += moves
        while record.moves - record.hands[0][1] >= self.window:
            record.moves -= record.hands.popleft()[1]

    def _likelihoods(self, observation: Observation) -> dict[int, Array]:
        """Of every position that has acted; those of the earlier actions of the same hand are kept."""
        acts, board, hand = observation.acts, observation.board, self._hand
        same = hand.number == observation.hand and board[: len(hand.board)] == hand.board
        if not same or acts[: len(hand.acts)] != hand.acts:
            hand = _Hand(observation.hand, (), (), {})
        self._hand = _Hand(observation.hand, board, acts, self._more(observation, hand))
        return self._hand.found

    def _more(self, observation: Observation, hand: _Hand) -> dict[int, Array]:
        if len(observation.acts) == len(hand.acts):
            return hand.found
        state, actions = observation.state, coded([act.action for act in observation.acts])
        stacks = tuple(map(sum, zip(state.stacks, state.committed, strict=True)))
        rows, labels = hand_features(state.rules, stacks, actions, observation.board)
        choices, legal = hand_choices(state.rules, stacks, actions)
        found = dict(hand.found)
        for at in range(len(hand.acts), len(actions)):
            seat, situation = int(labels[at, 0]), int(labels[at, 1])
            by_bucket = self._by_bucket(rows[at], situation, int(choices[at]), legal[at])
            shown = observation.board[: situation // 2 + 2] if situation >= 2 else ()
            buckets = buckets_on(tuple(shown), state.variant.seats)
            found[seat] = found.get(seat, 1.0) * by_bucket[:, buckets]
        return found

    def _by_bucket(self, row: Array, situation: int, choice: int, legal: NDArray[np.bool_]) -> Array:
        """The probability of a choice by cluster and bucket, shape (clusters, buckets).

        As in the search (csrc/include/baycarp/search_trees.h), choices that are not legal are left out, and
        legal bets and raises have together the probability of all bets and raises.
        """
        inputs = np.column_stack([np.tile(row, (BUCKETS, 1)), np.arange(BUCKETS)])
        chances = self.players.policies.chances(inputs, situation)[:-1]
        raises = chances[:, :, RAISES:].sum(axis=2, keepdims=True)
        chances = chances * legal
        if legal[RAISES:].any():
            chances[:, :, RAISES:] *= raises / chances[:, :, RAISES:].sum(axis=2, keepdims=True)
        return np.asarray(chances[:, :, choice] / chances.sum(axis=2))


def _name(observation: Observation, seat: int) -> str | int:
    """The player of a position; where names are unknown, the position."""
    return observation.players[seat] if observation.players else seat
