"""Inference from one pattern of evidence, compiled once and asked often.

`compile` makes a `Plan` for given observed and wanted nodes; `Inference` keeps the plans of a network. What a
plan runs is told in ``elimination`` (how it is found) and in ``csrc/include/baycarp/eliminate.h`` (how it
runs).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from baycarp.bn.elimination import Compiler
from baycarp.bn.network import Network
from baycarp.errors import EvidenceError
from baycarp.kernels.elimination import Program

__all__ = ["Inference", "Plan", "Posterior", "compile"]


def compile(network: Network, observed: Iterable[str], wanted: Iterable[str]) -> "Plan":
    """Compile the inference of some nodes from some others.

    Parameters
    ----------
    network
        The network; the plan reads its tables in place.
    observed
        The nodes of which the state will be given, in the order of a row of codes; any subset, none too.
    wanted
        The nodes of which the marginal is wanted, none of them observed; none = the evidence's probability
        only.

    Raises
    ------
    EvidenceError
        An unknown node, or one that stands twice.
    SchemaError
        Inference that would need a table beyond memory.

    Examples
    --------
    >>> from baycarp.bn import Network, Structure
    >>> rain = Structure({"Rain": ["no", "yes"], "Grass": ["dry", "wet"]}, {"Grass": ["Rain"]})
    >>> network = Network(rain, {"Rain": [0.8, 0.2], "Grass": [[0.9, 0.1], [0.05, 0.95]]})
    >>> plan = compile(network, ["Grass"], ["Rain"])
    >>> plan.posterior({"Grass": "wet"}).top("Rain", 1)
    (('yes', 0.7037037037037037),)
    """
    observed, wanted = _names(observed), _names(wanted)
    seen: set[str] = set()
    for node in (*observed, *wanted):
        if node not in network.structure.states:
            raise EvidenceError(f"unknown node {node!r}: expected one of {network.structure.nodes}")
        if node in seen:
            raise EvidenceError(f"node {node!r}: expected once among observed {observed} and wanted {wanted}")
        seen.add(node)
    compiler = Compiler(network, observed)
    answers = [compiler.marginal((node,)) for node in wanted] or [compiler.marginal(())]
    return Plan(network, observed, wanted, compiler.program(answers).program)


def _names(nodes: Iterable[str]) -> tuple[str, ...]:
    if isinstance(nodes, str):
        raise EvidenceError(f"nodes {nodes!r}: expected several names, not one text")
    return tuple(nodes)


class Posterior(Mapping[str, NDArray[np.float64]]):
    """What evidence says of the wanted nodes: of each, the probabilities of its states, summing to 1.

    Attributes
    ----------
    probability : float
        Of the evidence itself, above 0.
    """

    __slots__ = ("_plan", "_values", "probability")

    def __init__(self, plan: "Plan", values: NDArray[np.float64], probability: float) -> None:
        self._plan = plan
        self._values = values
        self.probability = probability

    def __getitem__(self, node: str) -> NDArray[np.float64]:
        return self._values[self._plan.spans[node]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._plan.wanted)

    def __len__(self) -> int:
        return len(self._plan.wanted)

    def top(self, node: str, n: int | None = None) -> tuple[tuple[str, float], ...]:
        """The ``n`` most probable states (default: all) with their probabilities; ties in state order."""
        states, values = self._plan.network.structure.states[node], self[node]
        best = np.argsort(-values, kind="stable")[:n]
        return tuple((states[code], float(values[code])) for code in best)

    def __repr__(self) -> str:
        best = ", ".join(f"{node}: {state} {p:.3f}" for node in self for state, p in self.top(node, 1))
        return f"<Posterior: {best}; P(evidence) {self.probability:.3g}>"


class Plan:
    """Compiled inference of ``wanted`` given ``observed``, made by `compile`; threads may share it."""

    def __init__(
        self, network: Network, observed: tuple[str, ...], wanted: tuple[str, ...], program: Program
    ) -> None:
        self.network = network
        self.observed = observed
        self.wanted = wanted
        ends = np.cumsum([0, *map(network.structure.cardinality, wanted)]).tolist()
        self.spans = {node: slice(*ends[i : i + 2]) for i, node in enumerate(wanted)}
        self._program = program

    def posterior(self, evidence: Mapping[str, str]) -> Posterior:
        """The marginals of the wanted nodes, given the state of every observed node by name.

        Raises
        ------
        EvidenceError
            An unknown state, a node too many or too few, or evidence of probability 0.
        """
        values, probability = self._program.run(evidence)
        if not probability > 0:
            raise EvidenceError(f"impossible evidence {dict(evidence)}: its probability is 0")
        return Posterior(self, values, probability)

    def posteriors(self, codes: ArrayLike) -> dict[str, NDArray[np.float64]]:
        """The same for many rows.

        Parameters
        ----------
        codes
            Integers of shape (n, observed): state codes in the order of ``observed``.

        Returns
        -------
        dict of node to float64 array, shape (n, states)

        Raises
        ------
        EvidenceError
            Codes of another shape or out of range, or a row of probability 0.
        """
        values, probability = self._program.run_batch(codes)
        impossible = np.flatnonzero(~(probability > 0))
        if len(impossible):
            row = np.asarray(codes)[impossible[0]].tolist()
            evidence = {
                n: self.network.structure.states[n][c] for n, c in zip(self.observed, row, strict=True)
            }
            raise EvidenceError(f"row {impossible[0]}: impossible evidence {evidence}: its probability is 0")
        return {node: values[:, span] for node, span in self.spans.items()}

    def probability(self, evidence: Mapping[str, str]) -> float:
        """The probability of the evidence, 0 where it is impossible."""
        return self._program.run(evidence)[1]

    def probabilities(self, codes: ArrayLike) -> NDArray[np.float64]:
        """The probability of each row of evidence; codes as for `posteriors`."""
        return self._program.run_batch(codes)[1]

    def __repr__(self) -> str:
        return f"<Plan: {', '.join(self.wanted)} | {', '.join(self.observed)}>"


class Inference:
    """A network with the plans compiled so far: any evidence, any wanted nodes.

    Parameters
    ----------
    network
        The network.
    keep
        How many plans are kept, one a pattern of evidence; the oldest goes first.

    Examples
    --------
    >>> from baycarp.bn import Network, Structure
    >>> rain = Structure({"Rain": ["no", "yes"], "Grass": ["dry", "wet"]}, {"Grass": ["Rain"]})
    >>> network = Network(rain, {"Rain": [0.8, 0.2], "Grass": [[0.9, 0.1], [0.05, 0.95]]})
    >>> Inference(network).posterior({}, ["Grass"])["Grass"]
    array([0.73, 0.27])
    """

    def __init__(self, network: Network, keep: int = 1024) -> None:
        self.network = network
        self._keep = keep
        self._plans: dict[tuple[tuple[str, ...], tuple[str, ...]], Plan] = {}

    def plan(self, observed: Iterable[str], wanted: Iterable[str]) -> Plan:
        """The plan of `compile`, from those kept where it is there."""
        key = (_names(observed), _names(wanted))
        plan = self._plans.get(key)
        if plan is None:
            while len(self._plans) >= self._keep:
                self._plans.pop(next(iter(self._plans)), None)
            plan = self._plans[key] = compile(self.network, *key)
        return plan

    def posterior(self, evidence: Mapping[str, str], wanted: Iterable[str]) -> Posterior:
        """The marginals of the wanted nodes given the states of any others, as `Plan.posterior`."""
        return self.plan(evidence, wanted).posterior(evidence)

    def posteriors(
        self, rows: Mapping[str, ArrayLike], wanted: Iterable[str]
    ) -> dict[str, NDArray[np.float64]]:
        """The same for many rows, each with its own pattern of evidence.

        Parameters
        ----------
        rows
            Of each node that some row observes, integer codes of shape (n,); -1 where it is not observed.
        wanted
            The nodes wanted; what ``rows`` says of them is not used.

        Returns
        -------
        dict of node to float64 array, shape (n, states)

        Raises
        ------
        EvidenceError
            Columns of different lengths, a code out of range, or a row of probability 0.
        """
        wanted = _names(wanted)
        nodes = tuple(node for node in rows if node not in wanted)
        codes = _stacked(rows, nodes)
        shapes = {node: (len(codes), self.network.structure.cardinality(node)) for node in wanted}
        out = {node: np.empty(shape) for node, shape in shapes.items()}
        patterns, which = np.unique(codes >= 0, axis=0, return_inverse=True)
        for number, pattern in enumerate(patterns):
            mine = which == number
            plan = self.plan((node for node, seen in zip(nodes, pattern, strict=True) if seen), wanted)
            for node, values in plan.posteriors(codes[np.ix_(mine, pattern)]).items():
                out[node][mine] = values
        return out


def _stacked(rows: Mapping[str, ArrayLike], nodes: Sequence[str]) -> NDArray[np.integer]:
    """The columns of some nodes side by side."""
    columns = {node: np.asarray(column) for node, column in rows.items()}
    lengths = {node: len(column) for node, column in columns.items()}
    if len(set(lengths.values())) != 1:
        raise EvidenceError(f"columns of lengths {lengths}: expected at least one, all of one length")
    codes = np.empty((next(iter(lengths.values())), len(nodes)), np.int64)
    for number, node in enumerate(nodes):
        if columns[node].dtype.kind not in "iu" or np.any(columns[node] < -1):
            raise EvidenceError(f"column {node!r}: expected integer codes, -1 where it is not observed")
        codes[:, number] = columns[node]
    return codes
