"""Bet sizes as people write them: shares of the pot, geometric, chips, multiples of the last bet, all-in.

    60%      of the pot; of a raise: of the pot after the call
    e  2e    geometric: the same share of the pot on every street left, or on two, puts the stack in
    100c     chips: a bet of 100, a raise to 100
    2.5x     a raise to 2.5 times the last bet
    a        all-in

Chips are real numbers: no size is rounded.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf, isfinite
from typing import NamedTuple

from baycarp.errors import ArgumentError, brief

__all__ = [
    "PLAYERS",
    "STREETS",
    "USUAL",
    "BetPlace",
    "BetSize",
    "Menu",
    "Thresholds",
    "parse_menu",
    "parse_sizes",
]

PLAYERS = ("oop", "ip")
"""Player 0 acts first on each street: it is out of position."""

STREETS = {3: "flop", 4: "turn", 5: "river"}
"""By the number of cards on the board."""

_SIZE = re.compile(r"(?P<number>[0-9]+(?:\.[0-9]*)?|\.[0-9]+)?(?P<unit>%|c|x|e|a)", re.IGNORECASE)
_UNITS = {"%": "pot", "c": "chips", "x": "multiple", "e": "geometric", "a": "all-in"}
_WORDS = ("all-in", "allin")
MOST = 1e12
"""The largest number of a size."""


class BetPlace(NamedTuple):
    """Where a bet or raise is made; amounts are chips.

    Parameters
    ----------
    pot
        After the call.
    level
        The larger total of both players on this street: what a call matches.
    least
        The least total of a legal bet or raise, all-in aside.
    most
        The total of a player that is all-in.
    limit
        The greatest legal total: ``most``, in pot-limit at most a raise of the pot.
    streets
        The streets left, with this one.
    """

    pot: float
    level: float
    least: float
    most: float
    limit: float
    streets: int

    def share(self, total: float) -> float:
        """The share of the pot that a bet puts in beyond the call."""
        return (total - self.level) / self.pot


@dataclass(frozen=True, slots=True)
class BetSize:
    """A size: its kind, its number, and its text.

    Examples
    --------
    >>> flop = BetPlace(pot=200, level=0, least=0, most=900, limit=900, streets=3)
    >>> [round(size.total(flop), 1) for size in parse_sizes("60%, e, 2e, 150c, a")]
    [120.0, 115.4, 216.2, 150.0, 900]
    """

    kind: str
    number: float
    text: str

    def total(self, place: BetPlace) -> float:
        """The total of the player on this street after the bet, in chips; it may be above the stack."""
        match self.kind:
            case "pot":
                return place.level + self.number / 100 * place.pot
            case "chips":
                return self.number
            case "multiple":
                return self.number * place.level
            case "geometric":
                growth = (place.pot + 2 * (place.most - place.level)) / place.pot
                streets = self.number or float(place.streets)
                return place.level + (float(growth ** (1 / streets)) - 1) / 2 * place.pot
        return place.most


Menu = Mapping[tuple[int, int], tuple[BetSize, ...]]
"""The sizes by player and by the number of cards on the board."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """When all-in is added, when it is forced, and which sizes are one.

    Parameters
    ----------
    add
        All-in is added to other sizes where it is a bet of at most this many pots; 0 = never.
    force
        A bet is all-in where, once it is called, at most this share of the pot would be left; 0 = where it
        takes the whole stack.
    merge
        Of two sizes of x and y pots, x > y, the smaller one is left out where (1 + x) / (1 + y) is less than
        1 + this; 0 = never.

    Raises
    ------
    ArgumentError
        A negative number.
    """

    add: float = 1.5
    force: float = 0.15
    merge: float = 0.1

    def __post_init__(self) -> None:
        for name in ("add", "force", "merge"):
            if not 0 <= getattr(self, name) < inf:
                raise ArgumentError(f"{name} {brief(getattr(self, name))}: expected a number, at least 0")
            object.__setattr__(self, name, float(getattr(self, name)))

    def totals(self, sizes: Iterable[BetSize], place: BetPlace) -> tuple[list[float], list[str]]:
        """The totals of the bets of a player, ascending, and why others do not exist.

        Parameters
        ----------
        sizes
            Its sizes.
        place
            Where it bets.
        """
        found, left_out = set[float](), list[str]()
        sizes = tuple(sizes)
        for size in sizes:
            total = self.total(size, place)
            if total > place.limit:
                left_out.append(f"{size.text}: above the pot, to {place.limit:g}")
            elif total < min(place.least, place.most) or total <= place.level:
                left_out.append(f"{size.text}: below the least raise, to {place.least:g}")
            else:
                found.add(total)
        is_near = place.most <= place.limit and 0 < place.share(place.most) <= self.add
        if sizes and is_near:
            found.add(place.most)
        return self._merged(sorted(found), place), left_out

    def total(self, size: BetSize, place: BetPlace) -> float:
        """The total of a size in chips, that of all-in where it is forced."""
        total = size.total(place)
        pot = place.pot + 2 * (total - place.level)
        return place.most if place.most - total <= self.force * pot else total

    def _merged(self, totals: list[float], place: BetPlace) -> list[float]:
        kept: list[float] = []
        for total in reversed(totals):
            if not kept or (1 + place.share(kept[-1])) >= (1 + self.merge) * (1 + place.share(total)):
                kept.append(total)
        return kept[::-1]


USUAL = Thresholds()


def parse_sizes(text: str, what: str = "sizes") -> tuple[BetSize, ...]:
    """Read a list of sizes, with commas or blanks between them; none = no bets.

    Raises
    ------
    ArgumentError
        Something that is no size.
    """
    return tuple(_size(word, what) for word in re.split(r"[\s,]+", text.strip()) if word)


def _size(word: str, what: str) -> BetSize:
    found = _SIZE.fullmatch("a" if word.lower() in _WORDS else word)
    expected = f"{what}: {word[:20]!r}: expected a size such as 60%, e, 2e, 100c, 2.5x or a"
    if not found:
        raise ArgumentError(expected)
    unit, number = found["unit"].lower(), found["number"]
    value = float(number or 0)
    needs_number = unit not in "ea"
    if not isfinite(value) or value > MOST or (needs_number and not value) or (unit == "a" and number):
        raise ArgumentError(expected)
    if unit == "x" and value <= 1:
        raise ArgumentError(f"{what}: {word!r}: expected more than 1 times the last bet")
    if unit == "e" and (value != int(value) or value > len(STREETS)):
        raise ArgumentError(f"{what}: {word!r}: expected a whole number of streets, at most {len(STREETS)}")
    return BetSize(_UNITS[unit], value, word.lower())


def parse_menu(given: str | Mapping[str, str], what: str) -> Menu:
    """Read the sizes of both players on all streets.

    Parameters
    ----------
    given
        A list for all of them, such as ``"60%, e, a"``; or parts with ``;`` between them, each for a player,
        a street or both, such as ``"60%, a; river: 75%, a; ip turn: 33%"``; or a mapping such as
        ``{"": "60%, a", "ip turn": "33%"}``. The part that names more of player and street wins.
    what
        The name of the argument in errors.

    Raises
    ------
    ArgumentError
        No such size, player or street.

    Examples
    --------
    >>> menu = parse_menu("60%, a; river: 75%; ip turn: 33%", "sizes")
    >>> [[size.text for size in menu[1, cards]] for cards in (3, 4, 5)]
    [['60%', 'a'], ['33%'], ['75%']]
    """
    if isinstance(given, str):
        parts = [part.rpartition(":")[::2] for part in given.split(";")]
    elif isinstance(given, Mapping) and all(isinstance(each, str) for part in given.items() for each in part):
        parts = list(given.items())
    else:
        raise ArgumentError(f"{what}: {brief(given)}: expected a text such as '60%, e, a', or texts by name")
    menu: dict[tuple[int, int], tuple[BetSize, ...]] = {}
    rank: dict[tuple[int, int], int] = {}
    for name, text in parts:
        sizes = parse_sizes(text, what)
        words = name.lower().split()
        for word in words:
            if word not in (*PLAYERS, *STREETS.values()):
                raise ArgumentError(
                    f"{what}: {name.strip()!r}: expected a player (oop, ip), a street or both"
                )
        named = 2 * any(word in PLAYERS for word in words) + any(word in STREETS.values() for word in words)
        for player, seat in enumerate(PLAYERS):
            for cards, street in STREETS.items():
                fits = all(word in (seat, street) for word in words)
                if fits and named >= rank.get((player, cards), 0):
                    menu[player, cards], rank[player, cards] = sizes, named
    return {(player, cards): menu.get((player, cards), ()) for player in (0, 1) for cards in STREETS}
