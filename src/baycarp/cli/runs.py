"""Long runs: journalled, resumed, in shards, in processes or on a cluster; the same for every command."""

import argparse
import os
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from baycarp.arena.cluster import cluster
from baycarp.arena.journal import Journal, Unit
from baycarp.arena.run import Play, Results, run
from baycarp.arena.workers import Workers
from baycarp.cli.options import count, seed
from baycarp.cli.progress import progress

__all__ = ["add_run", "play_rounds"]


def add_run(parser: argparse.ArgumentParser, out: str) -> None:
    """Name the options of a long run: its folder, its seed, and where it is played."""
    parser.add_argument(
        "--out", type=Path, default=Path(out), help="folder of journal and results (default: ./%(default)s)"
    )
    parser.add_argument(
        "--seed", type=seed, default=1, help="fixes every card and draw (default: %(default)s)"
    )
    parser.add_argument(
        "--workers", type=count, default=os.cpu_count() or 1, help="processes (default: all cores)"
    )
    parser.add_argument(
        "--shard", type=_shard, metavar="I/N", help="play the I-th of N parts; put together by baycarp merge"
    )
    parser.add_argument("--cluster", metavar="ADDRESS", help="play on the workers of a Dask scheduler")
    parser.add_argument("--json", action="store_true", help="print the results as JSON")


def _shard(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise argparse.ArgumentTypeError(f"{text!r}: expected I/N with I from 1 to N, such as 2/4")
    return int(match[1]), int(match[2])


def play_rounds(
    args: argparse.Namespace,
    play: Play,
    header: Mapping[str, Any],
    rounds: Sequence[Sequence[Unit]],
    hands: int,
    enough: Callable[[Results], bool] = lambda results: False,
) -> Results | None:
    """Play what the journal in ``args.out`` lacks, and give the results of whole rounds.

    Parameters
    ----------
    args
        With the options of ``add_run``.
    play, rounds, enough
        As in ``arena.run.run``.
    header
        Header of the journal.
    hands
        In all, for the progress bar.

    Returns
    -------
    dict or None
        None for a shard, which has no results of its own.
    """
    part, parts = args.shard or (1, 1)
    name = f"shard-{part}-of-{parts}" if args.shard else "whole"
    mine: Sequence[Sequence[Unit]] = rounds
    if args.shard:
        mine = [[unit] for unit in [unit for units in rounds for unit in units][part - 1 :: parts]]
        enough = lambda results: False  # noqa: E731 - a shard holds no whole rounds
    with (
        Journal(args.out / f"{name}.journal", header) as journal,
        cluster(args.cluster) if args.cluster else nullcontext(Workers(args.workers)) as workers,
        progress("hands", hands // parts) as tick,
    ):
        results = run(play, mine, journal, workers, tick, enough)
    if args.shard:
        print(f"part {part} of {parts} is played: {args.out / name}.journal")
        return None
    return results
