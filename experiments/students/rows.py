"""The rows of students: their records, journalled, and what follows from them. Sizes and seeds are fixed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import hypot
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.plugins import source_digest
from baycarp.agents.registry import DEFAULT, identity
from baycarp.api.exploit import GAME
from baycarp.arena.journal import Journal, Recorded
from baycarp.arena.measure import Rate, interval
from baycarp.arena.workers import Workers
from baycarp.errors import JournalError
from baycarp.game import Variant
from baycarp.responses.journalled import complete
from experiments.students.lessons import ARMS, VOTE, lesson, planted
from experiments.students.mistakes import MISTAKES, player
from experiments.students.student import Student

__all__ = ["HANDS", "STUDENTS", "GroupPlan", "GroupResult", "mean_of"]

STUDENTS = 20
"""Of a mistake."""

HANDS = 500
"""Of the session that is reviewed."""

DEALS = 250
"""Of a measurement at a table, each in both positions."""

PLAYOUTS = 100
"""Of the coach's valuation of a decision."""

SEED = 4401

JOURNAL = "students.journal"

COACH = ("valuation", "themes", "findings", "review")
"""The modules of the coach that a record depends on."""


@dataclass(frozen=True, slots=True)
class GroupResult:
    """What students with one mistake gained.

    Parameters
    ----------
    students
        Their number.
    named, others
        Students of which the planted theme was named, and another one.
    remarks, spots
        Of a session, in the mean.
    gains
        By table and arm: small bets a hand more than without advice, over students.
    """

    students: int
    named: int
    others: int
    remarks: float
    spots: float
    gains: Sequence[Mapping[str, Rate]]

    @classmethod
    def of(cls, mistake: str, records: Sequence[Mapping[str, Any]]) -> "GroupResult":
        """From the records of the students.

        Raises
        ------
        KeyError, TypeError, ValueError
            A record that is none of a student.
        """
        theme = planted(mistake)
        named = [set(each["named"]) for each in records]
        return cls(
            len(records),
            sum(bool(each & theme) for each in named),
            sum(bool(each - theme) for each in named),
            float(np.mean([each["remarks"] for each in records])),
            float(np.mean([each["spots"] for each in records])),
            tuple(
                {arm: interval(_gains(records, table, arm), unit="sb/h") for arm in ARMS} for table in (0, 1)
            ),
        )

    def to_dict(self) -> dict[str, Any]:
        """The same as JSON values."""
        gains = [{arm: rate.to_dict() for arm, rate in table.items()} for table in self.gains]
        counts = {"students": self.students, "named": self.named, "others": self.others}
        return counts | {"remarks": self.remarks, "spots": self.spots, "gains": gains}


def mean_of(rates: Sequence[Rate]) -> Rate:
    """The mean of independent gains, each counting the same."""
    count = len(rates)
    margin = hypot(*(rate.margin for rate in rates)) / count
    return Rate(sum(rate.mean for rate in rates) / count, margin, sum(rate.n for rate in rates), "sb/h")


def _gains(records: Sequence[Mapping[str, Any]], table: int, arm: str) -> NDArray[np.float64]:
    return np.array([float(each["won"][table][arm]) - float(each["won"][table]["none"]) for each in records])


@dataclass(frozen=True, slots=True)
class GroupPlan:
    """Students with one mistake.

    Parameters
    ----------
    mistake
        A name of ``MISTAKES``; "" = none.
    students
        Their number.
    hands, deals, playouts
        As of ``lessons.lesson``.
    """

    mistake: str
    students: int = STUDENTS
    hands: int = HANDS
    deals: int = DEALS
    playouts: int = PLAYOUTS

    @property
    def units(self) -> tuple[str, int]:
        """What is counted by ``tick``, and the number."""
        return "students", self.students

    @property
    def header(self) -> dict[str, Any]:
        """The header of the journal; it does not depend on the number of students."""
        game = Variant.load(GAME)
        players = [player(self.mistake), VOTE, DEFAULT]
        return {
            "kind": "students",
            "players": [identity(spec, game) for spec in players],
            "student": source_digest(f"{Student.__module__}:{Student.__name__}"),
            "coach": [source_digest(f"baycarp.coach.{module}:{module}") for module in COACH],
            "mistake": repr(MISTAKES.get(self.mistake)),
            "hands": self.hands,
            "deals": self.deals,
            "playouts": self.playouts,
            "seed": SEED,
        }

    def run(self, folder: Path, workers: Workers, tick: Callable[[int], None]) -> GroupResult:
        """Teach the students that the journal in a folder lacks, and sum up all."""
        units = range(self.students)
        work = partial(_taught, self)
        with Journal(folder / JOURNAL, self.header) as journal:
            complete(journal, units, _key, work, workers, tick)
            return self._summed(journal.path, [journal.records[(unit,)] for unit in units])

    def kept(self, folder: Path) -> GroupResult | None:
        """Sum up the students in the journal of a folder, which may grow meanwhile; None = none."""
        path = folder / JOURNAL
        records = Recorded.of(path, self.header).records.values() if path.exists() else ()
        return self._summed(path, [*records]) if records else None

    def _summed(self, path: Path, records: Sequence[Mapping[str, Any]]) -> GroupResult:
        try:
            return GroupResult.of(self.mistake, records)
        except (KeyError, TypeError, ValueError) as error:
            raise JournalError(f"{path}: expected records of students") from error


def _key(unit: int) -> tuple[int]:
    return (unit,)


def _taught(plan: GroupPlan, unit: int) -> dict[str, Any]:
    return lesson(SEED, plan.hands, plan.deals, plan.playouts, (plan.mistake, unit))
