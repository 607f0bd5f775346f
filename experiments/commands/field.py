"""All systems in one field: three round robins, continued where they were interrupted."""

from argparse import Namespace
from pathlib import Path

from baycarp.cli.options import CLUSTER, WORKERS, flag, option, options
from baycarp.cli.progress import progress
from baycarp.cli.runs import workers_of
from experiments.field.play import FieldPlan
from experiments.options import share

__all__ = ["add", "run"]

add = options(
    WORKERS,
    CLUSTER,
    option("--only", nargs="+", default=[], metavar="WORDS", help="cells whose name has some of these"),
    option("--share", type=share, default=1.0, help="of the hands of each cell: less is a first look"),
    option("--out", type=Path, default=Path("field"), metavar="FOLDER", help="continued there"),
    flag("--show", "what the journal holds, without playing; another process may play meanwhile"),
)


def run(args: Namespace) -> int:
    """Play what the folder lacks."""
    plan = FieldPlan(args.out, tuple(args.only), args.share)
    if not args.show:
        with workers_of(args) as workers, progress(*plan.units) as tick:
            plan.run(args.out, workers, tick)
    print(len(plan.recorded()))
    return 0
