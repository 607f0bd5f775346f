"""Agents against the no-limit population, by the number of the hand: ``python -m experiments styles``."""

from argparse import Namespace
from itertools import takewhile
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from baycarp.arena.measure import Rate
from baycarp.arena.workers import Workers
from baycarp.budget import Budget
from baycarp.cli.options import count, flag, option, options, seed
from baycarp.cli.output import as_json, grid
from baycarp.cli.progress import progress
from baycarp.game import Variant
from experiments.options import JSON, ONE_WORKER
from experiments.players.against_styles import Meeting, by_hand, drawn_styles, meet, pooled
from experiments.players.players import STYLES

__all__ = ["add", "run"]

GAME = "holdem.nolimit.2p.100bb"

EDGES = (0, 25, 50, 100, 200, 400, 800)
"""Hands of a session where a row of the table begins."""

Won: TypeAlias = NDArray[np.float64]
"""Small blinds by hand of a session."""

add = options(
    JSON,
    ONE_WORKER,
    option("--met-by", nargs="+", default=["mcts"], metavar="AGENT", help="agents (default: mcts)"),
    option("--styles-game", default=GAME, metavar="GAME", help="no-limit"),
    option("--first", type=int, default=100, help="number of the first drawn style"),
    option("--drawn", type=count, default=100, help="drawn styles, a session each heads-up"),
    flag("--named", "the eight styles of `players` instead, a row each, heads-up"),
    option("--session", type=count, default=100, help="hands of a session"),
    option("--sessions", type=count, default=1, help="of each of the eight styles"),
    option("--milliseconds", type=count, help="a decision, instead of the agents' own playouts"),
    option("--styles-seed", type=seed, default=1, help="fixes cards and draws"),
)


def run(args: Namespace) -> int:
    """Play and print."""
    won = {spec: _won(args, _meeting(args, spec)) for spec in args.met_by}
    first = won[args.met_by[0]]
    found = {spec: _rows(args, each) | _difference(each, first) for spec, each in won.items()}
    if args.json:
        print(
            as_json({spec: {k: rate.to_dict() for k, rate in rows.items()} for spec, rows in found.items()})
        )
        return 0
    words = "style" if args.named else "hands"
    table = grid(words, *found, words=(words,), title=f"small blinds a hand, {args.styles_game}")
    for name in next(reversed(found.values())):
        table.add_row(name, *(rows[name].cell(2) if name in rows else "" for rows in found.values()))
    table.caption = "by all-in equity; 95 % margins by session from 20 sessions on, else by hand"
    Console().print(table)
    return 0


def _meeting(args: Namespace, spec: str) -> Meeting:
    game = Variant.load(GAME if args.named else args.styles_game)
    styles = STYLES if args.named else drawn_styles(args.first, args.drawn)
    sessions = args.sessions * len(STYLES) if args.named else -(-args.drawn // (game.seats - 1))
    return Meeting(game, spec, styles, sessions, args.session, args.styles_seed, _budget(args))


def _rows(args: Namespace, won: list[Won]) -> dict[str, Rate]:
    if args.named:
        return {style: pooled(won[number :: len(STYLES)]) for number, style in enumerate(STYLES)}
    edges = [*takewhile(lambda edge: edge < args.session, EDGES), args.session]
    rows = {f"{a} to {b}": rate for (a, b), rate in by_hand(won, edges).items()}
    return rows | {f"all {sum(map(len, won)):,}": pooled(won)}


def _difference(won: list[Won], first: list[Won]) -> dict[str, Rate]:
    """What an agent wins more than the first one, on the same decks against the same players."""
    if won is first:
        return {}
    return {"more than the first": pooled([a - b for a, b in zip(won, first, strict=True)])}


def _budget(args: Namespace) -> Budget | None:
    return Budget(time=args.milliseconds / 1000) if args.milliseconds else None


def _won(args: Namespace, meeting: Meeting) -> list[Won]:
    won = []
    with progress(meeting.agent, meeting.sessions) as tick:
        for session in meet(meeting, Workers(args.workers)):
            won.append(session)
            tick(len(won))
    return won
