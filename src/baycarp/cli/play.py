"""Play at a table, in the browser or a terminal; or replay."""

import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any

from baycarp.agents.registry import DEFAULT
from baycarp.api.stats import stats
from baycarp.arena.journal import Journal
from baycarp.arena.names import named
from baycarp.cli.options import GAME, SEEDED, TIME, count, flag, option, options, path
from baycarp.cli.output import counted
from baycarp.cli.page import PAGE, serve_pages
from baycarp.cli.refusals import refusals
from baycarp.cli.runs import folder_of, own_folder
from baycarp.cli.terminal import Terminal
from baycarp.cli.tour import tour
from baycarp.coach.coach import Coach
from baycarp.coach.hands import is_session, read_hands, read_seating
from baycarp.errors import ArgumentError, TableError
from baycarp.game import Variant
from baycarp.game.notation.hand import Hand, replay
from baycarp.opponents.known import KnownPlayer
from baycarp.web.again import opening, others
from baycarp.web.lobby import Lobby, file_of, model_of
from baycarp.web.sitting import PERSON, Seating, Sitting
from baycarp.web.spots.study import Study
from baycarp.web.table import BrowserTable

__all__ = ["add", "run"]

AGENTS = ("baycarp", "karma", "jake")
"""Those that sit down where none is named."""

JUDGED = 1000
"""Hands of ``--from`` by which the game is chosen."""

LISTED = 50
"""Players of ``--from`` that the page lists."""

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
    option("--replay", type=path, metavar="FILE", help="replay hands instead, of any format"),
    option(
        "--again", type=path, metavar="FILE", help="the cards of a hand of a log, or of a session's folder"
    ),
    option(
        "--hand",
        type=count,
        help="with --again: the hand of the log, from 1 (default: %(default)s)",
        default=1,
    ),
    option("--act", type=count, help="with --again: you take this action's place (default: your first one)"),
    flag("--open-cards", "study mode: decisions, and all cards, can be opened during the hand"),
    flag("--terminal", "play here in place of the browser; needs no extra"),
    flag("--tour", "a guided session of five hands, here"),
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
    if args.tour:
        tour()
        return 0
    if args.terminal:
        return _at_the_terminal(args)

    def made(stack: ExitStack) -> dict[str, Any]:
        table = _replayed(args) if args.replay else _seated(args, stack)
        return {"index": table, "study": Study(table), "coach": Coach(table)}

    return serve_pages(args, made, hint=", or --terminal")


def _at_the_terminal(args: Namespace) -> int:
    if args.replay:
        raise ArgumentError(
            "--terminal: expected no --replay with it; baycarp decide opens decisions of a log"
        )
    if args.learned and not args.against:
        raise ArgumentError("--from HANDS: expected --against PLAYER with it at the terminal")
    with ExitStack() as stack:
        sitting = _sitting(args, _learned(args))
        stack.callback(sitting.close)
        Terminal(sitting, open_cards=args.open_cards).run()
    return 0


def _seated(args: Namespace, stack: ExitStack) -> BrowserTable:
    """The table of the page, from which new sessions are begun."""
    learned = _learned(args)
    names = dict(zip(*named(args.agents), strict=True)) | ({"adviser": args.adviser} if args.adviser else {})
    lobby = Lobby(partial(_opened, args), args.adviser or DEFAULT, names, learned.makers)
    table = BrowserTable(_sitting(args, learned), open_cards=args.open_cards, lobby=lobby)
    stack.callback(table.close)
    return table


def _sitting(args: Namespace, learned: "LearnedPlayers") -> Sitting:
    if args.again:
        return _again(args)
    players, game = learned.named(args.against), learned.game
    names, specs = named(args.agents or ([] if players else AGENTS))
    names, specs = (*names, *players), (*specs, *(model_of(each) for each in players.values()))
    variant = Variant.load(args.game or game.format(min(10, len(specs) + 1)))
    if not 2 <= variant.seats <= 9:
        raise TableError(f"{variant.name}: expected 2 to 9 seats, got {variant.seats}")
    adviser = args.adviser or DEFAULT
    seating = Seating(variant, names, specs, adviser, args.seed, args.time)
    return _recorded(folder_of(args, seating.header()), seating, players.values())


def _opened(args: Namespace, seating: Seating, players: Iterable[KnownPlayer]) -> Sitting:
    """A session that the page begins, in a new folder beside that of the command."""
    usual: Path = args.out or args.usual
    usual = usual.resolve()  # of "." too there is a folder beside it
    folders = chain([usual], (usual.with_name(f"{usual.name}-{number}") for number in range(2, 10_000)))
    return _recorded(next(each for each in folders if not each.exists()), seating, players)


def _recorded(folder: Path, seating: Seating, players: Iterable[KnownPlayer]) -> Sitting:
    """The session in a folder, with the models of its learned players."""
    for player in players:
        folder.mkdir(parents=True, exist_ok=True)
        player.save(folder / file_of(player))
    journal = Journal(path := folder / "play.journal", seating.header())
    begun = f"going on after {counted(len(journal.records), 'action')}" if journal.records else "recorded"
    print(f"{begun}: {path}", file=sys.stderr, flush=True)
    try:
        return Sitting(seating, journal)
    except BaseException:
        journal.close()
        raise


@dataclass(frozen=True, slots=True)
class LearnedPlayers:
    """Players of hands that bots may play like, and the game of the hands, for a number of seats."""

    makers: Mapping[str, Callable[[], KnownPlayer]]
    game: str

    def named(self, names: Iterable[str]) -> dict[str, KnownPlayer]:
        """The models of players, by name."""
        players = {name: self.makers[name]() for name in names}
        for player in players.values():
            learned = counted(len(player.hands), "hand")
            print(f"{player.name}: learned from {learned}", file=sys.stderr, flush=True)
        return players


def _learned(args: Namespace) -> LearnedPlayers:
    """The players of ``--against``, or those of ``--from`` with most hands, for the page to choose from."""
    if args.against and not args.learned:
        raise ArgumentError("--against PLAYER: expected --from HANDS with it")
    if not args.learned:
        return LearnedPlayers({}, "holdem.limit.{}p")
    found = stats(args.learned, args.game or "", player=args.against)
    players = found.players if args.against else found.players[:LISTED]
    hands = (hand for hand in found.source() if not args.against or {*args.against} & {*hand.players})
    bettings = Counter(hand.variant.betting for hand in islice(hands, JUDGED))
    limit = bettings["limit"] > bettings["no-limit"]
    return LearnedPlayers(
        {each.name: each.model for each in players},
        "holdem.limit.{}p" if limit else "holdem.nolimit.{}p.100bb",
    )


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
