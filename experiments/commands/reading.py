"""Models of opponents on players that they were not trained on: ``python -m experiments reading``."""

from argparse import Namespace
from collections.abc import Iterator
from math import isnan
from pathlib import Path

from baycarp.cli.options import count, option, options, seed
from baycarp.cli.output import as_json, console, grid
from baycarp.cli.progress import progress
from baycarp.game import Variant
from baycarp.game.notation.hand import Hand
from baycarp.opponents.moves.players import SHIPPED, load_players
from experiments.options import JSON
from experiments.players.opponent_reading import Scores, one_model, scored, sessions_of_styles

__all__ = ["add", "run"]

EARLY = 50
"""The hands of a session in the column of the first hands."""

WIDE = 140
"""Columns of the table."""

add = options(
    JSON,
    option(
        "--read-by",
        nargs="+",
        type=Path,
        default=[SHIPPED],
        metavar="MODEL",
        help="files of `baycarp train --agent mcts` (default: the shipped one)",
    ),
    option("--read-game", default="holdem.nolimit.2p.100bb", metavar="GAME", help="no-limit"),
    option("--read-first", type=count, default=100, help="number of the first member of the population"),
    option("--read-sessions", type=count, default=20, help="sessions, of other members each"),
    option("--read-hands", type=count, default=200, help="hands of a session"),
    option("--read-seed", type=seed, default=1, help="fixes cards and draws"),
)


def run(args: Namespace) -> int:
    """Watch, read and print."""
    watched = sessions_of_styles(
        Variant.load(args.read_game), args.read_first, args.read_sessions, args.read_hands, args.read_seed
    )
    sessions = []
    with progress("sessions", args.read_sessions) as tick:
        for session in watched:
            sessions.append(session)
            tick(len(sessions))
    found = dict(_scores(args, sessions))
    (base, one), *_ = found.items()
    rows = {name: _row(scores, None if name == base else one) for name, scores in found.items()}
    if args.json:
        print(as_json(rows))
        return 0
    headings = ("choice", f"first {EARLY}", "later", "less than the first", "folded < deal", "shown < deal")
    table = grid("model", *headings, title=f"{args.read_game}, nats", words=("model",))
    for name, row in rows.items():
        table.add_row(name, *map(_cell, row.values()))
    table.caption = (
        f"log loss of the next choice in all, in the first {EARLY} hands of a session and later; the loss of "
        "the true holding below that of the deal, of players that folded and that showed it; 95 % by hand"
    )
    console(WIDE).print(table)
    return 0


def _cell(pair: tuple[float, float] | None) -> str:
    return "" if pair is None or isnan(pair[0]) else "{:.4f} ± {:.4f}".format(*pair)


def _scores(args: Namespace, sessions: list[list[Hand]]) -> Iterator[tuple[str, Scores]]:
    for path in args.read_by:
        players, name = load_players(path), path.stem
        yield f"{name}, one model", scored(sessions, one_model(players), own=0)
        yield f"{name}, clusters", scored(sessions, players, own=0)
        yield f"{name}, clusters and individual", scored(sessions, players)


def _row(scores: Scores, one: Scores | None) -> dict[str, tuple[float, float] | None]:
    return {
        "choice": scores.choices.mean(),
        "first": scores.choices.mean(0, EARLY),
        "later": scores.choices.mean(EARLY),
        "less than the first": scores.choices.less_than(one.choices) if one else None,
        "folded": scores.folded.less_than_deal(),
        "shown": scores.shown.less_than_deal(),
    }
