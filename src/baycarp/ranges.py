"""Ranges: a weight for each of the 1,326 holdings of a player.

The text of a range is a list of items, with commas, semicolons or blanks between them:

    AKs  AKo  AK  TT          a starting class; AK is both AKs and AKo
    TT+  A2s+  KTs+           and all higher ones: pairs up to AA, kickers up to one below the high card
    99-66  A5s-A2s  JTs-87s   from end to end: the same high card, or the same gap
    AhKd                      one holding
    random  ??                every holding
    QQ:0.5                    an item with its weight, 0..1 or 0%..100%; without one it is 1
    0.5(QQ,AKs)  30%(TT+)     items that share a weight

The dialects of PokerStove and pokerkit, of eval7, and of TexasSolver are accepted, in any case. Of
overlapping items the later one applies: ``random,72o:0`` is every holding except 72o.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from baycarp.card import (
    CLASS_OF,
    CLASSES,
    HAND_GROUPS,
    HOLDINGS,
    RANKS,
    SUITS,
    Cards,
    as_cards,
    blocked_by,
    holding_index,
    text,
)
from baycarp.errors import CardError, RangeError

__all__ = ["Range"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Range:
    """A weight for each of the 1,326 holdings: frozen, hashable, equal to a range of the same weights.

    ``str()`` gives the shortest text in PokerStove's dialect, with ``:weight`` if it is not 1.

    Parameters
    ----------
    given
        Text, as above; or a Range, or float weights, shape (1326,), by ``holding_index``, finite and at least
        0. Weights in text are at most 1, since ``QQ:50`` is probably an error; an array may have larger ones.

    Attributes
    ----------
    weights
        float64, shape (1326,), read-only.

    Raises
    ------
    RangeError
        Invalid text (the message has the column and the expected text); an array of another shape, or with
        a weight that is negative or not finite.

    Examples
    --------
    >>> opened = Range("TT+ AQs+; 0.5(A5s-A2s), KQo:25%")
    >>> opened
    Range('TT+,AQs+,A5s-A2s:0.5,KQo:0.25')
    >>> opened.total
    49.0
    >>> float(opened.weights[holding_index(*as_cards("KdQc"))])
    0.25
    """

    weights: NDArray[np.float64]

    def __init__(self, given: "str | Range | ArrayLike") -> None:
        weights = _read(given) if isinstance(given, str) else _checked(getattr(given, "weights", given), 1326)
        # A view of bytes stays read-only; adding 0 turns -0.0 into 0.0, which has the same hash.
        object.__setattr__(self, "weights", np.frombuffer((weights + 0.0).tobytes()))

    @classmethod
    def from_classes(cls, weights: ArrayLike) -> "Range":
        """Weigh every holding by its starting class.

        Parameters
        ----------
        weights
            float, shape (13, 13) as ``classes`` returns them, or (169,) by ``class_index``; at least 0.

        Examples
        --------
        >>> grid = np.zeros((13, 13))
        >>> grid[0] = 0.5  # the ace's row: AA and all Axs
        >>> Range.from_classes(grid)
        Range('AA:0.5,A2s+:0.5')
        """
        grid = np.asarray(weights)
        return cls(_checked(grid.ravel() if grid.shape == (13, 13) else grid, 169)[CLASS_OF])

    @classmethod
    def from_groups(cls, groups: Iterable[int] | Mapping[int, float]) -> "Range":
        """Take every holding of some hand groups 1..10 (Unger 2011, figure B.1).

        Parameters
        ----------
        groups
            The groups, or a weight for each; every holding of the group has this weight.

        Examples
        --------
        >>> Range.from_groups([1])
        Range('JJ+,AKs')
        >>> Range.from_groups({1: 1, 2: 0.5})
        Range('JJ+,TT:0.5,AKs,AQs-AJs:0.5,AKo:0.5,KQs:0.5')
        """
        weights = np.zeros(11)
        for group, weight in dict(
            groups if isinstance(groups, Mapping) else dict.fromkeys(groups, 1.0)
        ).items():
            if not isinstance(group, (int, np.integer)) or not 1 <= group <= 10:
                raise RangeError(f"unknown hand group {group!r:.60}: expected 1..10")
            weights[group] = weight
        return cls.from_classes(weights[HAND_GROUPS])

    @property
    def total(self) -> float:
        """The sum of all weights: the number of holdings if each has weight 1."""
        return float(self.weights.sum())

    def without(self, known: Cards) -> "Range":
        """Remove the holdings that contain a known card.

        Raises
        ------
        CardError
            An unknown or a duplicate card.
        RangeError
            No holding remains.

        Examples
        --------
        >>> Range("AA,72s").without("Ah7d")
        Range('AsAd,AsAc,AdAc,7s2s,7h2h,7c2c')
        """
        ids = as_cards(known, "known cards")
        left = np.where(blocked_by(ids), 0.0, self.weights)
        if not left.any():
            raise RangeError(f"no holding of the range is left once {text(ids)!r} are known")
        return Range(left)

    def normalised(self) -> "Range":
        """Scale the weights to a sum of 1: the probability of each holding.

        Raises
        ------
        RangeError
            No holding has a weight.
        """
        if not self.weights.any():
            raise RangeError("an empty range cannot be normalised: expected a weight above 0")
        shares = self.weights / self.weights.max()  # prevents an overflow of the sum
        return Range(shares / shares.sum())

    def _repr_html_(self) -> str:
        """A grid of starting hands in a notebook, darker with weight; suited hands lie above the pairs."""
        grid = self.classes()
        shares = grid / (grid.max() or 1.0)
        cells = [
            f'<td style="background:rgba(34,85,136,{share:.2f});color:{"#fff" if share > 0.5 else "inherit"};'
            f'text-align:center;padding:2px 4px" title="{name}: {weight:.4g}">{name}</td>'
            for name, share, weight in zip(CLASSES, shares.ravel(), grid.ravel(), strict=True)
        ]
        rows = "".join(f"<tr>{''.join(cells[at : at + 13])}</tr>" for at in range(0, 169, 13))
        return f'<table style="font-size:small">{rows}</table><p>{self.total:.4g} of 1326 holdings</p>'

    def classes(self) -> NDArray[np.float64]:
        """Average the weights of each starting class, for a drawing.

        Returns
        -------
        float64 array, shape (13, 13)
            Ranks in descending order from the ace; pairs on the diagonal, suited above it, offsuit below.
        """
        low, high = _bounds(self.weights)
        means = np.bincount(CLASS_OF, self.weights) / np.bincount(CLASS_OF)
        return np.clip(means, low, high).reshape(13, 13)  # equal weights average to themselves, exactly

    def __mul__(self, factor: float) -> "Range":
        return Range(self.weights * factor)

    def __eq__(self, other: object) -> bool:
        return np.array_equal(self.weights, other.weights) if isinstance(other, Range) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.weights.tobytes())

    def __str__(self) -> str:
        return ",".join(
            name if weight == 1 else f"{name}:{weight!r}" for name, weight in _items(self.weights)
        )

    def __repr__(self) -> str:
        # Weights in text are at most 1; scaling by a power of two does not round.
        exponent = min(math.frexp(self.weights.max())[1], 1023) if self.weights.max() > 1 else 0
        scaled = str(Range(np.ldexp(self.weights, -exponent)))
        return f"Range({scaled!r})" + (f" * {2.0**exponent!r}" if exponent else "")

    def __reduce__(self) -> tuple[Any, ...]:
        return Range, (np.array(self.weights),)


def _checked(given: Any, count: int) -> NDArray[np.float64]:
    weights = np.asarray(given)
    if weights.shape != (count,) or weights.dtype.kind not in "biuf":
        raise RangeError(f"weights: expected {count} numbers, got shape {weights.shape} of {weights.dtype}")
    weights = weights.astype(np.float64)
    wrong = np.flatnonzero(~((weights >= 0) & (weights < np.inf)))
    if len(wrong):
        raise RangeError(f"weight {weights[wrong[0]]} at {wrong[0]}: expected finite and at least 0")
    return weights


LONGEST = 40_000
"""The longest text of a range, in characters: enough for a weight of 17 digits at every holding."""

# Parsing. The error of a token names the expected text; _read adds the place.

_NUMBER = r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:%|[eE][-+]?[0-9]+)?"
_TOKEN = re.compile(
    rf"(?P<group>{_NUMBER})\s*\("
    r"|(?P<close>\))"
    r"|(?P<hands>[^\s,;:()]+)(?:\s*:\s*(?P<weight>[^\s,;()]*))?"
    r"|[^\s,;]"
)
_CLASS = rf"([{RANKS}])([{RANKS}])([SO]?)"
_RUN = re.compile(rf"{_CLASS}(?:(\+)|-{_CLASS})?")
_CARDS = re.compile(rf"(?:(?:10|[{RANKS}])[{SUITS.upper()}])+")


def _read(string: str) -> NDArray[np.float64]:
    if len(string) > LONGEST:
        raise RangeError(f"range of {len(string)} characters: expected at most {LONGEST}")
    weights = np.zeros(1326)
    group, shared = None, 1.0
    for token in _TOKEN.finditer(string):
        try:
            if token["group"]:
                if group:
                    raise RangeError("expected ')' first, groups do not nest")
                group = token
                shared = _weight(token["group"])
            elif token["close"]:
                if not group:
                    raise RangeError("expected a weight and '(' before it")
                group = None
                shared = 1.0
            elif token["hands"]:
                if group and token["weight"] is not None:
                    raise RangeError("expected no weight of its own inside a group")
                weight = shared if token["weight"] is None else _weight(token["weight"])
                weights[_holdings(token["hands"])] = weight
            else:
                raise RangeError("expected hands before ':' and a weight before '('")
        except RangeError as error:
            raise _placed(error, string, *token.span()) from None
    if group:
        raise _placed("expected ')' to close this group", string, *group.span())
    return weights


def _weight(number: str) -> float:
    if not re.fullmatch(_NUMBER, number):
        raise RangeError(f"expected a weight such as 0.5 or 50%, got {number!r}")
    weight = float(number.replace("%", "e-2"))
    if weight > 1:
        raise RangeError(f"expected a weight of 0..1 or 0%..100%, got {number}")
    return weight


@lru_cache(maxsize=2048)
def _holdings(hands: str) -> NDArray[np.intp]:
    word = hands.upper()
    if word in ("RANDOM", "??"):
        return np.arange(1326)
    if run := _RUN.fullmatch(word):
        return np.flatnonzero(np.isin(CLASS_OF, [CLASSES.index(name) for name in _run(run)]))
    if not _CARDS.fullmatch(word):
        raise RangeError("expected hands such as AKs, TT+, A5s-A2s, AhKd or random")
    try:
        a, b = as_cards(hands, "holding", 2).tolist()
    except CardError as error:
        raise RangeError(str(error)) from None
    return np.array([holding_index(a, b)])


def _run(run: re.Match[str]) -> list[str]:
    """The names of the classes from the first to the last."""
    high, low, kind = _end(run[1], run[2], run[3])
    to_high, to_low, to_kind = _end(run[5], run[6], run[7]) if run[5] else (high, low, kind)
    if run[4]:
        to_high, to_low = (12, 12) if high == low else (high, high - 1)
    gap, to_gap = high - low, to_high - to_low
    if kind != to_kind or (gap != to_gap and (high != to_high or 0 in (gap, to_gap))):
        raise RangeError("expected two ends of one kind, with the same high card (A5s-A2s) or gap (JTs-87s)")
    rise = int(gap == to_gap)
    steps = range(abs(to_low - low) + 1)
    bottom_high = min(high, to_high)
    bottom_low = min(low, to_low)
    names = [RANKS[bottom_high + rise * step] + RANKS[bottom_low + step] for step in steps]
    return [name + suits for name in names for suits in ([""] if gap == 0 else kind or "so")]


def _end(first: str, second: str, kind: str) -> tuple[int, int, str]:
    """The ranks of a class, higher first, and its kind: "s", "o" or, both, ""."""
    low, high = sorted((RANKS.index(first), RANKS.index(second)))
    if high == low and kind:
        raise RangeError(f"expected {first + second}: a pair is neither suited nor offsuit")
    return high, low, kind.lower()


def _placed(expected: object, string: str, start: int, end: int) -> RangeError:
    end = min(end, start + 60)
    before = max(start - 40, 0)
    line = re.sub(r"\s", " ", string[before : end + 40])
    carets = " " * (start - before) + "^" * (end - start)
    return RangeError(f"column {start + 1}: {string[start:end]!r}: {expected}\n    {line}\n    {carets}")


# Printing.

_LINES = [
    range(0, 169, 14),
    *(
        line
        for cell in range(0, 168, 14)
        for line in (range(cell + 1, 13 * (cell // 13 + 1)), range(cell + 13, 169, 13))
    ),
]
"""The cells that print as runs, strongest first: the pairs; then each high card's suited, its offsuit."""


def _bounds(weights: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The smallest and the largest weight of each class."""
    low, high = np.full(169, np.inf), np.zeros(169)
    np.minimum.at(low, CLASS_OF, weights)
    np.maximum.at(high, CLASS_OF, weights)
    return low, high


def _items(weights: NDArray[np.float64]) -> Iterator[tuple[str, float]]:
    """Whole classes in runs of one weight, then the holdings of the classes that are divided."""
    low, high = _bounds(weights)
    if low.min() == high.max() > 0:
        yield "random", float(low[0])
        return
    whole = np.where(low == high, low, 0.0)
    for line in _LINES:
        for weight, run in groupby(line, key=lambda cell: float(whole[cell])):
            if weight:
                yield _run_name(list(run), top=line[0]), weight
    for holding in np.flatnonzero((low < high)[CLASS_OF] & (weights > 0))[::-1]:
        yield text(HOLDINGS[holding]), float(weights[holding])


def _run_name(cells: list[int], top: int) -> str:
    first, last = CLASSES[cells[0]], CLASSES[cells[-1]]
    if first == last:
        return first
    return f"{last}+" if cells[0] == top else f"{first}-{last}"
