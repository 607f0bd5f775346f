"""Local similarities: frozen values that can be called, and that the retrieval kernel reads as columns.

A number is compared by ``Linear`` or ``Exponential``; a group of slots, each of which holds a state's name,
by ``PredictedStates``; a symbol by ``Matrix``, ``Nested`` or ``Aligned`` (``baycarp.cases.symbols``). The
global similarity is their weighted mean (``baycarp.cases.schema``).
"""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.cases.symbols import KINDS, Symbolic
from baycarp.errors import SchemaError, brief
from baycarp.kernels.arguments import real
from baycarp.kernels.similarity import STATES, exp_nonpositive

__all__ = [
    "NONE",
    "NUMERIC",
    "Exponential",
    "Linear",
    "PredictedStates",
    "Similarity",
    "from_dict",
    "positive",
    "to_dict",
]

NONE = 255
"""The code of a slot that holds no state."""


def positive(name: str, value: float) -> float:
    """The value as a float, if it is a finite number above 0."""
    number = real(value, name) if isinstance(value, (int, float)) else math.nan
    if not 0 < number < math.inf:
        raise SchemaError(f"{name} {brief(value)}: expected a finite number above 0")
    return number


@dataclass(frozen=True, slots=True)
class Linear:
    """Falls evenly to 0 at the largest difference: 1 - d / max (Unger 2011, section 5.4.3, figure 5.9).

    Examples
    --------
    >>> Linear(max=8)(2, 4)
    0.75
    """

    max: float
    k: ClassVar[float] = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "max", positive("max", self.max))

    def __call__(self, x: float, y: float) -> float:
        """The similarity of two values."""
        return max(0.0, 1.0 - abs(x - y) / self.max)


@dataclass(frozen=True, slots=True)
class Exponential:
    """Falls most at small differences: exp(-k d / max) (Unger 2011, section 5.4.3, figure 5.10).

    Examples
    --------
    The seed's own: AA (rank 1 of 169) and JTs (rank 18).

    >>> round(Exponential(k=4, max=168)(1, 18), 2)
    0.67
    """

    k: float
    max: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", positive("k", self.k))
        object.__setattr__(self, "max", positive("max", self.max))

    def __call__(self, x: float, y: float) -> float:
        """The similarity of two values, to the bit that of retrieval; ``ValueError`` where one is NaN."""
        return exp_nonpositive(-self.k * abs(x - y) / self.max)


@dataclass(frozen=True, slots=True)
class PredictedStates:
    """Compares ranked predictions: the query's likeliest states against those a case was stored with.

    Slot i of the query holds its i-th likeliest state x; a case whose slot i holds y is similar by
    1 - ``|P(x) - P(y)|`` under the *query's* posterior if y is among the query's likeliest, else by 0: the
    "Bayesian table similarity" (Unger 2011, section 5.4.3, table 5.4). States of no probability are not
    predicted; a slot without a state is like another one without, and nothing else.

    Parameters
    ----------
    states
        Names of the states, at most 31.
    slots
        How many of the likeliest are kept.

    Examples
    --------
    >>> measure = PredictedStates(("FullHouse", "ThreeOfAKind", "TwoPair", "Busted"))
    >>> query = {"FullHouse": 0.39, "ThreeOfAKind": 0.27, "TwoPair": 0.24, "Busted": 0.1}
    >>> [round(measure(query, 0, held), 2) for held in measure.states]
    [1.0, 0.88, 0.85, 0.0]
    """

    states: tuple[str, ...]
    slots: int = 3

    def __post_init__(self) -> None:
        object.__setattr__(self, "states", tuple(self.states))
        if not 1 <= len(self.states) < STATES or len(set(self.states)) != len(self.states):
            raise SchemaError(f"states {brief(self.states)}: expected 1 to {STATES - 1} different names")
        if not 1 <= self.slots <= len(self.states):
            raise SchemaError(f"slots {brief(self.slots)}: expected 1..{len(self.states)}")

    def __call__(self, posterior: Mapping[str, float], slot: int, held: str | None) -> float:
        """The similarity of the query's slot (from 0) to a case's slot that holds a state."""
        code = NONE if held is None else self.states.index(held)
        return float(self.tables(*self.likeliest(posterior))[slot, code % STATES])

    def likeliest(self, posterior: Mapping[str, float]) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
        """The codes and probabilities of the likeliest states, one a slot; equals as ``states`` has them."""
        if not isinstance(posterior, Mapping):
            raise SchemaError(f"posterior {brief(posterior)}: expected probabilities by state")
        if not _known(self.states).issuperset(posterior):
            state = next(state for state in posterior if state not in self.states)
            raise SchemaError(f"unknown state {brief(state)}: expected one of {', '.join(self.states)}")
        for state, chance in posterior.items():
            try:
                fits = bool(0 <= chance <= 1 + 1e-9)
            except ValueError:  # an array of several
                fits = False
            if not fits:
                raise SchemaError(f"probability {brief(chance)} of {state}: expected 0..1")
        every = [posterior.get(state, 0.0) for state in self.states]
        ranked = sorted(range(len(every)), key=every.__getitem__, reverse=True)[: self.slots]  # stable
        codes = [code if every[code] > 0 else NONE for code in ranked]
        return np.array(codes, np.uint8), np.array([every[code] for code in ranked], np.float64)

    def tables(self, codes: NDArray[np.uint8], chances: NDArray[np.float64]) -> NDArray[np.float64]:
        """The similarity of each slot of this query to each code of a case; shape (slots, STATES)."""
        tables = np.zeros((self.slots, STATES))
        predicted = list(zip(codes.tolist(), chances.tolist(), strict=True))
        for slot, (code, chance) in enumerate(predicted):
            if code == NONE:
                tables[slot, NONE % STATES] = 1.0
                continue
            for other, likely in predicted:
                if other != NONE:
                    tables[slot, other] = 1.0 - abs(chance - likely)
        return tables


@lru_cache(maxsize=64)
def _known(states: tuple[str, ...]) -> frozenset[str]:
    return frozenset(states)


Similarity: TypeAlias = Linear | Exponential | PredictedStates | Symbolic

NUMERIC = (Linear, Exponential)
"""The local similarities of numbers."""

_KINDS: dict[str, Any] = {
    "linear": Linear,
    "exponential": Exponential,
    "posterior": PredictedStates,
    **KINDS,
}


def to_dict(similarity: Similarity) -> dict[str, Any]:
    """The value as plain data, with its kind."""
    kind = next(name for name, made in _KINDS.items() if isinstance(similarity, made))
    return {"kind": kind, **asdict(similarity)}


def from_dict(data: Mapping[str, Any]) -> Similarity:
    """The value that ``to_dict`` wrote.

    Raises
    ------
    SchemaError
        An unknown kind, or fields that it does not have.
    """
    fields = dict(data)
    kind = fields.pop("kind", None)
    if kind not in _KINDS:
        raise SchemaError(f"unknown similarity {brief(kind)}: expected one of {', '.join(_KINDS)}")
    try:
        made: Similarity = _KINDS[kind](**fields)
    except TypeError as error:
        raise SchemaError(f"similarity {brief(dict(data))}: {error}") from None
    return made
