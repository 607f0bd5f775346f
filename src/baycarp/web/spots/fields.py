"""The fields of the page: texts that become a spot, or words beside each field that is wrong."""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from typing import Any

import numpy as np

from baycarp.card import as_cards
from baycarp.errors import ArgumentError, BaycarpError
from baycarp.files import decimal_text
from baycarp.game import Variant
from baycarp.game.notation.wire import string
from baycarp.game.variant import shipped
from baycarp.ranges import Range
from baycarp.solvers.spots.given import engine_input
from baycarp.solvers.spots.memory import in_units, memory_limit
from baycarp.solvers.spots.sizes import PLAYERS, parse_menu
from baycarp.solvers.spots.smaller import smaller
from baycarp.solvers.spots.solver import SpotSettings, needed_bytes
from baycarp.solvers.spots.spot import Spot
from baycarp.web.frames import Frame

__all__ = ["NAMES", "PRESETS", "USUAL", "Games", "SpotFields", "grid_of", "measured", "written"]

USUAL: Mapping[str, str] = {
    "board": "Td9d6hQc",
    "pot": "200",
    "stack": "900",
    "oop": "66+,A8s+,KTs+,QTs+,JTs,T9s,AJo+,KQo",
    "ip": "QQ-22,AQs-A2s,KTs+,QTs+,JTs,T9s,98s,87s,AJo+,KQo",
    "sizes": "60%, e, a",
    "raises": "2.5x, a",
    "donk": "",
    "rake": "0",
    "cap": "",
    "line": "",
    "betting": "no-limit",
}
"""The fields of a page that is opened without a spot."""

NAMES = tuple(USUAL)

PRESETS: Mapping[str, str] = {
    "every holding": "random",
    "no holding": "random:0",
    "raise, first of six": "22+,ATs+,KTs+,QTs+,JTs,T9s,98s,87s,AJo+,KQo",
    "raise, on the button": "22+,A2s+,K5s+,Q7s+,J7s+,T7s+,97s+,86s+,75s+,65s,54s,A5o+,K9o+,Q9o+,J9o+,T9o",
    "call, big blind": "JJ-22,AJs-A2s,KQs-K2s,Q4s+,J6s+,T6s+,96s+,85s+,74s+,64s+,53s+,AJo-A2o,KQo-K7o,"
    "Q8o+,J8o+,T8o+,98o",
    "three-bet": "TT+,AQs+,A5s-A2s,KQs,AKo,AQo:0.5",
    "call of a three-bet": "JJ-66,AQs-ATs,KQs-KTs,QJs-QTs,JTs,T9s,98s,AQo",
}
"""Ranges to begin with; usual ones, of no source."""

_FIELD = re.compile(rf"(?P<name>{'|'.join(NAMES)})\b")


@dataclass
class Games:
    """The bettings that a page may name: without limit, pot-limit, and shipped games of limit.

    Parameters
    ----------
    own
        The game of an opened hand, by its name.
    """

    own: dict[str, Variant] = field(default_factory=dict)

    def names(self) -> list[str]:
        """What the page offers."""
        limits = [name for name in sorted(shipped()) if name.startswith("holdem.limit.2p")]
        return ["no-limit", "pot-limit", *dict.fromkeys([*limits, *self.own])]

    def betting(self, name: str) -> str | Variant:
        """The betting of a name that the page was given.

        Raises
        ------
        ArgumentError
            Another name.
        """
        if name not in self.names():
            raise ArgumentError(f"betting {name[:60]!r}: expected one of {', '.join(self.names())}")
        if name in ("no-limit", "pot-limit"):
            return name
        return self.own.get(name) or Variant.load(name)


