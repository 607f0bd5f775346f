"""A run of no-limit: the deals that its solver samples, and what its strategy loses."""

from baycarp.game import Variant
from baycarp.solvers.buckets.tables import BucketTables, Tick
from baycarp.solvers.loss import Loss
from baycarp.solvers.nolimit.betting import nolimit_betting
from baycarp.solvers.nolimit.deals import dealer
from baycarp.solvers.nolimit.response import Responses, loss
from baycarp.solvers.nolimit.solver import NoLimitSettings, NoLimitSolver
from baycarp.solvers.plan import SolvePlan

__all__ = ["NoLimitRun"]

LEARNED, VALUED = 1_000_000, 2000
"""Iterations that each responder learns, and deals that the responders are valued on."""


class NoLimitRun:
    """A solver of a plan, before its first iteration.

    Parameters
    ----------
    plan
        What is solved.
    tables
        The buckets of its abstraction.
    opponent
        None: both players have the same buckets.
    """

    is_measured_on_the_way = False

    def __init__(self, plan: SolvePlan, tables: BucketTables, opponent: BucketTables | None = None) -> None:
        assert isinstance(plan.settings, NoLimitSettings)
        self._seed = plan.settings.seed
        self._deals = dealer(tables)
        betting = nolimit_betting(Variant.load(plan.game))
        self.solver = NoLimitSolver(betting, self._deals.counts, self._deals.deals, plan.settings)

    def loss(self, workers: int, tick: Tick, on_the_way: bool) -> Loss:
        """What the average strategy loses to players that learn against it, in big blinds a hand."""
        responses = Responses(self._seed + 1, LEARNED, VALUED)
        sampling, policy = self.solver.sampling, self.solver.policy()
        return loss(
            sampling,
            policy,
            self._deals.deals,
            responses,
            lambda done: tick("responses", done, 2 * LEARNED),
        )
