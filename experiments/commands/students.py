"""Does the coach teach? Model students with planted mistakes, beside students with other advice or none."""

import re
from argparse import Namespace
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol, TypeVar

from baycarp.arena.measure import Rate
from baycarp.arena.workers import Workers
from baycarp.cli.options import CLUSTER, JSON, WORKERS, flag, option, options
from baycarp.cli.output import as_json
from baycarp.cli.progress import progress
from baycarp.cli.runs import workers_of
from experiments.markdown import rows
from experiments.options import share
from experiments.spent import recorded, spent, worked
from experiments.students.costs import Costs, costs, opponents
from experiments.students.lessons import ARMS
from experiments.students.mistakes import BUILDING, MISTAKES, REPORTED, tables_of
from experiments.students.rows import STUDENTS, GroupPlan, GroupResult, mean_of

__all__ = ["add", "run"]

Found = TypeVar("Found", covariant=True)

add = options(
    JSON,
    WORKERS,
    CLUSTER,
    option("--only", nargs="+", default=[], metavar="WORDS", help="rows with some of these"),
    option("--share", type=share, default=1.0, help="of deals and students: less is a first look"),
    option("--out", type=Path, default=Path("students"), metavar="FOLDER", help="continued there"),
    flag("--kept", "print what the folder has, without playing"),
    flag("--list", "the names of the rows, without playing"),
)

NONE = "no mistake"

EMPTY = 2
"""Lines of a table without rows."""


class Work(Protocol[Found]):
    """A plan with a result."""

    @property
    def units(self) -> tuple[str, int]:
        """What is counted, and the number."""

    def run(self, folder: Path, workers: Workers, tick: Callable[[int], None]) -> Found:
        """Do what the journal in a folder lacks."""

    def kept(self, folder: Path) -> Found | None:
        """The result of what the journal in a folder has."""


def run(args: Namespace) -> int:
    """Do what the folder lacks, and print it: the costs, then one student of every mistake in turn."""
    tables = {f"costs: {opponent}": opponent for opponent in opponents()}
    groups = {f"students: {_set(name)}: {name or NONE}": name for name in (*MISTAKES, "")}
    wanted = [name for name in (*tables, *groups) if _is_wanted(name, args.only)]
    if args.list:
        print("\n".join(wanted))
        return 0
    measured = {
        tables[name]: found
        for name in wanted
        if name in tables and (found := _done(args, name, costs(tables[name], args.share)))
    }
    taught: dict[str, tuple[GroupResult, float]] = {}
    students = max(1, round(args.share * STUDENTS))
    for count in (students,) if args.kept else _rounds(students, args.workers):
        for name in wanted:
            if name in groups and (group := _done(args, name, GroupPlan(groups[name], count))):
                taught[groups[name]] = group
    if args.json:
        print(as_json({"share": args.share, "costs": _costs_record(measured), "students": _records(taught)}))
        return 0
    priced = {table: each for table, (each, _) in measured.items()}
    groups_found = {name: each for name, (each, _) in taught.items()}
    for lines in (_costs(priced), _gains(groups_found, priced), _means(groups_found), _named(groups_found)):
        if len(lines) > EMPTY:
            print("\n".join(lines), end="\n\n")
    hours = sum(each[1] for each in (*measured.values(), *taught.values()))
    print(f"{hours:.2f} core-hours, interrupted runs included; small bets a hand by control, 95 % intervals")
    return 0


def _rounds(students: int, workers: int) -> list[int]:
    """Students of a mistake after each round: one a process."""
    step = max(1, workers)
    return [*range(step, students, step), students]


def _set(name: str) -> str:
    if not name:
        return "control"
    return "building" if name in BUILDING else "reported"


def _is_wanted(name: str, words: list[str]) -> bool:
    return not words or any(word in name for word in words)


def _done(args: Namespace, name: str, plan: Work[Found]) -> tuple[Found, float] | None:
    """The result of a row, and its core-hours; None where nothing is kept."""
    folder, before = args.out / re.sub(r"\W+", "-", name), worked()
    if args.kept:
        found = plan.kept(folder)
        return (found, recorded(folder)) if found else None
    try:
        with workers_of(args) as workers, progress(name, plan.units[1]) as tick:
            done = plan.run(folder, workers, tick)
    finally:
        hours = spent(folder, (worked() - before) / 3600)
    return done, hours


def _costs(measured: Mapping[str, Costs]) -> list[str]:
    """What mistakes cost at the tables where their students learn."""
    body = []
    for name in ("", *MISTAKES):
        if found := measured.get(tables_of(name)[0]):
            cost = found.cost[name].cell() if name else ""
            row = (name or NONE, _set(name), f"`{tables_of(name)[0]}`", cost, found.ceiling[name].cell())
            body.append(row)
    return rows(("mistake", "set", "opponent", "cost", "ceiling"), body)


def _gains(taught: Mapping[str, GroupResult], measured: Mapping[str, Costs]) -> list[str]:
    """What the coach's students gain at the table met and at the other, with the share of the ceiling."""
    body = []
    for name, found in taught.items():
        row = [name or NONE, str(found.students)]
        for opponent, gains in zip(tables_of(name), found.gains, strict=True):
            ceiling = measured[opponent].ceiling[name] if opponent in measured else None
            row += [ceiling.cell(2) if ceiling else "-", _share(gains["coach"], ceiling)]
        body.append(row)
    return rows(("mistake", "students", "ceiling", "gain", "ceiling, not met", "gain, not met"), body)


def _means(taught: Mapping[str, GroupResult]) -> list[str]:
    """What students gain in the mean of the reported mistakes, by the kind of advice."""
    body = []
    for arm in ARMS if taught.keys() >= REPORTED.keys() else ():
        gains = (mean_of([taught[name].gains[number][arm] for name in REPORTED]).cell(2) for number in (0, 1))
        body.append((arm, *gains))
    return rows(("mean of the reported", "gain", "gain, not met"), body)


def _named(taught: Mapping[str, GroupResult]) -> list[str]:
    """Sessions in which the planted theme is named, and another one; remarks and spots of a session."""
    body = []
    for name, found in taught.items():
        counts = (f"{part} of {found.students}" for part in (found.named, found.others))
        body.append((name or NONE, *counts, f"{found.remarks:.1f}", f"{found.spots:.1f}"))
    return rows(("mistake", "theirs named", "another named", "remarks", "spots"), body)


def _share(gain: Rate, ceiling: Rate | None) -> str:
    """A gain, and its share of the ceiling where that is certainly above 0."""
    if ceiling is None or ceiling.mean <= ceiling.margin:
        return gain.cell(2)
    return f"{gain.cell(2)} ({gain.mean / ceiling.mean:.0%})".replace("%", " %")


def _costs_record(measured: dict[str, tuple[Costs, float]]) -> list[dict[str, Any]]:
    return [
        {
            "table": opponent,
            "adviser": found.adviser.to_dict(),
            "sound": found.sound.to_dict(),
            "hours": hours,
        }
        | {"cost": _rates(found.cost), "ceiling": _rates(found.ceiling)}
        for opponent, (found, hours) in measured.items()
    ]


def _rates(rates: "dict[str, Rate] | Any") -> dict[str, Any]:
    return {name or "none": rate.to_dict() for name, rate in rates.items()}


def _records(taught: dict[str, tuple[GroupResult, float]]) -> list[dict[str, Any]]:
    return [
        {"mistake": name, "set": _set(name), "hours": hours} | found.to_dict()
        for name, (found, hours) in taught.items()
    ]
