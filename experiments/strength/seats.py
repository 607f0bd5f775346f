"""An agent and its rivals in one seat, each against the same players on the same decks."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from baycarp.api.settings import SeriesPlan
from baycarp.arena.measure import interval
from baycarp.arena.names import named
from baycarp.arena.scores import Scores
from baycarp.arena.series import arms
from baycarp.arena.session import HANDS, Table
from baycarp.arena.workers import Workers
from baycarp.budget import Budget
from baycarp.game.variant import Variant
from experiments.strength.line import Line

__all__ = ["ESTIMATOR", "HERO", "SeatPlan", "SeatRow"]

HERO = "the arm"
"""The name of the seat's players, so that none can be distinguished by name."""

ESTIMATOR = "control"
"""It judges all matches."""


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One seat at one table.

    Parameters
    ----------
    name
        Of the row.
    others
        The other players, or the name of a table.
    deals
        Each is played in all seatings.
    seed
        Of cards and draws.
    beside
        The rivals, which take the same seat.
    game
        By name; "" = fixed limit with as many seats as there are players.
    session
        Deals of a session: agents begin each without experience.
    edges
        Hands of a session before which a part begins that has a line of its own.
    milliseconds
        Of every decision; None = the agents' own work.
    """

    name: str
    others: tuple[str, ...]
    deals: int
    seed: int
    beside: tuple[str, ...] = ()
    game: str = ""
    session: int = HANDS
    edges: tuple[int, ...] = (0,)
    milliseconds: int | None = None

    def plan(self, agent: str, share: float) -> "SeatPlan":
        """The matches of an agent and the rivals, with a share of the deals, 0..1."""
        others, specs = named(self.others)
        game = Variant.load(self.game) if self.game else Variant.ring(1 + len(others))
        budget = Budget(time=self.milliseconds / 1000) if self.milliseconds else None
        table = Table(game, (HERO, *others), (agent, *specs), self.seed, budget, estimators=(ESTIMATOR,))
        series = arms(table, (agent, *self.beside), self.session)
        return SeatPlan(series, max(2, round(share * self.deals)), self)


@dataclass(frozen=True, slots=True)
class SeatPlan(SeriesPlan[tuple[Line, ...]]):
    """The deals of a row that are to be played."""

    row: SeatRow

    def run(self, folder: Path, workers: Workers, tick: Callable[[int], None]) -> tuple[Line, ...]:
        """Play what the journal in a folder lacks, and compare the agent with the best rival by part."""
        scored = self.series.scores(self.play(folder, workers, tick))
        number = np.arange(self.deals) % self.row.session
        ends = [edge for edge in self.row.edges if edge < self.deals] + [self.row.session]
        parts = [(f"{a + 1} to {b}", (a <= number) & (number < b)) for a, b in pairwise(ends)]
        if len(parts) == 1:
            parts = [("all", number >= 0)]
        return tuple(self._line(part, which, scored) for part, which in parts)

    def _line(self, part: str, which: NDArray[np.bool_], scored: Sequence[Scores]) -> Line:
        seats, unit = scored[0].seatings, scored[0].unit
        won = [each.won(HERO, ESTIMATOR)[which] for each in scored]
        own, *rivals = (interval(each, seats, unit) for each in won)
        digits = 3 if unit == "sb/h" else 0
        if not rivals:
            return Line(part, own, digits=digits)
        best = int(np.argmax([rate.mean for rate in rivals]))
        more = interval(won[0] - won[1 + best], seats, unit)
        return Line(part, own, self.row.beside[best], rivals[best], more, digits)
