"""Coverage and accuracy of the cases of a model; on request, a smaller model."""

import argparse
import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table as Grid

from baycarp.cases import CaseBase
from baycarp.cases.maintain import competence, forget
from baycarp.cli.options import count
from baycarp.errors import ModelError
from baycarp.game.action import ACTIONS
from baycarp.strategies.model import SHIPPED, Model, load_model, save_model


def add(parser: argparse.ArgumentParser) -> None:
    """Name the options."""
    parser.add_argument(
        "folder", nargs="?", type=Path, default=SHIPPED, help="a model (default: the shipped one)"
    )
    parser.add_argument(
        "--most", type=count, help="forget: keep so many cases a street, the most useful ones"
    )
    parser.add_argument("--out", type=Path, help="where the smaller model goes")
    parser.add_argument(
        "--ask", type=count, default=1000, help="cases used as queries, a street (default: %(default)s)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line for each street")


def run(args: argparse.Namespace) -> int:
    """Report, of the smaller model if there is to be one."""
    if (args.most is None) != (args.out is None):
        raise ModelError("--most and --out: expected both, or neither")
    model = load_model(args.folder)
    if args.most is not None:
        model = _smaller(model, args.most, args.folder, args.out)
    reports = {
        name: {**asdict(competence(casebase, args.ask)), "bytes": casebase.snapshot().nbytes}
        for name, casebase in model.casebases.items()
    }
    if args.json:
        for name, report in reports.items():
            print(json.dumps({"street": name, **report}))
    else:
        _show(reports)
    return 0


def _smaller(model: Model, most: int, folder: Path, out: Path) -> Model:
    """The model with its most useful cases alone, saved."""
    casebases: dict[str, CaseBase] = {name: forget(base, most) for name, base in model.casebases.items()}
    smaller = replace(model, casebases=casebases)
    command = f"{model.about()['command']}; baycarp coverage --most {most}"
    save_model(out, smaller, command, int(model.manifest.get("seed", 0)))
    return smaller


def _show(reports: dict[str, dict[str, Any]]) -> None:
    grid = Grid(box=SIMPLE, padding=0, title="each case as a query to the others")
    grid.caption = "covered: another is near enough; solved: most of those did the same"
    for title in ("street", "cases", "unlike", "MB", "covered", "near", "solved", *ACTIONS):
        grid.add_column(title, justify="left" if title == "street" else "right", no_wrap=True)
    for name, report in reports.items():
        solved = {action: f"{share:.0%}" for action, (_, share) in report["by_solution"].items()}
        grid.add_row(
            name,
            f"{report['cases']:,}",
            f"{report['situations']:,}",
            f"{report['bytes'] / 1e6:.1f}",
            f"{report['covered']:.1%}",
            f"{report['neighbours']:.0f}",
            f"{report['solved']:.0%}",
            *(solved.get(action, "-") for action in ACTIONS),
        )
    Console().print(grid)
