"""The inference of this package behind the methods of pgmpy; conversion of networks from and to pgmpy.

One import line changes, ``from pgmpy.inference import VariableElimination`` to ``from baycarp.bn.pgmpy import
VariableElimination``: the methods take pgmpy's models, state names and data frames, and return its factors.
Only this module imports pgmpy, at its first use.
"""

import math
import warnings
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from baycarp.bn.bif import rounded
from baycarp.bn.em import Sample, em, random_network
from baycarp.bn.explanation import Explainer
from baycarp.bn.missing import explain_rows, posterior_rows
from baycarp.bn.network import Network, Structure
from baycarp.bn.orders import MOST_CELLS
from baycarp.bn.plan import QueryPlan, Target, compile, cost
from baycarp.errors import EvidenceError, SchemaError, brief

__all__ = ["VariableElimination", "fit", "from_pgmpy", "to_pgmpy"]


class VariableElimination:
    """Exact inference with the methods of ``pgmpy.inference.VariableElimination``.

    Parameters
    ----------
    model
        A ``pgmpy.models.DiscreteBayesianNetwork`` with a table at every node, or a `Network`. Later changes
        of the model are not seen.
    most_cells
        The largest cost of a `query`, in cells of joined tables; a larger one is a `CostError`.

    Raises
    ------
    SchemaError
        A node without a table, or names that are equal as text.

    Notes
    -----
    Evidence that is impossible is an `EvidenceError` where the queried nodes depend on it. The parameters
    ``elimination_order`` and ``show_progress`` are taken for pgmpy's signature and change nothing.

    Examples
    --------
    >>> rain = Structure({"Rain": ["no", "yes"], "Grass": ["dry", "wet"]}, {"Grass": ["Rain"]})
    >>> network = Network(rain, {"Rain": [0.8, 0.2], "Grass": [[0.9, 0.1], [0.05, 0.95]]})
    >>> inference = VariableElimination(to_pgmpy(network))
    >>> inference.query(["Rain"], evidence={"Grass": "wet"}).values.round(3)
    array([0.296, 0.704])
    >>> inference.map_query(["Rain"], evidence={"Grass": "wet"})
    {'Rain': 'yes'}
    """

    def __init__(self, model: Any, most_cells: int = MOST_CELLS) -> None:
        self.model = model
        self.network = model if isinstance(model, Network) else from_pgmpy(model)
        self._most = most_cells
        names = self.network.structure.states
        given = names if isinstance(model, Network) else _state_names(model)
        self._names: dict[Hashable, str] = {node: str(node) for node in given}
        self._states = {node: list(states) for node, states in given.items()}
        self._text = {
            node: dict(zip(states, names[str(node)], strict=True)) for node, states in given.items()
        }
        self._prepared = lru_cache(maxsize=1024)(self._prepare)

    def query(
        self,
        variables: Sequence[Hashable],
        evidence: Mapping[Any, Hashable] | None = None,
        virtual_evidence: Sequence[Any] | None = None,
        elimination_order: object = "greedy",
        joint: bool = True,
        show_progress: bool = False,
    ) -> Any:
        """The posterior of some nodes.

        Parameters
        ----------
        variables
            The nodes, at least one.
        evidence
            Node -> state name.
        virtual_evidence
            A ``TabularCPD`` of one node for each node with soft evidence: its values are the likelihoods.
        elimination_order, show_progress
            Without effect.
        joint
            Whether the result is their joint distribution, a ``DiscreteFactor``, or a dict of one for each.

        Raises
        ------
        EvidenceError
            An unknown node or state, a node that stands twice, or impossible evidence.
        CostError
            A cost above the bound.
        """
        given, soft = self._evidence(evidence, virtual_evidence)
        if isinstance(variables, str) or not len(variables):
            raise EvidenceError(f"variables {brief(variables)}: expected a list of at least one node")
        for variable in variables:
            self._name(variable)
        plan, factors = self._prepared(tuple(variables), tuple(given), tuple(soft), joint)
        found = plan.posterior(given, soft or None)
        answers = {}
        for (variable, factor), target in zip(factors.items(), plan.wanted, strict=True):
            answers[variable] = factor.copy()
            answers[variable].values = found[target]
        return answers[None] if joint else answers

    def cost(
        self, variables: Sequence[Hashable], evidence: Iterable[Hashable] = (), joint: bool = True
    ) -> int:
        """The cost of a query before it runs: cells of all joined tables; nothing is computed or refused.

        ``evidence`` are the observed nodes (of a dict of states its keys).
        """
        targets = _targets([self._name(variable) for variable in variables], joint)
        return cost(self.network, [self._name(node) for node in evidence], targets, relevant_only=True)

    def map_query(
        self,
        variables: Sequence[Hashable] | None = None,
        evidence: Mapping[Any, Hashable] | None = None,
        virtual_evidence: Sequence[Any] | None = None,
        elimination_order: object = "greedy",
        show_progress: bool = False,
    ) -> dict[Hashable, Any]:
        """The most probable joint states of some nodes; None = of all that are not observed.

        Of equally probable ones the first. Fewer nodes than all are maximised over their joint distribution,
        as in pgmpy. Parameters and errors are those of `query`.
        """
        given, soft = self._evidence(evidence, virtual_evidence)
        hidden = [node for node in self._states if self._names[node] not in given]
        wanted = hidden if variables is None else list(variables)
        if set(wanted) != set(hidden):
            factor = self.query(wanted, evidence, virtual_evidence)
            best = np.unravel_index(int(np.argmax(factor.values)), factor.values.shape)
            return {node: self._states[node][code] for node, code in zip(wanted, best, strict=True)}
        found = Explainer(self.network, tuple(given), tuple(soft)).explain(given, soft)
        names = self.network.structure.states
        codes = {node: names[self._names[node]].index(found.states[self._names[node]]) for node in wanted}
        return {node: self._states[node][code] for node, code in codes.items()}

    def predict(self, data: Any) -> Any:
        """The data frame with the most probable joint states of all values that it lacks, row by row.

        Columns of nodes that the frame does not have are appended; missing values are not observed.

        Raises
        ------
        EvidenceError
            An unknown column or state, or an impossible row.
        """
        nodes, codes = self._codes(data)
        found = explain_rows(self.network, [self._names[node] for node in nodes], codes)
        columns = [*nodes, *(node for node in self._states if node not in set(nodes))]
        filled = {
            node: np.array(self._states[node], dtype=object)[found[self._names[node]]] for node in columns
        }
        return type(data)(filled, index=data.index)

    def predict_probability(self, data: Any) -> Any:
        """The posteriors of the nodes that a data frame lacks, as a data frame with columns ``node_state``.

        These are the nodes without a column and those with missing values, in the order of the model; in a
        row in which such a node is observed its state has probability 1. Errors are those of `predict`.
        """
        nodes, codes = self._codes(data)
        complete = {node for node, column in zip(nodes, codes.T, strict=True) if np.all(column >= 0)}
        wanted = [node for node in self._states if node not in complete]
        names = [self._names[node] for node in nodes]
        found = posterior_rows(self.network, names, codes, [self._names[node] for node in wanted])
        columns = {
            f"{node}_{state}": found[self._names[node]][:, code]
            for node in wanted
            for code, state in enumerate(self._states[node])
        }
        return type(data)(columns, index=data.index)

    def _prepare(
        self, variables: tuple[Hashable, ...], given: tuple[str, ...], soft: tuple[str, ...], joint: bool
    ) -> tuple[QueryPlan, dict[Hashable, Any]]:
        """The plan of a pattern, and an empty factor for each answer."""
        targets = _targets([self._name(variable) for variable in variables], joint)
        plan = compile(self.network, given, targets, soft, relevant_only=True, most_cells=self._most)
        factor = _pgmpy().factor
        groups = {None: variables} if joint else {variable: (variable,) for variable in variables}
        factors = {}
        for key, group in groups.items():
            shape = [len(self._states[node]) for node in group]
            names = {node: self._states[node] for node in group}
            factors[key] = factor(list(group), shape, np.zeros(math.prod(shape)), state_names=names)
        return plan, factors

    def _name(self, node: Hashable) -> str:
        try:
            return self._names[node]
        except (KeyError, TypeError):
            raise EvidenceError(
                f"unknown node {brief(node)}: expected one of {list(self._names)[:20]}"
            ) from None

    def _evidence(
        self, evidence: Mapping[Any, Hashable] | None, virtual: Sequence[Any] | None
    ) -> tuple[dict[str, str], dict[str, ArrayLike]]:
        """Hard and soft evidence by node, in our names."""
        given = {}
        for node, state in (evidence or {}).items():
            try:
                given[self._name(node)] = self._text[node][state]
            except (KeyError, TypeError):
                raise EvidenceError(
                    f"evidence {brief(node)} = {brief(state)}: expected one of {self._states[node]}"
                ) from None
        soft: dict[str, ArrayLike] = {}
        for cpd in () if virtual is None else virtual:
            if not hasattr(cpd, "variables"):
                raise EvidenceError(f"virtual evidence {brief(cpd)}: expected a TabularCPD")
            name = self._name(cpd.variables[0])
            if name in soft or len(cpd.variables) != 1:
                raise EvidenceError(f"virtual evidence of {cpd.variables}: expected a node alone, and once")
            if name not in given:
                soft[name] = self._likelihood(cpd)
        return given, soft

    def _likelihood(self, cpd: Any) -> ArrayLike:
        """The values of virtual evidence, by its own names of the states, in the order of the model's."""
        node = cpd.variables[0]
        names, states = list(cpd.state_names[node]), self._states[node]
        if sorted(map(repr, names)) != sorted(map(repr, states)):
            raise EvidenceError(
                f"virtual evidence of {brief(node)}, states {names}: expected those of {states}"
            )
        values = np.asarray(cpd.values, np.float64).ravel()
        return values[[names.index(state) for state in states]]

    def _codes(self, data: Any) -> tuple[list[Hashable], NDArray[np.int32]]:
        """The columns of a data frame, and codes by row and column; -1 = missing."""
        nodes = list(data.columns)
        if len(set(nodes)) < len(nodes):
            raise EvidenceError(f"columns {brief(nodes)}: expected each node once")
        codes = np.empty((len(data), len(nodes)), np.int32)
        for number, node in enumerate(nodes):
            self._name(node)
            codes[:, number] = _coded(data[node], self._states[node])
        return nodes, codes


