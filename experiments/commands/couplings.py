"""How should networks and cases be coupled: the arms of ``experiments.couplings.contrasts`` in one seat."""

import json
from argparse import Namespace
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import time
from typing import Any

import numpy as np

from baycarp.api.settings import Plan
from baycarp.arena.journal import Journal, Recorded
from baycarp.arena.run import Results
from baycarp.arena.run import run as play
from baycarp.arena.session import Played
from baycarp.arena.workers import Workers
from baycarp.cli.options import count, flag, folder, option, options, seconds
from baycarp.cli.output import as_json, console, grid
from baycarp.cli.progress import progress, stages
from baycarp.cli.runs import journalled, workers_of
from baycarp.files import read_json, write_whole
from baycarp.responses.bounds import Bound, to_dict
from experiments.couplings.beside import BASES, BITES, Beside, beside, changed
from experiments.couplings.budget import counted, part
from experiments.couplings.contrasts import ARMS, CONTRASTS, GOAL, HYPOTHESES
from experiments.couplings.figures import Difference, Won, contrasts, field, rate, won
from experiments.couplings.local import LocalResponses, local_bounds
from experiments.couplings.study import TABLES, CouplingStudy
from experiments.options import share
from experiments.papers.experiment import play_arm

__all__ = ["add", "run"]

add = options(
    option("--table", choices=tuple(TABLES), help="one of the three tables (default: all)"),
    option("--share", type=share, default=1.0, help="of the hands of an arm: less is a first look"),
    option("--hours", type=seconds, default=24.0, help="core-hours of all tables and of earlier runs"),
    option("--playouts", type=count, default=100, help="of a simulated decision"),
    option("--train-hands", type=count, default=10_000, help="watched for the models"),
    option("--session-hands", type=count, default=500, help="between fresh statistics"),
    option("--beside", type=count, default=300, help="held-out hands for the figures beside the win rates"),
    flag("--show", "what the journals hold, without playing; another process may play meanwhile"),
    journalled(folder("couplings")),
)

WIDTH = 130
JOURNAL = "couplings.journal"
BEGUN = "begun.json"


@dataclass(frozen=True, slots=True)
class CouplingPlan(Plan[Results]):
    """The arms of one stage at one table that are to be played, until the table has spent its hours."""

    study: CouplingStudy
    stage: str
    share: float
    hours: float

    @property
    def units(self) -> tuple[str, int]:
        """The hands, at most."""
        return "hands", sum(map(len, self.study.units(self.stage, self.share))) * self.study.hands

    @property
    def header(self) -> Mapping[str, Any]:
        """The header of its journal."""
        return self.study.header()

    def run(self, folder: Path, workers: Workers, tick: Callable[[int], None]) -> Results:
        """Play what the journal lacks, until the budget is spent."""
        arm = partial(play_arm, self.study.matches())
        with counted(folder, self.hours) as enough, Journal(folder / JOURNAL, self.header) as journal:
            if not journal.records:
                begun = {"time": time(), "contrasts": self.header["contrasts"]}
                write_whole(folder / BEGUN, json.dumps(begun) + "\n")
            rounds = [] if enough() else self.study.units(self.stage, self.share)
            play(arm, rounds, journal, workers, tick, lambda results: enough())
        return recorded(self.study)


def recorded(study: CouplingStudy) -> Results:
    """What the journal of a table holds."""
    path = study.folder / JOURNAL
    if not path.exists():
        return {}
    records = Recorded.of(path, study.header()).records
    return {unit: Played.from_dict(record) for unit, record in records.items()}


def run(args: Namespace) -> int:
    """Train and play what the folder lacks, table by table, and print the figures."""
    records = []
    for name in [args.table] if args.table else TABLES:
        own = args.out / name
        study = CouplingStudy(name, own, args.seed, args.train_hands, args.session_hands, args.playouts)
        if not args.show:
            _play(args, study)
        played, seen = won(study, recorded(study)), beside(study, args.beside)
        bounds, tested = local_bounds(study), (contrasts(study, played), field(study, played))
        records.append(_record(study, played, seen, bounds, *tested))
        if not args.json:
            _show(study, played, seen, bounds, *tested)
    if args.json:
        print(as_json(records))
    return 0


def _play(args: Namespace, study: CouplingStudy) -> None:
    """Stage by stage, train and play what the folder lacks; heads-up the local best response comes last."""
    hours = part(args.out, study.table, args.hours, alone=args.table is not None)
    for stage in ARMS:
        with workers_of(args) as workers, stages() as steps:
            (study.train if stage == "core" else study.train_others)(workers, steps)
        plan = CouplingPlan(study, stage, args.share, hours)
        with workers_of(args) as workers, progress(*plan.units) as tick:
            plan.run(study.folder, workers, tick)
    if len(study.place.met) == 1:
        responses = LocalResponses(study, args.share, hours)
        with workers_of(args) as workers, progress(*responses.units) as tick:
            responses.run(workers, tick)


