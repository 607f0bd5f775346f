"""Hands as input of EM over holdings: a row is a player in a hand, with its decisions and the boards.

``posterior`` is the E-step: the probability of every holding given all decisions of its row, by equation 5.2
of van der Kleij (2010), and of every bucket at every decision.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from baycarp.card import HOLDINGS, holding_index
from baycarp.errors import ArgumentError
from baycarp.game.notation.hand import Hand
from baycarp.game.state import SHOWN
from baycarp.opponents.moves.tree_policy import MoveRows
from baycarp.rules.features import SITUATIONS, decisions
from experiments.players.holding_policy import HoldingPolicy
from experiments.players.street_buckets import StreetBuckets

__all__ = ["HoldingRows", "Memberships", "Posterior", "made_probabilities", "posterior"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Board = tuple[int, ...]

TOGETHER = 512
"""The rows of a block of ``posterior``."""


@dataclass(frozen=True, slots=True)
class HoldingRows:
    """Players in hands, and their decisions, which are consecutive within a row.

    Parameters
    ----------
    choices
        The decisions; ``players`` is the number of the row, ``hands`` that of the hand.
    boards
        The board at each decision.
    holding
        Int64, shape (rows,): the index of the holding; -1 = not recorded.
    shown, folded
        Bool, shape (rows,): whether it was shown at the end of the hand, or folded.
    hands
        Int64, shape (rows,): the number of the hand.
    """

    choices: MoveRows
    boards: tuple[Board, ...]
    holding: Ints
    shown: NDArray[np.bool_]
    folded: NDArray[np.bool_]
    hands: Ints

    def __len__(self) -> int:
        return len(self.holding)

    @classmethod
    def of(cls, hands: Iterable[Hand]) -> "HoldingRows":
        """The rows of every player that decided, hand by hand.

        Raises
        ------
        ArgumentError
            No decision.
        """
        features, labels, boards, rows = [], [], list[Board](), list[tuple[int, bool, bool, int]]()
        for number, hand in enumerate(hands):
            found = decisions(hand)
            if not len(found.moves):
                continue
            order = np.argsort(found.seats, kind="stable")
            features.append(found.features[order])
            seats = found.seats[order]
            first = len(rows)
            _, local = np.unique(seats, return_inverse=True)
            situations, moves = found.situations[order], found.moves[order]
            labels.append(np.stack([situations, moves, local + first, np.full(len(seats), number)]))
            boards += [tuple(hand.board[: SHOWN[each // 2]]) for each in situations.tolist()]
            rows += list(_rows(hand, number, found.seats, found.moves))
        if not rows:
            raise ArgumentError("hands: expected at least one decision")
        situation, move, row, of_hand = np.concatenate(labels, axis=1).astype(np.int64)
        choices = MoveRows(
            np.concatenate(features), situation.astype(np.int8), move.astype(np.int8), row, of_hand
        )
        holding, shown, folded, numbers = np.array(rows, np.int64).T
        return cls(choices, tuple(boards), holding, shown == 1, folded == 1, numbers)

    def of_hands(self, first: int, end: int) -> "HoldingRows":
        """The rows of hands ``first`` up to ``end``, not included."""
        kept = (self.hands >= first) & (self.hands < end)
        inside = kept[self.choices.players]
        chosen = self.choices[inside]
        numbers = np.cumsum(kept) - 1
        return HoldingRows(
            MoveRows(chosen.features, chosen.situations, chosen.moves, numbers[chosen.players], chosen.hands),
            tuple(board for board, here in zip(self.boards, inside.tolist(), strict=True) if here),
            self.holding[kept],
            self.shown[kept],
            self.folded[kept],
            self.hands[kept],
        )


def _rows(
    hand: Hand, number: int, seats: NDArray[np.int8], moves: NDArray[np.int8]
) -> Iterator[tuple[int, bool, bool, int]]:
    gone = set(seats[moves == 0].tolist())
    showdown = hand.variant.seats - len(gone) > 1
    for seat in sorted(set(seats.tolist())):
        hole = hand.holes[seat]
        folded = seat in gone
        yield holding_index(*hole) if hole else -1, showdown and not folded and bool(hole), folded, number


@dataclass(frozen=True, slots=True)
class Memberships:
    """Memberships of all holdings by board, each computed once and kept in float32.

    Parameters
    ----------
    buckets
        Of the holdings.
    """

    buckets: StreetBuckets
    _kept: dict[Board, NDArray[np.float32]] = field(default_factory=dict, repr=False)

    def __call__(self, board: Board) -> NDArray[np.float32]:
        """Shape (1326, buckets of the street)."""
        if board not in self._kept:
            self._kept[board] = self.buckets.membership(board).astype(np.float32)
        return self._kept[board]

    def of_known(self, rows: HoldingRows) -> Array:
        """The membership of the known holding at every decision, shape (n, most buckets); 0 where unknown."""
        found = np.zeros((len(rows.choices), max(self.buckets.counts)))
        for number, (board, row) in enumerate(zip(rows.boards, rows.choices.players.tolist(), strict=True)):
            if rows.holding[row] >= 0:
                shares = self(board)[rows.holding[row]]
                found[number, : len(shares)] = shares
        return found


@dataclass(frozen=True, slots=True)
class Posterior:
    """The result of an E-step.

    Parameters
    ----------
    shares
        Shape (n, most buckets): the probability of each bucket at each decision.
    likelihoods
        Shape (rows,): the logarithm of the probability of all actions of a row, with its holding where that
        is given, in nats.
    losses
        Shape (rows,): minus the logarithm of the probability of the true holding, given the actions and the
        board alone; nan where it is unknown.
    """

    shares: Array
    likelihoods: Array
    losses: Array


def made_probabilities(policy: HoldingPolicy, choices: MoveRows) -> Array:
    """The probability of each action that was made, by bucket: shape (n, most buckets)."""
    found = np.zeros((len(choices), max(policy.buckets.counts)))
    for situation in range(len(SITUATIONS)):
        at = np.flatnonzero(choices.situations == situation)
        table = policy.probabilities(situation, choices.features[at])
        found[at, : table.shape[1]] = table[np.arange(len(at)), :, choices.moves[at]]
    return found


def posterior(
    rows: HoldingRows,
    given: NDArray[np.bool_],
    made: Array,
    members: Memberships,
    deal: Array | None = None,
) -> Posterior:
    """The probabilities of holdings and buckets.

    Parameters
    ----------
    rows
        Players in hands.
    given
        Shape (rows,): whose holding is given.
    made
        The result of ``made_probabilities``, or a first estimate of it.
    members
        Of the holdings.
    deal
        Shape (1326,): the probability of each hidden holding before its actions; None = equal.
    """
    shares = np.zeros_like(made)
    likelihoods, losses = np.empty(len(rows)), np.full(len(rows), np.nan)
    starts = np.searchsorted(rows.choices.players, np.arange(len(rows) + 1))
    for block in _blocks(rows, starts):
        decisions = np.concatenate([np.arange(starts[row], starts[row + 1]) for row in block])
        by_board = _by_board(rows, decisions)
        acts = np.empty((len(decisions), len(HOLDINGS)))
        for board, at in by_board.items():
            member = members(board)
            acts[at] = made[decisions[at], : member.shape[1]] @ member.T
        lengths = starts[block + 1] - starts[block]
        weight = np.multiply.reduceat(acts, np.cumsum(lengths) - lengths, axis=0)
        free = members(rows.boards[starts[block[0] + 1] - 1]).any(axis=1)
        weight *= free / free.sum()
        if deal is not None:
            weight[~given[block]] *= deal
        _score(rows, given, block, weight, (likelihoods, losses))
        weight /= weight.sum(axis=1, keepdims=True)
        back = np.repeat(weight, lengths, axis=0)
        np.divide(back, acts, out=back, where=acts > 0)
        for board, at in by_board.items():
            member = members(board)
            width = member.shape[1]
            shares[decisions[at], :width] = made[decisions[at], :width] * (back[at] @ member)
    return Posterior(shares, likelihoods, losses)


def _score(
    rows: HoldingRows, given: NDArray[np.bool_], block: Ints, weight: Array, found: tuple[Array, Array]
) -> None:
    """Write the likelihoods and the losses of a block; a given holding keeps all of its row's weight."""
    likelihoods, losses = found
    total, holding = weight.sum(axis=1), rows.holding[block]
    seen = np.flatnonzero(holding >= 0)
    true = weight[seen, holding[seen]].copy()
    losses[block[seen]] = np.log(total[seen]) - np.log(true)
    fixed = given[block[seen]]
    weight[seen[fixed]] = 0
    weight[seen[fixed], holding[seen[fixed]]] = true[fixed]
    likelihoods[block] = np.log(weight.sum(axis=1))


def _blocks(rows: HoldingRows, starts: Ints) -> Iterator[Ints]:
    """Rows whose last boards are equal, at most ``TOGETHER`` at once."""
    last: dict[Board, list[int]] = {}
    for row, end in enumerate(starts[1:].tolist()):
        last.setdefault(rows.boards[end - 1], []).append(row)
    for found in last.values():
        for first in range(0, len(found), TOGETHER):
            yield np.array(found[first : first + TOGETHER])


def _by_board(rows: HoldingRows, decisions: Ints) -> dict[Board, Ints]:
    found: dict[Board, list[int]] = {}
    for place, decision in enumerate(decisions.tolist()):
        found.setdefault(rows.boards[decision], []).append(place)
    return {board: np.array(places) for board, places in found.items()}
