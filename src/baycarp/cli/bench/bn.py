"""Inference and learning beside pgmpy, plain numpy and pyAgrum, on the network that ships (bn.G1 to G5).

Both sides answer the same questions in turn, in one process, and their answers are compared first; times are
CPU time, medians of the rounds, so that a busy machine slows both. Nearly all of pgmpy's time in a query is
the work around the tables; what is gained over the tables alone is the line beside numpy.
"""

import statistics
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.bn import Network, Sample, compile, em, fit, load, random_network
from baycarp.bn.learn import to_pgmpy
from baycarp.bn.sampling import sample
from baycarp.cli.bench.goal import Goal
from baycarp.errors import ModelError
from baycarp.opponents.belief import OBSERVED, TYPE_NODES
from baycarp.strategies.model import SHIPPED

__all__ = ["goals"]

RIVER = tuple(node for street in OBSERVED for node in street)
"""The observations of a player in a whole hand, without its cards."""

HAND = ("HandGroup", *TYPE_NODES[1:])
"""Hidden; each but the first hangs on the one before, and on an action and the board: a chain."""

Columns = Mapping[str, NDArray[np.int64]]


def goals() -> Iterator[Goal]:
    """Compare the answers, then time in turn."""
    network = load(SHIPPED / "network.npz")
    rows = sample(network, 200_000, seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of pgmpy's own future
        oracle = import_module("pgmpy.inference").VariableElimination(to_pgmpy(network))
        yield from _river(network, rows, oracle)
        yield _subsets(network, rows, oracle)
        yield _fitting(network, rows)
        if find_spec("pyagrum"):
            yield from _expectation(network, rows)


def _ratio(theirs: Callable[[], object], ours: Callable[[], object], per: float, rounds: int = 7) -> float:
    """Speed-up of this package, where one call of the other library does the work of ``per`` calls."""
    return statistics.median(_seconds(theirs) / _seconds(ours) / per for _ in range(rounds))


def _seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _goal(name: str, must: float, ratio: float) -> Goal:
    return Goal(name, must, ratio, "times as fast", ratio >= must)


def _evidence(network: Network, rows: Columns, nodes: Sequence[str], n: int) -> list[dict[str, str]]:
    states = network.structure.states
    return [{node: states[node][rows[node][row]] for node in nodes} for row in range(n)]


def _ask(oracle: Any, node: str, evidence: Mapping[str, str]) -> NDArray[np.float64]:
    # Greedy is by far pgmpy's fastest order here.
    found = oracle.query([node], evidence=evidence, show_progress=False, elimination_order="greedy")
    return np.asarray(found.values)


def _same(ours: NDArray[np.float64], theirs: NDArray[np.float64], within: float, what: str) -> None:
    if np.max(np.abs(ours - theirs)) > within:
        raise ModelError(f"{what}: the results of the libraries differ by more than {within:g}")


def _river(network: Network, rows: Columns, oracle: Any) -> Iterator[Goal]:
    """G1, G2: the last hand type from all observations, one by one and at once."""
    wanted, n = TYPE_NODES[-1], 40
    plan, evidence = compile(network, RIVER, [wanted]), _evidence(network, rows, RIVER, 500)
    codes = np.stack([rows[node][:20_000] for node in RIVER], axis=1)
    at_once = plan.posteriors(codes)[wanted]
    for row in range(n):
        _same(plan.posterior(evidence[row])[wanted], _ask(oracle, wanted, evidence[row]), 1e-9, "posterior")
        _same(at_once[row], plan.posterior(evidence[row])[wanted], 0, "batch")

    def theirs() -> None:
        for row in evidence[:n]:
            _ask(oracle, wanted, row)

    def ours() -> None:
        for row in evidence * 10:
            plan.posterior(row)

    yield _goal("G1 river, one by one, v pgmpy", 250, _ratio(theirs, ours, n / len(evidence) / 10))
    batch = partial(plan.posteriors, codes)
    yield _goal(
        "G2 river, a batch, v pgmpy (one by one: it has no batch)",
        2_000,
        _ratio(theirs, batch, n / len(codes)),
    )
    chain, some = _chain(network), codes[: len(evidence)]
    _same(at_once, chain(codes), 1e-12, "numpy")
    single = [chain(row) for row in some]
    _same(at_once[: len(some)], np.array(single), 1e-12, "numpy, one by one")

    def one_by_one() -> None:
        for row in some:
            chain(row)

    yield _goal("G1 river, one by one, v numpy", 1, _ratio(one_by_one, ours, 1 / 10))
    yield _goal("G2 river, a batch, v numpy", 1, _ratio(partial(chain, codes), batch, 1))


def _chain(network: Network) -> Callable[[NDArray[np.int64]], NDArray[np.float64]]:
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


def _subsets(network: Network, rows: Columns, oracle: Any, patterns: int = 100) -> Goal:
    """G3: any node from any others, the worst of many."""
    rng, nodes, worst = np.random.default_rng(3), network.structure.nodes, np.inf
    for number in range(patterns):
        wanted = str(rng.choice(nodes))
        others = [node for node in nodes if node != wanted]
        observed = [str(node) for node in rng.permutation(others)[: number % len(nodes)]]
        plan, evidence = compile(network, observed, [wanted]), _evidence(network, rows, observed, 30)
        _same(plan.posterior(evidence[0])[wanted], _ask(oracle, wanted, evidence[0]), 1e-9, str(plan))

        def theirs(wanted: str = wanted, evidence: list[dict[str, str]] = evidence) -> None:
            for row in evidence[:3]:
                _ask(oracle, wanted, row)

        def ours(plan: Any = plan, evidence: list[dict[str, str]] = evidence) -> None:
            for row in evidence * 10:
                plan.posterior(row)

        worst = min(worst, _ratio(theirs, ours, 3 / 300, rounds=3))
    return _goal(f"G3 the worst of {patterns} random subsets, v pgmpy", 50, worst)


def _fitting(network: Network, rows: Columns) -> Goal:
    """G4: BDeu tables from columns of integers."""
    models, structure = import_module("pgmpy.models"), network.structure
    estimator = import_module("pgmpy.parameter_estimator").DiscreteBayesianEstimator(
        state_names={node: list(range(structure.cardinality(node))) for node in structure.nodes},
        prior_type="BDeu",
        equivalent_sample_size=10,
    )
    frame = import_module("pandas").DataFrame(dict(rows))
    arcs = [(parent, node) for node in structure.nodes for parent in structure.parents[node]]

    def theirs() -> Any:
        model = models.DiscreteBayesianNetwork(arcs)
        model.add_nodes_from(structure.nodes)
        return model.fit(frame, estimator=estimator)

    fitted, model = fit(structure, rows, 10), theirs()
    for node in structure.nodes:
        cpd, family = model.get_cpds(node), structure.family(node)
        axes = [list(cpd.variables).index(member) for member in family]
        _same(fitted.cpt(node), np.asarray(cpd.values).transpose(axes), 1e-12, f"table of {node}")
    return _goal("G4 fit 200,000 rows, v pgmpy", 25, _ratio(theirs, lambda: fit(structure, rows, 10), 1, 5))


def _expectation(network: Network, rows: Columns, n: int = 20_000) -> Iterator[Goal]:
    """G5: an iteration of EM on the same rows; half of each hand node, a third of the statistics missing."""
    rng, structure = np.random.default_rng(5), network.structure
    share = dict.fromkeys(HAND, 0.5) | {"VPIP": 1 / 3, "PFR": 1 / 3}
    observed = {
        node: np.where(rng.random(n) < share.get(node, 0), -1, column[:n]) for node, column in rows.items()
    }
    start = random_network(structure, seed=5)
    falls = np.diff(em(Sample(observed), start, iterations=8, tolerance=0, prior=0).log_likelihoods)
    if np.any(falls < 0):
        raise ModelError(f"log-likelihood of EM fell by {-falls.min()}")
    gum = import_module("pyagrum")
    for few, must in (400, 20), (1_600, 50):
        some = {node: column[:few] for node, column in observed.items()}
        learner = _learner(gum, network, some)

        def theirs(learner: Any = learner) -> None:
            learner.learnParameters(learner.template.dag())

        def ours(some: Columns = some) -> None:
            em(Sample(some), start, iterations=8, tolerance=-np.inf, prior=1)

        theirs()
        per = learner.EMnbrIterations() / 9  # eight M-steps take nine E-steps
        yield _goal(f"G5 EM, an iteration on {few:,} rows, v pyAgrum", must, _ratio(theirs, ours, per, 3))


def _learner(gum: Any, network: Network, columns: Columns) -> Any:
    """A learner of pyAgrum, on one thread, on the same rows."""
    structure, template = network.structure, gum.BayesNet()
    for node in structure.nodes:
        template.add(gum.LabelizedVariable(node, node, structure.cardinality(node)))
    for node in structure.nodes:
        for parent in structure.parents[node]:
            template.addArc(parent, node)
    texts = {
        node: np.where(column < 0, "?", column.astype(str)).astype(object) for node, column in columns.items()
    }
    learner = gum.BNLearner(import_module("pandas").DataFrame(texts), template, ["?"])
    learner.setNumberOfThreads(1)
    learner.useSmoothingPrior(1)
    learner.useEM(1e-9)
    learner.EMsetMaxIter(3)
    learner.template = template
    return learner
