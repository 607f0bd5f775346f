"""Decide a given situation, and explain the decision."""

import json
from argparse import Namespace
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any

import baycarp
from baycarp.agents.base import Agent
from baycarp.agents.registry import DEFAULT, has_memory, load_for
from baycarp.arena.recorded import SessionMark, read_session, sit_through
from baycarp.cli.options import TIME, count, flag, game_of, option, options
from baycarp.cli.progress import progress
from baycarp.errors import ArgumentError, NotationError
from baycarp.explain.counterfactual import Counterfactual
from baycarp.explain.evidence import pieces
from baycarp.explain.flips import OVER, flip
from baycarp.game import STREETS, Observation
from baycarp.game.notation.hand import Hand
from baycarp.game.situation import as_text

HEADS_UP = "holdem.limit.2p.reverse_blinds"

add = options(
    option("situation", help="a MATCHSTATE line, or a file of hands, whatever its format"),
    option("--game", help="of an ACPC text (default: limit, with a seat for each hand; a log shows it)"),
    option(
        "--hand",
        type=count,
        default=1,
        help="which hand of the file, from 1 (default: %(default)s); the agent sits through those before",
    ),
    option("--street", choices=STREETS, default=STREETS[0], help="of the file's hand"),
    option("--seat", type=int, help="position that decides (default: the first to act on the street)"),
    option("--agent", default=DEFAULT, help="the agent that decides"),
    TIME,
    flag("--flip", "also the evidence that BayCaRP's action depends on, and the least change that flips it"),
    flag("--json", "the whole record as one JSON object"),
)


def run(args: Namespace) -> int:
    """Decide, and print the decision with its reasons."""
    agent, observation = _situation(args)
    decision = agent.decide(observation, time_limit=args.time)
    hangs = _hangs(Counterfactual(agent, observation, decision)) if args.flip else {}
    if args.json:
        print(json.dumps(decision.to_dict() | hangs))
    else:
        print(f"{as_text(observation)}\n\n{decision.explain()}")
        if hangs:
            print("", *_words(hangs), sep="\n")
    return 0


def _hangs(counterfactual: Counterfactual) -> dict[str, Any]:
    """The evidence that the decision depends on, and the least changes that flip it."""
    hangs = [
        {
            "player": counterfactual.players[piece.position],
            "seen": f"{piece.node} {piece.state}",
            "action without": piece.action,
            "votes move": piece.vote_shift,
            "case moves": piece.distance,
        }
        for piece in pieces(counterfactual)
    ]
    flips = {over: flip(counterfactual, over) for over in OVER}
    return {
        "hangs on": hangs,
        "flips": {over: found and {"text": str(found), **asdict(found)} for over, found in flips.items()},
    }


def _words(record: dict[str, Any]) -> Iterator[str]:
    if record["hangs on"]:
        yield "hangs on"
        wide = max(len(line["seen"]) for line in record["hangs on"])
        for line in record["hangs on"]:
            without, votes = f"without it {line['action without']:<5}", f"{line['votes move']:>6.1%}"
            yield f"  {line['player']}: {line['seen']:<{wide}}  {without}  votes {votes}"
        yield ""
    yield "would be"
    for over, found in record["flips"].items():
        yield f"  {over:<8}  " + (
            f"{found['text']} ({found['size']:.1%} away)" if found else "nothing flips it"
        )


def _situation(args: Namespace) -> tuple[Agent, Observation]:
    """The agent, and the observation; in a recorded hand the agent has sat through the session before."""
    hands: list[Hand] = []
    if args.situation.startswith("MATCHSTATE:"):
        if (args.hand, args.street, args.seat) != (1, STREETS[0], None):
            raise ArgumentError("a MATCHSTATE line is one situation: expected no --hand, --street or --seat")
        observation = baycarp.observe(args.situation, game=game_of(args.situation, args.game, HEADS_UP))
    else:
        hands, mark = _session(Path(args.situation), args.hand, args.game)
        observation = hands[-1].observation(args.street, args.seat)
    agent = load_for(observation.variant, args.agent)
    agent.plays.verify_turn(observation)
    if not hands:
        return agent, observation
    before = len(hands) - 1
    with progress("hands before", before) if before else nullcontext(lambda hands: None) as tick:
        sit_through(agent, hands, observation, mark, not has_memory(args.agent), tick)
    return agent, observation


def _session(path: Path, number: int, game: str | None) -> tuple[list[Hand], SessionMark | None]:
    hands, mark = read_session(path, game, number)
    if not hands:
        raise NotationError(f"{path}: has no hand {number}")
    return hands, mark