def _show(
    study: CouplingStudy,
    played: Won,
    seen: Mapping[str, Beside],
    bounds: Mapping[str, Bound],
    named: list[Difference],
    others: list[Difference],
) -> None:
    out = console(WIDTH)
    out.print(
        f"Table {study.table}. {study.place.why} Played since {_since(study.folder)}; sb/h by control, 95 %"
    )
    arms = grid("arm", "hands", "sb/h", "changed", "off", "nats", "ms", "replayed", "lost")
    for arm in seen:
        won_rate = rate(study, played, arm)
        wins = won_rate.cell() if won_rate.n else "-"
        arms.add_row(arm, f"{won_rate.n:,}", wins, *_cells(seen, arm), _lost(bounds, arm))
    out.print(arms)
    out.print(
        f"{len(seen['none-cases'].actions):,} held-out decisions. changed: other than those of the arm "
        f"that it comes from; under {BITES:.0%} an arm changes nothing; off: stored cases that a filter "
        "switched off on a board; nats: log loss of the opponents' holdings; replayed: actions that follow "
        "from the trace alone; lost: what a local best response wins heads-up, sb/h, a lower bound"
    )
    table = grid("contrast", "hands", "sb/h", "p", "Holm")
    for contrast, found in zip(CONTRASTS, named, strict=True):
        table.add_row(f"{found.one} less {found.other}: {contrast.question}?", *_tested(found))
    out.print(table)
    for hypothesis, numbers in HYPOTHESES.items():
        out.print(f"{hypothesis}: {', '.join(_verdict(named[number]) for number in numbers)}")
    certain = [found for found in others if found.certain]
    out.print(f"Of {len(others)} other pairs {len(certain)} differ with certainty (Holm over these):")
    for found in certain:
        out.print(f"  {found.one} less {found.other}: {found.rate.cell()}")
    out.print("The share of decisions in which two arms act otherwise, in per cent:")
    overlap = grid("", *(str(number) for number in range(1, len(seen) + 1)))
    for number, (arm, each) in enumerate(seen.items(), start=1):
        apart = (f"{100 * changed(each, other):.0f}" for other in seen.values())
        overlap.add_row(f"{number} {arm}", *apart)
    out.print(overlap)


def _since(folder: Path) -> str:
    """When the first hand was played."""
    if not (folder / BEGUN).exists():
        return "-"
    begun = read_json(folder / BEGUN, 1000)
    time = begun["time"] if isinstance(begun, dict) else begun  # older folders hold the time alone
    return str(datetime.fromtimestamp(time, UTC))[:16]


def _lost(bounds: Mapping[str, Bound], arm: str) -> str:
    """What a local best response wins from an arm; a big blind is a small bet."""
    if arm not in bounds:
        return "-"
    return f"{bounds[arm].mean / 1000:.3f} ± {bounds[arm].margin / 1000:.3f}"


def _cells(seen: Mapping[str, Beside], arm: str) -> list[str]:
    """The figures beside a win rate."""
    each = seen[arm]
    apart = changed(each, seen[BASES.get(arm, "network-cases")])
    return [
        f"{apart:.1%}" + " nothing" * (apart < BITES),
        f"{np.mean(each.off):.0%}" if each.off else "-",
        f"{np.mean(each.losses):.3f}" if each.losses else "-",
        f"{1000 * np.median(each.seconds):.1f}" if each.seconds else "-",
        f"{np.mean(each.replayed):.1%}" if each.replayed else "-",
    ]


def _tested(found: Difference) -> tuple[str, str, str, str]:
    if not found.rate.n:
        return "0", "not played", "-", "-"
    return (
        f"{found.rate.n:,}",
        found.rate.cell(),
        f"{found.chance:.3f}",
        "certain" if found.certain else "not shown",
    )


def _verdict(found: Difference) -> str:
    """What a contrast shows, in words."""
    if not found.rate.n:
        return f"{found.one} v {found.other} not played"
    if not found.certain:
        known = "known" if found.rate.margin <= GOAL else "not yet known"
        return f"{found.one} v {found.other} not shown ({known} to {GOAL})"
    return f"{found.one} {'more' if found.rate.mean > 0 else 'less'} than {found.other}"


def _record(
    study: CouplingStudy,
    played: Won,
    seen: Mapping[str, Beside],
    bounds: Mapping[str, Bound],
    named: list[Difference],
    others: list[Difference],
) -> dict[str, Any]:
    """The figures as JSON values."""

    def tested(found: Difference) -> dict[str, Any]:
        return found._asdict() | {"rate": found.rate.to_dict()}

    return {
        "table": study.table,
        "arms": {
            arm: {"won": rate(study, played, arm).to_dict()}
            | dict(zip(("changed", "off", "nats", "ms", "replayed"), _cells(seen, arm), strict=True))
            | ({"local best response": to_dict(bounds[arm])} if arm in bounds else {})
            for arm in seen
        },
        "contrasts": list(map(tested, named)),
        "field": list(map(tested, others)),
    }
