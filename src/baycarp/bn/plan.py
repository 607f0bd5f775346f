"""Inference compiled for a pattern of evidence.

`compile` makes a `QueryPlan` for given observed and wanted nodes; ``inference`` caches those of a network.
``elimination`` describes the compilation, ``csrc/include/baycarp/eliminate.h`` the run. Hard
evidence is the state of a node, soft evidence a likelihood of each of its states.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from baycarp.bn.elimination import Compiler
from baycarp.bn.likelihood import Likelihoods
from baycarp.bn.network import Network
from baycarp.bn.orders import MOST_CELLS
from baycarp.bn.wide import Wide, WideProgram, underflows
from baycarp.errors import EvidenceError, brief
from baycarp.kernels.arguments import array
from baycarp.kernels.elimination import Program

__all__ = ["Posterior", "QueryPlan", "Target", "compile", "cost"]

Target: TypeAlias = str | tuple[str, ...]
"""A node, for its marginal, or several nodes, for their joint distribution."""


def compile(
    network: Network,
    observed: Iterable[str],
    wanted: Iterable[Target],
    soft: Iterable[str] = (),
    *,
    relevant_only: bool = False,
    most_cells: int = MOST_CELLS,
) -> "QueryPlan":
    """Compile the inference of ``wanted`` from ``observed`` and ``soft``.

    Parameters
    ----------
    network
        The network; the plan reads its tables in place.
    observed
        The nodes with hard evidence, in the order of a row of codes; may be empty.
    wanted
        Nodes that are not observed, or tuples of such nodes for their joint distribution; empty = only the
        probability of the evidence.
    soft
        The nodes with soft evidence, none of them observed; they may be wanted.
    relevant_only
        Leave out all that the evidence separates from the wanted nodes (d-separation): faster, but without
        the probability of the evidence, and impossible evidence is an error only where it is relevant.
    most_cells
        The largest cost, in cells of joined tables.

    Raises
    ------
    EvidenceError
        An unknown or repeated node.
    CostError
        A larger cost, or a message too large for memory; nothing was computed.

    Examples
    --------
    >>> from baycarp.bn import Network, Structure
    >>> rain = Structure({"Rain": ["no", "yes"], "Grass": ["dry", "wet"]}, {"Grass": ["Rain"]})
    >>> network = Network(rain, {"Rain": [0.8, 0.2], "Grass": [[0.9, 0.1], [0.05, 0.95]]})
    >>> plan = compile(network, ["Grass"], ["Rain"])
    >>> plan.posterior({"Grass": "wet"}).top("Rain", 1)
    (('yes', 0.7037037037037037),)
    """
    given = names_of(observed, network)
    targets = targets_of(wanted, network)
    likely = names_of(soft, network)
    single = [target for target in targets if isinstance(target, str)]
    joint = [target for target in targets if not isinstance(target, str)]
    for nodes in ((*given, *single), (*given, *likely), *((*given, *target) for target in joint)):
        verify_nodes(network, nodes, given, targets, likely)
    compiler = Compiler(network, given, likely, most=most_cells)
    answers = _answers(compiler, targets, relevant_only)
    program, likelihoods = compiler.program(answers).program, Likelihoods(network.structure, likely)
    return QueryPlan(network, given, targets, likelihoods, _Work(program, compiler.cells, relevant_only))


def cost(
    network: Network,
    observed: Iterable[str],
    wanted: Iterable[Target],
    soft: Iterable[str] = (),
    *,
    relevant_only: bool = False,
) -> int:
    """The cost of the plan that `compile` would make, in cells of joined tables, without computing any.

    Inference on one core joins some 10^8 to 10^9 cells a second.

    Examples
    --------
    >>> from baycarp.bn import Network, Structure
    >>> rain = Structure({"Rain": ["no", "yes"], "Grass": ["dry", "wet"]}, {"Grass": ["Rain"]})
    >>> network = Network(rain, {"Rain": [0.8, 0.2], "Grass": [[0.9, 0.1], [0.05, 0.95]]})
    >>> cost(network, [], ["Grass"])
    6
    """
    given, likely = names_of(observed, network), names_of(soft, network)
    targets = targets_of(wanted, network)
    for target in targets or ((),):
        verify_nodes(network, (*given, *_nodes(target)), given, targets, likely)
    compiler = Compiler(network, given, likely)
    return sum(compiler.cost(_nodes(target), relevant_only) for target in targets or ((),))


def _answers(compiler: Compiler, targets: tuple[Target, ...], relevant_only: bool) -> list[tuple[int, int]]:
    return [compiler.marginal(_nodes(target), relevant_only) for target in targets or ((),)]


def _nodes(target: Target) -> tuple[str, ...]:
    return (target,) if isinstance(target, str) else target


def verify_nodes(network: Network, nodes: Iterable[str], given: object, wanted: object, soft: object) -> None:
    visited: set[str] = set()
    for node in nodes:
        if node not in network.structure.states:
            raise EvidenceError(f"unknown node {brief(node)}: expected one of {network.structure.nodes}")
        if node in visited:
            raise EvidenceError(
                f"node {brief(node)}: expected once among observed {given} and wanted {wanted} or soft {soft}"
            )
        visited.add(node)


def names_of(nodes: Iterable[str], network: Network) -> tuple[str, ...]:
    """The names, of too many no more than show that one is wrong or stands twice."""
    if isinstance(nodes, str):
        raise EvidenceError(f"nodes {brief(nodes)}: expected several names, not one text")
    return tuple(islice(nodes, len(network.structure.nodes) + 1))


def targets_of(wanted: Iterable[Target], network: Network) -> tuple[Target, ...]:
    if isinstance(wanted, str):
        raise EvidenceError(f"nodes {brief(wanted)}: expected several names, not one text")
    return tuple([target if isinstance(target, str) else names_of(target, network) for target in wanted])


class _Work(NamedTuple):
    """A program, its cost, and whether it leaves out what the wanted nodes are independent of."""

    program: Program
    cells: int
    relevant_only: bool


class Posterior(Mapping[Target, NDArray[np.float64]]):
    """Posteriors of the wanted nodes: the probabilities of the states of each node, with sum 1.

    Attributes
    ----------
    probability : float
        Probability of the evidence, or the mean of its likelihoods, infinite or 0 if it overflows or
        underflows float64; NaN of a plan of relevant nodes only.
    """

    __slots__ = ("_plan", "_values", "probability")

    def __init__(self, plan: "QueryPlan", values: NDArray[np.float64], probability: float) -> None:
        self._plan = plan
        self._values = values
        self.probability = probability

    def __getitem__(self, target: Target) -> NDArray[np.float64]:
        values = self._values[self._plan.spans[target]]
        return values if isinstance(target, str) else values.reshape(self._plan.shape(target))

    def __iter__(self) -> Iterator[Target]:
        return iter(self._plan.wanted)

    def __len__(self) -> int:
        return len(self._plan.wanted)

    def top(self, node: str, n: int | None = None) -> tuple[tuple[str, float], ...]:
        """The ``n`` most probable states (default: all) with their probabilities; ties in state order."""
        states, values = self._plan.network.structure.states[node], self[node]
        best = np.argsort(-values, kind="stable")[:n]
        return tuple((states[code], float(values[code])) for code in best)

    def __repr__(self) -> str:
        single = [target for target in self if isinstance(target, str)]
        best = ", ".join(f"{node}: {state} {p:.3f}" for node in single for state, p in self.top(node, 1))
        return f"<Posterior: {best}; P(evidence) {self.probability:.3g}>"


class QueryPlan:
    """Compiled inference of ``wanted`` given ``observed`` and ``soft``, by `compile`; thread-safe.

    Evidence is a mapping of node to state, or rows of codes of shape (n, observed); likelihoods a mapping of
    node to float64 of shape (states,), or (n, states) for rows: at least 0, of any scale.

    Attributes
    ----------
    cells : int
        The cost of a query: cells of all joined tables, before what is precomputed and shared.
    """

    def __init__(
        self,
        network: Network,
        observed: tuple[str, ...],
        wanted: tuple[Target, ...],
        likelihoods: Likelihoods,
        work: _Work,
    ) -> None:
        self.network = network
        self.observed = observed
        self.wanted = wanted
        ends = np.cumsum([0, *(math.prod(self.shape(target)) for target in wanted)]).tolist()
        self.spans = {target: slice(*ends[i : i + 2]) for i, target in enumerate(wanted)}
        self._likelihoods = likelihoods
        self._program, self.cells, self._relevant_only = work

    @property
    def soft(self) -> tuple[str, ...]:
        """The nodes with soft evidence."""
        return self._likelihoods.nodes

    def shape(self, target: Target) -> tuple[int, ...]:
        """The cardinality of each node of the target."""
        return tuple(map(self.network.structure.cardinality, _nodes(target)))

    def posterior(
        self, evidence: Mapping[str, str], soft: Mapping[str, ArrayLike] | None = None
    ) -> Posterior:
        """The distributions wanted, given the state of every observed node by name, and likelihoods.

        Raises
        ------
        EvidenceError
            An unknown state, an extra or missing node, likelihoods that do not fit, or evidence of
            probability 0.
        """
        values, probability, exponent = self._run(evidence, soft)
        if not probability > 0:
            values, probability, exponent = self._run_again(evidence, soft)
        if not probability > 0:
            raise EvidenceError(f"impossible evidence {dict(evidence)}: its probability is 0")
        return Posterior(self, values, math.nan if self._relevant_only else _scaled(probability, exponent))

    def _run(
        self, evidence: Mapping[str, str], soft: Mapping[str, ArrayLike] | None
    ) -> tuple[NDArray[np.float64], float, int]:
        """The posteriors, and the probability as a number and an exponent of two."""
        if soft is None and not self.soft:
            return *self._program.run(evidence), 0
        if not isinstance(soft, Mapping | None):
            raise EvidenceError(f"likelihoods {brief(soft)}: expected a mapping of node to numbers")
        row, exponent = self._likelihoods.one(soft or {})
        return *self._program.run(evidence, row), exponent

    def _run_again(
        self, evidence: Mapping[str, str], soft: Mapping[str, ArrayLike] | None
    ) -> tuple[NDArray[np.float64], float, int]:
        """As `_run`, of evidence that did not seem possible."""
        states = self.network.structure.states
        codes = np.array([[states[node].index(evidence[node]) for node in self.observed]], np.int64)
        rows = {node: array(values, node)[None] for node, values in (soft or {}).items()}
        values, found = self._widely(codes.reshape(1, -1), rows)
        return values[0], float(found.numbers[0]), int(found.exponents[0])

    def _widely(
        self, codes: NDArray[np.integer], soft: Mapping[str, ArrayLike]
    ) -> tuple[NDArray[np.float64], Wide]:
        """Marginals and probabilities of rows that do not seem possible; all 0 where they are not."""
        if self._wide is None:
            n = len(codes)
            return np.zeros((n, self._program.width)), Wide(np.zeros(n), np.zeros(n, np.int64))
        return self._wide.run(codes, self._likelihoods.rows(soft, len(codes)))

    @cached_property
    def _wide(self) -> WideProgram | None:
        """The program in wide numbers; None if no product of the tables can underflow."""
        if not (self.soft or underflows(map(self.network.cpt, self.network.structure.nodes))):
            return None
        compiler = Compiler(self.network, self.observed, self.soft, foresee=False, most=2 * self.cells)
        return compiler.wide(_answers(compiler, self.wanted, self._relevant_only))

    def posteriors(
        self,
        codes: ArrayLike,
        soft: Mapping[str, ArrayLike] | None = None,
        numbers: Sequence[int] | NDArray[np.integer] | None = None,
    ) -> dict[Target, NDArray[np.float64]]:
        """Posteriors of many rows; ``numbers`` name the rows in errors, by default 0, 1, ...

        Returns
        -------
        dict of target to float64 array, shape (n, states), or (n, states, ...) of a joint distribution

        Raises
        ------
        EvidenceError
            Codes or likelihoods of another shape or out of range, or a row of probability 0.
        """
        values, probability, _ = self._batch(codes, soft)
        if not probability.all():
            first = int(np.flatnonzero(probability == 0)[0])
            row = np.asarray(codes)[first].tolist()
            states = self.network.structure.states
            evidence = {n: states[n][c] for n, c in zip(self.observed, row, strict=True)}
            number = first if numbers is None else numbers[first]
            raise EvidenceError(f"row {number}: impossible evidence {evidence}: its probability is 0")
        parts = {target: values[:, span] for target, span in self.spans.items()}
        return {t: v if isinstance(t, str) else v.reshape(-1, *self.shape(t)) for t, v in parts.items()}

    def _batch(
        self, codes: ArrayLike, soft: Mapping[str, ArrayLike] | None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
        """As `_run`, row by row."""
        codes = array(codes, "codes")
        n = len(codes) if codes.ndim else 0
        given = soft or {}
        if soft is None and not self.soft:
            (values, probability), exponents = self._program.run_batch(codes), np.zeros(n, np.int64)
        else:
            rows, exponents = self._likelihoods.scaled(given, n)
            values, probability = self._program.run_batch(codes, rows)
        if not probability.all():
            low = np.flatnonzero(probability == 0)
            likely = {node: array(of, node)[low] for node, of in given.items()}
            values[low], (probability[low], exponents[low]) = self._widely(codes[low], likely)
        return values, probability, exponents

    def probability(self, evidence: Mapping[str, str], soft: Mapping[str, ArrayLike] | None = None) -> float:
        """The probability of the evidence, 0 if it is impossible; with likelihoods, their mean."""
        self._require_probability()
        _, probability, exponent = self._run(evidence, soft)
        if not probability > 0:
            _, probability, exponent = self._run_again(evidence, soft)
        return _scaled(probability, exponent)

    def probabilities(
        self, codes: ArrayLike, soft: Mapping[str, ArrayLike] | None = None
    ) -> NDArray[np.float64]:
        """The probability of each row of evidence."""
        self._require_probability()
        _, probability, exponents = self._batch(codes, soft)
        with np.errstate(over="ignore", under="ignore"):
            return np.asarray(np.ldexp(probability, exponents))

    def log_likelihood(self, codes: ArrayLike, soft: Mapping[str, ArrayLike] | None = None) -> float:
        """The log-probability of all rows together, nats; -inf if a row has probability 0."""
        self._require_probability()
        _, probability, exponents = self._batch(codes, soft)
        with np.errstate(divide="ignore", over="ignore", under="ignore"):
            scaled = np.ldexp(probability, exponents)
            logs = np.log(scaled)
            beyond = (probability > 0) & ~((scaled >= np.finfo(np.float64).tiny) & (scaled < np.inf))
            logs[beyond] = np.log(probability[beyond]) + exponents[beyond] * math.log(2)
        return float(logs.sum())

    def _require_probability(self) -> None:
        if self._relevant_only:
            raise EvidenceError(f"{self}: compiled with relevant_only, without the evidence's probability")

    def __repr__(self) -> str:
        given = [*self.observed, *(f"~{node}" for node in self.soft)]
        wanted = [
            target if isinstance(target, str) else "(" + ", ".join(target) + ")" for target in self.wanted
        ]
        return f"<QueryPlan: {', '.join(wanted)} | {', '.join(given)}>"


def _scaled(number: float, exponent: int) -> float:
    """The number times two to the power of an exponent; infinity if that overflows."""
    try:
        return math.ldexp(number, exponent) if exponent else number
    except OverflowError:
        return math.inf
