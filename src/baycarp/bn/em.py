"""CPTs from rows with missing values: expectation maximisation.

The E-step counts each completion of a row by its probability given the observed nodes of the row. The M-step
fits the tables to these counts; the likelihood of the rows never falls. A node is barren in a row that
observes neither the node nor a descendant: such a row is not counted for the table of the node. Rows with the
same observed nodes share a compiled plan.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from baycarp.bn.elimination import Compiled, Compiler
from baycarp.bn.learn import Rows, encode
from baycarp.bn.likelihood import checked
from baycarp.bn.network import Network, Structure, reals
from baycarp.errors import EvidenceError, SchemaError
from baycarp.kernels.arguments import MOST_INT64, whole
from baycarp.kernels.expectation import Deposit, Expectation

__all__ = ["Fitted", "Prior", "Sample", "em", "random_network"]

Prior: TypeAlias = float | Mapping[str, ArrayLike]
"""An equivalent sample size (BDeu), or the pseudo-counts of each node's table."""


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


@dataclass(frozen=True, slots=True)
class Fitted:
    """The result of expectation maximisation.

    Parameters
    ----------
    network
        The network with the tables of the last M-step.
    log_likelihoods
        Log-likelihoods of the rows, nats: of the start, then after each M-step.
    """

    network: Network
    log_likelihoods: tuple[float, ...]


def em(
    sample: Sample,
    start: Network,
    *,
    iterations: int,
    tolerance: float,
    prior: Prior,
) -> Fitted:
    """Fit every table by expectation maximisation.

    Parameters
    ----------
    sample
        The rows.
    start
        The network with the initial tables. A probability of 0 stays 0; equal hidden states stay equal.
    iterations
        The largest number of M-steps.
    tolerance
        EM stops after an iteration that gains less, in nats per row; 0 = until an iteration gains nothing.
    prior
        Pseudo-counts added to the expected counts: an equivalent sample size per table as for `fit`, or an
        array for each node, of the table's shape. 0 = maximum likelihood; a configuration of the parents
        without counts then keeps its row.

    Raises
    ------
    SchemaError
        Rows, weights or prior that do not fit the network; a tolerance that is not a number below infinity.
    ArgumentError
        A negative number of iterations.
    EvidenceError
        Likelihoods that do not fit, or a row of probability 0 under the start.

    Notes
    -----
    Dempster, Laird and Rubin (1977); Lauritzen (1995), "The EM algorithm for graphical association models
    with missing data". With a prior the posterior density never falls; the likelihood alone may.

    Examples
    --------
    >>> rain = Structure({"Rain": ["no", "yes"], "Grass": ["dry", "wet"]}, {"Grass": ["Rain"]})
    >>> start = Network(rain, {"Rain": [0.5, 0.5], "Grass": [[0.9, 0.1], [0.2, 0.8]]})
    >>> observation = {"Rain": [-1, -1, 0, 1], "Grass": [1, 0, 0, 1]}
    >>> fitted = em(Sample(observation), start, iterations=50, tolerance=1e-9, prior=0)
    >>> fitted.network.cpt("Rain").round(3), [round(x, 3) for x in fitted.log_likelihoods[:2]]
    (array([0.5, 0.5]), [-3.111, -2.925])
    """
    most = whole(iterations, "iterations", 0, MOST_INT64)
    if not tolerance < np.inf:
        raise SchemaError(f"tolerance {tolerance!r:.60}: expected a gain in nats a row")
    data, imagined, tables = _Data(start.structure, sample), _imagined(start, prior), start.tables.copy()
    patterns = [_Pattern(start, tables, data, which) for which in data.patterns()]
    shown = sum((pattern.shown for pattern in patterns), imagined)
    complete = sum((pattern.shown for pattern in patterns if not pattern.hides), np.zeros_like(tables))
    likelihoods: list[float] = []
    best = -np.inf
    while True:
        counts = shown.copy()
        likelihood = data.scale + _log_density(tables, complete)
        likelihood += sum(pattern.expect(counts) for pattern in patterns if pattern.hides)
        if likelihood == -np.inf:
            raise EvidenceError("rows that show every node: some are impossible under the start")
        likelihoods.append(float(likelihood))
        value = likelihood + _log_density(tables, imagined)
        if len(likelihoods) > most or value - best <= tolerance * data.total:
            return Fitted(_network(start, tables), tuple(likelihoods))
        best = value
        _maximise(start, tables, counts)


class _Data:
    """The rows as codes, and the likelihoods scaled to a largest value of 1 in each row."""

    def __init__(self, structure: Structure, sample: Sample) -> None:
        columns, likely, weights = encode(structure, sample.rows), dict(sample.soft or {}), sample.weights
        n = max(len(column) for column in (*columns.values(), *map(np.atleast_1d, likely.values())))
        if not any(len(column) for column in columns.values()):
            columns = {node: np.full(n, -1) for node in columns}
        self.nodes = structure.nodes
        self.codes = np.stack([columns[node] for node in self.nodes], axis=1).astype(np.int32)
        self.weights = np.ones(len(self.codes)) if weights is None else np.asarray(weights, dtype=np.float64)
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
        self.scale += _log_sum(self.weights[missing], most[missing])
        self.soft[node] = values / np.where(most > 0, most, 1)[:, None]

    def patterns(self) -> Iterator[NDArray[np.intp]]:
        """The rows of each pattern of observed nodes."""
        if not len(self.codes):
            return
        packed = np.packbits(self.codes >= 0, axis=1)
        keys = np.ascontiguousarray(packed).view(f"V{packed.shape[1]}").ravel()
        order = np.argsort(keys, kind="stable")
        ends = np.flatnonzero(keys[order][1:] != keys[order][:-1]) + 1
        yield from np.split(order, ends)


