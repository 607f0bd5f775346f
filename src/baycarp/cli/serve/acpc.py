"""Play a match through an ACPC dealer, one of our agents in a seat."""

import sys
from argparse import ArgumentTypeError, Namespace

import numpy as np

from baycarp.agents.registry import DEFAULT, load_for
from baycarp.arena.acpc.client import Player, play
from baycarp.arena.measure import interval
from baycarp.arena.scores import unit_of
from baycarp.budget import Budget
from baycarp.cli.options import option, options, port, seconds, seed
from baycarp.cli.output import counted
from baycarp.game.variant import Variant

__all__ = ["add", "run"]


def _time(text: str) -> float:
    """Seconds above 0: in no time an agent could only take the cheapest legal action."""
    value = seconds(text)
    if not value:
        raise ArgumentTypeError(f"{text!r}: expected seconds above 0")
    return value


add = options(
    option("host", help="of the dealer"),
    option("port", type=port, help="that the dealer printed for this seat"),
    option("--agent", default=DEFAULT, help="the agent that plays"),
    option(
        "--game",
        default="holdem.limit.2p.reverse_blinds",
        help="what the dealer deals: a shipped game or a .game file",
    ),
    option("--time", type=_time, help="seconds for a decision (default: the agent's own)"),
    option("--seed", type=seed, default=1, help="of the agent's draws"),
    option(
        "--wait",
        type=seconds,
        default=0.0,
        metavar="SECONDS",
        help="for a dealer that is not there yet, or hung up in a hand",
    ),
)


def run(args: Namespace) -> int:
    """Play until the dealer hangs up, and print the result."""
    variant = Variant.load(args.game)
    budget = None if args.time is None else Budget(time=args.time)
    player = Player(load_for(variant, args.agent), variant, args.seed, budget)
    try:
        play(args.host, args.port, player, args.wait)
    finally:
        net = np.array(player.net, np.int64)
        unit, chip = unit_of(variant)
        won = f"{net.sum():+d} chips, {interval(net * chip, unit=unit)}" if len(net) else "nothing was played"
        print(f"{counted(len(net), 'hand')}, {won}")
        for reason, times in player.refused.items():
            print(f"not used: {reason} ({times})", file=sys.stderr)
    return 0
