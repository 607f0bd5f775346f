"""Iterations of EM by pyAgrum, and as written in numpy by hand for the network that ships (bn.G5)."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.bn import Network, Sample, Structure, em, random_network
from baycarp.errors import ModelError
from benchmarks.parts.bn import HAND, ITERATIONS, PRIOR, Columns, hidden_rows, iterations
from benchmarks.parts.clock import medians
from benchmarks.parts.goal import Goal, at_least

MUSTS = {400: 200, 1_600: 50}
"""By rows, how many times as fast as pyAgrum."""

STATISTICS = ("PFR", "VPIP")
"""Parents of the first hand node."""

PARENTS = (
    ("Position", "Action"),
    ("ActionFlop", "Board"),
    ("ActionTurn", "BoardChangeTurn"),
    ("ActionRiver", "BoardChangeRiver"),
)
"""The other parents of each hand node, all observed."""

Floats = NDArray[np.float64]


def goals(network: Network, rows: Columns) -> Iterator[Goal]:
    """Half of each hand node and a third of the statistics are missing, in the same rows on all sides."""
    start = random_network(network.structure, seed=5)
    rising = em(Sample(hidden_rows(rows, 20_000)), start, iterations=ITERATIONS, tolerance=0, prior=0)
    falls = np.diff(rising.log_likelihoods)
    if np.any(falls < 0):
        raise ModelError(f"log-likelihood of EM fell by {-falls.min()}")
    for few, must in MUSTS.items():
        some, text = hidden_rows(rows, few), f"G5 EM, an iteration on {few:,} rows"
        ours, by_hand = iterations(network, some), partial(numpy_em, start, some)
        found = ours().network
        for node, table in by_hand().items():
            if not np.allclose(found.cpt(node), table, rtol=0, atol=1e-12):
                raise ModelError(f"table of {node}: the results of EM and of numpy differ by more than 1e-12")
        slow, fast = medians(by_hand, ours)
        yield Goal(f"{text}, v numpy", slow / fast, "times as fast")
        if find_spec("pyagrum"):
            learner = pyagrum_learner(network.structure, some)
            theirs = partial(learner.learnParameters, learner.template.dag())
            theirs()
            per = learner.EMnbrIterations() / (ITERATIONS + 1)  # eight M-steps take nine E-steps
            slow, fast = medians(theirs, ours, rounds=7 if must > 100 else 3)
            yield at_least(f"{text}, v pyAgrum", must, slow / fast / per, "times as fast")


@dataclass(frozen=True, slots=True)
class Link:
    """A node of the chain: a matrix for each cell, the states of two observed parents.

    ``table`` has shape (cells, states of the node before, states), ``likelihood`` (n, states) with ones where
    the node is missing, ``cells`` (n,); ``groups`` are the rows that count for each cell.
    """

    table: Floats
    likelihood: Floats
    cells: NDArray[np.int64]
    groups: list[NDArray[np.intp]]


def numpy_em(start: Network, rows: Columns) -> dict[str, Floats]:
    """EM as written in numpy by hand for this network: a forward and a backward pass over all rows at once.

    The statistics and the hand nodes are a chain. As in ``baycarp.bn.em``, a row that observes neither a node
    nor a descendant does not count for its table. Tables without missing nodes stay as they are, and are not
    in the result.
    """
    hands = np.array([rows[node] >= 0 for node in HAND])
    links = [_link(start, rows, place, np.any(hands[place:], axis=0)) for place in range(len(HAND))]
    like = [_likelihood(start.structure, rows, node) for node in STATISTICS]
    counted = [(rows[node] >= 0) | np.any(hands, axis=0) for node in STATISTICS]
    tables, roots = [link.table for link in links], [start.cpt(node) for node in STATISTICS]
    for _ in range(ITERATIONS):
        pfr, vpip = (root * evidence for root, evidence in zip(roots, like, strict=True))
        both = pfr[:, :, None] * vpip[:, None]
        matrices = [table[link.cells] for table, link in zip(tables, links, strict=True)]
        forward = [both.reshape(len(both), -1)]
        for matrix, link in zip(matrices, links, strict=True):
            forward.append((forward[-1][:, None] @ matrix)[:, 0] * link.likelihood)
        back = 1 / forward[-1].sum(axis=1, keepdims=True)
        for place in reversed(range(len(links))):
            back = back * links[place].likelihood
            joint = [forward[place][some].T @ back[some] for some in links[place].groups]
            tables[place] = _fit(tables[place] * joint)
            back = (matrices[place] @ back[:, :, None])[:, :, 0]
        posterior = (forward[0] * back).reshape(both.shape)
        roots = [_fit(some @ posterior.sum(axis=2 - k)) for k, some in enumerate(counted)]
    named = dict(zip(STATISTICS, roots, strict=True))
    for node, table in zip(HAND, tables, strict=True):
        named[node] = _own_axes(start.structure, node, table)
    return named


def _link(start: Network, rows: Columns, place: int, counted: NDArray[np.bool_]) -> Link:
    structure, node = start.structure, HAND[place]
    first, second = PARENTS[place]
    size = structure.cardinality(second)
    cells = rows[first] * size + rows[second]
    table = np.moveaxis(start.cpt(node), (-3, -2), (0, 1))
    table = table.reshape(structure.cardinality(first) * size, -1, structure.cardinality(node))
    groups = [np.flatnonzero(counted & (cells == cell)) for cell in range(len(table))]
    return Link(table, _likelihood(structure, rows, node), cells, groups)


def _likelihood(structure: Structure, rows: Columns, node: str) -> Floats:
    states = structure.cardinality(node)
    return np.asarray(np.vstack([np.eye(states), np.ones(states)])[rows[node]])


def _fit(counts: Floats) -> Floats:
    smooth = counts + PRIOR / counts.size
    return np.asarray(smooth / smooth.sum(axis=-1, keepdims=True))


def _own_axes(structure: Structure, node: str, table: Floats) -> Floats:
    """The table in the layout of the network."""
    *others, first, second, states = structure.shape(node)
    return np.moveaxis(table.reshape(first, second, *others, states), (0, 1), (-3, -2))


def pyagrum_learner(structure: Structure, columns: Columns) -> Any:
    """A learner of pyAgrum, on one thread, on the same rows."""
    gum: Any = import_module("pyagrum")
    template = gum.BayesNet()
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
