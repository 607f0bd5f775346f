"""Inference and fitting by pgmpy and plain numpy (bn.G1 to G4); EM is in ``em`` (G5).

Nearly all of pgmpy's time in a query is the work around the tables; the gain over the tables alone is the
line beside numpy.
"""

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.bn import Network, Structure, compile, fit
from baycarp.bn.pgmpy import to_pgmpy
from baycarp.errors import ModelError
from baycarp.opponents.network.topology import OBSERVED, TYPE_NODES
from benchmarks.parts.bn import HAND, RIVER, Columns
from benchmarks.parts.clock import medians
from benchmarks.parts.goal import Goal, at_least
from benchmarks.rivals import em

PEERS = {"pgmpy": "pgmpy", "pyAgrum": "pyagrum"}
"""Distributions by the names in lines."""


def goals(network: Network, rows: Columns) -> Iterator[Goal]:
    """Compare the results, then time in turn; lines have the versions that were measured."""
    for goal in _goals(network, rows):
        text = goal.goal
        for name, distribution in PEERS.items():
            if f"v {name}" in text:
                text = text.replace(f"v {name}", f"v {name} {version(distribution)}")
        yield replace(goal, goal=text)


def _goals(network: Network, rows: Columns) -> Iterator[Goal]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of pgmpy's own future
        engine = pgmpy_engine(network)
        yield from _river(network, rows, engine)
        yield _subsets(network, rows, engine)
        yield from _fitting(network.structure, rows)
        yield from em.goals(network, rows)


def pgmpy_engine(network: Network) -> Any:
    """Variable elimination by pgmpy."""
    return import_module("pgmpy.inference").VariableElimination(to_pgmpy(network))


def by_pgmpy(engine: Any, node: str, evidence: Mapping[str, str]) -> NDArray[np.float64]:
    """The posterior of a node; greedy is by far pgmpy's fastest order here."""
    found = engine.query([node], evidence=evidence, show_progress=False, elimination_order="greedy")
    return np.asarray(found.values)


def numpy_chain(network: Network) -> Callable[[NDArray[np.int64]], NDArray[np.float64]]:
    """The river query written in numpy by hand for this network: group, then type by type.

    It takes the states of ``RIVER`` as integers, of one hand or of many.
    """
    group, *types = (network.cpt(node) for node in HAND)
    family = network.structure.family("HandGroup")
    group = group.transpose(*(family.index(node) for node in (*OBSERVED[0], "HandGroup")))
    types = [np.ascontiguousarray(np.moveaxis(table, (1, 2), (0, 1))) for table in types]

    def posterior(codes: NDArray[np.int64]) -> NDArray[np.float64]:
        at = codes.T
        belief = group[at[0], at[1], at[2], at[3]][..., None, :]
        for street, table in enumerate(types):
            belief = belief @ table[at[4 + 2 * street], at[5 + 2 * street]]
        found: NDArray[np.float64] = belief[..., 0, :]
        return found

    return posterior


def pgmpy_fit(structure: Structure, rows: Columns) -> Callable[[], Any]:
    """A fit of BDeu tables by pgmpy, of an equivalent sample size of 10."""
    models = import_module("pgmpy.models")
    estimator = import_module("pgmpy.parameter_estimator").DiscreteBayesianEstimator(
        state_names={node: list(range(structure.cardinality(node))) for node in structure.nodes},
        prior_type="BDeu",
        equivalent_sample_size=10,
    )
    frame = import_module("pandas").DataFrame(dict(rows))
    arcs = [(parent, node) for node in structure.nodes for parent in structure.parents[node]]

    def fitted() -> Any:
        model = models.DiscreteBayesianNetwork(arcs)
        model.add_nodes_from(structure.nodes)
        return model.fit(frame, estimator=estimator)

    return fitted


def _ratio(
    name: str, must: float, theirs: Callable[[], object], ours: Callable[[], object], per: float
) -> Goal:
    """The speed-up, where one call of the other library does the work of ``per`` calls of this package."""
    slow, fast = medians(theirs, ours, rounds=7 if must > 100 else 3)
    return at_least(name, must, slow / fast / per, "times as fast")


def _each(work: Callable[[Any], object], rows: Iterable[Any]) -> Callable[[], object]:
    return lambda: [work(row) for row in rows]


def _evidence(network: Network, rows: Columns, nodes: Sequence[str], n: int) -> list[dict[str, str]]:
    states = network.structure.states
    return [{node: states[node][rows[node][row]] for node in nodes} for row in range(n)]


