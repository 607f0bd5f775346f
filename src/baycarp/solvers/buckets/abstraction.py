"""Abstractions of hold'em: which holdings on a board are one to a solver, as a value.

Before the flop the 169 classes. On later streets buckets by E[HS^2] against a random hand, by rank on the
board (percentile) or by value, or the nearest of some histograms of what the next card makes of the hand, by
the earth mover's distance. With recall a bucket also holds the bucket of the street before.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.card import CLASS_OF
from baycarp.errors import ArgumentError, brief
from baycarp.evaluation import expected_strength
from baycarp.rules.buckets import Bucketing, by_value
from baycarp.solvers.buckets.boards import canonical, renamed_holdings
from baycarp.solvers.buckets.histograms import (
    BINS,
    Centres,
    cluster,
    nearest,
    nearest_of,
    nearest_rows,
    next_strengths,
    sample_points,
)
from baycarp.solvers.buckets.textures import WEIGHTS, features, sample_textures

__all__ = ["CLASSES", "Abstraction", "HistogramClusters", "Percentiles", "Rule", "Values", "parse_buckets"]

CLASSES = 169

Buckets = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Percentiles:
    """Buckets of equal numbers of the holdings on each board, by E[HS^2].

    Source: Johanson (2007), percentile bucketing; van der Kleij (2010), section 5.4.
    """

    count: int

    def assign(self, board: tuple[int, ...]) -> Buckets:
        """The bucket of every holding on a board of 3 to 5 cards, int64[1326]; -1 where it is blocked."""
        return Bucketing.uniform(self.count).hard(_squares(board))

    def to_dict(self) -> Mapping[str, Any]:
        """The rule as JSON values."""
        return {"kind": "percentile", "count": self.count}


@dataclass(frozen=True, slots=True)
class Values:
    """Buckets that are intervals of E[HS^2] of one length. Source: Rubin and Watson (2012), section 5.2.1."""

    count: int

    def assign(self, board: tuple[int, ...]) -> Buckets:
        """As in ``Percentiles``."""
        return by_value(_squares(board), self.count)

    def to_dict(self) -> Mapping[str, Any]:
        """As in ``Percentiles``."""
        return {"kind": "value", "count": self.count}


@dataclass(frozen=True)
class Centred:
    """A rule with centres. They are many numbers, so its hash is of the first alone."""

    centres: Centres

    def __hash__(self) -> int:
        return hash((type(self), len(self.centres), self.centres[0]))

    @cached_property
    def table(self) -> NDArray[np.float32]:
        """The centres as rows."""
        return np.array(self.centres, np.float32)


@dataclass(frozen=True)
class HistogramClusters(Centred):
    """The nearest of some histograms of E[HS^2] after the next card, by the earth mover's distance.

    Source: Johanson, Burch, Valenzano and Bowling (2013), distribution-aware abstraction.
    """

    __hash__ = Centred.__hash__

    @property
    def count(self) -> int:
        """The number of buckets."""
        return len(self.centres)

    def assign(self, board: tuple[int, ...]) -> Buckets:
        """As in ``Percentiles``, on boards of three and four cards."""
        strengths = next_strengths(board)
        blocked = np.isnan(strengths).all(axis=1)
        return np.where(blocked, -1, nearest(strengths, self.table))

    def assign_one(self, board: tuple[int, ...], holding: int) -> int:
        """The bucket of one holding that is not blocked."""
        return nearest_of(board, holding, self.table)

    def to_dict(self) -> Mapping[str, Any]:
        """As in ``Percentiles``."""
        return {"kind": "clusters", "centres": [list(centre) for centre in self.centres]}


@dataclass(frozen=True)
class Textured(Centred):
    """The texture of the board, the part of the holdings on it by E[HS^2], and the half of that part.

    The parts shrink evenly from the weakest, of 1.7 times the mean size, to the strongest, of 0.3 times. The
    upper half of a part are the holdings with more variance of HS: the draws.

    Parameters
    ----------
    centres
        Of the textures (``textures.features``).
    parts
        Parts on each board.
    halves
        1 or 2: whether parts are halved.
    """

    parts: int
    halves: int

    __hash__ = Centred.__hash__

    @property
    def count(self) -> int:
        """The number of buckets."""
        return len(self.centres) * self.parts * self.halves

    def texture(self, board: tuple[int, ...]) -> int:
        """The texture of a board, which the number of a bucket begins with."""
        return self._nearest(expected_strength(None, np.array(board, np.uint8))[0])

    def _nearest(self, means: NDArray[np.float64]) -> int:
        return int(nearest_rows(features(means)[None], self.table)[0])

    def assign(self, board: tuple[int, ...]) -> Buckets:
        """As in ``Percentiles``."""
        means, squares = expected_strength(None, np.array(board, np.uint8))
        texture = self._nearest(means)
        parts = _shrinking(self.parts).hard(squares)
        own = parts
        if self.halves == 2:
            own = 2 * parts + _upper(parts, squares - means**2, self.parts)
        return np.where(parts < 0, -1, texture * self.parts * self.halves + own)

    def to_dict(self) -> Mapping[str, Any]:
        """As in ``Percentiles``."""
        centres = [list(centre) for centre in self.centres]
        return {"kind": "texture", "centres": centres, "parts": self.parts, "halves": self.halves}


@lru_cache(maxsize=16)
def _shrinking(parts: int) -> Bucketing:
    sizes = 1.7 - 1.4 * (np.arange(parts) + 0.5) / parts
    return Bucketing(tuple((sizes / sizes.sum()).tolist()))


def _upper(buckets: Buckets, numbers: NDArray[np.float64], count: int) -> NDArray[np.bool_]:
    """Whether the number of a holding is above the median of its bucket."""
    rounded = np.round(numbers, 9)
    live = np.flatnonzero(buckets >= 0)
    order = live[np.lexsort((rounded[live], buckets[live]))]
    ends = np.cumsum(np.bincount(buckets[live], minlength=count))
    begins = np.concatenate([[0], ends[:-1]])
    medians = rounded[order[np.minimum((begins + ends) // 2, len(order) - 1)]]
    return rounded > medians[buckets]


Rule: TypeAlias = Percentiles | Values | HistogramClusters | Textured
"""The buckets of one street, without recall."""


def _squares(board: tuple[int, ...]) -> NDArray[np.float64]:
    return expected_strength(None, np.array(board, np.uint8))[1]


@dataclass(frozen=True)
class Abstraction:
    """The buckets of all streets.

    Parameters
    ----------
    rules
        Of flop, turn and river.
    recall
        By street, whether a bucket also holds the bucket of the street before (never the class).
    """

    rules: tuple[Rule, Rule, Rule]
    recall: tuple[bool, bool, bool] = (False, False, False)

    def __post_init__(self) -> None:
        if self.recall[0]:
            raise ArgumentError("recall on the flop: expected the turn or the river")
        if max(self.counts) > MOST:
            raise ArgumentError(f"{max(self.counts)} buckets of a street: expected at most {MOST}")

    @cached_property
    def counts(self) -> tuple[int, int, int, int]:
        """Buckets by street."""
        made = [CLASSES]
        for rule, recall in zip(self.rules, self.recall, strict=True):
            made.append(rule.count * (made[-1] if recall else 1))
        return made[0], made[1], made[2], made[3]

    def own(self, street: int, board: NDArray[np.uint8]) -> Buckets:
        """The buckets of a street, 0 the flop, without recall: int64[1326], -1 for blocked holdings.

        The buckets are those of the canonical board: equal for boards that differ by the suits' names.
        """
        form, renaming = canonical(board[: 3 + street])
        buckets: Buckets = _on_form(self.rules[street], form)[renamed_holdings()[renaming]]
        return buckets

    def own_bucket(self, street: int, board: NDArray[np.uint8], holding: int) -> int:
        """The bucket of one holding, as in ``own``."""
        form, renaming = canonical(board[: 3 + street])
        there = int(renamed_holdings()[renaming, holding])
        rule = self.rules[street]
        if isinstance(rule, HistogramClusters):
            return rule.assign_one(form, there)
        return int(_on_form(rule, form)[there])

    def combined(self, own: Sequence[Buckets]) -> NDArray[np.uint16]:
        """The buckets with recall, from those without: shape (1 + streets, 1326); 0 for blocked holdings."""
        made = [np.asarray(CLASS_OF, np.int64)]
        for rule, recall, buckets in zip(self.rules, self.recall, own, strict=False):
            now = np.maximum(buckets, 0)
            made.append(made[-1] * rule.count + now if recall else now)
        return np.array(made, np.uint16)

    def to_dict(self) -> dict[str, Any]:
        """The abstraction as JSON values."""
        return {"rules": [dict(rule.to_dict()) for rule in self.rules], "recall": list(self.recall)}

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the abstraction."""
        return sha256(json.dumps(self.to_dict(), sort_keys=True).encode()).hexdigest()

    @staticmethod
    def from_dict(given: Any) -> "Abstraction":
        """The abstraction that ``to_dict`` gave.

        Raises
        ------
        ArgumentError
            It is none.
        """
        try:
            flop, turn, river = (_rule(dict(rule)) for rule in given["rules"])
            recall = tuple(bool(each) for each in given["recall"])
            return Abstraction((flop, turn, river), (recall[0], recall[1], recall[2]))
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise ArgumentError(
                f"abstraction {brief(given, 80)}: {error!r}: expected rules and recall"
            ) from error


