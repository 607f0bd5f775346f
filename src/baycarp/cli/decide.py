"""Decide a given situation, and explain the decision."""

import json
import re
from argparse import Namespace
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any

import baycarp
from baycarp.agents.base import Agent, as_decision
from baycarp.agents.registry import DEFAULT, has_memory, load_for
from baycarp.agents.terms import seen_words
from baycarp.api.decide import DecideOptions, drawn_line, supposed
from baycarp.arena.recorded import SessionMark, read_session, sit_through
from baycarp.card import as_cards
from baycarp.cli.options import TIME, count, flag, game_of, group, option, options
from baycarp.cli.output import print_text
from baycarp.cli.progress import progress
from baycarp.cli.refusals import refusals
from baycarp.errors import ArgumentError, CardError, NotationError, brief
from baycarp.explain.counterfactual import Counterfactual
from baycarp.explain.evidence import pieces
from baycarp.explain.least import counterfactual_of, least_changes
from baycarp.explain.valued import ValueCounterfactual, act_pieces
from baycarp.game import STREETS, Observation
from baycarp.game.notation.hand import Hand
from baycarp.game.seats import position_of
from baycarp.game.situation import as_text

HEADS_UP = "holdem.limit.2p.reverse_blinds"

add = options(
    option(
        "situation",
        nargs="+",
        metavar="CARDS",
        help="your two cards, as AhKd, and the board; or a MATCHSTATE line; or a file of hands of any format",
    ),
    group(
        "your two cards",
        "Amounts are big blinds, unless --blinds are given; the game is no-limit. The shortest legal hand "
        "that leads to the spot is played, and printed.",
        option("--board", default="", help="none, three, four or five cards"),
        option(
            "--pot",
            default="0",
            metavar="N",
            help="all that is in it now (default: the blinds; on a board, a big blind of each)",
        ),
        option("--to-call", metavar="N", help="what it costs to stay in (default: as little as can be)"),
        option("--stack", metavar="N", help="of everybody at the beginning (default: 100 big blinds)"),
        option("--opponents", type=count, default=1, help="still in"),
        option("--blinds", metavar="N/N", help="small and big blind; amounts are in the same money"),
        option(
            "--villain",
            action="append",
            default=[],
            metavar="RANGE",
            help="the range of the opponents, in place of the agent's belief; again for each of several",
        ),
    ),
    option("--position", default="", metavar="SEAT", help="that decides: BTN, SB, BB ..., or a player"),
    option("--game", help="of a line, of cards; of a log that does not show it"),
    option(
        "--hand",
        type=count,
        default=1,
        help="which hand of the file, from 1 (default: %(default)s); the agent sits through those before",
    ),
    option("--street", choices=STREETS, default=STREETS[0], help="of the file's hand"),
    option(
        "--agent",
        help=f"that decides (default: {DEFAULT})",
    ),
    TIME,
    flag("--flip", "also the evidence that the action depends on, and the least change that flips it"),
    flag("--json", "the whole record as one JSON object"),
)


def run(args: Namespace) -> int:
    """Decide, and print the decision with its reasons."""
    if _is_holding(args.situation[0]):
        return _spot(args)
    agent, observation = _situation(args)
    decision = as_decision(agent.decide(observation, time_limit=args.time), args.agent)
    hangs = _hangs(counterfactual_of(agent, observation, decision)) if args.flip else {}
    if args.json:
        print(json.dumps(decision.to_dict() | hangs))
    else:
        print_text(f"{as_text(observation)}\n\n{decision.explain()}")
        if drawn := drawn_line(decision):
            print_text(f"\n{drawn}")
        if hangs:
            print_text("\n".join(["", *_words(hangs)]))
    return 0


_LINE = re.compile(r"(?i)\s*MATCH\W?STATE|[A-Z]*STATE:|:?[0-9]+:[0-9]+:[fcr/0-9]*:[^/\\]*\|")
"""What is meant for a MATCHSTATE line, even if it is none: its reader names what is wrong with it."""


_NEARLY = re.compile(r"(?i)(?:[2-9TJQKA1][0-9A-Z]{1,2}\s?){2}")
"""What is meant for two cards where no such file is, such as AhKx."""


def _is_holding(text: str) -> bool:
    try:
        return len(as_cards(text)) == 2
    except CardError:
        if _NEARLY.fullmatch(text) and not Path(text).exists():
            raise
        return False


