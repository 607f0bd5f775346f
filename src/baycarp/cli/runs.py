"""Long runs: journalled, resumed, in shards, in processes or on a cluster; the same for every command."""

import re
from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

from baycarp.api.players import variant_of
from baycarp.arena.cluster import cluster
from baycarp.arena.journal import Journal, Unit, folder_for
from baycarp.arena.run import Play, Results, run
from baycarp.arena.scores import NET
from baycarp.arena.series import Series, play_in_series
from baycarp.arena.workers import Workers
from baycarp.cli.options import CLUSTER, JSON, SEEDED, WORKERS, Add, option, options
from baycarp.cli.progress import progress
from baycarp.game.variant import Variant

__all__ = [
    "folder_of",
    "game",
    "journalled",
    "judge",
    "own_folder",
    "play_rounds",
    "play_series",
    "workers_of",
]


def _shard(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise ArgumentTypeError(f"{text!r}: expected I/N with I from 1 to N, such as 2/4")
    return int(match[1]), int(match[2])


def own_folder(usual: str, help: str = "folder of journal and results") -> Add:
    """The option of the folder of a run, by default one that holds no other run; see ``folder_of``."""
    help = f"{help} (default: ./{usual}; where that is of another run, ./{usual}-2, ...)"
    return options(
        option("--out", type=Path, metavar="FOLDER", help=help),
        lambda parser: parser.set_defaults(usual=Path(usual)),
    )


def folder_of(args: Namespace, header: Mapping[str, Any], journals: str = "*.journal") -> Path:
    """The folder of ``--out``, or else that of ``own_folder``; see ``arena.journal.folder_for``."""
    return args.out or folder_for(args.usual, header, journals)


def journalled(out: Add) -> Add:
    """The options of a long run: its folder, its seed, and where it is played."""
    return options(
        out,
        SEEDED,
        WORKERS,
        option(
            "--shard",
            type=_shard,
            metavar="I/N",
            help="play the I-th of N parts; baycarp merge puts them together",
        ),
        CLUSTER,
        JSON,
    )


@contextmanager
def workers_of(args: Namespace) -> Iterator[Workers]:
    """The place of the work by ``--cluster``, or else ``--workers``."""
    with cluster(args.cluster) if args.cluster else nullcontext(Workers(args.workers)) as workers:
        yield workers


def game(args: Namespace, seats: int) -> Variant:
    """The game of ``--game``, or limit with this number of seats."""
    return variant_of(args.game or "", seats)


def game_of(line: str | None, name: str | None, usual: str) -> str:
    """The game of an ACPC line: the named one, or the limit game of as many seats as it has hands.

    Examples
    --------
    >>> game_of("MATCHSTATE:2:0:rc:||AhKd", None, ""), game_of("MATCHSTATE:0:0::AhKd|", None, "")
    ('holdem.limit.3p', 'holdem.limit.2p.reverse_blinds')
    """
    parts = (line or "").split(":")
    if name or len(parts) < 4 or parts[0] not in ("STATE", "MATCHSTATE"):
        return name or usual
    seats = parts[4 if parts[0] == "MATCHSTATE" and len(parts) > 4 else 3].partition("/")[0].count("|") + 1
    return {2: "holdem.limit.2p.reverse_blinds"}.get(seats, f"holdem.limit.{seats}p")


def judge(args: Namespace) -> str:
    """The estimator that judges: the first, since a choice of the narrowest would favour one result."""
    return str((*args.estimators, NET)[0])


def play_series(args: Namespace, series: Series, deals: int) -> Results | None:
    """Play what the journal lacks of a series of matches; None for a shard."""
    play = partial(play_in_series, series)
    return play_rounds(args, play, series.header(), series.rounds(deals), series.hands(deals))


def _never(results: Results) -> bool:
    return False


def play_rounds(
    args: Namespace,
    play: Play,
    header: Mapping[str, Any],
    rounds: Sequence[Sequence[Unit]],
    hands: int,
    enough: Callable[[Results], bool] = _never,
) -> Results | None:
    """Play what the journal in the run's folder lacks, and give the results of whole rounds.

    Parameters
    ----------
    args
        With the options of ``journalled``.
    play, rounds, enough
        As in ``arena.run.run``.
    header
        Header of the journal.
    hands
        In all, for the progress bar.

    Returns
    -------
    dict or None
        None for a shard, which has no results.
    """
    part, parts = args.shard or (1, 1)
    name = f"shard-{part}-of-{parts}" if args.shard else "whole"
    if args.shard:
        units = [unit for units in rounds for unit in units]
        rounds, enough = [[unit] for unit in units[part - 1 :: parts]], _never  # a shard has no whole rounds
    path = folder_of(args, header) / f"{name}.journal"
    with (
        Journal(path, header) as journal,
        workers_of(args) as workers,
        progress("hands", hands // parts) as tick,
    ):
        results = run(play, rounds, journal, workers, tick, enough)
    if args.shard:
        print(f"part {part} of {parts} is played: {path}")
        return None
    return results
