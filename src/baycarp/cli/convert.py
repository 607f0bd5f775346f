"""Convert hands of any format to PHH or ACPC."""

from argparse import Namespace
from typing import get_args

from baycarp.api.convert import HandFormat, convert
from baycarp.cli.options import CLUSTER, JSON, WORKERS, option, options, path
from baycarp.cli.output import as_json
from baycarp.cli.progress import stages
from baycarp.cli.runs import workers_of

__all__ = ["add", "run"]

add = options(
    option("source", help="a file, folder or archive of hands of any format; - is standard input"),
    option("out", type=path, help="a file .phhs, .phh, .log or .acpc (also .gz), or a folder"),
    option("--format", choices=get_args(HandFormat), help="default: by the ending; phhs in a folder"),
    option("--game", help="of ACPC logs that do not show it: a shipped game or a file"),
    WORKERS,
    CLUSTER,
    JSON,
)


def run(args: Namespace) -> int:
    """Write the hands, and print what was not written."""
    with workers_of(args) as workers, stages() as tick:
        found = convert(args.source, args.out, args.format, args.game, workers, tick)
    if args.json:
        print(as_json(found.to_dict()))
    else:
        found.show()
    return 0