MOST = 65535
"""Buckets of a street that fit the tables."""


def _centres(given: dict[str, Any], width: int) -> Centres:
    centres = tuple(tuple(float(number) for number in centre) for centre in given["centres"])
    if not centres or {len(centre) for centre in centres} != {width} or not np.isfinite(centres).all():
        raise ArgumentError(f"centres: expected rows of {width} finite numbers")
    return centres


def _whole(given: dict[str, Any], name: str, most: int) -> int:
    number = given[name]
    if type(number) is not int or not 1 <= number <= most:
        raise ArgumentError(f"{name} {brief(number, 40)}: expected a whole number of 1..{most}")
    return number


def _rule(given: dict[str, Any]) -> Rule:
    kind = given["kind"]
    if kind == "clusters":
        return HistogramClusters(_centres(given, BINS - 1))
    if kind == "texture":
        return Textured(
            _centres(given, len(WEIGHTS)), _whole(given, "parts", 999), _whole(given, "halves", 2)
        )
    count = _whole(given, "count", 9999)
    kinds: Mapping[str, Callable[[int], Rule]] = {"percentile": Percentiles, "value": Values}
    return kinds[kind](count)


@lru_cache(maxsize=512)
def _on_form(rule: Rule, form: tuple[int, ...]) -> Buckets:
    return rule.assign(form)


