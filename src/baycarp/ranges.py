"""Ranges: a weight for each of the 1,326 holdings of a player.

The text of a range is a list of items, with commas, semicolons or blanks between them:

    AKs  AKo  AK  TT          a starting class; AK is both AKs and AKo
    TT+  A2s+  KTs+           and all higher ones: pairs up to AA, kickers up to one below the high card
    99-66  A5s-A2s  JTs-87s   from end to end: the same high card, or the same gap
    Axs  Kxs  Axo  Qx         every lower kicker: A2s+, K2s+, ...
    AhKd                      one holding
    AhXx  AhXh  XhXh  AxKx    any card for X, any suit for x
    15%  top 15%              the strongest starting classes, about so many of 100 holdings (``Range.top``)
    random  ??                every holding
    QQ:0.5  QQ@50             an item with its weight, 0..1 or 0%..100%, or 0..100 after @; else it is 1
    0.5(QQ,AKs)  30%(TT+)     items that share a weight; [50]QQ,AKs[/50] in percent
    !KQs                      an item that is taken out

The dialects of PokerStove, Equilab, Flopzilla, PioSolver, pokerkit, eval7 and TexasSolver are accepted, in
any case. Of overlapping items the later one applies: ``random,!72o`` is every holding except 72o.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from baycarp.errors import CardError, RangeError, brief
from baycarp.files import plain_text
from baycarp.kernels.arguments import array, real

__all__ = ["Range", "grid_as_text"]


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
        grid = array(weights, "weights")
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
                raise RangeError(f"unknown hand group {brief(group)}: expected 1..10")
            weights[group] = real(weight, f"weight of group {group}")
        return cls.from_classes(weights[HAND_GROUPS])

    @property
    def total(self) -> float:
        """The sum of all weights: the number of holdings if each has weight 1."""
        return float(self.weights.sum())

    @classmethod
    def top(cls, share: float, by: "str | ArrayLike" = "equity") -> "Range":
        """The strongest starting classes: as many as come nearest to a share of the 1,326 holdings.

        Parameters
        ----------
        share
            0..1.
        by
            The order: ``"equity"`` (all-in, against any two cards), ``"groups"`` (hand groups, Unger 2011,
            figure B.1; within a group by equity), or a number for each holding, greater = stronger, shape
            (1326,), of which a class has the mean.

        Raises
        ------
        RangeError
            A share out of range, or another order.

        Examples
        --------
        >>> Range.top(0.05)
        Range('77+,AJs+,AKo')
        >>> len(Range.top(0.15)), len(Range.top(0.15, by="groups"))
        (200, 194)
        """
        if not 0 <= share <= 1:
            raise RangeError(f"share {brief(share)}: expected 0..1")
        order = _order(by)
        total = np.cumsum(np.bincount(CLASS_OF)[order])
        count = int(np.argmin(np.abs(np.append(0, total) - share * 1326)))
        weights = np.zeros(169)
        weights[order[:count]] = 1
        return cls.from_classes(weights)

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
        table = f'<table style="font-size:small">{rows}</table>'
        return plain_text(f"{table}<p>{self.total:.4g} of 1326 holdings</p>")

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

    def draw(self) -> str:
        """The range as a grid of starting hands in tenths of its greatest weight (``grid_as_text``).

        ``baycarp.draw.save_range`` makes a picture of it.
        """
        grid = self.classes()
        return grid_as_text((grid / (grid.max() or 1.0)).tolist())

    def __mul__(self, factor: float) -> "Range":
        return Range(self.weights * factor)

    def __or__(self, other: "Range | str") -> "Range":
        """The holdings of either: of two weights the greater."""
        return Range(np.maximum(self.weights, Range(other).weights))

    def __and__(self, other: "Range | str") -> "Range":
        """The holdings of both: of two weights the smaller."""
        return Range(np.minimum(self.weights, Range(other).weights))

    def __sub__(self, other: "Range | str") -> "Range":
        """The holdings without those of the other, whose weights are subtracted; none falls below 0."""
        return Range(np.maximum(self.weights - Range(other).weights, 0.0))

    __ror__, __rand__ = __or__, __and__

    def __rsub__(self, other: str) -> "Range":
        return Range(other) - self

    def __len__(self) -> int:
        """The number of holdings with a weight."""
        return int(np.count_nonzero(self.weights))

    def __bool__(self) -> bool:
        return bool(self.weights.any())

    def __getitem__(self, hands: str) -> float:
        """The weight of a holding; of other hands the mean weight.

        Raises
        ------
        RangeError
            Text that names no hands.

        Examples
        --------
        >>> opened = Range("QQ+, AhKh, AKo:0.5")
        >>> opened["AhKh"], opened["AKs"], opened["AKo"]
        (1.0, 0.25, 0.5)
        """
        asked = Range(hands)
        if not asked:
            raise RangeError(f"{brief(hands)}: expected hands such as AKs or AhKd")
        return float(self.weights @ asked.weights / asked.total)

    def __iter__(self) -> Iterator[tuple[str, float]]:
        """Each holding with a weight, as text, strongest cards first."""
        for holding in np.flatnonzero(self.weights)[::-1]:
            yield text(HOLDINGS[holding]), float(self.weights[holding])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.weights, dtype, copy=copy) if dtype or copy else self.weights

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
    weights = array(given, "weights")
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

_PLAIN = r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)"
_NUMBER = rf"{_PLAIN}(?:%|[eE][-+]?[0-9]+)?"
_TOKEN = re.compile(
    rf"(?P<group>{_NUMBER})\s*\("
    rf"|\[\s*(?P<percent>{_PLAIN})\s*\]"
    r"|(?P<close>\)|\[/[^\[\]]*\])"
    rf"|(?P<hands>(?i:top)\s*{_PLAIN}\s*%|[^\s,;:()@\[\]]+)"
    r"(?:\s*(?P<mark>[:@])\s*(?P<weight>[^\s,;()\[\]]*))?"
    r"|[^\s,;]"
)
_TOP = re.compile(rf"(?:TOP\s*)?({_PLAIN})\s*%")
_CLASS = rf"([{RANKS}])([{RANKS}])([SO]?)"
_RUN = re.compile(rf"{_CLASS}(?:(\+)|-{_CLASS})?")
_CARDS = re.compile(rf"(?:(?:10|[{RANKS}])[{SUITS.upper()}])+")
_KICKERS = re.compile(rf"([{RANKS}])X([SO]?)")
_WILD = re.compile(rf"([{RANKS}X])([{SUITS.upper()}X])([{RANKS}X])([{SUITS.upper()}X])")


def _read(string: str) -> NDArray[np.float64]:
    if len(string) > LONGEST:
        raise RangeError(f"range of {len(string)} characters: expected at most {LONGEST}")
    weights = np.zeros(1326)
    group, shared = None, 1.0
    for token in _TOKEN.finditer(string):
        try:
            if token["group"] or token["percent"]:
                if group:
                    raise RangeError(f"expected {_end_of(group)!r} first, groups do not nest")
                group = token
                shared = _weight(token["group"] or token["percent"] + "%")
            elif token["close"]:
                if not group or token["close"].replace(" ", "") != _end_of(group):
                    raise RangeError(f"expected {_end_of(group)!r}" if group else _UNOPENED[token[0][0]])
                group = None
                shared = 1.0
            elif token["hands"]:
                hands = token["hands"].removeprefix("!")
                removed = hands != token["hands"]
                if (group or removed) and token["weight"] is not None:
                    raise RangeError("expected no weight of its own inside a group or after '!'")
                weight = 0.0 if removed else shared
                if token["weight"] is not None:
                    weight = _weight(
                        token["weight"].removesuffix("%")
                        + "%" * (token["mark"] == "@" or token["weight"].endswith("%"))
                    )
                weights[_holdings(hands)] = weight
            else:
                raise RangeError("expected hands before ':' and '@', and a weight before '('")
        except RangeError as error:
            raise _placed(error, string, *token.span()) from None
    if group:
        raise _placed(f"expected {_end_of(group)!r} to close this group", string, *group.span())
    return weights


_UNOPENED = {")": "expected a weight and '(' before it", "[": "expected [weight] before it"}


def _end_of(group: re.Match[str]) -> str:
    """What closes a group."""
    return ")" if group["group"] else f"[/{group['percent']}]"


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
    if top := _TOP.fullmatch(word):
        return np.flatnonzero(Range.top(_weight(top[1] + "%")).weights)
    if kickers := _KICKERS.fullmatch(word):
        low = "2" if kickers[1] != "2" else ""
        return _holdings(kickers[1] + low + kickers[2] + "+")
    if "X" in word and (wild := _WILD.fullmatch(word)):
        first, second = (_matching(wild[at], wild[at + 1]) for at in (1, 3))
        one, other = HOLDINGS.T
        return np.flatnonzero((first[one] & second[other]) | (first[other] & second[one]))
    if not _CARDS.fullmatch(word):
        raise RangeError("expected hands such as AKs, TT+, A5s-A2s, Axs, AhKd, AhXx, 15% or random")
    try:
        a, b = as_cards(hands, "holding", 2).tolist()
    except CardError as error:
        raise RangeError(str(error)) from None
    return np.array([holding_index(a, b)])


def _matching(rank: str, suit: str) -> NDArray[np.bool_]:
    """Which of the 52 cards a rank or X, and a suit or X, stand for."""
    return np.array([rank in (r, "X") and suit in (s.upper(), "X") for r in RANKS for s in SUITS])


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


_BY_EQUITY = """
    AA KK QQ JJ TT 99 88 AKs 77 AQs AJs AKo ATs AQo AJo KQs 66 A9s ATo KJs A8s KTs KQo A7s A9o KJo 55 QJs
    K9s A5s A6s A8o KTo QTs A4s A7o K8s A3s QJo K9o A5o A6o Q9s K7s JTs A2s QTo 44 A4o K6s K8o Q8s A3o K5s
    J9s Q9o JTo K7o A2o K4s Q7s K6o K3s T9s J8s 33 Q6s Q8o K5o J9o K2s Q5s T8s K4o J7s Q4s Q7o T9o J8o K3o
    Q6o Q3s 98s T7s J6s K2o 22 Q2s Q5o J5s T8o J7o Q4o 97s J4s T6s J3s Q3o 98o 87s T7o J6o 96s J2s Q2o T5s
    J5o T4s 97o 86s J4o T6o 95s T3s 76s J3o 87o T2s 85s 96o J2o T5o 94s 75s T4o 93s 86o 65s 84s 95o T3o 92s
    76o 74s T2o 54s 85o 64s 83s 94o 75o 82s 73s 93o 65o 53s 63s 84o 92o 43s 74o 72s 54o 64o 52s 62s 83o 42s
    82o 73o 53o 63o 32s 43o 72o 52o 62o 42o 32o
