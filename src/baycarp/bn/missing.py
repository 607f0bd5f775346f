"""Posteriors and explanations of many rows in which different nodes are missing.

Rows with the same observed nodes share a compiled plan. Patterns of few rows share one plan together: in it
the nodes that are missing in some of these rows have soft evidence, 1 for the state of the row and 0 for the
others, or 1 for every state where the node is missing.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from baycarp.bn.explanation import Explainer
from baycarp.bn.network import Network
from baycarp.bn.plan import compile
from baycarp.errors import CostError, EvidenceError

__all__ = ["explain_rows", "patterns", "posterior_rows"]

MANY = 64
"""A pattern of at least this many rows has a plan of its own."""


def patterns(codes: NDArray[np.integer]) -> Iterator[NDArray[np.intp]]:
    """The rows of each pattern of observed nodes, ascending; codes by row and node, -1 = not observed."""
    if not len(codes):
        return
    packed = np.packbits(codes >= 0, axis=1) if codes.shape[1] else np.zeros((len(codes), 1), np.uint8)
    keys = np.ascontiguousarray(packed).view(f"V{packed.shape[1]}").ravel()
    order = np.argsort(keys, kind="stable")
    ends = np.flatnonzero(keys[order][1:] != keys[order][:-1]) + 1
    yield from np.split(order, ends)


class _Part(NamedTuple):
    """Rows, and their nodes with hard and with soft evidence."""

    rows: NDArray[np.intp]
    hard: tuple[str, ...]
    soft: tuple[str, ...]


class _Table:
    """Codes by row and node, -1 = not observed."""

    def __init__(self, network: Network, nodes: Sequence[str], codes: NDArray[np.integer]) -> None:
        self.network, self.nodes = network, tuple(nodes)
        self.codes = np.ascontiguousarray(codes, np.int32)
        if self.codes.shape != (len(self.codes), len(self.nodes)):
            raise EvidenceError(f"codes of shape {self.codes.shape}: expected a column a node")
        self._place = {node: number for number, node in enumerate(self.nodes)}

    def of(self, rows: NDArray[np.intp], nodes: Sequence[str]) -> NDArray[np.int32]:
        """Codes of some rows and nodes."""
        columns = np.array([self._place[node] for node in nodes], np.intp)
        return self.codes[rows[:, None], columns]

    def likelihoods(self, part: _Part) -> dict[str, NDArray[np.float64]]:
        """The soft evidence of a part."""
        out = {}
        for node in part.soft:
            column = self.codes[part.rows, self._place[node]]
            states = np.arange(self.network.structure.cardinality(node))
            out[node] = ((column[:, None] == states) | (column < 0)[:, None]).astype(np.float64)
        return out

    def patterns(self, within: NDArray[np.intp]) -> Iterator[_Part]:
        """One part for each pattern of observed nodes."""
        for rows in (within[places] for places in patterns(self.codes[within])):
            shown = self.codes[rows[0]] >= 0
            yield _Part(rows, tuple(n for n, there in zip(self.nodes, shown, strict=True) if there), ())

    def parts(self) -> Iterator[_Part]:
        """Large patterns by themselves, then the others together."""
        if not len(self.codes):
            return
        every = list(self.patterns(np.arange(len(self.codes))))
        yield from (part for part in every if len(part.rows) >= MANY or len(every) == 1)
        few = [part.rows for part in every if len(part.rows) < MANY and len(every) > 1]
        if few:
            rows = np.sort(np.concatenate(few))
            shown = (self.codes[rows] >= 0).sum(axis=0)
            counts = list(zip(self.nodes, shown.tolist(), strict=True))
            hard = tuple(node for node, count in counts if count == len(rows))
            yield _Part(rows, hard, tuple(node for node, count in counts if 0 < count < len(rows)))

    def each(self, answer: Callable[[_Part], None]) -> None:
        """Answer all parts; one whose shared plan is too costly or refuses a row, pattern by pattern.

        The evidence of a row may be impossible for nodes that another row alone makes relevant.
        """
        for part in self.parts():
            try:
                answer(part)
            except (CostError, EvidenceError):
                if not part.soft:
                    raise
                for pattern in self.patterns(part.rows):
                    answer(pattern)


def posterior_rows(
    network: Network, nodes: Sequence[str], codes: NDArray[np.integer], wanted: Sequence[str]
) -> dict[str, NDArray[np.float64]]:
    """The posterior of each wanted node in each row, as `Inference.posteriors` returns it.

    Parameters
    ----------
    network
        The network.
    nodes, codes
        The columns, and integer codes of shape (n, nodes); -1 = not observed.
    wanted
        Any nodes; where one is observed, its state has probability 1.

    Raises
    ------
    EvidenceError
        Codes out of range, or impossible evidence.
    CostError
        A pattern whose plan costs too much.

    Examples
    --------
    >>> from baycarp.bn import Structure
    >>> rain = Structure({"Rain": ["no", "yes"], "Grass": ["dry", "wet"]}, {"Grass": ["Rain"]})
    >>> network = Network(rain, {"Rain": [0.8, 0.2], "Grass": [[0.9, 0.1], [0.05, 0.95]]})
    >>> posterior_rows(network, ["Grass"], np.array([[-1], [1]]), ["Rain"])["Rain"].round(3)
    array([[0.8  , 0.2  ],
           [0.296, 0.704]])
    """
    table = _Table(network, nodes, codes)
    states = {node: network.structure.cardinality(node) for node in wanted}
    out = {node: np.zeros((len(table.codes), count)) for node, count in states.items()}

    def answer(part: _Part) -> None:
        hidden = [node for node in wanted if node not in part.hard]
        plan = compile(network, part.hard, hidden, part.soft, relevant_only=True)
        soft = table.likelihoods(part) if part.soft else None
        found = plan.posteriors(table.of(part.rows, part.hard), soft, part.rows)
        for node in hidden:
            out[node][part.rows] = found[node]
        for node in set(wanted) - set(hidden):
            out[node][part.rows, table.of(part.rows, [node])[:, 0]] = 1

    table.each(answer)
    return out


def explain_rows(
    network: Network, nodes: Sequence[str], codes: NDArray[np.integer]
) -> dict[str, NDArray[np.int64]]:
    """The most probable joint states of all nodes in each row, by node: codes of shape (n,).

    Parameters and errors are those of `posterior_rows`.
    """
    table = _Table(network, nodes, codes)
    out = {node: np.empty(len(table.codes), np.int64) for node in network.structure.nodes}

    def answer(part: _Part) -> None:
        explainer = Explainer(network, part.hard, part.soft)
        held = table.of(part.rows, part.hard)
        found, _ = explainer.explain_rows(held, table.likelihoods(part))
        for number, node in enumerate(part.hard):
            out[node][part.rows] = held[:, number]
        for node, column in found.items():
            out[node][part.rows] = column

    table.each(answer)
    return out
