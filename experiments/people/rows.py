"""Decisions of people with public features: the state of the hand, its course and its board.

No row depends on a hole card, or on anything later than its decision.
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

__all__ = ["BETS", "CELLS", "CHOICES", "GROUPS", "PUBLIC", "SITUATION", "PeopleRows", "people_rows"]

Array = NDArray[np.float64]

CHOICES = ("fold", "check or call", "bet or raise")
"""The three classes of actions."""

BETS = tuple(NAMES.index(f"NumberOfBets{street}") for street in ("Preflop", "Flop", "Turn", "River"))
ACTIVE, OWN = (NAMES.index(name) for name in ("ActivePlayers", "OwnPreviousActionCategory"))

SITUATION = len(NAMES)
"""The column of the situation."""

PUBLIC = (
    *NAMES, "situation", "bets of the hand", "seats", "position", "aggressor", "aggressor's position",
    "opener", "streets since the bet", "own bets", "own calls", "low rank of the flop",
    "middle rank of the flop", "last rank", "last card pairs", "higher than the last",
    "of the last suit", "span of the flop",
)  # fmt: skip
"""The public features; players are numbered from the player to act, in the order of play."""

GROUPS = 9
"""The situations of ``rules.features``, the pre-flop without a raise apart from that with one."""


@dataclass(frozen=True, slots=True)
class PeopleRows:
    """Decisions in time.

    Parameters
    ----------
    public
        Float64, shape (n, 58): ``PUBLIC``.
    effects, players
        Float64, shapes (n, j) and (n, k): effects, and readings of the players for trees
        (``people.readings``); no column without them.
    choices
        Uint8, shape (n,): index of ``CHOICES``.
    cells
        Int64: the cell of public features in which shares are expected.
    hands
        Int64: the number of the hand, from 0 in time.
    seats
        Int8: the position of the player to act.
    actors
        Int64: the number of the player to act, by the first appearance of its name.
    """

    public: Array
    effects: Array
    players: Array
    choices: NDArray[np.uint8]
    cells: NDArray[np.int64]
    hands: NDArray[np.int64]
    seats: NDArray[np.int8]
    actors: NDArray[np.int64]

    @property
    def groups(self) -> NDArray[np.int64]:
        """The situation, 8 before the flop after a raise; shape (n,)."""
        situations = self.public[:, SITUATION].astype(np.int64)
        return np.where((situations == 1) & (self.public[:, BETS[0]] > 0), GROUPS - 1, situations)

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
            self.effects[chosen],
            self.players[chosen],
            self.choices[chosen],
            self.cells[chosen],
            self.hands[chosen],
            self.seats[chosen],
            self.actors[chosen],
        )


CELLS = 8 * 4 * 3 * 5
"""Situation, bets of the street, players in, the own last action."""


def people_rows(hands: Iterable[Hand]) -> PeopleRows:
    """The decisions of recorded hands, which come in time.

    Raises
    ------
    ArgumentError
        No decision, or a hand without names.
    """
    parts, numbered = [], dict[str, int]()
    for number, hand in enumerate(hands):
        if len(hand.players) != hand.variant.seats:
            raise ArgumentError(f"hand {hand.id}: expected the names of {hand.variant.seats} players")
        public, choices, cells, seats = _public(hand)
        actors = np.array([numbered.setdefault(name, len(numbered)) for name in hand.players])[seats]
        none = public[:, :0]
        parts.append((public, none, none, choices, cells, np.full(len(cells), number), seats, actors))
    if not sum(len(part[0]) for part in parts):
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
