"""Put the journals of shards together, so that the command that they are parts of continues from them."""

from argparse import Namespace
from pathlib import Path

from baycarp.arena.journal import merge
from baycarp.cli.options import option, options

add = options(
    option("folder", type=Path, help="folder of the run (its --out)"),
    option("journals", type=Path, nargs="+", help="shard-I-of-N.journal files, from any folder"),
)


def run(args: Namespace) -> int:
    """Merge."""
    into = args.folder / "whole.journal"
    print(f"{into}: {merge(args.journals, into)} units")
    return 0
