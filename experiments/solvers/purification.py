"""What a solved strategy gains by leaving out its rare actions, after each of some numbers of iterations.

    python experiments/solvers/purification.py ITERATIONS...

One run of ``limit_sampling.py`` with 40 holdings a board. Printed: the exploitability inside the abstraction,
and what the strategy with a threshold of 0.2 and of 1 (purified) wins from itself without one, exactly on 200
boards.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from baycarp.solvers.limit.solution import Solution, save_solution

from baycarp.game import Variant
from baycarp.solvers.buckets.abstraction import parse_buckets
from baycarp.solvers.buckets.tables import bucket_tables
from baycarp.solvers.limit.betting import betting_tree
from baycarp.solvers.limit.response import Walks, exploitability
from experiments.cases.versus import boards, rates, winnings_on
from experiments.solvers.limit_sampling import BUCKETS, GAME, SEED, measuring, sampling

HOLDINGS = 40
THRESHOLDS = (0.2, 1.0)
BOARDS = boards(200, 17)


def main(iterations: list[int]) -> None:
    """Solve, and print a line for each number of iterations."""
    tables = bucket_tables(parse_buckets(BUCKETS, SEED), None)
    measured, solver = measuring(tables), sampling(tables, HOLDINGS)
    for number in sorted(iterations):
        while solver.iterations < number:
            solver.iterate()
        policy = solver.policy()
        lost = exploitability(Walks(solver.betting), policy, measured)
        with TemporaryDirectory() as folder:
            path = Path(folder) / "solution.npz"
            tree = betting_tree(Variant.load(GAME))
            save_solution(Solution.of(tree, tables.abstraction, policy, {}), path)
            specs = [f"equilibrium(strategy={str(path)!r}, threshold={each})" for each in (0.0, *THRESHOLDS)]
            won = rates(winnings_on(specs[1:], specs[0], BOARDS, GAME))
        won_by = ", ".join(f"{each:.1f}: {rate.cell(4)}" for each, rate in zip(THRESHOLDS, won, strict=True))
        print(
            f"{number} iterations: a best response wins {100 * lost.lower:.0f} +-{100 * lost.half_width:.0f} "
            f"mbb/h, {100 * lost.upper:.0f} on the boards that it was chosen on; thresholds win {won_by}",
            flush=True,
        )


if __name__ == "__main__":
    main([int(each) for each in sys.argv[1:]])
