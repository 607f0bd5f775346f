"""The names of the seats, as players use them: BTN, SB, BB, UTG, ...

Every output that names a seat takes its name from here; in code a seat is its position, an index.
"""

from baycarp.errors import NotationError
from baycarp.files import plain_text
from baycarp.game.variant import Variant
from baycarp.kernels.arguments import instance

__all__ = ["position_of", "seat_label", "seat_names"]

BEFORE_BUTTON = ("CO", "HJ", "LJ")
"""Counted back from the button: cut-off, hijack, lojack; seats before them are under the gun."""


def seat_names(variant: Variant) -> tuple[str, ...]:
    """The name of each position of a game.

    Heads-up the button posts the small blind and is called BTN; in the order of play of 1995, in which the
    small blind acts first on every street, it is SB.

    Examples
    --------
    >>> seat_names(Variant.ring(9))
    ('SB', 'BB', 'UTG', 'UTG+1', 'UTG+2', 'LJ', 'HJ', 'CO', 'BTN')
    >>> seat_names(Variant.ring(4)), seat_names(Variant.ring(2))
    (('SB', 'BB', 'CO', 'BTN'), ('BB', 'BTN'))
    """
    if variant.seats == 2:
        return ("SB", "BB") if variant.blinds[0] < variant.blinds[1] else ("BB", "BTN")
    between = variant.seats - 3
    late = BEFORE_BUTTON[: min(between, len(BEFORE_BUTTON) - (between == len(BEFORE_BUTTON)))]
    early = [f"UTG+{number}" if number else "UTG" for number in range(between - len(late))]
    return ("SB", "BB", *early, *reversed(late), "BTN")


def seat_label(variant: Variant, position: int, players: tuple[str, ...] = ()) -> str:
    """A seat with its player: ``BTN Ann``; where the player has no name, or the seat's, the seat alone.

    Examples
    --------
    >>> seat_label(Variant.ring(3), 2, ("Ann", "Bob", "Cid")), seat_label(Variant.ring(3), 2)
    ('BTN Cid', 'BTN')
    """
    seat = seat_names(variant)[position]
    player = players[position] if players else ""
    return seat if player in ("", seat) else f"{seat} {plain_text(player, kept='')}"


def position_of(variant: Variant, name: str, players: tuple[str, ...] = ()) -> int:
    """The position of a seat, or of a player, by its name; UTG is the first to act before the flop.

    Raises
    ------
    NotationError
        Neither a seat of the game nor a player.
    TypeError
        No text.

    Examples
    --------
    >>> position_of(Variant.ring(6), "btn"), position_of(Variant.ring(4), "UTG")
    (5, 2)
    """
    seats = seat_names(variant)
    instance(name, str, "position")
    if name in players:
        return players.index(name)
    if name.upper() in seats:
        return seats.index(name.upper())
    if name.upper() == "UTG":
        return variant.first[0] if variant.first[0] >= 0 else 2
    expected = ", ".join([*seats, *players])
    raise NotationError(f"position {name[:40]!r}: expected one of {expected}")
