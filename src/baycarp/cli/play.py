"""Play at a table, in the browser or a terminal; or replay."""

import re
import sys
from argparse import Namespace
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from baycarp.agents.registry import DEFAULT
from baycarp.api.stats import stats
from baycarp.arena.journal import Journal
from baycarp.arena.names import named
from baycarp.cli.options import GAME, SEEDED, TIME, count, flag, option, options
from baycarp.cli.page import PAGE, serve_pages
from baycarp.cli.refusals import refusals
from baycarp.cli.runs import folder_of, own_folder
from baycarp.cli.terminal import Terminal
from baycarp.coach.hands import is_session, read_hands, read_seating
from baycarp.errors import ArgumentError, TableError
from baycarp.game import Variant
from baycarp.game.notation.hand import Hand, replay
from baycarp.opponents.known import KnownPlayer
from baycarp.web.again import opening, others
from baycarp.web.sitting import PERSON, Seating, Sitting
from baycarp.web.spots.study import Study
from baycarp.web.table import BrowserTable

__all__ = ["add", "run"]

AGENTS = ("baycarp", "karma", "jake")
"""Those that sit down where none is named."""

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
    option("--adviser", default="", help="the agent that advises you (default: baycarp)"),
    option("--replay", type=Path, metavar="FILE", help="replay hands instead, of any format"),
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
    option(
        "--against",
        action="append",
        default=[],
        metavar="PLAYER",
        help="a bot that plays like a player of the hands of --from; again for others",
    ),
    option(
        "--from",
        dest="learned",
        action="append",
        default=[],
        metavar="HANDS",
        help="files or folders of hands",
    ),
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
    players, game = _learned(args)
    names, specs = named(args.agents or ([] if players else AGENTS))
    names, specs = (*names, *players), (*specs, *(_model_of(each) for each in players.values()))
    variant = Variant.load(args.game or game.format(min(10, len(specs) + 1)))
    if not 2 <= variant.seats <= 9:
        raise TableError(f"{variant.name}: expected 2 to 9 seats, got {variant.seats}")
    adviser = args.adviser or DEFAULT
    seating = Seating(variant, names, specs, adviser, args.seed, args.time)
    path = folder_of(args, seating.header()) / "play.journal"
    for player in players.values():
        path.parent.mkdir(parents=True, exist_ok=True)
        player.save(path.parent / _file_of(player))
    journal = stack.enter_context(Journal(path, seating.header()))
    begun = f"going on after {len(journal.records)} actions" if journal.records else "recorded"
    print(f"{begun}: {path}", file=sys.stderr, flush=True)
    return Sitting(seating, journal)


def _learned(args: Namespace) -> tuple[dict[str, KnownPlayer], str]:
    """The models of the players that bots play like, and the game of their hands, for a number of seats."""
    if bool(args.against) != bool(args.learned):
        raise ArgumentError("--against PLAYER and --from HANDS go together")
    if not args.against:
        return {}, "holdem.limit.{}p"
    found = stats(args.learned, args.game or "", player=args.against)
    players = {each.name: each.model() for each in found.players}
    for player in players.values():
        print(f"{player.name}: learned from {len(player.hands)} hands", file=sys.stderr, flush=True)
    bettings = Counter(hand.variant.betting for player in players.values() for hand in player.hands)
    limit = bettings["limit"] > bettings["no-limit"]
    return players, "holdem.limit.{}p" if limit else "holdem.nolimit.{}p.100bb"


def _file_of(player: KnownPlayer) -> str:
    """The file of a model in the folder of the session, with a part of its digest."""
    name = re.sub(r"[^A-Za-z0-9]", "_", player.name)[:40]
    return f"{name}-{player.players.digest[:8]}.npz"


def _model_of(player: KnownPlayer) -> str:
    return f"alike(model={_file_of(player)!r})"


def _again(args: Namespace) -> Sitting:
    """A session that begins with a recorded hand, at one of its decisions; nothing of it is recorded."""
    if args.out:
        raise ArgumentError("--again: expected no --out with it: a hand that is played again is not recorded")
    with refusals() as left_out:
        hands = read_hands(args.again, args.game, left_out)
    if args.hand > len(hands):
        raise TableError(f"--hand {args.hand}: expected one of the log's, 1 to {len(hands)}")
    hand = hands[args.hand - 1]
    start = opening(hand, args.act - 1 if args.act else _first_act(hand), args.seed)
    adviser = args.adviser or DEFAULT
    names, specs = named(args.agents) if args.agents else (others(hand, start, PERSON), ())
    seated = read_seating(args.again) if is_session(args.again) else None
    known = dict(zip(seated.names, seated.specs, strict=True)) if seated else {}
    specs = specs or tuple(known.get(name, adviser) for name in names)
    seating = Seating(hand.variant, names, specs, adviser, args.seed, args.time)
    return Sitting(seating, start=start, folder=Path(args.again) if seated else Path())


def _first_act(hand: Hand) -> int:
    """The index of the first action of the person; where the record does not name the person, of anybody."""
    position = hand.players.index(PERSON) if PERSON in hand.players else None
    acts = replay(hand).acts
    return next((at for at, act in enumerate(acts) if position in (None, act.seat)), 0)


def _replayed(args: Namespace) -> BrowserTable:
    with refusals() as left_out:
        hands = read_hands(args.replay, args.game, left_out)
    return BrowserTable(log=hands, adviser=args.adviser or DEFAULT)
