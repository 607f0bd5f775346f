"""All systems in one field: three round robins, continued where they were interrupted."""

from argparse import Namespace
from pathlib import Path

from baycarp.cli.options import CLUSTER, JSON, WORKERS, flag, option, options
from baycarp.cli.output import as_json, console, grid
from baycarp.cli.progress import progress
from baycarp.cli.runs import workers_of
from experiments.field.page import save_page, tables
from experiments.field.play import FieldPlan
from experiments.field.standing import Standing, standings
from experiments.options import share

__all__ = ["add", "run"]

add = options(
    option("--out", type=Path, default=Path("field"), metavar="FOLDER", help="continued there"),
    flag("--show", "what the journal holds, without playing; another process may play meanwhile"),
    option("--page", type=Path, metavar="FILE", help="gets the tables, and the picture beside it"),
    option("--only", nargs="+", default=[], metavar="WORDS", help="cells named so, in a folder of their own"),
    option("--share", type=share, default=1.0, help="of the hands of each cell: less is a first look"),
    WORKERS,
    CLUSTER,
    JSON,
)


def run(args: Namespace) -> int:
    """Play what the folder lacks, and print the tables."""
    plan = FieldPlan(args.out, tuple(args.only), args.share)
    if not args.show:
        with workers_of(args) as workers, progress(*plan.units) as tick:
            plan.run(args.out, workers, tick)
    found = standings(plan, plan.recorded())
    if args.page:
        save_page(found, args.page)
    if args.json:
        print(as_json([_record(each) for each in found]))
        return 0
    for each in found:
        _show_pairs(each)
    print("\n".join(tables(found)))
    return 0


def _record(standing: Standing) -> dict[str, object]:
    """The rankings of a field, and the hands of its cells."""
    cells = {
        " v ".join([*standing.field.agents][agent] for agent in cell): hands
        for cell, hands in zip(standing.cells, standing.hands, strict=True)
    }
    ranked = standing.ranked.to_dict() if standing.ranked else None
    return {"field": standing.field.name, "hands": cells, "ranked": ranked}


def _show_pairs(standing: Standing) -> None:
    """Print every pair with its interval and its hands."""
    if not standing.pairs:
        return
    names, digits = [*standing.field.agents], 3 if standing.unit == "sb/h" else 0
    table = grid("agent", "opponent", f"{standing.unit} won", "hands", words=("agent", "opponent"))
    for (one, other), hands in zip(standing.cells, standing.hands, strict=True):
        rate = standing.won(names[one], names[other])
        table.add_row(names[one], names[other], rate.cell(digits) if rate else "", f"{hands:,}")
    table.title = standing.field.name
    console().print(table)