def _targets(names: list[str], joint: bool) -> list[Target]:
    return [tuple(names)] if joint and len(names) > 1 else [*names]


def _coded(column: Any, states: Sequence[Hashable]) -> NDArray[np.int32]:
    """The codes of a column of a data frame, -1 = missing."""
    numbers, found = column.factorize()
    place = {state: code for code, state in enumerate(states)}
    unknown = [value for value in found if value not in place]
    if unknown:
        raise EvidenceError(f"column {column.name!r}: {brief(unknown[0])}, expected one of {list(states)}")
    codes = np.array([*map(place.__getitem__, found), -1], np.int32)
    return np.asarray(codes[numbers])


def fit(
    model: Any,
    data: Any,
    sample_weight: ArrayLike | None = None,
    prior: float = 1.0,
    iterations: int = 100,
    seed: int = 0,
) -> Any:
    """Fit the tables of a model to a data frame, in which values may be missing at random.

    Parameters
    ----------
    model
        A ``pgmpy`` network; only its nodes and arcs are read, and the states of nodes that have tables.
    data
        A data frame. States of a node without a table are the values of its column, sorted.
    sample_weight
        Weight of each row, above 0; None = 1.
    prior
        Equivalent sample size of each table (BDeu); 0 = maximum likelihood.
    iterations
        The largest number of iterations of expectation maximisation; without missing values one suffices.
    seed
        Seed of the random start.

    Returns
    -------
    pgmpy.models.DiscreteBayesianNetwork
        A new model.

    Raises
    ------
    SchemaError
        A node without a table and without a column, or weights that do not fit.
    EvidenceError
        A value that is not a state.

    Examples
    --------
    >>> import pandas
    >>> model = to_pgmpy(Network(Structure({"Rain": ["no", "yes"]}), {"Rain": [0.5, 0.5]}))
    >>> fitted = fit(model, pandas.DataFrame({"Rain": ["no", "no", None, "yes"]}), prior=0)
    >>> fitted.get_cpds("Rain").values.round(3)
    array([0.667, 0.333])
    """
    unknown = [column for column in data.columns if column not in set(model.nodes())]
    if unknown:
        raise EvidenceError(f"unknown column {brief(unknown[0])}: expected nodes of the model")
    states = {node: _found_states(model, data, node) for node in model.nodes()}
    structure = Structure(
        {str(node): list(map(str, own)) for node, own in states.items()},
        {str(node): list(map(str, model.get_parents(node))) for node in states},
    )
    rows = {str(node): _coded(data[node], states[node]) for node in data.columns}
    fitted = em(
        Sample(rows, weights=sample_weight),
        random_network(structure, seed),
        iterations=iterations,
        tolerance=1e-6,
        prior=prior,
    )
    return _model(fitted.network, states)


