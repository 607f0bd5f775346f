"""A strategy that is solved for each position apart, against an opponent that sees more than it.

CFR lets both players see the same buckets, and its strategy fits that opponent. Here the opponent has buckets
of its own, which may be finer, and plays best responses on the river, holding by holding: so the strategy
approaches the one of the abstraction that loses least in the real game. Sources: Johanson, Bard, Burch and
Bowling (2012), CFR-BR; Bard, Johanson and Bowling (2014), players with different abstractions. Our choice:
the best response begins on the river, where it costs no more than a walk; the sources' begins earlier.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from baycarp.errors import ArgumentError
from baycarp.kernels.cfr import Betting
from baycarp.solvers.limit.betting import LimitBetting, by_node
from baycarp.solvers.limit.solver import Boards, Cells, LimitSettings, LimitSolver

__all__ = ["AgainstBest"]


class AgainstBest:
    """Two solvers at work, one for each position.

    Parameters
    ----------
    tree
        The betting.
    buckets
        The strategy's buckets by street.
    opponent
        Those of its opponent; on the last street it needs none.
    boards
        The boards of each iteration, by learner: its deals have the learner's buckets and the opponent's.
    settings
        What a run is.
    """

    batch = LimitSolver.batch

    def __init__(
        self,
        tree: LimitBetting,
        buckets: Sequence[int],
        opponent: Sequence[int],
        boards: tuple[Boards, Boards],
        settings: LimitSettings,
    ) -> None:
        self.betting = Betting(tree.streets, buckets)
        self._tree = tree
        one = list(zip(buckets, opponent, strict=True))
        other = list(zip(opponent, buckets, strict=True))
        self.solvers = (
            LimitSolver(tree, one, boards[0], settings, learner=0),
            LimitSolver(tree, other, boards[1], settings, learner=1),
        )

    @property
    def iterations(self) -> int:
        """Iterations of both."""
        return self.solvers[0].iterations

    @property
    def share(self) -> float:
        """See ``LimitSolver``."""
        return self.solvers[0].share

    @property
    def sums(self) -> tuple[Cells, Cells]:
        """The regrets and averages of both, which a run continues from."""
        regrets, averages = zip(*(solver.sums for solver in self.solvers), strict=True)
        return np.concatenate(regrets), np.concatenate(averages)

    def restore(self, iterations: int, regret: Cells, average: Cells) -> None:
        """Continue from the sums of a run after its iterations.

        Raises
        ------
        ArgumentError
            Tables of another size.
        """
        sizes = np.cumsum([0, *(solver.betting.cells for solver in self.solvers)]).tolist()
        if regret.shape != average.shape or regret.shape != (sizes[-1],):
            raise ArgumentError(f"tables of {regret.shape}: expected {sizes[-1]} cells")
        for solver, (first, end) in zip(self.solvers, pairwise(sizes), strict=True):
            solver.restore(iterations, regret[first:end], average[first:end])

    def iterate(self, count: int = 1, workers: int = 1) -> None:
        """Do some iterations of both."""
        for solver in self.solvers:
            solver.iterate(count, workers)

    def policy(self) -> Cells:
        """The average strategy: each position's own, by cell of the strategy's buckets."""
        tables = [dict(by_node(solver.betting, self._tree, solver.policy())) for solver in self.solvers]
        made = np.zeros(self.betting.cells, np.float32)
        for (street, node), cells in by_node(self.betting, self._tree, made):
            cells[:] = tables[self._tree.streets[street].actors[node]][street, node]
        return made
