"""Soft evidence: likelihoods of the states of nodes, checked and in the layout of the kernels."""

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from baycarp.bn.network import Structure, reals
from baycarp.errors import EvidenceError, brief
from baycarp.kernels.arguments import array

__all__ = ["Likelihoods", "checked"]

LEAST = 2.0**-20
"""Likelihoods from this to 1 need no scaling: a product of fifty of them does not underflow."""


def checked(structure: Structure, node: str, given: ArrayLike, n: int) -> NDArray[np.float64]:
    """The likelihoods of a node's states in ``n`` rows: float64 of shape (n, states).

    Raises
    ------
    EvidenceError
        Another shape, or a number that is negative or not finite.

    Examples
    --------
    >>> checked(Structure({"Rain": ["no", "yes"]}), "Rain", [[1, 3]], 1)
    array([[1., 3.]])
    """
    states = structure.cardinality(node)
    try:
        values = reals(given)
    except (TypeError, ValueError) as error:
        raise EvidenceError(f"likelihoods of {brief(node)}: expected shape {(n, states)}: {error}") from None
    if values.shape != (n, states):
        raise EvidenceError(f"likelihoods of {brief(node)}: expected shape {(n, states)}, got {values.shape}")
    if values.size and not (values.min() >= 0 and values.max() < np.inf):
        row = int(np.argmin(np.all((values >= 0) & np.isfinite(values), axis=1)))
        raise EvidenceError(
            f"likelihoods of {brief(node)}: {values[row]}, expected finite numbers, at least 0"
        )
    return values


class Likelihoods:
    """The nodes of a plan with soft evidence, in order."""

    def __init__(self, structure: Structure, nodes: tuple[str, ...]) -> None:
        self.nodes = nodes
        self._structure = structure
        ends = np.cumsum([0, *map(structure.cardinality, nodes)]).tolist()
        self._spans = [slice(*pair) for pair in pairwise(ends)]

    def rows(self, soft: Mapping[str, ArrayLike], n: int) -> NDArray[np.float64]:
        """Many rows, float64 of shape (n, states of all nodes).

        Raises
        ------
        EvidenceError
            An extra or missing node, or likelihoods that do not fit (`checked`).
        """
        return np.hstack([np.empty((n, 0)), *self._parts(soft, n)])

    def scaled(self, soft: Mapping[str, ArrayLike], n: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """The same rows, scaled, and the exponent of each row, int64 of shape (n,).

        The likelihoods of a node in a row are divided by a power of two, without rounding, so that the
        largest is 0.5 to 1 and no product overflows or underflows. The exponent of a row is the sum over its
        nodes.
        """
        rows, exponents = self.rows(soft, n), np.zeros(n, np.int64)
        for span in self._spans:
            exponent = np.frexp(rows[:, span].max(axis=1))[1]
            np.ldexp(rows[:, span], -exponent[:, None], out=rows[:, span])
            exponents += exponent
        return rows, exponents

    def one(self, soft: Mapping[str, ArrayLike]) -> tuple[NDArray[np.float64], int]:
        """One row, scaled only if the largest likelihood of a node is not `LEAST` to 1; its exponent."""
        rows = {node: array(values, f"likelihoods of {node}")[None] for node, values in soft.items()}
        row = self.rows(rows, 1).ravel()
        numbers = row.tolist()
        if all(LEAST <= max(numbers[span]) <= 1 for span in self._spans):
            return row, 0
        scaled, exponents = self.scaled(rows, 1)
        return scaled.ravel(), int(exponents[0])

    def _parts(self, soft: Mapping[str, ArrayLike], n: int) -> list[NDArray[np.float64]]:
        if not isinstance(soft, Mapping) or set(soft) != set(self.nodes):
            raise EvidenceError(f"likelihoods of {brief(soft)}: expected exactly {self.nodes}")
        return [checked(self._structure, node, soft[node], n) for node in self.nodes]
