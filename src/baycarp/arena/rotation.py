"""The hands of a session before they are played: the positions of the players, and the deck."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from baycarp.kernels.game import deal

__all__ = ["Deal", "deals"]

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Deal:
    """One hand to come.

    Parameters
    ----------
    hand
        Its number in the session, from 0.
    seats
        By position (0 = first left of the button) the chair at the table.
    names
        By position the player's name.
    deck
        Card ids: two hole cards a position, then five board cards.
    """

    hand: int
    seats: tuple[int, ...]
    names: tuple[str, ...]
    deck: bytes

    def by_position(self, values: Sequence[Value]) -> list[Value]:
        """Values that are given by seat at the table, by position."""
        return [values[seat] for seat in self.seats]


def deals(names: Sequence[str], seed: int, session: int, hands: int, first: int = 1) -> Iterator[Deal]:
    """All hands of a session; the button moves one seat a hand.

    Parameters
    ----------
    names
        By seat at the table; as many as the game has seats.
    seed, session
        With the hand's number they fix the deck, each below 2**64.
    hands
        How many.
    first
        The seat that is in position 0 of the first hand.

    Examples
    --------
    >>> [(each.hand, each.seats, each.names) for each in deals(("Ann", "Bob", "Cleo"), 5, 0, 2)]
    [(0, (1, 2, 0), ('Bob', 'Cleo', 'Ann')), (1, (2, 0, 1), ('Cleo', 'Ann', 'Bob'))]
    """
    count = len(names)
    for hand in range(hands):
        seats = tuple((hand + first + position) % count for position in range(count))
        yield Deal(
            hand, seats, tuple(names[seat] for seat in seats), deal(seed, session, hand, 2 * count + 5)
        )
