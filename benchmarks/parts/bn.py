"""Inference and learning on the network that ships; in a clone beside pgmpy, numpy and pyAgrum."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray

from baycarp.bn import FittedNetwork, Network, Sample, compile, em, fit, load, random_network
from baycarp.bn.sampling import sample
from baycarp.cli.options import JSON
from baycarp.opponents.network.topology import OBSERVED, TYPE_NODES
from baycarp.strategies.model import SHIPPED
from benchmarks.parts.clock import medians
from benchmarks.parts.goal import Goal, printing
from benchmarks.parts.rivals import rivals

__all__ = ["HAND", "ITERATIONS", "PRIOR", "RIVER", "Columns", "goals", "hidden_rows", "iterations"]

RIVER = tuple(node for street in OBSERVED for node in street)
"""The observations of a player in a whole hand, without its cards."""

HAND = ("HandGroup", *TYPE_NODES[1:])
"""Hidden; each but the first depends on the one before, and on an action and the board: a chain."""

ITERATIONS, PRIOR = 8, 1.0
"""Of EM: M-steps, and the equivalent sample size of each table."""

Columns = Mapping[str, NDArray[np.int64]]


def goals() -> Iterator[Goal]:
    """Measure, then compare."""
    network = load(SHIPPED / "network.npz")
    rows = sample(network, 200_000, seed=1)
    structure, wanted = network.structure, TYPE_NODES[-1]
    plan = compile(network, RIVER, [wanted])
    codes = np.stack([rows[node][:20_000] for node in RIVER], axis=1)
    evidence = {node: structure.states[node][rows[node][0]] for node in RIVER}
    one, batch, fitted = medians(
        partial(plan.posterior, evidence),
        partial(plan.posteriors, codes),
        partial(fit, structure, rows, 10),
        rounds=5,
    )
    yield Goal("G1 river, one by one", 1e6 * one, "µs a query")
    yield Goal("G2 river, a batch", 1e6 * batch / len(codes), "µs a query")
    yield Goal("G4 fit 200,000 rows", 1e3 * fitted, "ms")
    for few in (400, 1_600):
        (took,) = medians(iterations(network, hidden_rows(rows, few)), rounds=3)
        yield Goal(f"G5 EM, an iteration on {few:,} rows", 1e3 * took / ITERATIONS, "ms")
    yield from rivals("bn")(network, rows)


def hidden_rows(rows: Columns, n: int) -> dict[str, NDArray[np.int64]]:
    """The first n rows with missing nodes (-1): half of each hand node, a third of the statistics."""
    rng = np.random.default_rng(5)
    share = dict.fromkeys(HAND, 0.5) | {"VPIP": 1 / 3, "PFR": 1 / 3}
    hidden = {node: rng.random(20_000) < share.get(node, 0) for node in rows}
    return {node: np.where(hidden[node][:n], -1, column[:n]) for node, column in rows.items()}


def iterations(network: Network, rows: Columns) -> Callable[[], FittedNetwork]:
    """Eight iterations of EM from random tables."""
    start = random_network(network.structure, seed=5)
    return partial(em, Sample(rows), start, iterations=ITERATIONS, tolerance=-np.inf, prior=PRIOR)


add = JSON
run = printing(lambda args: goals())
