"""A run of fixed limit: the boards that its solver walks, and what its strategy loses."""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from baycarp.game import Variant
from baycarp.kernels.cfr import Deal
from baycarp.solvers.buckets.tables import BucketTables, Tick
from baycarp.solvers.limit.against_best import AgainstBest
from baycarp.solvers.limit.betting import limit_betting
from baycarp.solvers.limit.pooling import shares_of
from baycarp.solvers.limit.response import Walks, exploitability
from baycarp.solvers.limit.solver import Boards, LimitSettings, LimitSolver, sampled
from baycarp.solvers.loss import Loss
from baycarp.solvers.plan import SolvePlan

__all__ = ["LimitRun", "deal"]

BOARDS = 200
"""Boards that a best response is chosen on, and those that it is valued on."""

ON_THE_WAY = 40
"""The same on the way, for a fifth of the time."""


def deal(tables: BucketTables, board: NDArray[np.uint8]) -> Deal:
    """A board with its buckets."""
    return Deal(board, tables.buckets(board))


def _deal_apart(tables: BucketTables, opponent: BucketTables, learner: int, board: NDArray[np.uint8]) -> Deal:
    own, other = tables.buckets(board), opponent.buckets(board)
    return Deal(board, other, other=own) if learner else Deal(board, own, other=other)


class LimitRun:
    """A solver of a plan, before its first iteration.

    Parameters
    ----------
    plan
        What is solved.
    tables, opponent
        The buckets of its abstractions; the second where the opponent has its own.
    """

    is_measured_on_the_way = True

    def __init__(self, plan: SolvePlan, tables: BucketTables, opponent: BucketTables | None = None) -> None:
        assert isinstance(plan.settings, LimitSettings)
        self._big_blind = Variant.load(plan.game).big_blind
        self._seed = plan.settings.seed
        self._tables = tables
        betting, counts = limit_betting(Variant.load(plan.game)), plan.abstraction.counts
        self.solver: LimitSolver | AgainstBest
        if opponent is None or plan.opponent is None:
            boards = self._boards(plan.settings.boards, partial(deal, tables))
            self.solver = LimitSolver(betting, counts, boards, plan.settings)
            self.solver.shares = (shares_of(plan.abstraction), shares_of(plan.abstraction))
        else:
            one, other = (
                self._boards(plan.settings.boards, partial(_deal_apart, tables, opponent, learner))
                for learner in (0, 1)
            )
            self.solver = AgainstBest(betting, counts, plan.opponent.counts, (one, other), plan.settings)
            both = shares_of(plan.abstraction), shares_of(plan.opponent)
            self.solver.solvers[0].shares, self.solver.solvers[1].shares = both, both[::-1]

    def _boards(self, number: int, made: Callable[[NDArray[np.uint8]], Deal]) -> Boards:
        return lambda iteration: sampled(self._seed, 0, iteration, number, made)

    def loss(self, workers: int, tick: Tick, on_the_way: bool) -> Loss:
        """What the average strategy loses now, in big blinds a hand; on the way by fewer boards."""
        number = min(ON_THE_WAY, BOARDS) if on_the_way else BOARDS
        made = partial(deal, self._tables)
        chosen, valued = (sampled(self._seed, stream, 0, number, made) for stream in (1, 2))
        walks = Walks(self.solver.betting, self.solver.share, workers)
        return exploitability(walks, self.solver.policy(), chosen, valued).scaled(self._big_blind)
