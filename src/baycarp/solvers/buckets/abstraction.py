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
from baycarp.errors import ArgumentError
from baycarp.evaluation import expected_strength
from baycarp.rules.buckets import Bucketing, by_value
from baycarp.solvers.buckets.boards import canonical, renamed_holdings
from baycarp.solvers.buckets.histograms import (
    Centres,
    cluster,
    nearest,
    nearest_of,
    next_strengths,
    sample_points,
)

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
class HistogramClusters:
    """The nearest of some histograms of E[HS^2] after the next card, by the earth mover's distance.

    Source: Johanson, Burch, Valenzano and Bowling (2013), distribution-aware abstraction.
    """

    centres: Centres

    def __hash__(self) -> int:
        """Of the first centre: all of them take longer than a bucket."""
        return hash((len(self.centres), self.centres[0]))

    @property
    def count(self) -> int:
        """The number of buckets."""
        return len(self.centres)

    def assign(self, board: tuple[int, ...]) -> Buckets:
        """As in ``Percentiles``, on boards of three and four cards."""
        strengths = next_strengths(board)
        blocked = np.isnan(strengths).all(axis=1)
        return np.where(blocked, -1, nearest(strengths, self._table))

    def assign_one(self, board: tuple[int, ...], holding: int) -> int:
        """The bucket of one holding that is not blocked."""
        return nearest_of(board, holding, self._table)

    @cached_property
    def _table(self) -> NDArray[np.float32]:
        return np.array(self.centres, np.float32)

    def to_dict(self) -> Mapping[str, Any]:
        """As in ``Percentiles``."""
        return {"kind": "clusters", "centres": [list(centre) for centre in self.centres]}


Rule: TypeAlias = Percentiles | Values | HistogramClusters
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
            raise ArgumentError(f"abstraction {given!r:.80}: {error!r}: expected rules and recall") from error


MOST = 65535
"""Buckets of a street that fit the tables."""


def _rule(given: dict[str, Any]) -> Rule:
    kind = given["kind"]
    if kind == "clusters":
        centres = tuple(tuple(float(number) for number in centre) for centre in given["centres"])
        if not centres or len({len(centre) for centre in centres}) != 1:
            raise ArgumentError("clusters: expected centres of one length")
        return HistogramClusters(centres)
    count = int(given["count"])
    if count < 1:
        raise ArgumentError(f"{count} buckets: expected at least 1")
    kinds: Mapping[str, Callable[[int], Rule]] = {"percentile": Percentiles, "value": Values}
    return kinds[kind](count)


@lru_cache(maxsize=512)
def _on_form(rule: Rule, form: tuple[int, ...]) -> Buckets:
    return rule.assign(form)


_BOARDS = 400
"""Sampled boards that clusters are made of."""


def parse_buckets(text: str, seed: int) -> Abstraction:
    """The abstraction of a specification: rules of flop, turn and river, separated by commas.

    A rule is a letter and a number of buckets: ``p`` percentiles, ``v`` values, ``e`` clusters by the earth
    mover's distance (flop and turn). ``+`` after it adds recall of the street before.

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
    words = re.fullmatch(r"([pve]\d{1,4})(),([pve]\d{1,4})(\+?),([pv]\d{1,4})(\+?)", text)
    if words is None:
        raise ArgumentError(f"buckets {text!r:.60}: expected three rules such as p50,p50,p50")
    flop, _, turn, recalls_flop, river, recalls_turn = words.groups()
    rules = [_parsed(word, 3 + k, seed) for k, word in enumerate((flop, turn, river))]
    return Abstraction((rules[0], rules[1], rules[2]), (False, bool(recalls_flop), bool(recalls_turn)))


def _parsed(word: str, size: int, seed: int) -> Rule:
    count = int(word[1:])
    if not count:
        raise ArgumentError(f"buckets {word}: expected at least 1")
    if word[0] == "e":
        return HistogramClusters(cluster(sample_points(size, _BOARDS, seed), count, seed))
    return Percentiles(count) if word[0] == "p" else Values(count)
