"""What a local best response wins from the arms heads-up: an arm can lose that much, at least.

The same as ``baycarp exploit AGENT --hands 600 --holdings 40`` of each arm, all in one journal.
"""

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.journal import Journal, Recorded
from baycarp.arena.workers import Workers, in_order
from baycarp.errors import JournalError
from baycarp.responses.bounds import Bound
from baycarp.responses.local_run import DEALS, LocalPlan, local_bound, play_unit
from baycarp.responses.luck import PARTS
from experiments.couplings.budget import counted
from experiments.couplings.study import CouplingStudy

__all__ = ["HANDS", "HOLDINGS", "JOURNAL", "LocalResponses", "local_bounds"]

HANDS = 600
"""Of each arm, at most."""

HOLDINGS = 40
"""Of the responder's belief."""

JOURNAL = "local.journal"

UNIT = 2 * DEALS
"""Hands of a unit of work."""

ArmUnit: TypeAlias = tuple[str, int]
"""An arm by its settings, as in ``CouplingStudy.matches``, and the number of a unit."""


@dataclass(frozen=True, slots=True)
class LocalResponses:
    """The hands of the responder that are to be played with each arm, while the budget lasts.

    Parameters
    ----------
    study
        Of two seats; its models must exist.
    share
        Of ``HANDS``, 0..1.
    hours
        That the table may have spent in all.
    """

    study: CouplingStudy
    share: float
    hours: float

    @property
    def units(self) -> tuple[str, int]:
        """The hands, at most."""
        return "hands of the local best response", UNIT * len(self._units())

    def _units(self) -> list[ArmUnit]:
        """Unit by unit all arms, so that a spent budget leaves them alike."""
        count = max(1, -(-int(self.share * HANDS) // UNIT))
        return [(arm, number) for number, arm in product(range(count), self.study.matches())]

    def run(self, workers: Workers, tick: Callable[[int], None]) -> None:
        """Play what the journal lacks, until the budget is spent."""
        units, folder = self._units(), self.study.folder
        with counted(folder, self.hours) as enough, Journal(folder / JOURNAL, _header(self.study)) as journal:
            missing = [unit for unit in units if unit not in journal.records]
            tick(UNIT * (len(units) - len(missing)))
            if enough():
                return
            with closing(in_order(partial(_play, _plans(self.study)), missing, workers)) as found:
                for left, (unit, record) in enumerate(found, 1 - len(missing)):
                    journal.append(unit, record)
                    tick(UNIT * (len(units) + left))
                    if enough():
                        return


def _plans(study: CouplingStudy) -> dict[str, LocalPlan]:
    """Each arm as an agent that is met."""
    return {
        arm: LocalPlan(spec, match.table.variant.name, HANDS, study.seed, HOLDINGS)
        for spec, (arm, match) in zip(study.arms().values(), study.matches().items(), strict=True)
    }


def _header(study: CouplingStudy) -> dict[str, object]:
    """The owner of the journal."""
    return study.header() | {"kind": "local best response", "holdings": HOLDINGS}


def _play(plans: Mapping[str, LocalPlan], unit: ArmUnit) -> dict[str, Any]:
    arm, number = unit
    return play_unit(plans[arm], number)


def local_bounds(study: CouplingStudy) -> dict[str, Bound]:
    """What the journal of a table holds, by the name of the arm."""
    path = study.folder / JOURNAL
    if not path.exists():
        return {}
    records = Recorded.of(path, _header(study)).records
    bounds = {}
    for name, (arm, match) in zip(study.arms(), study.matches().items(), strict=True):
        hands = [_hands(path, record) for unit, record in records.items() if unit[0] == arm]
        if hands:
            bounds[name] = local_bound(match.table.variant, np.concatenate(hands))
    return bounds


def _hands(path: Path, record: Mapping[str, Any]) -> NDArray[np.float64]:
    """The results of a unit's deals in both positions, and their luck."""
    try:
        hands = np.array(record["hands"], np.float64).reshape(DEALS, 2, 1 + PARTS)
    except (KeyError, TypeError, ValueError) as error:
        raise JournalError(f"{path}: expected the results of {DEALS} deals") from error
    if not np.isfinite(hands).all():
        raise JournalError(f"{path}: expected finite results")
    return hands
