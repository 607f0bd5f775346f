"""Decisions of people with the holdings that were dealt: the input of policies by holding.

A *holder* is a player in a hand, with its holding and its decisions. A *decision point* is a holder still in
the hand at the end of a street, where beliefs are judged.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from baycarp.card import holding_index
from baycarp.errors import ArgumentError
from baycarp.game.notation.hand import Hand
from baycarp.game.state import SHOWN
from experiments.people.rows import PeopleRows, people_rows

__all__ = ["DealtPoints", "DealtRows"]

Ints = NDArray[np.int64]
Board = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DealtPoints:
    """Holders at the end of streets.

    Parameters
    ----------
    holders, streets
        Int64: the number of the holder, and the street that has ended.
    boards
        The board of that street.
    positions
        Int64: the position of the holder.
    """

    holders: Ints
    streets: Ints
    boards: tuple[Board, ...]
    positions: Ints

    def __len__(self) -> int:
        return len(self.holders)

    def __getitem__(self, chosen: Ints) -> "DealtPoints":
        boards = tuple(self.boards[at] for at in chosen.tolist())
        return DealtPoints(self.holders[chosen], self.streets[chosen], boards, self.positions[chosen])


@dataclass(frozen=True, slots=True)
class DealtRows:
    """Decisions and holders.

    Parameters
    ----------
    decisions
        Decisions in time; the last public input is the number of the player to act, by name.
    holders
        Int64: the number of the holder of each decision.
    boards
        The board at each decision.
    holdings
        Int64, shape (holders,): indices of the holdings dealt.
    shown
        Bool, shape (holders,): whether the holder came to a showdown.
    hands
        Int64, shape (holders,): the number of the hand.
    points
        Of all holders.
    """

    decisions: PeopleRows
    holders: Ints
    boards: tuple[Board, ...]
    holdings: Ints
    shown: NDArray[np.bool_]
    hands: Ints
    points: DealtPoints

    @classmethod
    def of(cls, hands: Sequence[Hand]) -> "DealtRows":
        """The rows of hands in time, whose hole cards are all recorded.

        Raises
        ------
        ArgumentError
            No decision, a hand without names, or a decision of a player whose hole cards are not recorded.
        """
        decisions = people_rows(hands)
        keys = decisions.hands * max(hand.variant.seats for hand in hands) + decisions.seats
        _, first, holders = np.unique(keys, return_index=True, return_inverse=True)
        of_hand, positions = decisions.hands[first], decisions.seats[first].astype(np.int64)
        holes = [hands[hand].holes[position] for hand, position in zip(of_hand, positions, strict=True)]
        if not all(holes):
            raise ArgumentError("hole cards: expected those of every player that acts")
        boards = tuple(
            hands[hand].board[: SHOWN[street]]
            for hand, street in zip(decisions.hands.tolist(), decisions.streets.tolist(), strict=True)
        )
        folded = np.zeros(len(first), np.bool_)
        folded[holders[decisions.choices == 0]] = True
        left = (
            np.array([hand.variant.seats for hand in hands])[of_hand] - np.bincount(of_hand, folded)[of_hand]
        )
        holdings = np.array([holding_index(*hole) for hole in holes])
        points = _points(hands, decisions, (of_hand, positions))
        decisions = replace(decisions, public=np.hstack([decisions.public, _players(hands, decisions)]))
        return cls(decisions, holders, boards, holdings, ~folded & (left > 1), of_hand, points)

    def of_hands(self, first: int, end: int) -> "DealtRows":
        """The rows of hands ``first`` up to ``end``, not included; the numbers of holders stay."""
        decisions, points = self.decisions, self.points
        inside = (decisions.hands >= first) & (decisions.hands < end)
        of_hand = self.hands[points.holders]
        chosen = np.flatnonzero((of_hand >= first) & (of_hand < end))
        return replace(
            self,
            decisions=decisions[inside],
            holders=self.holders[inside],
            boards=tuple(self.boards[at] for at in np.flatnonzero(inside).tolist()),
            points=points[chosen],
        )


def _players(hands: Sequence[Hand], decisions: PeopleRows) -> NDArray[np.float64]:
    """The number of the player to act among all names in order, shape (decisions, 1)."""
    acts = zip(decisions.hands.tolist(), decisions.seats.tolist(), strict=True)
    _, players = np.unique([hands[hand].players[seat] for hand, seat in acts], return_inverse=True)
    return players[:, None].astype(np.float64)


def _points(hands: Sequence[Hand], decisions: PeopleRows, found: tuple[Ints, Ints]) -> DealtPoints:
    of_hand, positions = found
    starts = np.searchsorted(decisions.hands, np.arange(len(hands) + 1))
    numbers = {
        key: number for number, key in enumerate(zip(of_hand.tolist(), positions.tolist(), strict=True))
    }
    rows = [
        (numbers[number, position], street, hand.board[: SHOWN[street]], position)
        for number, hand in enumerate(hands)
        for street, position in _ends(decisions, slice(*starts[number : number + 2].tolist()), hand)
        if (number, position) in numbers
    ]
    number, street, boards, position = zip(*rows, strict=True) if rows else ((), (), (), ())
    return DealtPoints(np.array(number, int), np.array(street, int), tuple(boards), np.array(position, int))


def _ends(decisions: PeopleRows, at: slice, hand: Hand) -> Iterator[tuple[int, int]]:
    """The streets on which players decided, and the positions of those still in at the end of each."""
    inside = set(range(hand.variant.seats))
    streets, seats, choices = decisions.streets[at], decisions.seats[at], decisions.choices[at]
    for street in np.unique(streets).tolist():
        inside -= set(seats[(streets == street) & (choices == 0)].tolist())
        for position in sorted(inside):
            yield street, position