"""
"""The starting classes by all-in equity against any two cards, strongest first (the compiled tables have it;
this room is below them)."""


def _order(by: "str | ArrayLike") -> NDArray[np.intp]:
    """The cells of the grid, strongest first."""
    equal = np.array([CLASSES.index(name) for name in _BY_EQUITY.split()])
    if isinstance(by, str):
        if by not in ("equity", "groups"):
            raise RangeError(f"by {brief(by)}: expected 'equity', 'groups' or 1326 numbers")
        return equal if by == "equity" else equal[np.argsort(HAND_GROUPS[equal], kind="stable")]
    values = np.asarray(by, np.float64)
    if values.shape != (1326,) or not np.isfinite(values).all():
        raise RangeError(f"by: expected 'equity', 'groups' or 1326 finite numbers, got shape {values.shape}")
    means = np.bincount(CLASS_OF, values) / np.bincount(CLASS_OF)
    return equal[np.argsort(-means[equal], kind="stable")]


# Printing.


def grid_as_text(grid: Sequence[Sequence[float]]) -> str:
    """Draw a range as a grid of starting hands in tenths of its greatest weight; suited ones lie above pairs.

    Parameters
    ----------
    grid
        The weight of each starting hand, of the greatest one, 0..1, shape (13, 13), aces first: 0 is drawn
        as a blank, less than a tenth as ``.``, 1 as ``#``.
    """
    ranks = RANKS[::-1]
    rows = [" ".join(_tenth(share) for share in row) for row in grid]
    return "\n".join(
        [f"  {' '.join(ranks)}", *(f"{rank} {row}" for rank, row in zip(ranks, rows, strict=True))]
    )


def _tenth(share: float) -> str:
    if share <= 0:
        return " "
    return "#" if share >= 1 else str(int(10 * share)) if share >= 0.1 else "."


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
