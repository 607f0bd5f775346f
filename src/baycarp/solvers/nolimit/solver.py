"""External sampling over a betting tree and sampled deals: iterations, and what a run continues from.

An iteration is one deal, which is walked once for each player. It learns from the one before, so that one
thread does them all.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ArgumentError
from baycarp.kernels.arguments import MOST_INT64, MOST_SEED, whole
from baycarp.kernels.mccfr import Sampling
from baycarp.solvers.nolimit.betting import NoLimitBetting

__all__ = ["Cells", "Deals", "NoLimitSettings", "NoLimitSolver"]

Cells: TypeAlias = NDArray[np.float32]
"""A number for each cell of ``Sampling``."""

Deals: TypeAlias = Callable[[int, int, int], NDArray[Any]]
"""From a seed, a first number and a count to so many deals: ``Dealer.deals``."""

BATCH = 256
"""Deals of one call of the kernel."""


@dataclass(frozen=True, slots=True)
class NoLimitSettings:
    """What a run is, beside its abstraction.

    Parameters
    ----------
    seed
        Of deals and walks.
    step
        Iterations of one weight, at least 1; the weight grows by 1 from step to step (linear).
    """

    seed: int = 1
    step: int = 1000

    def __post_init__(self) -> None:
        whole(self.seed, "seed", 0, MOST_SEED)
        whole(self.step, "step", 1, MOST_INT64)


class NoLimitSolver:
    """A solver at work.

    Parameters
    ----------
    tree
        The betting.
    counts
        Buckets by street.
    deals
        The deals of the iterations.
    settings
        What a run is.

    Memory: two tables of ``Sampling.cells`` float32.
    """

    batch = BATCH
    """Iterations between two looks at the clock."""

    def __init__(
        self,
        tree: NoLimitBetting,
        counts: Sequence[int],
        deals: Deals,
        settings: NoLimitSettings | None = None,
    ) -> None:
        self.sampling = Sampling(tree, counts)
        self.settings = settings or NoLimitSettings()
        self.iterations = 0
        self._deals = deals
        self.regret = np.zeros(self.sampling.cells, np.float32)
        self.average = np.zeros(self.sampling.cells, np.float32)

    @property
    def sums(self) -> tuple[Cells, Cells]:
        """The regrets and averages, which a run continues from."""
        return self.regret, self.average

    def restore(self, iterations: int, regret: Cells, average: Cells) -> None:
        """Continue from the tables of a run after its iterations.

        Raises
        ------
        ArgumentError
            Tables of another size.
        """
        if regret.shape != average.shape or regret.shape != self.regret.shape:
            raise ArgumentError(f"tables of {regret.shape}: expected {self.sampling.cells} cells")
        self.iterations = iterations
        self.regret = regret.copy()
        self.average = average.copy()

    def iterate(self, count: int = BATCH, workers: int = 1) -> None:
        """Do some iterations in one thread; after an interruption ``iterations`` is that of the tables."""
        deals = self._deals(self.settings.seed, self.iterations, count)
        try:
            self.sampling.learn(deals, self.iterations, self.regret, self.average, self.settings)
        finally:
            self.iterations += self.sampling.done

    def policy(self) -> Cells:
        """The average strategy by cell; where it never goes, the strategy of the regrets."""
        made: Cells = self.sampling.policy(self.average, self.regret)
        return made
