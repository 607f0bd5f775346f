"""Vocabularies: the symbols that occur in a case-base.

Which symbols occur is not part of a schema. A case-base keeps one vocabulary for each symbolic feature, and a
case holds a code of it. For a query, the similarity of its symbol to the whole vocabulary is computed once;
the retrieval kernel looks the codes up.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.cases.symbols import Symbolic

__all__ = ["Vocabulary"]

Array: TypeAlias = NDArray[np.float64]

ROWS = 256
"""The largest number of query symbols whose similarities to a vocabulary are cached."""

TAIL = 64
"""Newer symbols than the indexed ones are compared one by one, up to this number."""


class Vocabulary:
    """The symbols of one feature of a case-base, in the order in which they came; it only grows.

    Parameters
    ----------
    comparison
        The local similarity of the feature.
    symbols
        The first ones.
    """

    def __init__(self, comparison: Symbolic, symbols: Sequence[str] = ()) -> None:
        self.comparison = comparison
        self._symbols = list(symbols)
        self._codes: dict[str, int] = {symbol: code for code, symbol in enumerate(symbols)}
        self._indexed: tuple[int, Callable[[str], Array] | None] = (0, None)
        self._rows: dict[str, Array] = {}

    def __len__(self) -> int:
        return len(self._symbols)

    @property
    def nbytes(self) -> int:
        """Bytes of the texts."""
        return sum(map(len, self._symbols))

    def copy(self, comparison: Symbolic) -> "Vocabulary":
        """The same symbols, which may be compared in another way."""
        return Vocabulary(comparison, self._symbols)

    def codes(self, symbols: NDArray[np.str_]) -> NDArray[np.uint32]:
        """The code of each of these symbols; new ones are added in order. For one writer at a time."""
        codes = np.empty(len(symbols), np.uint32)
        for i, symbol in enumerate(symbols.tolist()):
            code = self._codes.get(symbol)
            if code is None:
                code = self._codes[symbol] = len(self._symbols)
                self._symbols.append(symbol)
            codes[i] = code
        return codes

    def symbol(self, code: int) -> str:
        """The symbol of a code."""
        return self._symbols[code]

    def symbols(self, codes: NDArray[np.uint32]) -> NDArray[np.str_]:
        """The symbol of each of these codes."""
        if not len(codes):
            return np.empty(0, "U1")
        used, which = np.unique(codes, return_inverse=True)
        return np.array([self._symbols[code] for code in used.tolist()])[which.ravel()]

    def similarities(self, symbol: str) -> Array:
        """How similar a query's symbol is to each symbol of the vocabulary, by code.

        Returns
        -------
        float64 array, of at least one entry; do not change it. It is cached.
        """
        n, row = len(self._symbols), self._rows.get(symbol)
        if not n:
            return np.zeros(1)
        if row is not None and len(row) >= n:
            return row
        if row is None or n - len(row) > TAIL:
            row = self._index(n)(symbol)
        newer = [self.comparison(symbol, other) for other in self._symbols[len(row) : n]]
        row = np.concatenate([row, newer])
        if len(self._rows) >= ROWS:
            self._rows = {}
        self._rows[symbol] = row
        return row

    def _index(self, n: int) -> Callable[[str], Array]:
        """Compares with the first symbols; at most ``TAIL``, or an eighth, of the first n are left out."""
        done, compare = self._indexed
        if compare is None or n - done > max(TAIL, done // 8):
            compare = self.comparison.index(self._symbols[:n])
            self._indexed = n, compare
        return compare
