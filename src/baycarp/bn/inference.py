"""The plans of a network, cached by their pattern of evidence; how each observation shifts a belief."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from baycarp.bn.explanation import Explainer, Explanation
from baycarp.bn.network import Network, Structure
from baycarp.bn.plan import Posterior, QueryPlan, Target, compile, names_of, targets_of
from baycarp.errors import EvidenceError, brief
from baycarp.kernels.arguments import array

__all__ = ["Inference", "Shift", "shifts"]


class Inference:
    """A network with a cache of compiled plans, for any evidence and any wanted nodes.

    Parameters
    ----------
    network
        The network.
    keep
        Size of the cache, in plans, one for each pattern of evidence; the oldest plan is dropped first.

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
        self._plans: dict[tuple[tuple[str, ...], tuple[Target, ...], tuple[str, ...]], QueryPlan] = {}

    def plan(self, observed: Iterable[str], wanted: Iterable[Target], soft: Iterable[str] = ()) -> QueryPlan:
        """The plan of `compile`, from the cache if possible."""
        network = self.network
        key = (names_of(observed, network), targets_of(wanted, network), names_of(soft, network))
        plan = self._plans.get(key)
        if plan is None:
            while len(self._plans) >= self._keep:
                self._plans.pop(next(iter(self._plans)), None)
            plan = self._plans[key] = compile(self.network, *key)
        return plan

    def posterior(
        self,
        evidence: Mapping[str, str],
        wanted: Iterable[Target],
        soft: Mapping[str, ArrayLike] | None = None,
    ) -> Posterior:
        """The wanted distributions given states and likelihoods of others, as `QueryPlan.posterior`."""
        return self.plan(evidence, wanted, soft or ()).posterior(evidence, soft)

    def explain(
        self, evidence: Mapping[str, str], soft: Mapping[str, ArrayLike] | None = None
    ) -> Explanation:
        """The most probable joint states of all other nodes, as `Explainer.explain`."""
        observed, likely = names_of(evidence, self.network), names_of(soft or (), self.network)
        return Explainer(self.network, observed, likely).explain(evidence, soft)

    def posteriors(
        self, rows: Mapping[str, ArrayLike], wanted: Iterable[str]
    ) -> dict[str, NDArray[np.float64]]:
        """Posteriors of many rows, each with its own pattern of evidence.

        Parameters
        ----------
        rows
            By node, integer codes of shape (n,); -1 = not observed.
        wanted
            The wanted nodes; their columns in ``rows`` are ignored.

        Returns
        -------
        dict of node to float64 array, shape (n, states)

        Raises
        ------
        EvidenceError
            Columns of different lengths, a code out of range, or a row of probability 0.
        """
        wanted = names_of(wanted, self.network)
        nodes = tuple(node for node in rows if node not in wanted)
        codes = _stacked(rows, nodes, self.network.structure)
        shapes = {node: (len(codes), self.network.structure.cardinality(node)) for node in wanted}
        out = {node: np.empty(shape) for node, shape in shapes.items()}
        patterns, which = np.unique(codes >= 0, axis=0, return_inverse=True)
        for number, pattern in enumerate(patterns):
            mine = which == number
            plan = self.plan(
                (node for node, observed in zip(nodes, pattern, strict=True) if observed), wanted
            )
            found = plan.posteriors(codes[np.ix_(mine, pattern)], numbers=np.flatnonzero(mine))
            for node in wanted:
                out[node][mine] = found[node]
        return out


def _stacked(
    rows: Mapping[str, ArrayLike], nodes: Sequence[str], structure: Structure
) -> NDArray[np.integer]:
    """The columns of the given nodes as one array of shape (n, nodes)."""
    if not isinstance(rows, Mapping):
        raise EvidenceError(f"rows {brief(rows)}: expected columns of codes by node")
    columns = {node: array(column, f"column {node}") for node, column in rows.items()}
    for node, column in columns.items():
        if column.ndim != 1:
            raise EvidenceError(f"column {brief(node)} of shape {column.shape}: expected a code a row")
    lengths = {node: len(column) for node, column in columns.items()}
    if len(set(lengths.values())) != 1:
        raise EvidenceError(f"columns of lengths {lengths}: expected at least one, all of one length")
    codes = np.empty((next(iter(lengths.values())), len(nodes)), np.int64)
    for number, node in enumerate(nodes):
        column, states = columns[node], structure.cardinality(node)
        expected = f"expected integer codes below {states}, -1 where it is not observed"
        if column.dtype.kind not in "iu":
            raise EvidenceError(f"column {brief(node)} of {column.dtype}: {expected}")
        if len(wrong := np.flatnonzero((column < -1) | (column >= states))):
            raise EvidenceError(f"column {brief(node)}, row {wrong[0]}: {column[wrong[0]]}, {expected}")
        codes[:, number] = column
    return codes


class Shift(NamedTuple):
    """The effect of one observed node.

    Parameters
    ----------
    node, state
        The observed state.
    moved
        The share of the belief that lies elsewhere without it (total variation), 0..1.
    towards
        The state of the belief that it made most likelier, by difference of probability.
    """

    node: str
    state: str
    moved: float
    towards: str


def shifts(inference: Inference, evidence: Mapping[str, str], wanted: str) -> tuple[Shift, ...]:
    """Rank the evidence by how much the belief in a node depends on it, the most first.

    Parameters
    ----------
    inference
        The network.
    evidence
        The evidence: node -> state.
    wanted
        The node of the belief.

    Raises
    ------
    EvidenceError
        Evidence that is not of the network, or has probability 0.

    Examples
    --------
    >>> from baycarp.bn import Network, Structure
    >>> rain = Structure({"Rain": ["no", "yes"], "Grass": ["dry", "wet"]}, {"Grass": ["Rain"]})
    >>> network = Network(rain, {"Rain": [0.8, 0.2], "Grass": [[0.9, 0.1], [0.05, 0.95]]})
    >>> [(s.node, round(s.moved, 3), s.towards) for s in shifts(Inference(network), {"Grass": "wet"}, "Rain")]
    [('Grass', 0.504, 'yes')]
    """
    states = inference.network.structure.states[wanted]
    belief = inference.posterior(evidence, (wanted,))[wanted]
    found = []
    for node, state in evidence.items():
        rest = {other: value for other, value in evidence.items() if other != node}
        gained = belief - inference.posterior(rest, (wanted,))[wanted]
        found.append(Shift(node, state, float(np.abs(gained).sum() / 2), states[int(np.argmax(gained))]))
    return tuple(sorted(found, key=lambda shift: -shift.moved))
