"""Local similarities of symbols, that is of texts: frozen values that compare one with another, or many."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import SchemaError, brief

__all__ = ["KINDS", "SYMBOLIC", "Aligned", "Matrix", "Nested", "Symbolic"]

Array: TypeAlias = NDArray[np.float64]

LEVELS = "|"
"""Separates the keys of a nested symbol."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """Compares symbols of a fixed set by a table.

    Parameters
    ----------
    symbols
        Different texts, at least one.
    table
        The similarity of each symbol of a query (row) to each symbol of a case (column), 0..1.

    Examples
    --------
    >>> Matrix(("dry", "wet", "soaked"), ((1, 0.5, 0), (0.5, 1, 0.8), (0, 0.8, 1)))("wet", "soaked")
    0.8
    """

    symbols: tuple[str, ...]
    table: tuple[tuple[float, ...], ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "symbols", tuple(self.symbols))
        object.__setattr__(self, "table", tuple(tuple(map(float, row)) for row in self.table))
        n = len(self.symbols)
        if not n or len(set(self.symbols)) != n or not all(symbol.isprintable() for symbol in self.symbols):
            raise SchemaError(
                f"symbols {brief(self.symbols)}: expected different printable texts, at least one"
            )
        if [len(row) for row in self.table] != [n] * n:
            raise SchemaError(f"table {brief(self.table)}: expected {n} rows of {n} similarities")
        _verify_similarities(value for row in self.table for value in row)

    @property
    def form(self) -> Any:
        """The form of a symbol, as plain data."""
        return list(self.symbols)

    def text(self, value: Any) -> str:
        """The symbol of a value: one of ``symbols``.

        Raises
        ------
        SchemaError
            Another value.
        """
        if value not in self.symbols:
            raise SchemaError(f"symbol {brief(value)}: expected one of {', '.join(self.symbols)}")
        return str(value)

    def __call__(self, x: str, y: str) -> float:
        """The similarity of a query's symbol to a case's."""
        return self.table[self.symbols.index(x)][self.symbols.index(y)]

    def index(self, symbols: Sequence[str]) -> Callable[[str], Array]:
        """A function that compares a query's symbol with all of these at once."""
        places = {symbol: place for place, symbol in enumerate(self.symbols)}
        columns = np.array([places[symbol] for symbol in symbols], np.intp)
        table = np.array(self.table)
        return lambda symbol: table[places[symbol], columns]