def _spot(args: Namespace) -> int:
    """Decide with the own two cards."""
    hole, *board = args.situation
    if (args.hand, args.street) != (1, STREETS[0]):
        raise ArgumentError("two cards are one situation: expected no --hand or --street")
    if board and args.board:
        raise ArgumentError(f"board {args.board!r}: given twice, {' '.join(board)!r} too")
    options: DecideOptions = {
        "pot": args.pot, "to_call": args.to_call, "opponents": args.opponents, "villain": args.villain,
        "position": args.position, "game": args.game or "",
    }  # fmt: skip
    if args.stack:
        options["stack"] = args.stack
    if args.blinds:
        small, slash, big = args.blinds.partition("/")
        if not slash:
            raise ArgumentError(f"blinds {brief(args.blinds, 40)}: expected both, such as 0.5/1")
        options["blinds"] = (small, big)
    found = baycarp.decide(hole, "".join(board) or args.board, args.agent or "", **options)
    if args.json:
        print(json.dumps(found.to_dict()))
    else:
        found.show()
    return 0


def _hangs(counterfactual: Counterfactual | ValueCounterfactual) -> dict[str, Any]:
    """The evidence that the decision depends on, and the least changes that flip it."""
    flips = least_changes(counterfactual)
    if isinstance(counterfactual, Counterfactual):
        hangs = list(_by_votes(counterfactual))
    else:
        hangs = list(_by_values(counterfactual))
    return {
        "hangs on": hangs,
        "flips": {over: found and {"text": str(found), **asdict(found)} for over, found in flips.items()},
    }


def _by_votes(counterfactual: Counterfactual) -> Iterator[dict[str, Any]]:
    for piece in pieces(counterfactual):
        yield {
            "player": counterfactual.players[piece.position],
            "seen": seen_words(piece.node, piece.state),
            "action without": piece.action,
            "votes move": piece.vote_shift,
            "case moves": piece.distance,
        }


def _by_values(counterfactual: ValueCounterfactual) -> Iterator[dict[str, Any]]:
    for piece in act_pieces(counterfactual):
        big_blinds = piece.chips / counterfactual.observation.variant.big_blind
        yield {
            "player": piece.player,
            "seen": seen_words(piece.node, piece.state),
            "action without": piece.action,
            "lead moves": big_blinds,
        }


def _words(record: dict[str, Any]) -> Iterator[str]:
    if record["hangs on"]:
        yield "hangs on"
        wide = max(len(line["seen"]) for line in record["hangs on"])
        for line in record["hangs on"]:
            without = f"without it {line['action without']:<5}"
            yield f"  {line['player']}: {line['seen']:<{wide}}  {without}  {_moved(line)}"
        yield ""
    yield "would be"
    for over, found in record["flips"].items():
        yield f"  {over:<8}  " + (
            f"{found['text']} ({found['size']:.1%} away)" if found else "nothing flips it"
        )


def _moved(line: dict[str, Any]) -> str:
    if "votes move" in line:
        return f"votes {line['votes move']:>6.1%}"
    return f"lead {line['lead moves']:+.2f} big blinds"


def _situation(args: Namespace) -> tuple[Agent, Observation]:
    """The agent, and the observation; in a recorded hand the agent has sat through the session before."""
    hands: list[Hand] = []
    given, *rest = args.situation
    if rest:
        raise ArgumentError(f"{rest[0][:40]!r}: expected it with your two cards alone, such as AhKd Qs7d2c")
    if _LINE.match(given):
        if (args.hand, args.street, args.position) != (1, STREETS[0], ""):
            raise ArgumentError(
                "a MATCHSTATE line is one situation: expected no --hand, --street or --position"
            )
        observation = baycarp.observe(given, game=game_of(given, args.game, HEADS_UP))
    else:
        hands, mark = _session(Path(given), args.hand, args.game)
        hand = hands[-1]
        seat = position_of(hand.variant, args.position, hand.players) if args.position else None
        observation = hand.observation(args.street, seat)
    name = args.agent or DEFAULT
    agent = load_for(observation.variant, name)
    agent.plays.verify_turn(observation)
    if not hands:
        supposed(agent, observation, args.villain)
        return agent, observation
    before = len(hands) - 1
    with progress("hands before", before) if before else nullcontext(lambda hands: None) as tick:
        sit_through(agent, hands, observation, mark, not has_memory(name), tick)
    supposed(agent, observation, args.villain)
    return agent, observation


def _session(path: Path, number: int, game: str | None) -> tuple[list[Hand], SessionMark | None]:
    with refusals() as refusal:
        hands, mark = read_session(path, game, number, refusal)
    if not hands:
        raise NotationError(f"{path}: has no hand {number}")
    return hands, mark
