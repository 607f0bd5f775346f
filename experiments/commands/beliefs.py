"""Measure beliefs about hidden cards, on any record with known cards or leaving one population out."""

from argparse import Namespace
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import asdict
from functools import partial
from pathlib import Path

from baycarp.arena.workers import Workers, in_order
from baycarp.cli.options import CLUSTER, JSON, SEEDED, WORKERS, count, group, option, options
from baycarp.cli.output import as_json, console
from baycarp.cli.progress import progress
from baycarp.cli.runs import workers_of
from baycarp.errors import ModelError
from baycarp.game.notation.hand import Hand
from baycarp.game.plays import Plays
from baycarp.game.variant import Variant
from baycarp.training.logs import sessions_of
from experiments.beliefs.measure import judge_session
from experiments.beliefs.moments import Judged
from experiments.beliefs.queries import Model
from experiments.beliefs.shares import BASE_LINES
from experiments.beliefs.shipped import shipped_models
from experiments.beliefs.summary import PARTS, Summary, beside_base_lines, parts, summary
from experiments.commands.belief_tables import losses, part_table, places, print_all
from experiments.commands.leave_out import add as leave_out_options
from experiments.commands.leave_out import run as leave_out
from experiments.commands.models import MODEL, load_models

__all__ = ["add", "run"]

ANY = Plays(frozenset({"limit", "no-limit"}))
"""Of a no-limit hand the pre-flop is judged; see ``study.beliefs.preflop``."""

WIDTH = 170
"""Columns that the tables take."""

add = options(
    option("record", nargs="?", type=Path, help="an ACPC log, PHH, PHHS (.gz), a folder, or IRC's .tar.gz"),
    option("--game", help="the game of an ACPC log, like holdem.limit.3p"),
    option("--player", action="append", default=[], metavar="NAME", help="judge this player (default: all)"),
    option(
        "--by",
        action="append",
        default=[],
        choices=PARTS,
        help="a table of parts beside that by hands observed",
    ),
    option("--hands", type=count, help="at most (default: all); with --leave-out of each session"),
    MODEL,
    SEEDED,
    WORKERS,
    CLUSTER,
    JSON,
    group("one population left out", None, leave_out_options),
)


def run(args: Namespace) -> int:
    """Judge a record, or leave out each population in turn."""
    if bool(args.record) == bool(args.leave_out):
        raise ModelError("beliefs: expected a RECORD, or --leave-out FOLDER")
    return leave_out(args) if args.leave_out else _record(args)


def _record(args: Namespace) -> int:
    mine = load_models(args.model)
    game = Variant.load(args.game) if args.game else None
    sessions = sessions_of(args.record, game, args.hands, ANY)
    models = shipped_models() | mine
    with workers_of(args) as workers:
        judged = beside_base_lines(_judged(sessions, models, frozenset(args.player), workers))
    lines = [summary(judged, name) for name in judged.scores]
    divided = {
        by: {
            label: [summary(judged, name, where) for name in judged.scores]
            for label, where in parts(judged, by)
        }
        for by in dict.fromkeys(["observed", *args.by])
    }
    if args.json:
        print(as_json(_record_of(args, sessions, lines, divided), 1))
        return 0
    wide = console(WIDTH)
    hands = sum(map(len, sessions))
    title = f"{args.record.name}: {len(judged.moments):,} decision points with known cards of {hands:,} hands"
    print_all(wide, f"{title}; nats, 95 % over hands", losses(lines), places(lines))
    for by, found in divided.items():
        shown = {
            label: [line for line in each if line.name not in BASE_LINES] for label, each in found.items()
        }
        print_all(wide, f"over the deal and over the shares, by {by}", part_table(by, shown))
    return 0


def _judged(
    sessions: Sequence[Sequence[Hand]], models: Mapping[str, Model], players: frozenset[str], workers: Workers
) -> Judged:
    judge = partial(judge_session, models=models, players=players or None)
    found = []
    with (
        closing(in_order(judge, sessions, workers)) as each,
        progress("sessions judged", len(sessions)) as tick,
    ):
        for _, judged in each:
            found.append(judged)
            tick(len(found))
    joined = Judged.joined(found)
    if not len(joined.moments):
        of = f" of {', '.join(sorted(players))}" if players else ""
        raise ModelError(f"the record has no decision point with known cards{of}: expected some")
    return joined


def _record_of(
    args: Namespace,
    sessions: Sequence[Sequence[Hand]],
    lines: Sequence[Summary],
    divided: Mapping[str, Mapping[str, Sequence[Summary]]],
) -> dict[str, object]:
    return {
        "record": args.record.name,
        "hands": sum(map(len, sessions)),
        "players": args.player or "all",
        "models": [asdict(line) for line in lines],
        "by": {
            by: {label: [asdict(line) for line in each] for label, each in found.items()}
            for by, found in divided.items()
        },
    }
