"""Decisions of people with public features, and with running statistics of the players.

The statistics of a decision are those of the hands before its own: no row depends on a later hand. A player's
statistic is its number of folds, or of raises, less the number expected of all players in the same cells, per
decision; the expectation is of earlier hands too, so that there is nothing to fit and nothing to leak.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ArgumentError
from baycarp.game.notation.hand import Hand
from baycarp.game.state import SHOWN
from baycarp.rules.features import NAMES, decisions

__all__ = ["CELLS", "CHOICES", "SITUATION", "STATISTICS", "PeopleRows", "people_rows"]

Array = NDArray[np.float64]

CHOICES = ("fold", "check or call", "bet or raise")
"""The three classes of actions."""

BETS = tuple(NAMES.index(f"NumberOfBets{street}") for street in ("Preflop", "Flop", "Turn", "River"))
ACTIVE, OWN, STACK = (
    NAMES.index(name) for name in ("ActivePlayers", "OwnPreviousActionCategory", "StackSize")
)

SITUATION = len(NAMES)
"""The column of the situation."""

GROUPS = 9
"""The situations of ``rules.features``, the pre-flop without a raise apart from that with one."""

POOLS = (tuple(range(GROUPS)), (0, 1, 8), tuple(range(2, 8)), (2, 4, 6), (3, 5, 7))
"""Groups whose decisions are counted together: all, before and after the flop, after it free and owing."""

PRIOR = 8.0
"""Decisions without a difference that are added to those of a player; our choice."""

FADING = 0.97
"""The weight of a decision against that of the next in the recent statistics; our choice."""

STATISTICS = (
    *(f"{pool} {kind}" for pool in ("group", "all", "preflop", "postflop", "free", "owing") for kind in
      ("folds", "raises", "decisions")),
    "recent folds", "recent raises", "hands", "aggressor raises", "aggressor decisions",
    "opponents' folds", "opponents' raises",
)  # fmt: skip
"""The statistics of the player to act, of the last aggressor and of the opponents in the hand."""


@dataclass(frozen=True, slots=True)
class PeopleRows:
    """Decisions in time.

    Parameters
    ----------
    public
        Float64, shape (n, 58): ``rules.features.NAMES``, the situation, the bets of the hand, its course.
    players
        Float64, shape (n, 25): ``STATISTICS``.
    choices
        Uint8, shape (n,): index of ``CHOICES``.
    cells
        Int64: the cell of public features in which shares are expected.
    hands
        Int64: the number of the hand, from 0 in time.
    seats
        Int8: the position of the player to act.
    """

    public: Array
    players: Array
    choices: NDArray[np.uint8]
    cells: NDArray[np.int64]
    hands: NDArray[np.int64]
    seats: NDArray[np.int8]

    @property
    def owed(self) -> NDArray[np.bool_]:
        """Whether chips are owed."""
        return np.asarray(self.public[:, SITUATION] % 2 == 1)

    @property
    def streets(self) -> NDArray[np.int64]:
        """The street of each decision, 0 before the flop."""
        return self.public[:, SITUATION].astype(np.int64) // 2

    def __len__(self) -> int:
        return len(self.choices)

    def __getitem__(self, chosen: NDArray[np.bool_]) -> "PeopleRows":
        return PeopleRows(
            self.public[chosen],
            self.players[chosen],
            self.choices[chosen],
            self.cells[chosen],
            self.hands[chosen],
            self.seats[chosen],
        )


CELLS = 8 * 4 * 3 * 5
"""Situation, bets of the street, players in, the own last action."""


class _Table:
    """The actions of all players so far."""

    def __init__(self) -> None:
        self.shares = np.full((CELLS, 3), 1.0)
        self.made: dict[str, Array] = {}
        self.recent: dict[str, Array] = {}
        self.hands: dict[str, int] = {}

    def of(self, name: str) -> Array:
        """Folds and raises beyond those expected, and decisions, by group: shape (9, 3)."""
        if name not in self.made:
            self.made[name], self.recent[name], self.hands[name] = np.zeros((GROUPS, 3)), np.zeros(2), 0
        return self.made[name]

    def statistics(self, name: str, group: int) -> list[float]:
        """Of the player to act."""
        made = self.of(name)
        found: list[float] = []
        for pool in ((group,), *POOLS):
            folds, raises, count = made[pool, :].sum(axis=0).tolist()
            found += [folds / (count + PRIOR), raises / (count + PRIOR), count]
        return [*found, *self.recent[name].tolist(), self.hands[name]]

    def habits(self, name: str) -> tuple[float, float, float]:
        """Folds and raises beyond those expected, a decision, and the decisions."""
        folds, raises, count = self.of(name).sum(axis=0).tolist()
        return folds / (count + PRIOR), raises / (count + PRIOR), count

    def count(self, name: str, group: int, cell: int, choice: int) -> None:
        """Count a decision of a finished hand."""
        shares = self.shares[cell]
        folds, _, raises = (shares / shares.sum()).tolist()
        more = np.array([(choice == 0) - folds, (choice == 2) - raises])
        self.of(name)[group] += (*more, 1)
        self.recent[name] *= FADING
        self.recent[name] += (1 - FADING) * more
        shares[choice] += 1


def people_rows(hands: Iterable[Hand]) -> PeopleRows:
    """The decisions of recorded hands, which come in time.

    Raises
    ------
    ArgumentError
        No decision, or a hand without names.
    """
    table, parts = _Table(), []
    for number, hand in enumerate(hands):
        if len(hand.players) != hand.variant.seats:
            raise ArgumentError(f"hand {hand.id}: expected the names of {hand.variant.seats} players")
        public, choices, cells, seats = _public(hand)
        groups = np.where((cells // 60 == 1) & (public[:, BETS[0]] > 0), 8, cells // 60)
        parts.append((public, _statistics(table, hand, public, groups, seats), choices, cells,
                      np.full(len(cells), number), seats))  # fmt: skip
        for seat, *made in zip(
            seats.tolist(), groups.tolist(), cells.tolist(), choices.tolist(), strict=True
        ):
            table.count(hand.players[seat], *made)
        for name in {hand.players[seat] for seat in seats.tolist()}:
            table.hands[name] += 1
    if not sum(len(part[2]) for part in parts):
        raise ArgumentError("hands: expected at least one decision")
    return PeopleRows(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _public(hand: Hand) -> tuple[Array, NDArray[np.uint8], NDArray[np.int64], NDArray[np.int8]]:
    found = decisions(hand)
    x, situations = found.features, found.situations.astype(np.int64)
    bets = x[:, BETS]
    of_street = np.minimum(bets[np.arange(len(x)), situations // 2], 3).astype(np.int64)
    active = np.digitize(x[:, ACTIVE], (2.5, 4.5))
    cells = ((situations * 4 + of_street) * 3 + active) * 5 + x[:, OWN].astype(np.int64)
    public = np.column_stack([x, situations, bets.sum(axis=1), _course(hand, found.seats, situations // 2)])
    return public, np.minimum(found.moves, 2).astype(np.uint8), cells, found.seats


def _course(hand: Hand, seats: NDArray[np.int8], streets: NDArray[np.int64]) -> Array:
    """Seats, position, who bet last and first and when, the own bets and calls, and the board."""
    size, button, found = hand.variant.seats, hand.variant.button, []
    bold, opener, bets, calls, last = -1, -1, [0] * size, [0] * size, (0, -1)
    for seat, street, action in zip(seats.tolist(), streets.tolist(), hand.actions, strict=True):
        before = (bold - seat) % size if bold >= 0 else -1
        by = (bold - button) % size if bold >= 0 else -1
        first = (opener - seat) % size if opener >= 0 else -1
        late = street - last[0] if bold >= 0 else -1
        own = (size, (seat - button) % size, before, by, first, late, bets[seat], calls[seat])
        found.append((*own, *_board(hand.board[: SHOWN[street]])))
        if action.name in ("bet", "raise"):
            bold, last = seat, (street, seat)
            opener = seat if street == 0 else opener
            bets[seat] += 1
        elif action.name == "call":
            calls[seat] += 1
    return np.array(found, float)


@cache
def _board(board: tuple[int, ...]) -> tuple[int, ...]:
    """The lowest and middle ranks of the flop, and what the last card of turn and river changes."""
    if not board:
        return (-1,) * 7
    ranks, suits = [card // 4 for card in board], [card % 4 for card in board]
    flop = sorted(ranks[:3])
    if len(board) == 3:
        return (flop[0], flop[1], -1, 0, 0, 0, flop[2] - flop[0])
    new, old = ranks[-1], ranks[:-1]
    higher, suited = sum(new < rank for rank in old), suits.count(suits[-1])
    return (flop[0], flop[1], new, new in old, higher, suited, flop[2] - flop[0])


def _statistics(
    table: _Table, hand: Hand, public: Array, groups: NDArray[np.int64], seats: NDArray[np.int8]
) -> Array:
    """The statistics of a hand's decisions, shape (n, 25)."""
    found = np.empty((len(seats), len(STATISTICS)))
    inside, aggressor = set(range(hand.variant.seats)), None
    habits = [table.habits(name) for name in hand.players]
    for at, (seat, group) in enumerate(zip(seats.tolist(), groups.tolist(), strict=True)):
        others = [habits[each][:2] for each in inside if each != seat]
        bold = habits[aggressor][1:] if aggressor is not None else (0.0, -1.0)
        folds, raises = np.mean(others, axis=0)
        found[at] = (*table.statistics(hand.players[seat], group), *bold, folds, raises)
        name = hand.actions[at].name
        if name == "fold":
            inside.discard(seat)
        elif name in ("bet", "raise"):
            aggressor = seat
    return found
