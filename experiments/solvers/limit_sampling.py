"""Public chance sampling with all holdings of a board, or with some of them drawn on more boards.

    python experiments/solvers/limit_sampling.py SECONDS

Each solver has the same processor time for dealing and walking. Printed: milliseconds a board and position,
boards, and the exploitability inside the abstraction, which is measured with all holdings.
"""

import sys
from functools import partial
from time import process_time

import numpy as np
from baycarp.solvers.limit.checkpoint import deal
from numpy.typing import NDArray

from baycarp.card import blocked_by
from baycarp.game import Variant
from baycarp.kernels.cfr import Deal
from baycarp.solvers.buckets.abstraction import parse_buckets
from baycarp.solvers.buckets.tables import BucketTables, bucket_tables
from baycarp.solvers.limit.betting import betting_tree
from baycarp.solvers.limit.response import ResponseBoards, Walks, exploitability
from baycarp.solvers.limit.solver import Settings, Solver, sampled

GAME = "holdem.limit.2p.reverse_blinds"
BUCKETS = "p10,p10,p10"
SEED = 1
HOLDINGS = {1081: 4, 150: 24, 40: 64}
"""Holdings in play on a board, and boards of an iteration."""


def some(tables: BucketTables, holdings: int, draw: np.random.Generator, board: NDArray[np.uint8]) -> Deal:
    """A board with some of its holdings in play, the same for both players."""
    dealt = np.zeros(1326, np.bool_)
    dealt[draw.choice(np.flatnonzero(~blocked_by(board.tolist())), holdings, replace=False)] = True
    return Deal(board, tables.buckets(board), dealt)


def sampling(tables: BucketTables, holdings: int) -> Solver:
    """A solver with this number of holdings a board, before its first iteration."""
    boards, made = HOLDINGS[holdings], partial(some, tables, holdings, np.random.default_rng(SEED))
    tree, counts = betting_tree(Variant.load(GAME)), tables.abstraction.counts
    settings = Settings(SEED, boards=boards)
    return Solver(tree, counts, lambda number: sampled(SEED, 0, number, boards, made), settings, 1 / holdings)


def solved(tables: BucketTables, holdings: int, seconds: float) -> tuple[Solver, float]:
    """A solver after its time, and the time."""
    solver = sampling(tables, holdings)
    began = process_time()
    while process_time() - began < seconds:
        solver.iterate()
    return solver, process_time() - began


def measuring(tables: BucketTables) -> ResponseBoards:
    """40 boards on which best responses are chosen, and 60 on which they are valued."""
    whole = partial(deal, tables)
    return ResponseBoards(sampled(SEED, 1, 0, 40, whole), sampled(SEED, 2, 0, 60, whole))


def main(seconds: float) -> None:
    """Solve with each number of holdings, and print a line of it."""
    tables = bucket_tables(parse_buckets(BUCKETS, SEED), None)
    measured = measuring(tables)
    for holdings, boards in HOLDINGS.items():
        solver, spent = solved(tables, holdings, seconds)
        lost, walked = (
            exploitability(Walks(solver.betting), solver.policy(), measured),
            boards * solver.iterations,
        )
        print(
            f"{holdings} holdings: {500 * spent / walked:.2f} ms, {walked} boards, a best response wins "
            f"{100 * lost.lower:.0f} +-{100 * lost.half_width:.0f} mbb/h, "
            f"{100 * lost.upper:.0f} on the boards that it was chosen on",
            flush=True,
        )


if __name__ == "__main__":
    main(float(sys.argv[1]))
