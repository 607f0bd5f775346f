"""Soft evidence: likelihoods of some nodes' states, checked, and laid out as the kernels read them."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from baycarp.bn.network import Structure
from baycarp.errors import EvidenceError

__all__ = ["Likelihoods", "checked"]


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
    values, states = np.asarray(given, dtype=np.float64), structure.cardinality(node)
    if values.shape != (n, states):
        raise EvidenceError(f"likelihoods of {node!r}: expected shape {(n, states)}, got {values.shape}")
    if not np.all((values >= 0) & np.isfinite(values)):
        row = int(np.argmin(np.all((values >= 0) & np.isfinite(values), axis=1)))
        raise EvidenceError(f"likelihoods of {node!r}: {values[row]}, expected finite numbers, at least 0")
    return values


class Likelihoods:
    """What a plan takes of soft evidence: some nodes, in order."""

    def __init__(self, structure: Structure, nodes: tuple[str, ...]) -> None:
        self.nodes = nodes
        self._structure = structure

    def row(self, soft: Mapping[str, ArrayLike]) -> NDArray[np.float64]:
        """One row, float64 of shape (states of all nodes,)."""
        return self.rows({node: np.asarray(values)[None] for node, values in soft.items()}, 1).ravel()

    def rows(self, soft: Mapping[str, ArrayLike], n: int) -> NDArray[np.float64]:
        """Many rows, float64 of shape (n, states of all nodes).

        Raises
        ------
        EvidenceError
            A node too many or too few, or likelihoods that do not fit (`checked`).
        """
        if set(soft) != set(self.nodes):
            raise EvidenceError(f"likelihoods of {tuple(soft)}: expected exactly {self.nodes}")
        parts = [checked(self._structure, node, soft[node], n) for node in self.nodes]
        return np.hstack([np.empty((n, 0)), *parts])
