"""Hands as input of EM over actions: rows of moves, and the holdings that no model can tell apart.

A row is one player in one hand, up to some street. Of the holdings that it may have, those that lie in the
same bucket on every street are alike to any model of (situation, bucket, choice): they make one *cell*, with
their number. A thousand holdings become some ten to three hundred cells, and nothing is lost.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from baycarp.card import holding_index
from baycarp.game.notation.hand import Hand, replay
from baycarp.game.state import State
from baycarp.opponents.buckets import BLOCKED, partition
from baycarp.opponents.moves import Move, income_groups, moves
from baycarp.rules.income import IncomeGroup

__all__ = ["Cells", "HandRow", "hand_rows", "stack"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class HandRow:
    """One player in one hand, up to the end of a street.

    Parameters
    ----------
    player, hand
        The player's name (or position), and the number of the hand.
    street
        The last street of the row.
    board
        The part of it dealt by then.
    income_group
        Which income rates order its holdings before the flop (``moves.income_groups``).
    moves
        Its own, of the streets so far.
    holding
        Its holding; -1 = unknown even to the trainer.
    shown
        Whether it was shown at the end.
    stayed
        Whether the player was still in at the end of the street.
    """

    player: str
    hand: int
    street: int
    board: tuple[int, ...]
    income_group: IncomeGroup
    moves: tuple[Move, ...]
    holding: int
    shown: bool
    stayed: bool


def hand_rows(hands: Iterable[Hand], every_street: bool = False) -> Iterator[HandRow]:
    """The rows of every player that acted, hand by hand: of all its actions, or street by street.

    Parameters
    ----------
    hands
        Finished.
    every_street
        A row at the end of every street on which it acted, as observed before the next
        card; otherwise one row, at its last.
    """
    for number, hand in enumerate(hands):
        final = replay(hand)
        done: dict[int, list[Move]] = {}
        groups = income_groups(final.acts, hand.variant)
        for move in moves(final.acts, hand.variant):
            done.setdefault(move.seat, []).append(move)
        for position, own_moves in sorted(done.items()):
            streets = sorted({move.street for move in own_moves}) if every_street else [own_moves[-1].street]
            for street in streets:
                yield _hand_row(hand, final, number, street, own_moves, groups[position])


def _hand_row(
    hand: Hand,
    final: State,
    number: int,
    street: int,
    own_moves: Sequence[Move],
    income_group: IncomeGroup,
) -> HandRow:
    position = own_moves[0].seat
    hole = hand.holes[position]
    showdown = len(final.seats_in) > 1 and position in final.seats_in
    return HandRow(
        player=hand.players[position] if hand.players else str(position),
        hand=number,
        street=street,
        board=tuple(hand.board[: street + 2]) if street else (),
        income_group=income_group,
        moves=tuple(move for move in own_moves if move.street <= street),
        holding=holding_index(*hole) if hole else -1,
        shown=showdown and bool(hole),
        stayed=own_moves[-1].choice != 0 or own_moves[-1].street > street,
    )


@dataclass(frozen=True, eq=False)
class Cells:
    """Rows laid out flat: each has some moves and some cells, one after the other.

    Parameters
    ----------
    rows
        The rows.
    move_row, move_street, move_situation, move_choice
        int64, a value a move.
    row, count, bucket
        Of each cell: its row, how many holdings it has, its bucket by street, shape (cells, 4), or the number
        of buckets there (``BLOCKED``) where the row has no move on that street.
    start
        Where each row's cells begin; shape (rows + 1,).
    true
        The cell of the holding that was held; -1 = unknown.
    """

    rows: tuple[HandRow, ...]
    move_row: Ints
    move_street: Ints
    move_situation: Ints
    move_choice: Ints
    row: Ints
    count: NDArray[np.float64]
    bucket: NDArray[np.uint8]
    start: Ints
    true: Ints

    def __len__(self) -> int:
        return len(self.rows)

    def only(self, kept: NDArray[np.bool_]) -> "Cells":
        """The same rows with some of their cells; where a true one is dropped, it is unknown."""
        place = np.cumsum(kept) - 1
        true = np.where((self.true >= 0) & kept[self.true], place[self.true], -1) if len(kept) else self.true
        moves = (self.move_row, self.move_street, self.move_situation, self.move_choice)
        start = np.concatenate([[0], np.cumsum(np.bincount(self.row[kept], minlength=len(self)))])
        return Cells(self.rows, *moves, self.row[kept], self.count[kept], self.bucket[kept], start, true)

    @cached_property
    def there(self) -> tuple[Ints, ...]:
        """The cells that have a bucket, by street."""
        return tuple(np.flatnonzero(self.bucket[:, street] != BLOCKED) for street in range(4))

    @property
    def shown(self) -> NDArray[np.bool_]:
        """Which rows end in a public showdown."""
        return np.array([row.shown for row in self.rows], np.bool_)


def stack(rows_given: Iterable[HandRow]) -> Cells:
    """Lay rows out flat."""
    rows = tuple(rows_given)
    parts, true, start = [], [], [0]
    for row in rows:
        streets = tuple(sorted({move.street for move in row.moves}))
        bucket, count, cell_of = partition(row.board, streets, row.income_group)
        parts.append((bucket, count))
        true.append(start[-1] + cell_of[row.holding] if row.holding >= 0 else -1)
        start.append(start[-1] + len(count))
    flat = [(number, *move[1:]) for number, row in enumerate(rows) for move in row.moves]
    move = np.ascontiguousarray(np.array(flat, np.int64).reshape(-1, 4).T)
    begin = np.array(start, np.int64)
    return Cells(
        rows,
        move[0],
        move[1],
        move[2],
        move[3],
        np.repeat(np.arange(len(rows)), np.diff(begin)),
        np.concatenate([count for _, count in parts]) if parts else np.empty(0),
        np.concatenate([bucket for bucket, _ in parts]) if parts else np.empty((0, 4), np.uint8),
        begin,
        np.array(true, np.int64),
    )
