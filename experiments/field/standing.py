"""Win rates of cells of unequal length, and the rankings over them.

A cell is judged by its whole sessions up to the first that is missing. A ranking needs all cells on the
same deals. So the deals of a shorter cell are spread: to the mean of the cell each of its n deals adds N / n
times its deviation, and the deals from n to N add nothing. The mean stays, and so does the variance of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from baycarp.api.tournament import TournamentResult
from baycarp.arena.measure import Rate, interval
from baycarp.arena.ranking import Results as Ranked
from baycarp.arena.run import Results
from baycarp.arena.scores import scores, unit_of
from baycarp.game import Variant
from experiments.field.plan import ESTIMATOR, FIELDS, Field
from experiments.field.play import FieldPlan

__all__ = ["Standing", "spread", "standings"]

RESAMPLES = 1000
"""Orders drawn by the bootstrap."""


def spread(cell: NDArray[np.float64], deals: int) -> NDArray[np.float64]:
    """The deals of a cell as so many, with the same mean and the same variance of it.

    Examples
    --------
    >>> spread(np.array([[1.0, -1.0], [3.0, -3.0]]), 4).T
    array([[ 0.,  4.,  2.,  2.],
           [ 0., -4., -2., -2.]])
    """
    mean = cell.mean(axis=0)
    found = np.tile(mean, (deals, 1))
    found[: len(cell)] += deals / len(cell) * (cell - mean)
    return found


@dataclass(frozen=True)
class Standing:
    """What a field has come to.

    Parameters
    ----------
    field
        Its plan.
    cells
        By the agents' numbers, the winnings on each deal; float64, shape (deals, seats), in ``unit``.
    """

    field: Field
    cells: Mapping[tuple[int, ...], NDArray[np.float64]]

    @property
    def unit(self) -> str:
        """Of all rates."""
        return unit_of(Variant.load(self.field.game))[0]

    @property
    def hands(self) -> list[int]:
        """Of each cell that has been played: its deals, in all seatings."""
        seatings = 2 if self.pairs else len(next(iter(self.cells), ()))
        return [seatings * len(cell) for cell in self.cells.values()]

    @property
    def pairs(self) -> bool:
        """Whether a cell is of two agents."""
        return len(self.field.games[0]) == 2

    @property
    def names(self) -> list[str]:
        """The agents that are ranked: heads-up those that have met all others of them."""
        return [[*self.field.agents][agent] for agent in self._pool]

    @cached_property
    def _pool(self) -> list[int]:
        pool = sorted({agent for cell in self.cells for agent in cell})
        while self.pairs and pool:
            met = {agent: sum(agent in cell for cell in self.cells if {*cell} <= {*pool}) for agent in pool}
            fewest = min(pool, key=lambda agent: (met[agent], -agent))
            if met[fewest] == len(pool) - 1:
                break
            pool.remove(fewest)
        return pool

    @cached_property
    def ranked(self) -> TournamentResult | None:
        """Total bankroll and instant run-off; None before the first cells have been played."""
        pool = self._pool
        inside = {cell: won for cell, won in self.cells.items() if {*cell} <= {*pool}}
        if not inside:
            return None
        deals = max(map(len, inside.values()))
        games = tuple(tuple(map(pool.index, cell)) for cell in inside)
        blocks = tuple(spread(won, deals) for won in inside.values())
        ranked = Ranked(tuple(self.names), games, blocks, self.unit, 1, ESTIMATOR)
        return TournamentResult.of(ranked, RESAMPLES, self.field.seed)

    def won(self, one: str, other: str) -> Rate | None:
        """What an agent wins from another heads-up; None where they have not met."""
        names = [*self.field.agents]
        first, second = names.index(one), names.index(other)
        pair = (min(first, second), max(first, second))
        if pair not in self.cells:
            return None
        return interval(self.cells[pair][:, pair.index(first)], 2, self.unit)


def standings(plan: FieldPlan, results: Results) -> list[Standing]:
    """The standing of every field."""
    whole = {(number, cell): won for (number, cell), won in _cells(plan, results).items() if len(won)}
    return [
        Standing(field, {field.games[cell]: won for (of, cell), won in whole.items() if of == number})
        for number, field in enumerate(FIELDS)
    ]


def _cells(plan: FieldPlan, results: Results) -> dict[tuple[int, int], NDArray[np.float64]]:
    """The winnings of each cell on each deal of its whole sessions, up to the first that is missing."""
    found = {}
    for (number, cell), match in plan.matches.items():
        units = (match.round(session) for session in plan.sessions(FIELDS[number]))
        rounds = ([(number, cell, *unit) for unit in each] for each in units)
        whole = [*takewhile(lambda each: all(unit in results for unit in each), rounds)]
        played = {unit[2:]: results[unit] for each in whole for unit in each}
        table = match.table
        found[number, cell] = scores(table.variant, table.players, played).blocks.get(ESTIMATOR, np.empty(0))
    return found
