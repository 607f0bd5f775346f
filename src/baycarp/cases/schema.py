"""The form of a case: weighted features with their local similarities, solutions, provenance."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import index
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.cases import similarity as local
from baycarp.cases.similarity import NONE, NUMERIC, Exponential, Linear, PredictedStates, Similarity
from baycarp.cases.symbols import SYMBOLIC, Symbolic
from baycarp.errors import SchemaError, brief
from baycarp.kernels.similarity import MOST_NUMBERS, MOST_SLOTS, MOST_SYMBOLS, STATES, Measure

__all__ = ["Case", "Feature", "Provenance", "Schema", "Situation"]

Provenance: TypeAlias = Mapping[str, int | Sequence[int]]

FARTHEST = 1e15
"""No value of a feature lies farther from 0; sums of squares stay finite in float32, where cells are made."""


_PLAIN = frozenset({float, int})


@dataclass(frozen=True, slots=True)
class Feature:
    """A named part of a situation.

    Parameters
    ----------
    name
        As in explanations.
    weight
        Its share in the global similarity, above 0; of a ``PredictedStates``, the share of each of its slots.
    similarity
        The comparison of two of its values.
    bounds
        Of a number: the least and the greatest value, within -1e15 .. 1e15; None = -4 to a million times the
        ``max`` of its similarity.
    """

    name: str
    weight: float
    similarity: Similarity
    bounds: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        if not self.name:
            raise SchemaError("a feature without a name")
        object.__setattr__(self, "weight", local.positive(f"weight of {self.name}", self.weight))
        if self.bounds is not None:
            low, high = map(float, self.bounds)
            if not isinstance(self.similarity, NUMERIC) or not -FARTHEST <= low <= high <= FARTHEST:
                raise SchemaError(
                    f"bounds {brief(self.bounds)} of {self.name}: "
                    f"expected those of a number, within {FARTHEST:g}"
                )
            object.__setattr__(self, "bounds", (low, high))

    @property
    def limits(self) -> tuple[float, float]:
        """The least and the greatest value of a number, stated or not."""
        if self.bounds is not None:
            return self.bounds
        assert isinstance(self.similarity, NUMERIC)
        return max(-4 * self.similarity.max, -FARTHEST), min(1e6 * self.similarity.max, FARTHEST)


@dataclass(frozen=True, slots=True, eq=False)
class Situation:
    """A situation as its schema encodes it; a query, and the description of a case, alike.

    Parameters
    ----------
    numbers
        float32, shape (numbers,).
    codes, chances
        uint8 and float64, shape (slots,): the predicted states and their probabilities. A case keeps the
        states alone.
    symbols
        The text of each symbol.
    """

    numbers: NDArray[np.float32]
    codes: NDArray[np.uint8]
    chances: NDArray[np.float64]
    symbols: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A situation, its solution, the outcome, and the provenance."""

    situation: Situation
    solution: str
    outcome: float = 0.0
    provenance: Provenance = field(default_factory=dict)


