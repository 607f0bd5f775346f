"""``beliefs RECORD``: models at the decision points of a record with known cards."""

from argparse import Namespace
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import asdict
from functools import partial

from baycarp.arena.workers import Workers, in_order
from baycarp.cli.output import as_json, console
from baycarp.cli.progress import progress
from baycarp.cli.runs import workers_of
from baycarp.errors import ModelError
from baycarp.game.notation.hand import Hand
from baycarp.game.plays import Plays
from baycarp.game.variant import Variant
from benchmarks.records import sessions_of
from experiments.beliefs.base_lines import BASE_LINES
from experiments.beliefs.columns import Judged
from experiments.beliefs.decision_points import Model
from experiments.beliefs.measure import judge_session
from experiments.beliefs.reports.models import load_models
from experiments.beliefs.reports.tables import WIDTH, losses, part_table, places, print_all
from experiments.beliefs.shipped import shipped_models
from experiments.beliefs.summary import Summary, beside_base_lines, parts, summary

__all__ = ["run"]

ANY = Plays(frozenset({"limit", "no-limit"}))
"""Of a no-limit hand the pre-flop is judged; see ``preflop``."""


def run(args: Namespace) -> int:
    """Evaluate the shipped models, and the user's."""
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
    title = f"{args.record.name}: {len(judged.points):,} decision points with known cards of {hands:,} hands"
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
    if not len(joined.points):
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