@dataclass(frozen=True, slots=True)
class SpotFields:
    """Texts by the names of ``USUAL``."""

    texts: Mapping[str, str]

    @staticmethod
    def of(message: Mapping[str, Any]) -> "SpotFields":
        """The fields of a message; a field that is missing is empty.

        Raises
        ------
        NotationError
            One that is no text.
        """
        return SpotFields({name: string(dict(message), name, "") for name in NAMES})

    def errors(self, games: Games) -> dict[str, str]:
        """Words by the field that is wrong; by ``spot`` where two do not fit. Empty: it is a spot."""
        readers: dict[str, Callable[[str], object]] = {
            "board": lambda text: as_cards(text, "board", (3, 4, 5)),
            **dict.fromkeys(("pot", "stack", "rake", "cap"), _number),
            **dict.fromkeys(PLAYERS, grid_of),
            **{name: partial(parse_menu, what=name) for name in ("sizes", "raises", "donk")},
            "betting": games.betting,
        }
        found = {}
        for name, read in readers.items():
            try:
                read(self.texts[name])
            except BaycarpError as error:
                found[name] = str(error)
        if not found:
            try:
                self.spot(games)
            except BaycarpError as error:
                place = _FIELD.match(str(error))
                found[place["name"] if place else "spot"] = str(error)
        return found

    def spot(self, games: Games) -> Spot:
        """The spot.

        Raises
        ------
        BaycarpError
            The type names the cause, as of ``Spot``.
        """
        given = self.texts
        return Spot(
            board=given["board"],
            pot=_number(given["pot"]),
            stack=_number(given["stack"]),
            oop=given["oop"],
            ip=given["ip"],
            sizes=given["sizes"],
            raises=given["raises"],
            donk=given["donk"] if given["donk"].strip() else None,
            rake=_number(given["rake"] or "0"),
            cap=_number(given["cap"]) if given["cap"].strip() else None,
            betting=games.betting(given["betting"] or "no-limit"),
            line=given["line"],
        )


def _number(text: str) -> float:
    try:
        return float(decimal_text(text.replace(",", "").strip() or "0"))
    except ValueError:
        raise ArgumentError(f"{text[:40]!r}: expected a number") from None


def grid_of(text: str) -> Frame:
    """A range for its grid: the mean weight of each class, the holdings, and the shortest text.

    Raises
    ------
    RangeError
        A text that is none.
    """
    given = Range(text if text.strip() else "random")
    grid = [round(each, 4) for each in given.classes().ravel().tolist()]
    return {"grid": grid, "total": round(given.total, 1), "text": str(given) or "random:0"}


def written(weights: Any) -> str:
    """Weights of the holdings as a text, to three digits of the greatest one."""
    shares = np.asarray(weights, np.float64) / max(float(np.max(weights)), 1e-300)
    return str(Range(np.round(shares, 3)))


PATIENCE = 8.0
"""Seconds in which a smaller tree is looked for."""


class OutdatedSpot(ArgumentError):
    """The spot is no longer asked about, or it takes too long."""


def measured(spot: Spot, held: float, is_asked: Callable[[], bool] = lambda: True) -> Frame:
    """What a spot takes, and what would fit where it does not and this is found in ``PATIENCE``.

    Parameters
    ----------
    spot
        The spot.
    held
        Bytes that are free once the present solution is given up.
    is_asked
        Whether the answer is still of use.

    Raises
    ------
    ArgumentError
        A tree of too many nodes.
    """
    settings, begun = SpotSettings(), monotonic()

    def needed(other: Spot) -> int:
        if not is_asked() or monotonic() - begun > PATIENCE:
            raise OutdatedSpot("the spot is too large: expected fewer sizes, or a later street")
        return needed_bytes(engine_input(other, other.build_tree()), settings)

    limit, size = memory_limit(None) + held, needed(spot)
    found: Frame = {"bytes": size, "size": in_units(size), "limit": in_units(limit), "fits": size <= limit}
    found["tree"] = {name: count for name, count in spot.build_tree().counts().items() if count}
    found["holdings"] = [len(spot.holdings(player)) for player in (0, 1)]
    with suppress(OutdatedSpot):
        if size > limit and (less := smaller(spot, needed, limit)):
            sizes, raises = _menu_text(less[0].sizes), _menu_text(less[0].raises)
            found["smaller"] = {"sizes": sizes, "raises": raises, "size": in_units(less[1])}
    return found


def _menu_text(given: str | Mapping[str, str]) -> str:
    """Sizes as one text, those that differ by player or street in parts."""
    if isinstance(given, str):
        return given
    return "; ".join(f"{name}: {sizes}" if name else sizes for name, sizes in given.items())
