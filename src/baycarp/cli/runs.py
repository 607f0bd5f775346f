"""Long runs, the same for every command: a folder, a journal that is continued, processes or a cluster."""

import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, TypeVar

from baycarp.api.settings import Plan
from baycarp.arena.cluster import cluster
from baycarp.arena.journal import folder_for
from baycarp.arena.workers import Workers
from baycarp.cli.options import CLUSTER, JSON, SEEDED, WORKERS, Add, option, options, path
from baycarp.cli.progress import progress

__all__ = ["folder_of", "journalled", "own_folder", "run_plan", "workers_of"]

Made = TypeVar("Made")


def own_folder(usual: str, help: str = "folder of journal and results") -> Add:
    """The option of the folder of a run, by default one that holds no other run; see ``folder_of``."""
    help = f"{help} (default: ./{usual}; where that is of another run, ./{usual}-2, ...)"
    return options(
        option("--out", type=path, metavar="FOLDER", help=help),
        lambda parser: parser.set_defaults(usual=Path(usual)),
    )


def journalled(out: Add) -> Add:
    """The options of a long run: its folder, its seed, and where it is played."""
    return options(out, SEEDED, WORKERS, CLUSTER, JSON)


def folder_of(args: Namespace, header: Mapping[str, Any], journals: str = "*.journal") -> Path:
    """The folder of ``--out``, or else that of ``own_folder``; see ``arena.journal.folder_for``."""
    return args.out or folder_for(args.usual, header, journals)


@contextmanager
def workers_of(args: Namespace) -> Iterator[Workers]:
    """The place of the work by ``--cluster``, or else ``--workers``."""
    with cluster(args.cluster) if args.cluster else nullcontext(Workers(args.workers)) as workers:
        yield workers


def run_plan(
    args: Namespace, plan: Plan[Made], usual: tuple[float, float] | None = None
) -> tuple[Made, Path]:
    """Do what the journal in the run's folder lacks, and name the folder: the result, and the folder.

    Parameters
    ----------
    args, plan
        The options of ``journalled``, and the work.
    usual
        Processor seconds of a unit, the least and the most, for a forecast before the first is done.
    """
    folder = folder_of(args, plan.header, plan.journal)
    with workers_of(args) as workers, progress(*plan.units, usual, workers.count) as tick:
        made = plan.run(folder, workers, tick)
    print(f"recorded: {folder}", file=sys.stderr)
    return made, folder