def _same(ours: NDArray[np.float64], theirs: NDArray[np.float64], within: float, what: str) -> None:
    if np.max(np.abs(ours - theirs)) > within:
        raise ModelError(f"{what}: the results of the libraries differ by more than {within:g}")


def _river(network: Network, rows: Columns, engine: Any) -> Iterator[Goal]:
    """G1, G2: the last hand type from all observations, one by one and at once."""
    wanted, n = TYPE_NODES[-1], 40
    ask = partial(by_pgmpy, engine, wanted)
    plan, evidence = compile(network, RIVER, [wanted]), _evidence(network, rows, RIVER, 500)
    codes = np.stack([rows[node][:20_000] for node in RIVER], axis=1)
    at_once, chain, some = plan.posteriors(codes)[wanted], numpy_chain(network), codes[: len(evidence)]
    for row in range(n):
        one = plan.posterior(evidence[row])[wanted]
        _same(one, ask(evidence[row]), 1e-9, "posterior")
        _same(at_once[row], one, 0, "batch")
    _same(at_once, chain(codes), 1e-12, "numpy")
    _same(at_once[: len(some)], np.array([chain(row) for row in some]), 1e-12, "numpy, one by one")
    ours, batch = _each(plan.posterior, evidence), partial(plan.posteriors, codes)
    theirs = _each(ask, evidence[:n])
    yield _ratio("G1 river, one by one, v pgmpy", 250, theirs, ours, n / len(evidence))
    text = "G2 river, batch against Python call, v pgmpy (it has no batch)"
    yield _ratio(text, 2_000, theirs, batch, n / len(codes))
    yield _ratio("G1 river, one by one, v numpy", 1, _each(chain, some), ours, 1)
    yield _ratio("G2 river, a batch, v numpy", 1, partial(chain, codes), batch, 1)


def _subsets(network: Network, rows: Columns, engine: Any, patterns: int = 100) -> Goal:
    """G3: any node from any others, the worst of many."""
    rng, nodes, ratios = np.random.default_rng(3), network.structure.nodes, []
    for number in range(patterns):
        wanted = str(rng.choice(nodes))
        ask, others = partial(by_pgmpy, engine, wanted), [node for node in nodes if node != wanted]
        observed = [str(node) for node in rng.permutation(others)[: number % len(nodes)]]
        plan, evidence = compile(network, observed, [wanted]), _evidence(network, rows, observed, 30)
        _same(plan.posterior(evidence[0])[wanted], ask(evidence[0]), 1e-9, str(plan))
        ratios.append(
            _ratio("", 50, _each(ask, evidence[:3]), _each(plan.posterior, evidence), 3 / 30).measured
        )
    return at_least(f"G3 the worst of {patterns} random subsets, v pgmpy", 50, min(ratios), "times as fast")


def numpy_fit(structure: Structure, rows: Columns, strength: float) -> dict[str, NDArray[np.float64]]:
    """BDeu tables as written in numpy by hand: one count of the joint codes a table."""
    tables = {}
    for node in structure.nodes:
        shape = structure.shape(node)
        joint = np.ravel_multi_index([rows[member] for member in structure.family(node)], shape)
        counts = np.bincount(joint, minlength=np.prod(shape)).reshape(shape) + strength / np.prod(shape)
        tables[node] = counts / counts.sum(axis=-1, keepdims=True)
    return tables


def _fitting(structure: Structure, rows: Columns) -> Iterator[Goal]:
    """G4: BDeu tables from columns of integers."""
    theirs, fitted = pgmpy_fit(structure, rows), fit(structure, rows, 10)
    model = theirs()
    for node in structure.nodes:
        cpd = model.get_cpds(node)
        axes = [list(cpd.variables).index(member) for member in structure.family(node)]
        _same(fitted.cpt(node), np.asarray(cpd.values).transpose(axes), 1e-12, f"table of {node}")
    ours, by_hand = partial(fit, structure, rows, 10), partial(numpy_fit, structure, rows, 10)
    for node, table in by_hand().items():
        _same(fitted.cpt(node), table, 1e-12, f"table of {node} by numpy")
    yield _ratio("G4 fit 200,000 rows, v pgmpy", 25, theirs, ours, 1)
    yield _ratio("G4 fit 200,000 rows, v numpy", 1, by_hand, ours, 1)
