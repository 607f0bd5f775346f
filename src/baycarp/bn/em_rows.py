"""The rows of expectation maximisation: patterns of missing values, their plans and their counts.

Rows with the same observed nodes share a compiled plan. Patterns of few rows with the same barren nodes share
one together, as in ``missing``: to compile a plan for each takes longer than all iterations.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from baycarp.bn.elimination import Compiled, Compiler
from baycarp.bn.learn import Rows, encode
from baycarp.bn.likelihood import checked
from baycarp.bn.missing import MANY, patterns
from baycarp.bn.network import Network, Structure
from baycarp.bn.orders import MOST_CELLS
from baycarp.bn.wide import offsets, places
from baycarp.errors import CostError, EvidenceError, SchemaError
from baycarp.kernels.arguments import array
from baycarp.kernels.expectation import Deposit, Expectation

__all__ = ["Data", "Part", "Sample", "count_complete", "log_sum", "parts", "table_of"]

CHEAP = 50_000
"""Cells of a plan that patterns of few rows share, at most: some 20 us a row."""


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Rows in which nodes may be missing.

    Parameters
    ----------
    rows
        Columns of codes, -1 = missing, or dicts without the missing nodes.
    soft
        By node, float64 likelihoods of shape (n, states), at least 0: P(observation | state) of each row, up
        to a factor of the row. Used in rows in which the node is missing.
    weights
        Weight of each row, shape (n,), above 0; None = 1.
    """

    rows: Rows
    soft: Mapping[str, ArrayLike] | None = None
    weights: ArrayLike | None = None


class Data:
    """The rows as codes, and the likelihoods scaled to a largest value of 1 in each row."""

    def __init__(self, structure: Structure, sample: Sample) -> None:
        columns = encode(structure, sample.rows)
        likely = dict(sample.soft or {})
        weights = sample.weights
        given = (np.atleast_1d(array(values, f"likelihoods of {node!r}")) for node, values in likely.items())
        n = max(map(len, (*columns.values(), *given)))
        if not any(len(column) for column in columns.values()):
            columns = {node: np.full(n, -1) for node in columns}
        self.nodes = structure.nodes
        self.codes = np.stack([columns[node] for node in self.nodes], axis=1).astype(np.int32)
        self.weights = np.ones(len(self.codes)) if weights is None else array(weights, "weights", np.float64)
        if self.weights.shape != (len(self.codes),) or not np.all(self.weights > 0):
            raise SchemaError(f"weights: expected {len(self.codes)} numbers above 0")
        with np.errstate(over="ignore"):
            self.total, self.scale = float(self.weights.sum()), 0.0
        if not self.total < np.inf:
            raise SchemaError(f"weights: expected numbers of a finite sum, got {self.total}")
        self.soft: dict[str, NDArray[np.float64]] = {}
        for node, values in likely.items():
            self._keep(node, checked(structure, node, values, len(self.codes)))

    def _keep(self, node: str, values: NDArray[np.float64]) -> None:
        missing, most = self.codes[:, self.nodes.index(node)] < 0, values.max(axis=1)
        if np.any(missing & ~(most > 0)):
            row = int(np.argmax(missing & ~(most > 0)))
            raise EvidenceError(f"row {row}: likelihoods of {node!r} are all 0, expected one above")
        self.scale += log_sum(self.weights[missing], most[missing])
        self.soft[node] = values / np.where(most > 0, most, 1)[:, None]

    def observed(self, row: int) -> list[str]:
        """The nodes that a row shows."""
        return [node for node, code in zip(self.nodes, self.codes[row], strict=True) if code >= 0]

    def likelihoods(self, node: str, states: int, which: NDArray[np.intp]) -> NDArray[np.float64]:
        """Of a node that some rows miss: 1 for the state of a row that shows it; else as given, or 1."""
        column = self.codes[which, self.nodes.index(node)][:, None]
        given = self.soft[node][which] if node in self.soft else 1.0
        return np.where(column >= 0, column == np.arange(states), given)


def parts(start: Network, tables: NDArray[np.float64], data: Data) -> "tuple[NDArray[np.intp], list[Part]]":
    """The rows that show every relevant node, and the parts of the others.

    Patterns of many rows are parts by themselves, others together if that is cheap.
    """
    complete, made = [np.empty(0, np.intp)], []
    few: dict[frozenset[str], list[NDArray[np.intp]]] = {}
    for which in patterns(data.codes):
        observed = data.observed(which[0])
        relevant = frozenset(start.structure.ancestors((*observed, *data.soft)))
        if relevant <= set(observed):
            complete.append(which)
        elif len(which) < MANY:
            few.setdefault(relevant, []).append(which)
        else:
            made.append(Part(start, tables, data, which))
    for alike in few.values():
        try:
            made.append(Part(start, tables, data, np.sort(np.concatenate(alike)), CHEAP))
        except CostError:
            made += [Part(start, tables, data, which) for which in alike]
    return np.sort(np.concatenate(complete)), made