@dataclass(frozen=True, slots=True)
class Nested:
    """Compares symbols level by level: a symbol is a sequence of keys, from fine to coarse.

    Two symbols are similar by the value of the first level at which their keys are equal, and by 0 if there
    is no such level: the stepped similarity of Rubin and Watson (2012), section 5.3.2.

    Parameters
    ----------
    values
        One similarity a level, decreasing, in (0, 1].

    Examples
    --------
    >>> stepped = Nested((1.0, 0.9, 0.8))
    >>> stepped("crc-cr|1.1|2", "rc-cr|1.1|2"), stepped("crc-cr|1.1|2", "rrc-cr|2.0|2")
    (0.9, 0.8)
    >>> stepped.text(("crc-cr", "1.1", "2"))
    'crc-cr|1.1|2'
    """

    values: tuple[float, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", tuple(map(float, self.values)))
        _verify_similarities(self.values)
        decreasing = all(fine > coarse for fine, coarse in pairwise((*self.values, 0.0)))
        if not self.values or not decreasing:
            raise SchemaError(f"values {brief(self.values)}: expected similarities that fall, above 0")

    @property
    def form(self) -> Any:
        """The form of a symbol, as plain data."""
        return len(self.values)

    def text(self, value: Any) -> str:
        """The symbol of a value: its keys, or their text.

        Raises
        ------
        SchemaError
            Keys that are not printable text, or more or fewer than there are levels.
        """
        keys = value.split(LEVELS) if isinstance(value, str) else list(value)
        printable = all(isinstance(key, str) and key.isprintable() and LEVELS not in key for key in keys)
        if len(keys) != len(self.values) or not printable:
            raise SchemaError(f"symbol {brief(value)}: expected {len(self.values)} keys, without {LEVELS!r}")
        return LEVELS.join(keys)

    def __call__(self, x: str, y: str) -> float:
        """The similarity of two symbols."""
        keys = zip(self.values, x.split(LEVELS), y.split(LEVELS), strict=True)
        return next((value for value, mine, other in keys if mine == other), 0.0)

    def index(self, symbols: Sequence[str]) -> Callable[[str], Array]:
        """A function that compares a query's symbol with all of these at once."""
        split = [symbol.split(LEVELS) for symbol in symbols]
        codes: list[dict[str, int]] = [{} for _ in self.values]
        levels = [
            np.array([known.setdefault(keys[level], len(known)) for keys in split], np.int32)
            for level, known in enumerate(codes)
        ]

        def similarities(symbol: str) -> Array:
            row = np.zeros(len(symbols))
            keys = symbol.split(LEVELS)
            for level in reversed(range(len(self.values))):
                row[levels[level] == codes[level].get(keys[level], -1)] = self.values[level]
            return row

        return similarities


@dataclass(frozen=True, slots=True)
class Aligned:
    """Compares texts of equal length letter by letter: 1 - step * (the sum of the letters' distances).

    Letters of ``order`` are as far apart as their places in it; any other letter must stand at the same place
    in both texts, and texts of different length are similar by 0. Rubin and Watson (2012), section 6.3.4,
    equation 7; the floor of 0 is our choice.

    Parameters
    ----------
    order
        Different letters, from one end of a scale to the other.
    step
        The loss of similarity by each unit of distance, in (0, 1].

    Examples
    --------
    >>> Aligned("qhipdvt", 0.05)("ihpc", "dqpc")
    0.85
    """

    order: str
    step: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "step", float(self.step))
        if not self.order or len(set(self.order)) != len(self.order) or not 0 < self.step <= 1:
            raise SchemaError(
                f"order {brief(self.order)}, step {brief(self.step)}: expected different letters, 0..1"
            )

    @property
    def form(self) -> Any:
        """The form of a symbol, as plain data: any printable text."""
        return None

    def text(self, value: Any) -> str:
        """The symbol of a value: itself.

        Raises
        ------
        SchemaError
            A value that is not printable text.
        """
        if not isinstance(value, str) or not value.isprintable():
            raise SchemaError(f"symbol {brief(value)}: expected printable text")
        return value

    def __call__(self, x: str, y: str) -> float:
        """The similarity of two symbols."""
        if self._fixed(x) != self._fixed(y):
            return 0.0
        pairs = ((mine, other) for mine, other in zip(x, y, strict=True) if mine != other)
        apart = sum(abs(self.order.index(mine) - self.order.index(other)) for mine, other in pairs)
        return max(0.0, 1.0 - self.step * apart)

    def index(self, symbols: Sequence[str]) -> Callable[[str], Array]:
        """A function that compares a query's symbol with all of these at once."""
        codes: dict[str, int] = {}
        group = np.array([codes.setdefault(self._fixed(symbol), len(codes)) for symbol in symbols], np.int32)
        places = self._places(symbols)

        def similarities(symbol: str) -> Array:
            row, same = np.zeros(len(symbols)), np.flatnonzero(group == codes.get(self._fixed(symbol), -1))
            if len(same):
                own = self._places([symbol])
                apart = np.abs(places[same, : own.shape[1]] - own).sum(axis=1)
                row[same] = np.maximum(1.0 - self.step * apart, 0.0)
            return row

        return similarities

    def _fixed(self, symbol: str) -> str:
        """The text with a blank for each letter of the scale."""
        return "".join("\0" if letter in self.order else letter for letter in symbol)

    def _places(self, symbols: Sequence[str]) -> NDArray[np.int16]:
        """The place of each letter on the scale, 0 for other letters; shape (symbols, longest)."""
        letters = np.array(symbols)[:, None].view(np.uint32).reshape(len(symbols), -1)
        places = np.zeros(letters.shape, np.int16)
        for place, letter in enumerate(self.order):
            places[letters == ord(letter)] = place
        return places


Symbolic: TypeAlias = Matrix | Nested | Aligned

SYMBOLIC = (Matrix, Nested, Aligned)
"""The local similarities of symbols."""


def _verify_similarities(values: Any) -> None:
    for value in values:
        if not 0 <= value <= 1:
            raise SchemaError(f"similarity {brief(value)}: expected 0..1")


KINDS: Mapping[str, type[Symbolic]] = {"matrix": Matrix, "nested": Nested, "aligned": Aligned}
"""By the name in a saved schema."""
