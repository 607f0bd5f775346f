"""The nearest smaller tree of a spot that would take too much memory."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from baycarp.solvers.spots.sizes import PLAYERS, STREETS, Menu, parse_menu
from baycarp.solvers.spots.spot import Spot

__all__ = ["smaller"]


def smaller(spot: Spot, needed: Callable[[Spot], float], limit: float) -> tuple[Spot, float] | None:
    """The spot with sizes left out, one after another, until it fits.

    At each step that size is left out which leaves the largest tree that fits, or else the smallest one.

    Parameters
    ----------
    spot
        The spot.
    needed
        The bytes of a spot.
    limit
        The most that fits.

    Returns
    -------
    The smaller spot and its bytes; None where it does not fit without a size either.
    """
    now = replace(spot, tree=None)
    while tried := [(needed(each), each) for each in _with_one_less(now)]:
        fitting = [each for each in tried if each[0] <= limit]
        size, now = max(fitting, key=_bytes) if fitting else min(tried, key=_bytes)
        if fitting:
            return now, size
    return None


def _bytes(tried: tuple[float, Spot]) -> float:
    return tried[0]


def _with_one_less(spot: Spot) -> Iterator[Spot]:
    """The spots without one size of bets, or of raises, on all streets."""
    for name in ("sizes", "raises"):
        menu = parse_menu(getattr(spot, name), name)
        for text in dict.fromkeys(size.text for sizes in menu.values() for size in sizes):
            left = _without(menu, text)
            yield replace(spot, sizes=left) if name == "sizes" else replace(spot, raises=left)


def _without(menu: Menu, text: str) -> str | Mapping[str, str]:
    """The sizes as they are written, without one; a mapping where they differ by player or street."""
    left = {key: ", ".join(size.text for size in sizes if size.text != text) for key, sizes in menu.items()}
    if len({*left.values()}) == 1:
        return next(iter(left.values()))
    return {f"{PLAYERS[player]} {STREETS[cards]}": sizes for (player, cards), sizes in left.items()}
