"""Public chance sampling over an abstraction: iterations, their weights, and what a run continues from.

An iteration deals some boards and walks all betting on each of them once for each player. Its boards are in
two parts with sums of their own, which are added in order: one or two threads give the same numbers.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ArgumentError
from baycarp.kernels.arguments import MOST_INT64, MOST_SEED, seeded, whole
from baycarp.kernels.cfr import Betting, Deal
from baycarp.solvers.limit.betting import LimitBetting
from baycarp.solvers.limit.pooling import POOLED, Shares, pool

__all__ = ["Boards", "Cells", "LimitSettings", "LimitSolver", "Tables", "linear_step", "sampled"]

Cells: TypeAlias = NDArray[np.float32]
"""A number for each cell of ``Betting``."""

Step: TypeAlias = tuple[float, float, float, float]
"""Discounts of negative and of other regrets; the share of the averages kept, and the weight of new ones."""

Boards: TypeAlias = Callable[[int], Sequence[Deal]]
"""The boards of an iteration, by its number from 1 on."""

PARTS = 2

NO_TEXTURES: Shares = (None, None, None, None)


def linear_step(number: int) -> Step:
    """The step of an iteration of linear CFR (Brown and Sandholm 2019), numbered from 1 on."""
    kept = (number - 1) / number
    discount = number / (number + 1)
    return discount, discount, kept, 1.0


@dataclass(frozen=True, slots=True)
class LimitSettings:
    """What a run is, beside its abstraction.

    Parameters
    ----------
    seed
        Of the boards.
    boards
        Boards of an iteration, at least 1.
    """

    seed: int = 1
    boards: int = 16

    def __post_init__(self) -> None:
        whole(self.seed, "seed", 0, MOST_SEED)
        whole(self.boards, "boards", 1, MOST_INT64)


@dataclass(slots=True)
class Tables:
    """What a run continues from, and the strategy that its regrets give."""

    regret: Cells
    average: Cells
    strategy: Cells


class LimitSolver:
    """A solver at work.

    Parameters
    ----------
    tree
        The betting.
    buckets
        Buckets by street: a number, or one for each player.
    boards
        The boards of each iteration.
    settings
        What a run is.
    share
        The weight of one opposing holding: 1 / 990 makes values means over the opponent's holdings.
    learner
        The player whose strategy is wanted: on the last street the other one plays a best response to it,
        for each holding on each board (CFR-BR: Johanson, Bard, Burch and Bowling 2012). None = both learn.

    Memory: seven tables of ``cells`` float32, and for each thread ``Betting.scratch``.
    """

    batch = 1
    """Iterations between two looks at the clock."""

    shares: tuple[Shares, Shares] = NO_TEXTURES, NO_TEXTURES
    """Of the textures in each player's buckets, which are pooled after ``POOLED`` iterations."""

    def __init__(
        self,
        tree: LimitBetting,
        buckets: Sequence[int | tuple[int, int]],
        boards: Boards,
        settings: LimitSettings | None = None,
        share: float = 1 / 990,
        learner: int | None = None,
    ) -> None:
        self.betting = Betting(tree.streets, buckets)
        self._tree = tree
        self.settings = settings or LimitSettings()
        self.share = share
        self.learner = learner
        self.iterations = 0
        self._boards = boards
        self._sums = [(self._cells(), self._cells()) for _ in range(PARTS)]
        self._scratch = [self.betting.scratch() for _ in range(PARTS)]
        self.tables = Tables(self._cells(), self._cells(), self.betting.policy(self._cells()))

    def _cells(self) -> Cells:
        return np.zeros(self.betting.cells, np.float32)

    @property
    def sums(self) -> tuple[Cells, Cells]:
        """The regrets and averages, which a run continues from."""
        return self.tables.regret, self.tables.average

    def restore(self, iterations: int, regret: Cells, average: Cells) -> None:
        """Continue from the tables of a run after its iterations.

        Raises
        ------
        ArgumentError
            Tables of another size.
        """
        if regret.shape != average.shape or regret.shape != (self.betting.cells,):
            raise ArgumentError(f"tables of {regret.shape}: expected {self.betting.cells} cells")
        self.iterations = iterations
        own = regret.copy()
        self.tables = Tables(own, average.copy(), self.betting.policy(own))

    def iterate(self, count: int = 1, workers: int = 1) -> None:
        """Do some iterations: each player's walks over its boards, and a step of learning after them."""
        for _ in range(count):
            self._iterate(workers)

    def _iterate(self, workers: int) -> None:
        deals = self._boards(self.iterations + 1)
        step = linear_step(self.iterations + 1)
        choices = None if self.learner is None else [self.betting.choices(deal) for deal in deals]
        for hero in (0, 1) if self.learner is None else (1 - self.learner, self.learner):
            self._walk(hero, deals, choices, workers)
            (change, reached), *others = self._sums
            for more, also in others:
                change += more
                reached += also
            self.betting.learn(hero, step, change, reached, self.tables)
        self.iterations += 1
        if self.iterations == POOLED:
            for table in self.sums:
                pool(self.betting, self._tree, self.shares, table)
            self.restore(self.iterations, *self.sums)

    def _walk(
        self, hero: int, deals: Sequence[Deal], choices: Sequence[NDArray[np.int8]] | None, workers: int
    ) -> None:
        use = "replay" if hero == self.learner else "record"

        def walk(part: int) -> None:
            change, reached = self._sums[part]
            change[:], reached[:] = 0, 0
            memory = self._scratch[part]
            for number in range(part, len(deals), PARTS):
                chosen = {use: choices[number]} if choices is not None else {}
                self.betting.visit(
                    deals[number], hero, self.share, self.tables.strategy, memory, change, reached, **chosen
                )

        in_parts(walk, workers)

    def policy(self) -> Cells:
        """The average strategy: the probability of each action, by cell."""
        made: Cells = self.betting.policy(self.tables.average)
        return made


def in_parts(work: Callable[[int], object], workers: int) -> None:
    """Do the parts of some work, in as many threads as there are workers."""
    if workers < 2:
        for part in range(PARTS):
            work(part)
        return
    with ThreadPoolExecutor(min(workers, PARTS)) as pool:
        list(pool.map(work, range(PARTS)))


def sampled(
    seed: int, stream: int, number: int, boards: int, deal: Callable[[NDArray[np.uint8]], Deal]
) -> list[Deal]:
    """Boards drawn from the whole deck: the same for the same seed, stream and number."""
    draw = seeded(seed, stream, number)
    return [deal(draw.permutation(52)[:5].astype(np.uint8)) for _ in range(boards)]
