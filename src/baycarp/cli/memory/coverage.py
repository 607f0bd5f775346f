"""How well the cases of a model cover situations, and how accurately; on request, a smaller model."""

from argparse import Namespace
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from baycarp.api.printing import Console
from baycarp.cases.maintain import competence, forget
from baycarp.cli.options import JSON, count, option, options, path
from baycarp.cli.output import as_json, grid
from baycarp.errors import ModelError
from baycarp.game.action import ACTIONS
from baycarp.strategies.model import DEFAULT_AGENT, Model, load_model, save_model

__all__ = ["add", "run"]

add = options(
    option(
        "folder", nargs="?", type=path, default=DEFAULT_AGENT, help="a model (default: the default agent's)"
    ),
    option("--most", type=count, help="keep this number of cases a street, the most useful ones"),
    option("--out", type=path, help="where the smaller model goes"),
    option("--ask", type=count, default=1000, help="cases used as queries, a street"),
    JSON,
)


def run(args: Namespace) -> int:
    """Report, of the smaller model if there is to be one."""
    if (args.most is None) != (args.out is None):
        raise ModelError("--most and --out: expected both, or neither")
    model = load_model(args.folder)
    if args.most is not None:
        model = _smaller(model, args.most, args.out)
    reports = {
        name: {**asdict(competence(casebase, args.ask)), "bytes": casebase.snapshot().nbytes}
        for name, casebase in model.casebases.items()
    }
    if args.json:
        print(*(as_json({"street": name, **report}) for name, report in reports.items()), sep="\n")
    else:
        _show(reports)
    return 0


def _smaller(model: Model, most: int, out: Path) -> Model:
    """The model with its most useful cases alone, saved."""
    smaller = replace(model, casebases={name: forget(base, most) for name, base in model.casebases.items()})
    command = f"{model.about()['command']}; baycarp memory coverage --most {most}"
    save_model(out, smaller, command, int(model.manifest.get("seed", 0)))
    return smaller


def _show(reports: dict[str, dict[str, Any]]) -> None:
    titles = ("street", "cases", "unlike", "MB", "covered", "near", "solved", *ACTIONS)
    table = grid(
        *titles,
        padding=0,
        title="each case as a query to the others",
        caption="covered: another is near enough; solved: most of those did the same",
    )
    for name, report in reports.items():
        solved = {action: f"{share:.0%}" for action, (_, share) in report["by_solution"].items()}
        table.add_row(
            name,
            f"{report['cases']:,}",
            f"{report['situations']:,}",
            f"{report['bytes'] / 1e6:.1f}",
            f"{report['covered']:.1%}",
            f"{report['neighbours']:.0f}",
            f"{report['solved']:.0%}",
            *(solved.get(action, "-") for action in ACTIONS),
        )
    Console().print(table)
