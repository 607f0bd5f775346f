"""Put the journals of shards together, so that the command that they are parts of finds them played."""

import argparse
from pathlib import Path

from baycarp.arena.journal import merge


def add(parser: argparse.ArgumentParser) -> None:
    """Name the options."""
    parser.add_argument("folder", type=Path, help="folder of the run (its --out)")
    parser.add_argument("journals", type=Path, nargs="+", help="shard-I-of-N.journal files, from anywhere")


def run(args: argparse.Namespace) -> int:
    """Merge."""
    into = args.folder / "whole.journal"
    print(f"{into}: {merge(args.journals, into)} units")
    return 0
