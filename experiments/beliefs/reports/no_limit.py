"""``beliefs --no-limit [MODEL ...]``: models of moves on players that they were not trained on.

The players are members of the no-limit population, or those of archives with all cards.
"""

from argparse import Namespace
from collections.abc import Iterator
from math import isnan

from baycarp.cli.output import as_json, console, grid
from baycarp.cli.progress import progress
from baycarp.game import Variant
from baycarp.game.notation.hand import Hand
from baycarp.opponents.moves.players import SHIPPED, load_players
from baycarp.opponents.moves.reading import PUBLISHED
from experiments.beliefs.no_limit import Scores, one_model, scored, sessions_of_styles
from experiments.beliefs.reports.leave_out import people

__all__ = ["run"]

EARLY = 50
"""The hands of a session in the column of the first hands."""

WIDE = 140
"""Columns of the table."""

GAME, FIRST, SESSIONS, HANDS = "holdem.nolimit.2p.100bb", 100, 20, 200
"""The game; the first member of the population; sessions, of other members each; hands of each."""


def run(args: Namespace) -> int:
    """Watch, read and print."""
    if args.people:
        archives = [people(text, *filter(None, [args.people_hands])) for text in args.people]
        name = ", ".join(each.name for each in archives)
        sessions = [list(session.hands) for each in archives for session in each.sessions]
    else:
        name, sessions = args.game or GAME, _of_styles(args)
    found = dict(_scores(args, sessions))
    (base, one), *_ = found.items()
    rows = {name: _row(scores, None if name == base else one) for name, scores in found.items()}
    if args.json:
        print(as_json(rows))
        return 0
    headings = ("choice", f"first {EARLY}", "later", "less than the first", "folded < deal", "shown < deal")
    table = grid("model", *headings, title=f"{name}, nats", words=("model",))
    for name, row in rows.items():
        table.add_row(name, *map(_cell, row.values()))
    table.caption = (
        f"log loss of the next choice in all, in the first {EARLY} hands of a session and later; the loss of "
        "the true holding below that of the deal, of players that folded and that showed it; 95 % by hand"
    )
    console(WIDE).print(table)
    return 0


def _of_styles(args: Namespace) -> list[list[Hand]]:
    number, sessions = args.sessions or SESSIONS, []
    game = Variant.load(args.game or GAME)
    with progress("sessions", number) as tick:
        for session in sessions_of_styles(game, FIRST, number, args.hands or HANDS, args.seed):
            sessions.append(session)
            tick(len(sessions))
    return sessions


def _cell(pair: tuple[float, float] | None) -> str:
    return "" if pair is None or isnan(pair[0]) else "{:.4f} ± {:.4f}".format(*pair)


def _scores(args: Namespace, sessions: list[list[Hand]]) -> Iterator[tuple[str, Scores]]:
    for path in args.no_limit or [SHIPPED]:
        players, name = load_players(path), path.stem
        yield f"{name}, one model", scored(sessions, one_model(players), own=0)
        yield f"{name}, clusters", scored(sessions, players, own=0)
        yield f"{name}, as published", scored(sessions, players, confidence=PUBLISHED)
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
