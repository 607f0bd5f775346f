"""Hands as input of EM over actions: rows of moves, and cells of holdings that are equal to any model.

A row is one player in one hand, up to some street. The possible holdings with the same bucket on every street
have the same likelihood by any model of (situation, bucket, choice): they are one *cell*, with their number.
A thousand holdings become ten to three hundred cells, without a loss of information.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from baycarp.card import HOLDINGS, blocked_by, holding_index
from baycarp.game.notation.hand import Hand, replay
from baycarp.opponents.actions.buckets import BLOCKED, buckets
from baycarp.opponents.actions.situations import CodedAct, hand_moves, is_legal
from baycarp.rules.income import IncomeGroup

__all__ = ["Cells", "HandRow", "Partition", "hand_rows", "partition", "stack"]

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
        The board on that street.
    income_group
        The income rates that order its holdings before the flop (``situations.HandMoves``).
    moves
        The player's moves up to that street.
    holding
        Its holding; -1 = not recorded.
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
    moves: tuple[CodedAct, ...]
    holding: int
    shown: bool
    stayed: bool


def hand_rows(hands: Iterable[Hand], every_street: bool = False) -> Iterator[HandRow]:
    """The rows of every player that acted, hand by hand: of all its actions, or street by street.

    Folds where a check is free are left out: of people they say that they left the table.

    Parameters
    ----------
    hands
        Finished.
    every_street
        A row at the end of every street on which the player acted, as observed before the next card;
        otherwise one row, at its last action.
    """
    for number, hand in enumerate(hands):
        final = replay(hand)
        _, by_seat, groups = hand_moves(final.acts, hand.variant)
        for position in sorted(groups):
            own_moves = tuple(filter(is_legal, by_seat[position]))
            if not own_moves:
                continue
            hole, last = hand.holes[position], own_moves[-1]
            showdown = len(final.seats_in) > 1 and position in final.seats_in
            for street in sorted({move.street for move in own_moves}) if every_street else [last.street]:
                yield HandRow(
                    player=hand.players[position] if hand.players else str(position),
                    hand=number,
                    street=street,
                    board=tuple(hand.board[: street + 2]) if street else (),
                    income_group=groups[position],
                    moves=tuple(move for move in own_moves if move.street <= street),
                    holding=holding_index(*hole) if hole else -1,
                    shown=showdown and bool(hole),
                    stayed=last.choice != 0 or last.street > street,
                )


@dataclass(frozen=True, eq=False)
class Cells:
    """Rows as flat arrays: the moves and the cells of each row are consecutive.

    Parameters
    ----------
    rows
        The rows.
    move_row, move_street, move_situation, move_choice
        int64, shape (moves,).
    row, count, bucket
        Of each cell: its row, its number of holdings, its bucket by street, shape (cells, 4), or the number
        of buckets there (``BLOCKED``) if the row has no move on that street.
    start
        The first cell of each row; shape (rows + 1,).
    true
        The cell of the true holding; -1 = unknown.
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
        """The same rows with some of their cells; a true cell that is dropped becomes unknown."""
        place = np.cumsum(kept) - 1
        true = np.where((self.true >= 0) & kept[self.true], place[self.true], -1) if len(kept) else self.true
        row, count, bucket = self.row[kept], self.count[kept], self.bucket[kept]
        start = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=len(self)))])
        return replace(self, row=row, count=count, bucket=bucket, start=start, true=true)

    def of_rows(self, kept: NDArray[np.bool_]) -> "Cells":
        """Some of the rows, in their order."""
        chosen, place = np.flatnonzero(kept), np.cumsum(kept) - 1
        moved, held = kept[self.move_row], kept[self.row]
        true, cell = self.true[chosen], np.cumsum(held) - 1
        return Cells(
            tuple(self.rows[number] for number in chosen.tolist()),
            place[self.move_row[moved]],
            self.move_street[moved],
            self.move_situation[moved],
            self.move_choice[moved],
            place[self.row[held]],
            self.count[held],
            self.bucket[held],
            np.concatenate([[0], np.cumsum(np.diff(self.start)[chosen])]),
            np.where(true >= 0, cell[true], -1),
        )

    @cached_property
    def there(self) -> tuple[Ints, ...]:
        """The cells that have a bucket, by street."""
        return tuple(np.flatnonzero(self.bucket[:, street] != BLOCKED) for street in range(4))

    @property
    def shown(self) -> NDArray[np.bool_]:
        """Which rows end in a public showdown."""
        return np.array([row.shown for row in self.rows], np.bool_)


class Partition(NamedTuple):
    """The cells of a board: holdings that lie in the same bucket on every street, and so are played alike.

    Ten to three hundred cells represent the 1,326 holdings without loss.

    Parameters
    ----------
    bucket
        Of each cell the bucket by street, ``BLOCKED`` on streets that were not requested; uint8, (cells, 4).
    size
        How many holdings each has; float64, (cells,).
    cell
        The cell of each holding; int64, (1326,), -1 where the board blocks.
    """

    bucket: NDArray[np.uint8]
    size: NDArray[np.float64]
    cell: NDArray[np.int64]


@lru_cache(maxsize=4096)
def partition(board: tuple[int, ...], streets: tuple[int, ...], income_group: IncomeGroup) -> Partition:
    """Put holdings together that are alike on these streets.

    Parameters
    ----------
    board
        As much as was dealt.
    streets
        On which the player acted, rising.
    income_group
        As there.

    Examples
    --------
    >>> cells = partition((), (0,), IncomeGroup.IR7)
    >>> len(cells.size), int(cells.size.sum())
    (16, 1326)
    """
    free = ~blocked_by(board)
    codes = np.full((len(HOLDINGS), 4), BLOCKED, np.uint8)
    for street in streets:
        codes[:, street] = buckets(board[: street + 2] if street else (), income_group)
    packed = np.ascontiguousarray(codes[free]).view(np.uint32).ravel()
    _, first, cell, count = np.unique(packed, return_index=True, return_inverse=True, return_counts=True)
    of = np.full(len(HOLDINGS), -1)
    of[free] = cell
    found = Partition(codes[free][first], count.astype(np.float64), of)
    for array in found:
        array.flags.writeable = False
    return found


def stack(rows_given: Iterable[HandRow]) -> Cells:
    """Lay rows out flat."""
    rows = tuple(rows_given)
    buckets, counts, true, start = [np.empty((0, 4), np.uint8)], [np.empty(0)], [], [0]
    for row in rows:
        streets = tuple(sorted({move.street for move in row.moves}))
        bucket, count, cell_of = partition(row.board, streets, row.income_group)
        buckets.append(bucket)
        counts.append(count)
        true.append(start[-1] + cell_of[row.holding] if row.holding >= 0 else -1)
        start.append(start[-1] + len(count))
    flat = [(number, *move[1:]) for number, row in enumerate(rows) for move in row.moves]
    row_of, street, situation, choice = np.ascontiguousarray(np.array(flat, np.int64).reshape(-1, 4).T)
    return Cells(
        rows,
        row_of,
        street,
        situation,
        choice,
        np.repeat(np.arange(len(rows)), np.diff(start)),
        np.concatenate(counts),
        np.concatenate(buckets),
        np.array(start, np.int64),
        np.array(true, np.int64),
    )
