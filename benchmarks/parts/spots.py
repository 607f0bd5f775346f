"""Spots beside a peer: seconds to the same exploitability, memory, and what 100 iterations reach.

The peer, postflop-solver in Rust, was timed on a machine on which a batch of 1,000,000 hands was ranked in
2.3 ms; the same batch is timed here, and scales its seconds.
"""

from collections.abc import Iterator
from dataclasses import replace
from time import process_time

import numpy as np

import baycarp
from baycarp.kernels.hands import rank
from baycarp.kernels.spots import Engine
from baycarp.solvers.spots.given import engine_input
from baycarp.solvers.spots.solution import Solution
from baycarp.solvers.spots.spot import Spot
from benchmarks.parts.clock import medians
from benchmarks.parts.goal import Goal, at_least, at_most
from benchmarks.parts.peer_spots import PEER_SPOTS, PeerSpot
from benchmarks.rivals.spots import NumpyRiver

__all__ = ["spot_goals"]

HANDS = 1_000_000
YARDSTICK = 2.3e-3
"""Seconds of a batch of hands where the peer was timed: 2.1 to 2.5 ms."""

SCHEME = "dcfr-restart"
"""The weights of the peer's iterations."""

NEAR = 1.1
"""Exploitability after 100 iterations, times the peer's, at most."""

TIMES = 20.0
"""Times as fast as arrays of NumPy on the river, at least."""


def spot_goals() -> Iterator[Goal]:
    """The yardstick, then four rows a spot."""
    hands = np.random.default_rng(1).permuted(np.tile(np.arange(52, dtype=np.uint8), (1000, 1)), axis=1)
    batch = np.tile(hands[:, :7], (HANDS // len(hands), 1))
    (took,) = medians(lambda: rank(batch), rounds=9)
    yield Goal("spots: yardstick, 1,000,000 ranks", 1000 * took, "ms")
    for peer in PEER_SPOTS:
        yield from _beside(peer, took / YARDSTICK)
    yield from _beside_numpy(PEER_SPOTS[0].spot)


def _beside(peer: PeerSpot, slower: float) -> Iterator[Goal]:
    """A spot beside the peer, whose seconds are times ``slower`` here."""
    begun = process_time()
    tree = peer.spot.build_tree()
    built = process_time() - begun
    spot = replace(peer.spot, tree=tree)
    rounds = 5 if peer.seconds < 1 else 1
    seconds, solution = min((_solved(spot, peer.target) for _ in range(rounds)), key=lambda each: each[0])
    name, theirs = f"spot {peer.name}", peer.seconds * slower
    reached = f"{solution.exploitability:.3f} %, {solution.iterations} it."
    yield at_most(f"{name}: to {peer.target} %", theirs, seconds, f"s; {reached}", theirs / 2)
    yield Goal(f"{name}: tree", built, "s")
    size = solution.solver.bytes / 1e6
    yield at_most(f"{name}: memory", peer.megabytes, size, "MB")
    del solution
    after = baycarp.solve(spot, target=0, iterations=100, discount=SCHEME).exploitability
    yield at_most(f"{name}: after 100 iterations", NEAR * peer.after_100, after, "% of the pot")


def _solved(spot: Spot, target: float) -> tuple[float, Solution]:
    begun = process_time()
    solution = baycarp.solve(spot, target=target)
    return process_time() - begun, solution


def _beside_numpy(spot: Spot) -> Iterator[Goal]:
    """An iteration on the river beside matrices of NumPy, which must give the same values."""
    given = engine_input(spot, spot.build_tree())
    ours, theirs = Engine(*given.arguments, suits=given.suits), NumpyRiver(given)
    ours.run(20, "linear")
    theirs.run(20)
    off = abs(float(ours.values()[0]) - theirs.value())
    if not off < 1e-3 * spot.pot:
        raise ArithmeticError(f"values off by {off} chips")
    fast, slow = medians(lambda: ours.run(10, "linear"), lambda: theirs.run(10), rounds=5)
    yield at_least("spot river R: an iteration", TIMES, slow / fast, "times NumPy")