def count_complete(start: Network, data: Data, rows: NDArray[np.intp], counts: NDArray[np.float64]) -> None:
    """Add the families of rows that show every relevant node: those of the nodes that a row shows."""
    structure, codes, weights = start.structure, data.codes[rows].T, data.weights[rows]
    by_node = dict(zip(data.nodes, codes, strict=True))
    for node, column in by_node.items():
        shown = np.flatnonzero(column >= 0)
        family = [by_node[member][shown] for member in structure.family(node)]
        cells = np.ravel_multi_index(family, structure.shape(node))
        np.add.at(table_of(start, node, counts).ravel(), cells, weights[shown])


class Part:
    """Rows that share a plan: counts of families that all of them show, expected counts of the others."""

    def __init__(
        self,
        start: Network,
        tables: NDArray[np.float64],
        data: Data,
        which: NDArray[np.intp],
        most: int = MOST_CELLS,
    ) -> None:
        self._start, self._tables = start, tables
        self._rows = which
        structure = start.structure
        shown = data.codes[which] >= 0
        observed = np.flatnonzero(shown.all(axis=0))
        self._codes, self._weights = data.codes[np.ix_(which, observed)], data.weights[which]
        self._nodes = tuple(data.nodes[number] for number in observed)
        self._place = {node: number for number, node in enumerate(self._nodes)}
        some = [data.nodes[number] for number in np.flatnonzero(shown.any(axis=0))]
        soft = tuple(node for node in dict.fromkeys((*data.soft, *some)) if node not in self._place)
        likely = (data.likelihoods(node, structure.cardinality(node), which) for node in soft)
        self._soft = np.hstack([np.empty((len(which), 0)), *likely])
        relevant = structure.ancestors((*self._nodes, *soft))
        self._shown = [node for node in relevant if self._place.keys() >= set(structure.family(node))]
        self._plan([node for node in relevant if node not in self._shown], soft, tables, most)

    def count(self, counts: NDArray[np.float64]) -> None:
        """Add the families that every row shows."""
        structure = self._start.structure
        for node in self._shown:
            columns = [self._codes[:, self._place[member]] for member in structure.family(node)]
            cells = np.ravel_multi_index(columns, structure.shape(node))
            np.add.at(table_of(self._start, node, counts).ravel(), cells, self._weights)

    def _plan(self, hiding: list[str], soft: tuple[str, ...], tables: NDArray[np.float64], most: int) -> None:
        compiler = Compiler(self._start, self._nodes, soft, foresee=False, most=most)
        answers, deposits = [], []
        for node in hiding:
            hidden = [m for m in self._start.structure.family(node) if m not in self._place]
            answers.append(compiler.marginal(tuple(hidden)))
            deposits.append(self._deposit(node, hidden, answers[-1][0]))
        self._compiled: Compiled = compiler.program(answers, tables)
        self._expectation = Expectation(self._compiled.program, deposits)
        self._compiler, self._answers, self._deposits = compiler, answers, deposits

    def _deposit(self, node: str, hidden: list[str], message: int) -> Deposit:
        structure, strides, stride = self._start.structure, {}, 1
        for member in reversed(structure.family(node)):
            strides[member] = stride
            stride *= structure.cardinality(member)
        lengths = [structure.cardinality(member) for member in hidden]
        slices = [(self._place[m], s) for m, s in strides.items() if m not in hidden]
        return message, self._start.offset(node), lengths, [strides[m] for m in hidden], slices

    def expect(self, counts: NDArray[np.float64]) -> float:
        """Add the other families to the counts; return the log-likelihood of the rows."""
        self._compiled.refresh()
        probability = self._expectation.add(self._codes, self._soft, self._weights, counts)
        if probability.all():
            return log_sum(self._weights, probability)
        seen, low = np.flatnonzero(probability), np.flatnonzero(probability == 0)
        return log_sum(self._weights[seen], probability[seen]) + self._expect_widely(low, counts)

    def _expect_widely(self, rows: NDArray[np.intp], counts: NDArray[np.float64]) -> float:
        """As `expect`, of rows that do not seem possible."""
        codes, weights = self._codes[rows], self._weights[rows]
        program = self._compiler.wide(self._answers, self._tables)
        values, found = program.run(codes, self._soft[rows])
        if not found.numbers.all():
            row = self._rows[rows[np.argmin(found.numbers)]]
            raise EvidenceError(f"row {row}: impossible under the start: its probability is 0")
        column = 0
        for _, first, lengths, strides, slices in self._deposits:
            inside = offsets(lengths, strides)
            cells = places(first, slices, codes)[:, None] + inside
            np.add.at(counts, cells, weights[:, None] * values[:, column : column + len(inside)])
            column += len(inside)
        return float(np.sum(weights * found.log()))


def table_of(start: Network, node: str, flat: NDArray[np.float64]) -> NDArray[np.float64]:
    """A view of a node's part of an array in the layout of the tables, in the shape of its table."""
    shape, first = start.structure.shape(node), start.offset(node)
    return flat[first : first + int(np.prod(shape))].reshape(shape)


def log_sum(weights: NDArray[np.float64], probabilities: NDArray[np.float64]) -> float:
    """The weighted sum of logarithms, without ``@``: its threads cost time and change the rounding."""
    return float(np.sum(weights * np.log(probabilities)))
