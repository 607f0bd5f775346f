"""Inference on the public networks that pgmpy ships: ``python -m benchmarks networks``.

The posterior of a random node given a random quarter of the others, in states that occur together.
"""

import gzip
import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from importlib.resources import files

import numpy as np

from baycarp.bn import Network
from baycarp.bn.bif import parse_bif
from baycarp.bn.pgmpy import VariableElimination
from baycarp.bn.sampling import sample
from baycarp.cli.options import JSON
from benchmarks.parts.clock import seconds
from benchmarks.parts.goal import Goal, at_most, printing
from benchmarks.parts.rivals import rivals

__all__ = ["EASY", "HARD", "LARGE", "Query", "goals", "queries", "shipped"]

EASY = ("asia", "child", "insurance", "alarm", "hailfinder", "win95pts", "hepar2", "andes", "pigs")
HARD = ("mildew", "barley", "water", "munin1")
LARGE = ("diabetes", "link")
"""Networks of 413 and 724 nodes, measured without pgmpy: single queries of it take minutes or all memory."""

QUERIES = 25


@dataclass(frozen=True, slots=True)
class Query:
    """A node, and the states of others."""

    wanted: str
    evidence: dict[str, str]


def shipped(name: str) -> Network:
    """A network of pgmpy's package."""
    folder = files("pgmpy") / "utils" / "example_models"
    return parse_bif(gzip.decompress((folder / f"{name}.bif.gz").read_bytes()).decode())


def queries(network: Network, n: int = QUERIES, seed: int = 1) -> list[Query]:
    """Random queries; the states are those of a row sampled from the network."""
    rows, rng, names = sample(network, n, seed=seed), np.random.default_rng(seed), network.structure.states
    found = []
    for number in range(n):
        wanted, *others = (str(node) for node in rng.permutation(network.structure.nodes))
        observed = others[: len(names) // 4]
        found.append(Query(wanted, {node: names[node][rows[node][number]] for node in observed}))
    return found


def goals() -> Iterator[Goal]:
    """Measure network by network: the first call of each query compiles its plan, the others run it."""
    compare = rivals("networks")
    for name in (*EASY, *HARD, *LARGE):
        network = shipped(name)
        inference, asked = VariableElimination(network), queries(network)
        works = [partial(inference.query, [query.wanted], query.evidence) for query in asked]
        works[0]()
        first = [1e3 * seconds(partial(_fresh, network, query)) for query in asked]
        times = [1e6 * min(seconds(work, 3) for _ in range(3)) for work in works]
        label = f"{name}, {len(network.structure.nodes)} nodes"
        bound = 10 if name in EASY else 1_000
        yield at_most(f"{label}: compile and query once", bound, statistics.median(first), "ms")
        yield Goal(f"{label}: slowest of these", max(first), "ms")
        yield Goal(f"{label}: query again", statistics.median(times), "us")
        if name not in LARGE:
            yield from compare(name, network, inference, asked)


def _fresh(network: Network, query: Query) -> None:
    """A query whose plan is not in a cache."""
    VariableElimination(network).query([query.wanted], query.evidence)


add = JSON
run = printing(lambda args: goals())
