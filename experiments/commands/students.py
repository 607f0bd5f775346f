"""Does the coach teach? Model students with planted mistakes, and what each mistake costs."""

import re
from argparse import Namespace
from pathlib import Path
from typing import Any

from baycarp.cli.options import CLUSTER, JSON, WORKERS, option, options
from baycarp.cli.output import as_json, console, grid
from baycarp.cli.progress import progress
from baycarp.cli.runs import workers_of
from experiments.options import share
from experiments.students.costs import cost
from experiments.students.mistakes import BUILDING, MISTAKES

__all__ = ["add", "run"]

add = options(
    JSON,
    WORKERS,
    CLUSTER,
    option("--only", nargs="+", default=[], metavar="WORDS", help="mistakes and sets with some of these"),
    option("--share", type=share, default=1.0, help="of the hands of each row: less is a first look"),
    option("--out", type=Path, default=Path("students"), metavar="FOLDER", help="continued there"),
)


def run(args: Namespace) -> int:
    """Measure what the folder lacks, and print it."""
    records = [_cost(args, name) for name in MISTAKES if _is_wanted(name, args.only)]
    if args.json:
        print(as_json({"share": args.share, "costs": records}))
        return 0
    table = grid("mistake", "set", "table", "hands", "cost", words=("mistake", "set", "table"), title="costs")
    table.caption = "small bets a hand by control, 95 % intervals; goal: 0.3 to 0.6"
    for record in records:
        table.add_row(*(str(record[head]) for head in ("mistake", "set", "table", "hands", "cell")))
    console().print(table)
    return 0


def _set(name: str) -> str:
    return "building" if name in BUILDING else "reported"


def _is_wanted(name: str, words: list[str]) -> bool:
    return not words or any(word in f"{_set(name)}: {name}" for word in words)


def _cost(args: Namespace, name: str) -> dict[str, Any]:
    plan = cost(name, args.share)
    folder = args.out / re.sub(r"\W+", "-", name)
    with workers_of(args) as workers, progress(name, plan.units[1]) as tick:
        (line,) = plan.run(folder, workers, tick)
    assert line.more is not None
    found = {"mistake": name, "set": _set(name), "table": MISTAKES[name].tables[0]}
    return found | line.more.to_dict() | {"cell": line.more.cell()}