def _found_states(model: Any, data: Any, node: Hashable) -> list[Hashable]:
    cpd = model.get_cpds(node)
    if cpd is not None:
        return list(cpd.state_names[node])
    if node not in data.columns:
        raise SchemaError(f"states of {brief(node)}: expected a column of the data, or a table of the model")
    return sorted(data[node].dropna().unique().tolist())


class _Classes(NamedTuple):
    """Those of pgmpy that are made here."""

    network: Any
    table: Any
    factor: Any


def _pgmpy() -> _Classes:
    """Import pgmpy without its ``FutureWarning``."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        from pgmpy.factors.discrete import DiscreteFactor, TabularCPD
        from pgmpy.models import DiscreteBayesianNetwork
    return _Classes(DiscreteBayesianNetwork, TabularCPD, DiscreteFactor)


def to_pgmpy(network: Network) -> Any:
    """Convert a network to a ``pgmpy.models.DiscreteBayesianNetwork``, with state names."""
    return _model(network, {node: list(states) for node, states in network.structure.states.items()})


def _model(network: Network, names: Mapping[Any, Sequence[Hashable]]) -> Any:
    """A pgmpy model; ``names`` are its nodes, in the order of the network, and their states."""
    pgmpy, structure = _pgmpy(), network.structure
    model = pgmpy.network()
    model.add_nodes_from(list(names))
    by_text = {str(node): node for node in names}
    for node in structure.nodes:
        family = [by_text[member] for member in structure.family(node)]
        states = structure.cardinality(node)
        cpd = pgmpy.table(
            family[-1],
            states,
            network.cpt(node).reshape(-1, states).T,
            evidence=family[:-1],
            evidence_card=list(structure.shape(node)[:-1]),
            state_names={member: list(names[member]) for member in family},
        )
        model.add_edges_from([(parent, family[-1]) for parent in family[:-1]])
        model.add_cpds(cpd)
    return model


def _state_names(model: Any) -> dict[Hashable, list[Hashable]]:
    """The states of each node of a pgmpy model, from its table."""
    cpds = {node: model.get_cpds(node) for node in model.nodes()}
    for node, cpd in cpds.items():
        if cpd is None:
            raise SchemaError(f"no table for {brief(node)}: expected one a node")
    return {node: list(cpd.state_names[node]) for node, cpd in cpds.items()}


def from_pgmpy(model: Any) -> Network:
    """A network from a ``pgmpy.models.DiscreteBayesianNetwork`` with a table at every node.

    Nodes and states are named by their text. Rows whose sum differs from 1 by at most 0.001 are divided by
    their sum.

    Raises
    ------
    SchemaError
        A node without a table, or tables that are not those of a network.
    """
    states = {str(node): list(map(str, names)) for node, names in _state_names(model).items()}
    tables, parents = {}, {}
    for cpd in map(model.get_cpds, model.nodes()):
        node, *others = map(str, cpd.variables)  # pgmpy puts the node first
        parents[node] = others
        tables[node] = np.moveaxis(np.asarray(cpd.values, np.float64), 0, -1)
    return rounded(Structure(states, parents), tables)