_BOARDS = 400
"""Sampled boards that clusters are made of."""

_TEXTURES = 1000
"""Sampled boards that textures are made of."""


_EARLY, _LAST = r"([pve][0-9]{1,4}|t[0-9]{1,3}[pd][0-9]{1,3})", r"([pv][0-9]{1,4}|t[0-9]{1,3}p[0-9]{1,3})"
_SPECIFICATION = re.compile(rf"{_EARLY},{_EARLY}(\+?),{_LAST}(\+?)")


def parse_buckets(text: str, seed: int) -> Abstraction:
    """The abstraction of a specification: rules of flop, turn and river, separated by commas.

    A rule is a letter and a number of buckets: ``p`` percentiles, ``v`` values, ``e`` clusters by the earth
    mover's distance (flop and turn). ``t20p40`` are 20 textures of 40 parts, and ``t20d40`` halves each part
    (flop and turn). ``+`` after a rule adds recall of the street before.

    Parameters
    ----------
    text
        Such as ``"p50,p50,p50"`` or ``"e200,e200,p200"`` or ``"p10,p10+,p10+"``.
    seed
        Of the clusters.

    Raises
    ------
    ArgumentError
        Anything else.

    Examples
    --------
    >>> parse_buckets("p10,v5+,p20", seed=1).counts
    (169, 10, 50, 20)
    """
    words = _SPECIFICATION.fullmatch(text)
    if words is None:
        raise ArgumentError(f"buckets {brief(text)}: expected three rules such as p50,p50,p50")
    flop, turn, recalls_flop, river, recalls_turn = words.groups()
    rules = [_parsed(word, 3 + k, seed) for k, word in enumerate((flop, turn, river))]
    return Abstraction((rules[0], rules[1], rules[2]), (False, bool(recalls_flop), bool(recalls_turn)))


def _parsed(word: str, size: int, seed: int) -> Rule:
    kind, *more = re.split("([pd])", word[1:]) if word[0] == "t" else [word[1:]]
    counts = [int(kind), *(int(part) for part in more[1:])]
    if min(counts) < 1:
        raise ArgumentError(f"buckets {word}: expected at least 1")
    if word[0] == "t":
        points = sample_textures(size, _TEXTURES, seed)
        return Textured(cluster(points, counts[0], seed), counts[1], 1 + (more[0] == "d"))
    if word[0] == "e":
        return HistogramClusters(cluster(sample_points(size, _BOARDS, seed), counts[0], seed))
    return Percentiles(counts[0]) if word[0] == "p" else Values(counts[0])
