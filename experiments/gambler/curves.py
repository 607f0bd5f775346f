"""Sampled against exact inference on both networks: the error by iterations, and its time (section 5).

The sampling methods take hard evidence, so a board's draws become the tables of the roots. Markov-blanket
sampling needs tables without zeros: for it, and for it alone, the deterministic tables of the post-flop
network are softened, and its exact answer is that of the softened network.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from time import process_time

import numpy as np
from numpy.typing import NDArray

from baycarp.bn import Inference, Network
from baycarp.bn.sampling import Sampled, gibbs, hypercube, importance, stratified, weighted
from baycarp.card import blocked_by, cards, holding_index
from baycarp.opponents.gambler.draws import draws_on, scare
from baycarp.opponents.gambler.postflop import postflop_network
from baycarp.opponents.gambler.preflop import preflop_network
from baycarp.opponents.gambler.reverse import win_evidence, with_roots

__all__ = ["METHODS", "Point", "curves"]

METHODS: Mapping[str, Callable[[Network, Mapping[str, str], int, int], Sampled]] = {
    "Markov blanket": gibbs,
    "likelihood weighting": weighted,
    "Latin hypercube": hypercube,
    "stratified": stratified,
    "importance": importance,
}

SOFT = 0.001
"""Mixed into deterministic tables for Markov-blanket sampling."""

REPEATS = 3
"""Seeds over which an error is averaged."""


@dataclass(frozen=True)
class Point:
    """One method at one number of iterations.

    Parameters
    ----------
    network, query, method
        Their names.
    iterations
        Samples.
    error
        Mean absolute error of the query's probabilities, in percentage points, over the seeds.
    seconds
        Processor time of one run; of exact inference, of one query by its compiled plan.
    """

    network: str
    query: str
    method: str
    iterations: int
    error: float
    seconds: float


def curves(iterations: tuple[int, ...], seed: int) -> Iterator[Point]:
    """The points of both networks: an opponent's hole after its raise, and the own decision on a flop."""
    acted = {
        "position": "late",
        "early-action": "raise",
        "mid-action": "fold",
        "bias": "normal",
        "action": "raise",
    }
    yield from _of("pre-flop", preflop_network(), acted, "hole", iterations, seed)
    network = _board_network()
    decides = {"stakes": "0.16", "position": "middle", "bias": "normal"}
    yield from _of("post-flop", network, decides, "action", iterations, seed)
    bet = decides | {"action": "raise"}
    yield from _of("post-flop, reversed", network, bet, "win", iterations, seed)


def _board_network() -> Network:
    """The post-flop network of a flush draw against two ranges, its draws as tables of the roots."""
    board, hole = tuple(cards("Qs7s2d")), tuple(cards("AsTs"))
    rng, draws = np.random.default_rng(1), draws_on(board)
    known = blocked_by((*board, *hole))
    cell = int(draws.cell[holding_index(*hole)])
    pool = scare([draws.entry(np.where(known, 0, rng.random(len(known)))).of(cell) for _ in range(2)])
    rows, shared = win_evidence("independent", draws.shares[cell : cell + 1], pool)
    return with_roots(postflop_network(), {node: likely[0] for node, likely in rows.items()} | shared)


def _softened(network: Network) -> Network:
    """The network without zeros."""

    def soft(table: NDArray[np.float64]) -> NDArray[np.float64]:
        return (1 - SOFT) * table + SOFT / table.shape[-1] if np.any(table == 0) else table

    return with_roots(network, {node: soft(network.cpt(node)) for node in network.structure.nodes})


def _of(
    name: str,
    network: Network,
    evidence: Mapping[str, str],
    query: str,
    iterations: tuple[int, ...],
    seed: int,
) -> Iterator[Point]:
    true, seconds = _exact(network, evidence, query)
    yield Point(name, query, "exact", 0, 0.0, seconds)
    for method, sampled in METHODS.items():
        asked = _softened(network) if sampled is gibbs else network
        expected = _exact(asked, evidence, query)[0] if sampled is gibbs else true
        for number in iterations:
            began, errors = process_time(), []
            for repeat in range(REPEATS):
                found = sampled(asked, evidence, number, seed + repeat).marginals[query]
                errors.append(np.abs(found - expected).mean())
            seconds = (process_time() - began) / REPEATS
            yield Point(name, query, method, number, 100 * float(np.mean(errors)), seconds)


def _exact(network: Network, evidence: Mapping[str, str], query: str) -> tuple[NDArray[np.float64], float]:
    """The posterior, and the seconds of a query once its plan is compiled."""
    inference = Inference(network)
    inference.posterior(evidence, (query,))
    began = process_time()
    for _ in range(100):
        found = inference.posterior(evidence, (query,))[query]
    return found, (process_time() - began) / 100
