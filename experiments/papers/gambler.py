"""Gambler's Coma network (Matthews 2005, figure 1, section 6): exact posteriors, and those of sampling."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.measure import margin
from baycarp.bn import Inference, Network, Structure
from baycarp.bn.sampling import Sampled, gibbs, hypercube
from experiments.papers.entry import Entry
from experiments.papers.run import Maker, Run
from experiments.papers.verdict import Estimate, Made, Value

__all__ = ["COMA", "MAKERS", "QUERIES", "sampling_errors"]

STATES = ("T", "F")
COMA = Network(
    Structure(dict.fromkeys("abcde", STATES), {"b": "a", "c": "a", "d": "bc", "e": "c"}),
    {
        "a": [0.2, 0.8],
        "b": [[0.8, 0.2], [0.2, 0.8]],
        "c": [[0.2, 0.8], [0.05, 0.95]],
        "d": [[[0.8, 0.2], [0.8, 0.2]], [[0.8, 0.2], [0.05, 0.95]]],
        "e": [[0.8, 0.2], [0.6, 0.4]],
    },
)
"""Figure 1: a causes b and c, both cause d, c causes e."""


def _given(nodes: str) -> list[dict[str, str]]:
    return [dict(zip(nodes, states, strict=True)) for states in product(STATES, repeat=len(nodes))]


QUERIES: Sequence[tuple[Mapping[str, str], str]] = [
    (evidence, nodes)
    for given, nodes in {"": "abcde", "a": "de", "de": "a", "bc": "ade", "ade": "bc"}.items()
    for evidence in _given(given)
]
"""The evidence of the sampling runs of section 6, and the nodes whose errors are printed: 41 in all."""

LARGEST = 10_000
"""Iterations of the errors that section 5 names."""

SAMPLERS = {"Markov blanket": gibbs, "Latin hypercube": hypercube}
"""By row."""


def posteriors(entry: Entry, run: Run) -> Made:
    """Percent of T for the printed nodes, given each row's evidence."""
    inference, cells = Inference(COMA), {}
    for row, printed in entry.rows:
        asked = [column.name for column, text in zip(entry.columns, printed, strict=True) if text]
        found = inference.posterior(_evidence(row), asked)
        chances = {name: 100 * float(found[name][0]) for name in asked}
        cells[row] = [chances.get(column.name) for column in entry.columns]
    return Made(cells)


def joints(entry: Entry, run: Run) -> Made:
    """Percent of each pair of states of d and e, given a."""
    inference = Inference(COMA)
    whole, alone = inference.plan(["a", "d", "e"], ()), inference.plan(["a"], ())
    pairs = [dict(zip("de", column.name, strict=True)) for column in entry.columns]

    def percents(row: str) -> list[Value]:
        given = _evidence(row)
        return [100 * whole.probability(given | pair) / alone.probability(given) for pair in pairs]

    return Made.of(entry, percents)


def sampling_errors(
    sampled: Callable[[Network, Mapping[str, str], int, int], Sampled], iterations: int, seed: int
) -> NDArray[np.float64]:
    """The error of each of the 41 posteriors in one run, in percentage points."""
    inference, found = Inference(COMA), []
    for evidence, nodes in QUERIES:
        exact = inference.posterior(evidence, tuple(nodes))
        ours = sampled(COMA, evidence, iterations, seed).marginals
        found += [100 * abs(float(ours[node][0] - exact[node][0])) for node in nodes]
    return np.array(found)


def _mean(values: Sequence[float]) -> Estimate:
    """Over runs."""
    mean, half = float(np.mean(values)), margin(float(np.std(values, ddof=1)), len(values))
    return Estimate(mean, mean - half, mean + half)


def _seeds(run: Run) -> list[int]:
    """Of each run; two at least have a spread."""
    return [run.seed + number for number in range(max(run.hands, 2))]


def mean_errors(entry: Entry, run: Run) -> Made:
    """The mean error of the posteriors by the number of iterations."""

    def means(row: str) -> list[Value]:
        return [
            _mean([sampling_errors(gibbs, int(column.name), seed).mean() for seed in _seeds(run)])
            for column in entry.columns
        ]

    return Made.of(entry, means, run.hands)


def largest_errors(entry: Entry, run: Run) -> Made:
    """The largest error of the posteriors, by two ways to sample."""

    def largest(row: str) -> list[Value]:
        return [_mean([sampling_errors(SAMPLERS[row], LARGEST, seed).max() for seed in _seeds(run)])]

    return Made.of(entry, largest, run.hands)


def _evidence(row: str) -> dict[str, str]:
    """``"a=T d=F"`` as evidence."""
    return dict(fact.split("=") for fact in row.split() if "=" in fact)


MAKERS: dict[str, Maker] = {
    "003-sec6": posteriors,
    "003-sec6-sampled": mean_errors,
    "003-sec5": largest_errors,
    "003-sec6-trees": joints,
}
