"""What mistakes cost at a table, and the ceiling of what advice can gain there, on the same deals.

The cost is what the sound player wins more. The ceiling is what the adviser wins more: a student that copies
it everywhere.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from baycarp.agents.registry import DEFAULT
from baycarp.api.exploit import GAME
from baycarp.api.settings import SeriesPlan
from baycarp.arena.journal import Recorded
from baycarp.arena.measure import Rate, interval
from baycarp.arena.series import arms
from baycarp.arena.session import Table
from baycarp.arena.workers import THIS_PROCESS, Workers
from baycarp.game import Variant
from experiments.strength.seats import ESTIMATOR, HERO
from experiments.students.mistakes import BASE, FREE, MISTAKES, player

__all__ = ["Costs", "CostsPlan", "costs", "opponents"]

DEALS = 1_000
"""Each is played in both positions."""

SEED = 4400


@dataclass(frozen=True, slots=True)
class Costs:
    """What is won at a table, in small bets a hand.

    Parameters
    ----------
    adviser, sound
        Of the default agent and of the sound player.
    cost, ceiling
        By mistake, "" = none: what the sound player and the adviser win more.
    """

    adviser: Rate
    sound: Rate
    cost: Mapping[str, Rate]
    ceiling: Mapping[str, Rate]


@dataclass(frozen=True, slots=True)
class CostsPlan(SeriesPlan[Costs]):
    """The deals of a table that are to be played: by the adviser, the sound player, and with each mistake."""

    mistakes: tuple[str, ...]

    def kept(self, folder: Path) -> Costs | None:
        """Compare what the journal in a folder has; None where deals are missing."""
        path = folder / self.journal
        records = Recorded.of(path, self.header).records if path.exists() else {}
        wanted = chain.from_iterable(self.series.rounds(self.deals))
        return self.run(folder, THIS_PROCESS, lambda done: None) if records.keys() >= {*wanted} else None

    def run(self, folder: Path, workers: Workers, tick: Callable[[int], None]) -> Costs:
        """Play what the journal in a folder lacks, and compare."""
        scored = self.series.scores(self.play(folder, workers, tick))
        adviser, *others = (each.won(HERO, ESTIMATOR) for each in scored)
        by_name = dict(zip(self.mistakes, others, strict=True))
        sound = by_name[""]
        return Costs(
            interval(adviser, 2),
            interval(sound, 2),
            {name: interval(sound - won, 2) for name, won in by_name.items()},
            {name: interval(adviser - won, 2) for name, won in by_name.items()},
        )


def costs(opponent: str, share: float = 1.0) -> CostsPlan:
    """The hands that measure what mistakes cost against an opponent of theirs, by ``control``.

    Parameters
    ----------
    opponent
        The other player of the table.
    share
        Of the deals, 0..1.
    """
    names = ("", *(name for name, mistake in MISTAKES.items() if opponent in mistake.tables))
    table = Table(Variant.load(GAME), (HERO, "opponent"), (BASE, opponent), SEED, estimators=(ESTIMATOR,))
    series = arms(table, (DEFAULT, *map(player, names)))
    return CostsPlan(series, max(2, round(share * DEALS)), names)


def opponents() -> tuple[str, ...]:
    """Of all tables, each once."""
    found = (*FREE, *(opponent for mistake in MISTAKES.values() for opponent in mistake.tables))
    return tuple(dict.fromkeys(found))
