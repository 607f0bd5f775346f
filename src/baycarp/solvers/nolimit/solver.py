"""External sampling over a betting tree and sampled deals: iterations, and what a run continues from.

An iteration is one deal, which is walked once for each player. It learns from the one before, so that one
thread does them all.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ArgumentError
from baycarp.kernels.arguments import MOST_INT64, MOST_SEED, whole
from baycarp.kernels.mccfr import Sampling
from baycarp.solvers.nolimit.betting import BettingTree

__all__ = ["Cells", "Deals", "Settings", "Solver"]

Cells: TypeAlias = NDArray[np.float32]
"""A number for each cell of ``Sampling``."""

Deals: TypeAlias = Callable[[int, int, int], NDArray[Any]]
"""From a seed, a first number and a count to so many deals: ``Dealer.deals``."""

BATCH = 256
"""Deals of one call of the kernel."""


@dataclass(frozen=True, slots=True)
class Settings:
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

    def to_dict(self) -> dict[str, Any]:
        """The settings as JSON values."""
        return asdict(self)


class Solver:
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

    def __init__(
        self, tree: BettingTree, counts: Sequence[int], deals: Deals, settings: Settings | None = None
    ) -> None:
        self.sampling = Sampling(tree, counts)
        self.settings, self.iterations = settings or Settings(), 0
        self._deals = deals
        self.regret, self.average = (np.zeros(self.sampling.cells, np.float32) for _ in range(2))

    def restore(self, iterations: int, regret: Cells, average: Cells) -> None:
        """Continue from the tables of a run after its iterations.

        Raises
        ------
        ArgumentError
            Tables of another size.
        """
        if regret.shape != average.shape or regret.shape != self.regret.shape:
            raise ArgumentError(f"tables of {regret.shape}: expected {self.sampling.cells} cells")
        self.iterations, self.regret, self.average = iterations, regret.copy(), average.copy()

    def iterate(self, count: int = BATCH) -> None:
        """Do some iterations; after an interruption, ``iterations`` is the number that the tables have."""
        deals = self._deals(self.settings.seed, self.iterations, count)
        try:
            self.sampling.learn(deals, self.iterations, self.regret, self.average, self.settings)
        finally:
            self.iterations += self.sampling.done

    def policy(self) -> Cells:
        """The average strategy by cell; where it never goes, the strategy of the regrets."""
        made: Cells = self.sampling.policy(self.average, self.regret)
        return made
