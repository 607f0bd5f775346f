"""Exact inference of one node for many rows at once: every step is one product over all rows.

``Plan.posteriors`` runs its program row by row; where rows differ in the soft evidence of some roots alone, a
bucket elimination (Dechter 1999) with the rows as the last axis takes one matrix product a bucket.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from baycarp.bn.likelihood import checked
from baycarp.bn.network import Network
from baycarp.bn.plan import compile
from baycarp.bn.wide import LEAST
from baycarp.errors import EvidenceError
from baycarp.kernels.arguments import array

__all__ = ["RowPlan"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Step:
    """A bucket: its static factors as one array, of axes ``shared``, then ``kept``, then ``by_row``."""

    static: Array
    kept: tuple[str, ...]
    shared: tuple[str, ...]
    by_row: tuple[tuple[str, ...], ...]


class RowPlan:
    """The elimination of all other nodes, bucket by bucket, compiled once for a network.

    Parameters
    ----------
    network
        The network.
    rows, shared
        The nodes with soft evidence: of each row, and common to all rows.
    wanted
        A node that is in no bucket.
    buckets
        The nodes to eliminate, in groups, in order. A message and a node of ``rows`` must be eliminated whole
        in the bucket that takes it. Nodes of no bucket are barren, and must not be ancestors of others.

    Raises
    ------
    EvidenceError
        Buckets that leave other nodes than the wanted one, or take a part of a message.

    Examples
    --------
    >>> from baycarp.bn import Structure
    >>> rain = Structure({"Rain": ["no", "yes"], "Grass": ["dry", "wet"]}, {"Grass": ["Rain"]})
    >>> network = Network(rain, {"Rain": [0.5, 0.5], "Grass": [[0.9, 0.1], [0.05, 0.95]]})
    >>> plan = RowPlan(network, rows=["Rain"], shared=[], wanted="Grass", buckets=[["Rain"]])
    >>> plan.posteriors({"Rain": [[0.8, 0.2], [1.0, 0.0]]}, {}).round(2)
    array([[0.73, 0.27],
           [0.9 , 0.1 ]])
    """

    def __init__(
        self,
        network: Network,
        rows: Sequence[str],
        shared: Sequence[str],
        wanted: str,
        buckets: Sequence[Sequence[str]],
    ) -> None:
        self.network, self.rows, self.shared, self.wanted = network, tuple(rows), tuple(shared), wanted
        every = dict.fromkeys(
            [*(node for bucket in buckets for node in bucket), wanted]
        )  # always in this order
        static = [(network.structure.family(node), network.cpt(node)) for node in every]
        moving: list[tuple[str, ...]] = [(node,) for node in self.rows]
        self._steps: list[_Step] = []
        for bucket in buckets:
            static, moving = self._compile(frozenset(bucket), static, moving)
        if moving != [(wanted,)]:
            raise EvidenceError(f"buckets leave {moving}: expected only {wanted!r}")

    def _compile(
        self,
        bucket: frozenset[str],
        static: list[tuple[tuple[str, ...], Array]],
        moving: list[tuple[str, ...]],
    ) -> tuple[list[tuple[tuple[str, ...], Array]], list[tuple[str, ...]]]:
        """Compile one bucket; return the factors that are left."""
        taken = [factor for factor in static if bucket & set(factor[0])]
        by_row = tuple(axes for axes in moving if bucket & set(axes))
        part = [axes for axes in by_row if not bucket >= set(axes)]
        if part or not by_row:
            raise EvidenceError(
                f"bucket {sorted(bucket)}: expected all of a factor of rows, not a part of {part or moving}"
            )
        nodes = list(dict.fromkeys(node for axes, _ in taken for node in axes))
        kept = tuple(node for node in nodes if node not in bucket)
        shared = tuple(node for node in nodes if node in bucket and node in self.shared)
        flat = [node for axes in by_row for node in axes]
        code = {node: number for number, node in enumerate(dict.fromkeys([*nodes, *flat]))}
        operands: list[Any] = [each for axes, table in taken for each in (table, [code[n] for n in axes])]
        product = np.einsum(*operands, [code[node] for node in (*shared, *kept, *flat)])
        self._steps.append(_Step(np.ascontiguousarray(product), kept, shared, by_row))
        left = [factor for factor in static if not bucket & set(factor[0])]
        return left, [*(axes for axes in moving if not bucket & set(axes)), kept]

    def posteriors(self, rows: Mapping[str, ArrayLike], shared: Mapping[str, ArrayLike]) -> Array:
        """The posterior of the wanted node of each row.

        Parameters
        ----------
        rows
            By node, likelihoods of shape (n, states).
        shared
            By node, likelihoods of shape (states,).

        Returns
        -------
        float64 array, shape (n, states)
            Each row sums to 1.

        Raises
        ------
        EvidenceError
            A missing node, likelihoods that do not fit, or a row of probability 0.
        """
        given = self._given(rows)
        count = next(iter(given.values())).shape[-1]
        structure = self.network.structure
        common = {
            node: checked(structure, node, array(shared[node], node)[None], 1)[0] for node in self.shared
        }
        with np.errstate(over="ignore", invalid="ignore"):
            for step in self._steps:
                given[step.kept] = self._run(step, given, common, count)
        values = given[(self.wanted,)]
        total = values.sum(axis=0)
        exact = (total >= 2.0**LEAST) & (total < np.inf)
        if exact.all():
            return np.asarray((values / total).T)
        out, others = np.empty(values.T.shape), np.flatnonzero(~exact)
        out[exact] = (values[:, exact] / total[exact]).T
        out[others] = self._again(rows, common, others)
        return out

    def _again(
        self, rows: Mapping[str, ArrayLike], common: Mapping[str, Array], which: NDArray[np.intp]
    ) -> Array:
        """The posteriors of some rows by a plan that neither underflows nor overflows."""
        soft: dict[str, Array] = {node: array(values, node)[which] for node, values in rows.items()}
        soft |= {node: np.tile(values, (len(which), 1)) for node, values in common.items()}
        plan = compile(self.network, (), (self.wanted,), (*self.rows, *self.shared))
        return plan.posteriors(np.empty((len(which), 0), np.int64), soft, which)[self.wanted]

    def _given(self, rows: Mapping[str, ArrayLike]) -> dict[tuple[str, ...], Array]:
        if set(rows) != set(self.rows):
            raise EvidenceError(f"likelihoods of {tuple(rows)}: expected exactly {self.rows}")
        count = len(array(rows[self.rows[0]], self.rows[0]))
        return {(node,): checked(self.network.structure, node, rows[node], count).T for node in self.rows}

    def _run(
        self, step: _Step, given: dict[tuple[str, ...], Array], common: Mapping[str, Array], count: int
    ) -> Array:
        static = step.static
        for node in step.shared:
            static = (common[node] @ static.reshape(len(static), -1)).reshape(static.shape[1:])
        factors = [given.pop(axes) for axes in step.by_row]
        product = factors[0].reshape(-1, count)
        for factor in factors[1:]:
            product = (product[:, None] * factor.reshape(1, -1, count)).reshape(-1, count)
        out = static.reshape(-1, len(product)) @ product
        return np.asarray(out.reshape(*static.shape[: len(step.kept)], count))