@dataclass(frozen=True)
class Schema:
    """The form of the cases of one case-base, and their comparison.

    Parameters
    ----------
    name
        Of the case-base.
    features
        In the order of explanations. The global similarity is the weighted mean of the local ones.
    solutions
        Names, cheapest first: of two that are equally good the first is taken.
    threshold
        Cases at or above this similarity are retrieved, 0..1.
    fallback
        How many of the most similar are retrieved where none reaches the threshold; 0 = none.
    provenance
        Integer columns that go with a case and are never compared: (name, numpy integer type, width).
    most
        How many cases at or above the threshold are retrieved at most, the most similar ones; None = all.
    ties
        Whether cases that are as similar as the last one that is retrieved are retrieved too, so that the
        order of storing decides nothing.
    merged
        Whether cases of equal situations are one: a case then counts how often each solution was tried in its
        situation, and sums the outcomes.

    Raises
    ------
    SchemaError
        Names that stand twice, values out of range.

    Examples
    --------
    >>> schema = Schema(
    ...     name="flop",
    ...     features=(Feature("strength", 80, Exponential(k=3, max=1)), Feature("players", 5, Linear(max=8))),
    ...     solutions=("fold", "check", "call", "bet", "raise"),
    ...     threshold=0.93,
    ... )
    >>> schema.situation({"strength": 0.5, "players": 2}).numbers
    array([0.5, 2. ], dtype=float32)
    """

    name: str
    features: tuple[Feature, ...]
    solutions: tuple[str, ...]
    threshold: float
    fallback: int = 20
    provenance: tuple[tuple[str, str, int], ...] = ()
    most: int | None = None
    ties: bool = False
    merged: bool = False

    def __post_init__(self) -> None:
        for name in ("features", "solutions"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        origin = tuple(
            (str(name), np.dtype(kind).newbyteorder("<").str, index(width))
            for name, kind, width in self.provenance
        )
        object.__setattr__(self, "provenance", origin)
        for what, names in (
            ("features", [feature.name for feature in self.features]),
            ("solutions", list(self.solutions)),
            ("provenance", [name for name, _, _ in origin]),
        ):
            if len(set(names)) != len(names) or (not names and what != "provenance"):
                raise SchemaError(
                    f"{what} {brief(names)} of {self.name}: expected different names, at least one"
                )
        columns = len(self.numbers), len(self.states), len(self.symbols)
        limits = MOST_NUMBERS, MOST_SLOTS, MOST_SYMBOLS
        if any(count > limit for count, limit in zip(columns, limits, strict=True)):
            raise SchemaError(
                f"numbers, slots and symbols {columns} of {self.name}: expected at most {limits}"
            )
        _ = self.measure  # refuses weights and constants that are out of its range
        object.__setattr__(self, "fallback", index(self.fallback))
        object.__setattr__(self, "most", self.most if self.most is None else index(self.most))
        if not isinstance(self.ties, bool) or not isinstance(self.merged, bool):
            raise SchemaError(
                f"ties {brief(self.ties)}, merged {brief(self.merged)} of {self.name}: expected True or False"
            )
        if self.most is not None and self.most < 1:
            raise SchemaError(f"most {brief(self.most)} of {self.name}: expected at least 1, or None")
        if not 0 <= self.threshold <= 1 or self.fallback < 0 or len(self.solutions) > NONE:
            raise SchemaError(
                f"threshold {brief(self.threshold)}, fallback {brief(self.fallback)} of {self.name}: "
                "expected 0..1 and at least 0"
            )
        for name, kind, width in origin:
            if np.dtype(kind).kind not in "iu" or width < 1:
                raise SchemaError(
                    f"provenance {name}: expected an integer type and a width, got {kind, width}"
                )

    def __reduce__(self) -> tuple[Any, ...]:
        return Schema.from_dict, (self.to_dict(),)

    @cached_property
    def numbers(self) -> tuple[Feature, ...]:
        """The numeric features, one column each."""
        return tuple(feature for feature in self.features if isinstance(feature.similarity, NUMERIC))

    @cached_property
    def scales(self) -> tuple[Linear | Exponential, ...]:
        """The local similarity of each number."""
        return tuple(f.similarity for f in self.features if isinstance(f.similarity, NUMERIC))

    @cached_property
    def limits(self) -> NDArray[np.float32]:
        """The least and the greatest value of each number; shape (2, numbers, 1)."""
        limits = np.array([feature.limits for feature in self.numbers], np.float32)
        return limits.reshape(-1, 2).T[:, :, None]

    @cached_property
    def _bounds(self) -> tuple[tuple[str, ...], tuple[float, ...], tuple[float, ...]]:
        """The names of the numbers, and their least and greatest values."""
        low, high = self.limits[:, :, 0].tolist()
        return tuple(feature.name for feature in self.numbers), tuple(low), tuple(high)

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(feature.name for feature in self.features)

    @cached_property
    def predictions(self) -> tuple[Feature, ...]:
        """The features that fill slots."""
        return tuple(feature for feature in self.features if isinstance(feature.similarity, PredictedStates))

    @cached_property
    def posteriors(self) -> tuple[PredictedStates, ...]:
        """The local similarity of each prediction."""
        return tuple(f.similarity for f in self.features if isinstance(f.similarity, PredictedStates))

    @cached_property
    def symbols(self) -> tuple[Feature, ...]:
        """The features that are symbols, one column each."""
        return tuple(feature for feature in self.features if isinstance(feature.similarity, SYMBOLIC))

    @cached_property
    def comparisons(self) -> tuple[Symbolic, ...]:
        """The local similarity of each symbol."""
        return tuple(f.similarity for f in self.features if isinstance(f.similarity, SYMBOLIC))

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The name of every column: numbers, slots (those of a prediction numbered from 1), symbols."""
        slots = (
            f"{feature.name} {slot + 1}"
            for feature, posterior in zip(self.predictions, self.posteriors, strict=True)
            for slot in range(posterior.slots)
        )
        numbers, symbols = ([f.name for f in features] for features in (self.numbers, self.symbols))
        return (*numbers, *slots, *symbols)

    @cached_property
    def weights(self) -> tuple[float, ...]:
        """The weight of every column."""
        slots = (
            feature.weight
            for feature, posterior in zip(self.predictions, self.posteriors, strict=True)
            for _ in range(posterior.slots)
        )
        numbers, symbols = ([f.weight for f in features] for features in (self.numbers, self.symbols))
        return (*numbers, *slots, *symbols)

    @cached_property
    def states(self) -> tuple[tuple[str, ...], ...]:
        """The names of the states of each slot."""
        return tuple(posterior.states for posterior in self.posteriors for _ in range(posterior.slots))

    @cached_property
    def measure(self) -> Measure:
        """Weights and constants, for the kernel."""
        return Measure(
            np.array(self.weights),
            np.array([scale.k for scale in self.scales]),
            np.array([scale.max for scale in self.scales]),
            len(self.symbols),
        )

    @cached_property
    def origin(self) -> np.dtype[np.void]:
        """The provenance columns as one record type."""
        return np.dtype(
            [(name, kind, (width,)) if width > 1 else (name, kind) for name, kind, width in self.provenance]
        )

    def situation(self, values: Mapping[str, Any]) -> Situation:
        """Encode a situation.

        Parameters
        ----------
        values
            By feature: a number within its bounds; for ``PredictedStates`` the probability of each state by
            name; for a symbol its text (for a ``Nested`` one, or its keys).

        Raises
        ------
        SchemaError
            A missing or unknown feature, a value that does not fit.
        """
        if set(values) != self._names:
            missing = [feature.name for feature in self.features if feature.name not in values]
            unknown = sorted(set(values) - {feature.name for feature in self.features})
            raise SchemaError(f"situation of {self.name}: missing {missing}, unknown {unknown}")
        numbers = self._numbers(values)
        ranked = [
            posterior.likeliest(values[feature.name])
            for feature, posterior in zip(self.predictions, self.posteriors, strict=True)
        ]
        codes, chances = ranked[0] if len(ranked) == 1 else _joined(ranked)
        symbols = tuple(
            comparison.text(values[feature.name])
            for feature, comparison in zip(self.symbols, self.comparisons, strict=True)
        )
        return Situation(numbers, codes, chances, symbols)

    def _numbers(self, values: Mapping[str, Any]) -> NDArray[np.float32]:
        """The numbers of a situation, as ``bounded``."""
        names, low, high = self._bounds
        plain = [values[name] for name in names]
        if _PLAIN.issuperset(map(type, plain)) and all(map(_between, low, plain, high)):
            return np.array(plain, np.float32)
        try:
            given = np.array(plain, np.float64)
        except (OverflowError, TypeError, ValueError):
            given = np.empty(0)
        if given.shape != (len(self.numbers),):
            got = {feature.name: values[feature.name] for feature in self.numbers}
            raise SchemaError(f"situation of {self.name}: expected finite numbers, got {brief(got)}")
        return self.bounded(given[:, None])[:, 0]

    def bounded(self, numbers: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
        """Values of the numeric features, shape (numbers, n), as float32; each lies within its bounds.

        Raises
        ------
        SchemaError
            A value that does not, or is NaN; the message names the feature, the value and the bounds.
        """
        low, high = self.limits
        if np.all((low <= numbers) & (numbers <= high)):  # the bounds are float32: rounding keeps to them
            return numbers.astype(np.float32, copy=False)
        with np.errstate(over="ignore"):
            rounded = numbers.astype(np.float32, copy=False)
        inside = (low <= rounded) & (rounded <= high)
        if not inside.all():
            row, case = np.argwhere(~inside)[0].tolist()
            least, greatest = self.numbers[row].limits
            raise SchemaError(
                f"{self.numbers[row].name} = {numbers[row, case]:g} of {self.name}: "
                f"expected a finite number of {least:g} to {greatest:g}"
            )
        return rounded

    def tables(self, situation: Situation) -> NDArray[np.float64]:
        """The similarity of each slot of this situation to every code; float64, shape (slots, STATES)."""
        if len(self.posteriors) == 1:
            return self.posteriors[0].tables(situation.codes, situation.chances)
        tables, at = [np.empty((0, STATES))], 0
        for posterior in self.posteriors:
            run = slice(at, at := at + posterior.slots)
            tables.append(posterior.tables(situation.codes[run], situation.chances[run]))
        return np.concatenate(tables)

    def to_dict(self) -> dict[str, Any]:
        """The schema as plain data; of the last three fields those at their default are left out."""
        last = {name: getattr(self, name) for name in ("most", "ties", "merged")}
        return {
            "name": self.name,
            "features": [_feature(feature) for feature in self.features],
            "solutions": list(self.solutions),
            "threshold": self.threshold,
            "fallback": self.fallback,
            "provenance": [list(column) for column in self.provenance],
            **{name: value for name, value in last.items() if value},
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Schema":
        """The schema that ``to_dict`` wrote."""
        try:
            features = tuple(
                Feature(f["name"], f["weight"], local.from_dict(f["similarity"]), f.get("bounds"))
                for f in data["features"]
            )
            return cls(**{**data, "features": features})
        except (KeyError, TypeError, AttributeError) as error:
            raise SchemaError(f"not a schema: {brief(error)}") from None

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the whole schema: equal digests retrieve alike."""
        return _digest(self.to_dict())

    @cached_property
    def layout(self) -> str:
        """SHA-256 of what stored cases depend on: columns, states, symbols, solutions, provenance, merging.

        Weights, constants, thresholds and tables of similarities may change over the same cases.
        """
        slots = [list(states) for states in self.states]
        symbols = [
            [feature.name, type(comparison).__name__, comparison.form]
            for feature, comparison in zip(self.symbols, self.comparisons, strict=True)
        ]
        plain = [self.name, self.columns, slots, self.solutions, self.provenance]
        return _digest([*plain, symbols, self.merged] if symbols or self.merged else plain)


def _feature(feature: Feature) -> dict[str, Any]:
    """A feature as plain data; bounds that are not stated are left out."""
    data = {"name": feature.name, "weight": feature.weight, "similarity": local.to_dict(feature.similarity)}
    return data | ({} if feature.bounds is None else {"bounds": list(feature.bounds)})


def _joined(
    ranked: Sequence[tuple[NDArray[np.uint8], NDArray[np.float64]]],
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """The codes and probabilities of several predictions, one after the other."""
    codes = np.concatenate([np.empty(0, np.uint8), *(each for each, _ in ranked)])
    return codes, np.concatenate([np.empty(0), *(each for _, each in ranked)])


def _between(low: float, value: float, high: float) -> bool:
    return low <= value <= high


def _digest(data: Any) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
