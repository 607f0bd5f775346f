"""Does the coach teach? Model students with planted mistakes, beside students with other advice or none."""

import re
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar

from baycarp.arena.measure import Rate
from baycarp.arena.workers import Workers
from baycarp.cli.options import CLUSTER, JSON, WORKERS, flag, option, options
from baycarp.cli.output import as_json, console, grid
from baycarp.cli.progress import progress
from baycarp.cli.runs import workers_of
from experiments.options import share
from experiments.spent import spent, worked
from experiments.students.costs import Costs, costs, opponents
from experiments.students.lessons import ARMS
from experiments.students.mistakes import BUILDING, MISTAKES
from experiments.students.rows import STUDENTS, GroupPlan, GroupResult

__all__ = ["add", "run"]

Found = TypeVar("Found", covariant=True)

add = options(
    JSON,
    WORKERS,
    CLUSTER,
    option("--only", nargs="+", default=[], metavar="WORDS", help="rows with some of these"),
    option("--share", type=share, default=1.0, help="of deals and students: less is a first look"),
    option("--out", type=Path, default=Path("students"), metavar="FOLDER", help="continued there"),
    flag("--list", "the names of the rows, without playing"),
)

WIDTH = 140
"""Columns that the tables need."""


class Work(Protocol[Found]):
    """A plan with a result."""

    @property
    def units(self) -> tuple[str, int]:
        """What is counted, and the number."""

    def run(self, folder: Path, workers: Workers, tick: Callable[[int], None]) -> Found:
        """Do what the journal in a folder lacks."""


def run(args: Namespace) -> int:
    """Do what the folder lacks, row by row, and print it."""
    tables = {f"costs: {opponent}": opponent for opponent in opponents()}
    groups = {f"students: {_set(name)}: {name or 'no mistake'}": name for name in (*MISTAKES, "")}
    wanted = [name for name in (*tables, *groups) if _is_wanted(name, args.only)]
    if args.list:
        print("\n".join(wanted))
        return 0
    measured = {
        tables[name]: _done(args, name, costs(tables[name], args.share)) for name in wanted if name in tables
    }
    students = max(1, round(args.share * STUDENTS))
    taught = {
        groups[name]: _done(args, name, GroupPlan(groups[name], students))
        for name in wanted
        if name in groups
    }
    if args.json:
        print(as_json({"share": args.share, "costs": _costs_record(measured), "students": _records(taught)}))
        return 0
    if measured:
        _print_costs(measured)
    if taught:
        _print_students(taught)
    hours = sum(each[1] for each in (*measured.values(), *taught.values()))
    print(f"{hours:.2f} core-hours, interrupted runs included; small bets a hand by control, 95 % intervals")
    return 0


def _set(name: str) -> str:
    if not name:
        return "control"
    return "building" if name in BUILDING else "reported"


def _is_wanted(name: str, words: list[str]) -> bool:
    return not words or any(word in name for word in words)


def _done(args: Namespace, name: str, plan: Work[Found]) -> tuple[Found, float]:
    """The result of a row, and its core-hours."""
    folder, before = args.out / re.sub(r"\W+", "-", name), worked()
    try:
        with workers_of(args) as workers, progress(name, plan.units[1]) as tick:
            found = plan.run(folder, workers, tick)
    finally:
        hours = spent(folder, (worked() - before) / 3600)
    return found, hours


def _print_costs(measured: dict[str, tuple[Costs, float]]) -> None:
    heads = ("hands", "adviser", "sound", "cost", "ceiling", "core-hours")
    table = grid("table", "mistake", *heads, words=("table", "mistake"), title="what mistakes cost")
    for opponent, (found, hours) in measured.items():
        first = (f"{found.sound.n:,}", found.adviser.cell(), found.sound.cell())
        for number, (name, cost) in enumerate(found.cost.items()):
            own = first if not number else ("", "", "")
            shown = cost.cell() if name else ""
            row = ("" if number else opponent, name or "none", *own, shown, found.ceiling[name].cell())
            table.add_row(*row, "" if number else f"{hours:.3f}")
    console(WIDTH).print(table)


def _print_students(taught: dict[str, tuple[GroupResult, float]]) -> None:
    heads = ("students", "planted named", "another named", "remarks", "spots", "table")
    table = grid(
        "mistake", *heads, *ARMS, "core-hours", words=("mistake", "table"), title="what students gain"
    )
    for name, (found, hours) in taught.items():
        counts = (found.students, found.named, found.others, f"{found.remarks:.1f}", f"{found.spots:.1f}")
        for met, gains in zip(("met", "not met"), found.gains, strict=True):
            own = map(str, counts) if met == "met" else ("",) * len(counts)
            cells = (gains[arm].cell() for arm in ARMS)
            head = (name or "no mistake") if met == "met" else ""
            table.add_row(head, *own, met, *cells, f"{hours:.3f}" if met == "met" else "")
    console(WIDTH).print(table)


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
