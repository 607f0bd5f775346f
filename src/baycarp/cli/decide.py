"""Decide a given situation, and say why: an ACPC match state, or a street of a recorded hand."""

import argparse
import itertools
import json
from pathlib import Path

import baycarp
from baycarp.cli.options import count, seconds
from baycarp.errors import NotationError
from baycarp.game.notation.acpc import read_log
from baycarp.game.notation.hand import STREETS, Hand
from baycarp.game.observation import Observation
from baycarp.game.variant import Variant


def add(parser: argparse.ArgumentParser) -> None:
    """Name the options."""
    parser.add_argument(
        "situation", help="a MATCHSTATE line, or a file: an ACPC log (.log, .log.gz) or PHH (.phh, .phhs)"
    )
    parser.add_argument(
        "--game", default="holdem.limit.2p.reverse_blinds", help="of an ACPC text (default: %(default)s)"
    )
    parser.add_argument(
        "--hand", type=count, default=1, help="which hand of the file, from 1 (default: %(default)s)"
    )
    parser.add_argument(
        "--street", choices=STREETS, default="pre-flop", help="of the file's hand (default: %(default)s)"
    )
    parser.add_argument(
        "--seat", type=int, help="position that decides (default: the first to act on the street)"
    )
    parser.add_argument("--agent", default="baycarp2", help="who decides (default: %(default)s)")
    parser.add_argument("--time-limit", type=seconds, help="seconds")
    parser.add_argument("--json", action="store_true", help="the whole record as one JSON object")


def run(args: argparse.Namespace) -> int:
    """Decide, and print the decision with its reasons."""
    seen = _situation(args)
    agent = baycarp.load(args.agent)
    agent.plays.verify_turn(seen)
    decision = agent.decide(seen, time_limit=args.time_limit)
    if args.json:
        print(json.dumps(decision.to_dict()))
    else:
        print(f"{seen}\n\n{decision.explain()}")
    return 0


def _situation(args: argparse.Namespace) -> Observation:
    if args.situation.startswith("MATCHSTATE:"):
        return baycarp.observe(args.situation, game=args.game)
    return _hand(Path(args.situation), args.hand, args.game).observation(args.street, args.seat)


def _hand(path: Path, number: int, game: str) -> Hand:
    if {".phh", ".phhs"} & set(path.suffixes):
        from baycarp.game.notation.phh import read_phhs

        hands = read_phhs(path)
    else:
        hands = read_log(path, Variant.load(game))
    hand = next(itertools.islice(hands, number - 1, None), None)
    if hand is None:
        raise NotationError(f"{path}: has no hand {number}")
    return hand
