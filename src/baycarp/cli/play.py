"""Play at a table, in the browser or a terminal; or replay."""

import sys
from argparse import Namespace
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from baycarp.agents.registry import DEFAULT, load
from baycarp.arena.journal import Journal
from baycarp.arena.names import named
from baycarp.cli.options import GAME, SEEDED, TIME, count, flag, option, options
from baycarp.cli.page import PAGE, serve_pages
from baycarp.cli.runs import folder_of, own_folder
from baycarp.cli.terminal import Terminal
from baycarp.coach.hands import read_hands, read_seating
from baycarp.errors import ArgumentError, TableError
from baycarp.game import Variant
from baycarp.game.notation.hand import Hand, Refused, replay
from baycarp.web.again import opening, others
from baycarp.web.review import read
from baycarp.web.sitting import PERSON, Seating, Sitting
from baycarp.web.spots.study import Study
from baycarp.web.table import BrowserTable

__all__ = ["add", "run"]

AGENTS = ("baycarp", "karma", "jake")
"""Those that sit down where none is named."""

GAME_OF_LOG = "holdem.limit.2p.reverse_blinds"
"""Of an ACPC log where no game is named."""

add = options(
    option(
        "agents",
        nargs="*",
        metavar="AGENT",
        default=[],
        help=f"a shipped agent; NAME=AGENT names it (default: {' '.join(AGENTS)})",
    ),
    GAME,
    SEEDED,
    PAGE,
    TIME,
    option("--adviser", default="", help="the agent that advises you (default: baycarp where it can play)"),
    option("--replay", type=Path, metavar="FILE", help="replay a log instead: .phh, .phhs, else ACPC"),
    option(
        "--again", type=Path, metavar="FILE", help="the cards of a hand of a log, or of a session's folder"
    ),
    option(
        "--hand",
        type=count,
        help="with --again: the hand of the log, from 1 (default: %(default)s)",
        default=1,
    ),
    option("--act", type=count, help="with --again: you take this action's place (default: your first one)"),
    flag("--open-cards", "study mode: decisions can be opened during the hand"),
    flag("--terminal", "play here in place of the browser; needs no extra"),
    own_folder("played", "folder of the session's journal, to go on with it"),
)


def run(args: Namespace) -> int:
    """Serve the table until it is interrupted, or play here."""
    if args.terminal:
        return _at_the_terminal(args)

    def made(stack: ExitStack) -> dict[str, Any]:
        table = (
            _replayed(args)
            if args.replay
            else BrowserTable(_sitting(args, stack), open_cards=args.open_cards)
        )
        return {"index": table, "study": Study(table)}

    return serve_pages(args, made, hint=", or --terminal")


def _at_the_terminal(args: Namespace) -> int:
    if args.replay:
        raise ArgumentError(
            "--terminal: expected no --replay with it; baycarp decide opens decisions of a log"
        )
    with ExitStack() as stack:
        Terminal(_sitting(args, stack), open_cards=args.open_cards).run()
    return 0


def _sitting(args: Namespace, stack: ExitStack) -> Sitting:
    if args.again:
        return _again(args)
    names, specs = named(args.agents or AGENTS)
    variant = Variant.load(args.game or f"holdem.limit.{min(10, len(specs) + 1)}p")
    if not 2 <= variant.seats <= 9:
        raise TableError(f"{variant.name}: expected 2 to 9 seats, got {variant.seats}")
    adviser = args.adviser or _usual(variant)
    seating = Seating(variant, names, specs, adviser, args.seed, args.time)
    path = folder_of(args, seating.header()) / "play.journal"
    journal = stack.enter_context(Journal(path, seating.header()))
    begun = f"going on after {len(journal.records)} actions" if journal.records else "recorded"
    print(f"{begun}: {path}", file=sys.stderr, flush=True)
    return Sitting(seating, journal)


def _again(args: Namespace) -> Sitting:
    """A session that begins with a recorded hand, at one of its decisions; nothing of it is recorded."""
    if args.out:
        raise ArgumentError("--again: expected no --out with it: a hand that is played again is not recorded")
    hands = read_hands(args.again, args.game or GAME_OF_LOG, _left_out)
    if args.hand > len(hands):
        raise TableError(f"--hand {args.hand}: expected one of the log's, 1 to {len(hands)}")
    hand = hands[args.hand - 1]
    start = opening(hand, args.act - 1 if args.act else _first_act(hand), args.seed)
    adviser = args.adviser or _usual(hand.variant)
    names, specs = named(args.agents) if args.agents else (others(hand, start, PERSON), ())
    seated = read_seating(args.again) if args.again.is_dir() else None
    known = dict(zip(seated.names, seated.specs, strict=True)) if seated else {}
    specs = specs or tuple(known.get(name, adviser) for name in names)
    return Sitting(Seating(hand.variant, names, specs, adviser, args.seed, args.time), start=start)


def _first_act(hand: Hand) -> int:
    """The index of the first action of the person; where the record does not name the person, of anybody."""
    position = hand.players.index(PERSON) if PERSON in hand.players else None
    acts = replay(hand).acts
    return next((at for at, act in enumerate(acts) if position in (None, act.seat)), 0)


def _usual(variant: Variant) -> str:
    """The adviser where none is named."""
    return DEFAULT if load(DEFAULT).plays.fits(variant) else "sizer"


def _left_out(refused: Refused) -> None:
    print(f"left out: {refused}", file=sys.stderr)


def _replayed(args: Namespace) -> BrowserTable:
    hands = read(args.replay, args.game or GAME_OF_LOG, _left_out)
    return BrowserTable(log=hands, adviser=args.adviser or _usual(hands[0].variant))