class _Pattern:
    """Rows with the same observed nodes: counts of fully observed families, and the plan of the others."""

    def __init__(
        self, start: Network, tables: NDArray[np.float64], data: _Data, which: NDArray[np.intp]
    ) -> None:
        self._start, self._rows = start, which
        observed = data.codes[which[0]] >= 0
        self._codes, self._weights = data.codes[np.ix_(which, observed)], data.weights[which]
        self._nodes = tuple(node for node, shown in zip(data.nodes, observed, strict=True) if shown)
        self._place = {node: number for number, node in enumerate(self._nodes)}
        soft = tuple(node for node in data.soft if node not in self._place)
        self._soft = np.hstack([np.empty((len(which), 0)), *(data.soft[node][which] for node in soft)])
        self.shown = np.zeros_like(tables)
        hiding = [node for node in start.structure.ancestors((*self._nodes, *soft)) if not self._count(node)]
        self.hides = bool(hiding)
        if hiding:
            self._plan(hiding, soft, tables)

    def _count(self, node: str) -> bool:
        """Count a fully observed family."""
        structure = self._start.structure
        family = structure.family(node)
        if not self._place.keys() >= set(family):
            return False
        columns = [self._codes[:, self._place[member]] for member in family]
        cells, size = (
            np.ravel_multi_index(columns, structure.shape(node)),
            int(np.prod(structure.shape(node))),
        )
        _of(self._start, node, self.shown).ravel()[:] += np.bincount(cells, self._weights, size)
        return True

    def _plan(self, hiding: list[str], soft: tuple[str, ...], tables: NDArray[np.float64]) -> None:
        compiler = Compiler(self._start, self._nodes, soft, foresee=False)
        answers, deposits = [], []
        for node in hiding:
            hidden = [m for m in self._start.structure.family(node) if m not in self._place]
            answers.append(compiler.marginal(tuple(hidden)))
            deposits.append(self._deposit(node, hidden, answers[-1][0]))
        self._compiled: Compiled = compiler.program(answers, tables)
        self._expectation = Expectation(self._compiled.program, deposits)

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
        if not np.all(probability > 0):
            row = self._rows[np.argmax(~(probability > 0))]
            raise EvidenceError(f"row {row}: impossible under the start: its probability is 0")
        return _log_sum(self._weights, probability)


def _imagined(start: Network, prior: Prior) -> NDArray[np.float64]:
    """The counts of the prior, in the layout of the tables."""
    out, structure = np.zeros_like(start.tables), start.structure
    if isinstance(prior, Mapping) and set(prior) != set(structure.nodes):
        raise SchemaError(f"prior for {tuple(prior)}: expected one a node of {structure.nodes}")
    for node in structure.nodes:
        shape = structure.shape(node)
        given = prior[node] if isinstance(prior, Mapping) else np.full(shape, prior / np.prod(shape))
        given = reals(given)
        if given.shape != shape or not np.all((given >= 0) & np.isfinite(given)):
            raise SchemaError(f"prior of {node!r}: expected counts of at least 0 and shape {shape}")
        _of(start, node, out)[...] = given
    return out


def _of(start: Network, node: str, flat: NDArray[np.float64]) -> NDArray[np.float64]:
    """A view of a node's part of an array in the layout of the tables, in the shape of its table."""
    shape, first = start.structure.shape(node), start.offset(node)
    return flat[first : first + int(np.prod(shape))].reshape(shape)


def _maximise(start: Network, tables: NDArray[np.float64], counts: NDArray[np.float64]) -> None:
    """The M-step, in place."""
    for node in start.structure.nodes:
        node_counts, table = _of(start, node, counts), _of(start, node, tables)
        sums = node_counts.sum(-1, keepdims=True)
        np.divide(node_counts, sums, out=table, where=sums > 0)


def _log_density(tables: NDArray[np.float64], counts: NDArray[np.float64]) -> float:
    """The sum of counts times log-probabilities."""
    drawn = counts > 0
    with np.errstate(divide="ignore"):
        return _log_sum(counts[drawn], tables[drawn])


def _log_sum(weights: NDArray[np.float64], probabilities: NDArray[np.float64]) -> float:
    """The weighted sum of logarithms, without ``@``: its threads cost time and change the rounding."""
    return float(np.sum(weights * np.log(probabilities)))


def _network(start: Network, tables: NDArray[np.float64]) -> Network:
    return Network(start.structure, {node: _of(start, node, tables) for node in start.structure.nodes})


def random_network(structure: Structure, seed: int, concentration: float = 1.0) -> Network:
    """A network with every row sampled from a symmetric Dirichlet distribution: a start for `em`.

    Parameters
    ----------
    structure
        The nodes.
    seed
        Seed of the random generator.
    concentration
        Above 0; 1 = uniform over all distributions, larger = closer to the uniform distribution.

    Examples
    --------
    >>> float(random_network(Structure({"Rain": ["no", "yes"]}), seed=1).cpt("Rain").sum())
    1.0
    """
    rng, states = np.random.default_rng(seed), structure.cardinality
    return Network(
        structure,
        {
            node: rng.dirichlet(np.full(states(node), concentration), size=structure.shape(node)[:-1])
            for node in structure.nodes
        },
    )
