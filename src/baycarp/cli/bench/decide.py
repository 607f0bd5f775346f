"""Milliseconds of a decision by street, heads-up, warm; and by the number of cases that are remembered."""

import statistics
import time
from argparse import Namespace, _ArgumentGroup
from collections.abc import Iterator

import numpy as np

import baycarp
from baycarp.agents.base import Agent
from baycarp.agents.baycarp import BayCaRP
from baycarp.agents.registry import DEFAULT
from baycarp.cli.bench.goal import Goal
from baycarp.cli.bench.sizes import sized
from baycarp.cli.options import count
from baycarp.errors import ModelError

__all__ = ["add", "goals"]

LINES = {
    "pre-flop": "MATCHSTATE:0:0:r:AhKd|",
    "flop": "MATCHSTATE:0:0:rc/:AhKd|/Qs7d2c",
    "turn": "MATCHSTATE:0:0:rc/cc/:AhKd|/Qs7d2c/9h",
    "river": "MATCHSTATE:0:0:rc/cc/cc/:AhKd|/Qs7d2c/9h/3s",
}


def add(group: _ArgumentGroup) -> None:
    """Name the options."""
    group.add_argument(
        "--decider", default=DEFAULT, metavar="AGENT", help="who decides (default: %(default)s)"
    )
    group.add_argument(
        "--remembers",
        type=count,
        nargs="+",
        default=[],
        metavar="CASES",
        help="so many cases a street instead of the model's: the first of them, or more drawn from them",
    )


def goals(args: Namespace) -> Iterator[Goal]:
    """Measure as it is, or size by size."""
    agent = baycarp.load(args.decider)
    if not args.remembers:
        yield from _by_street(agent)
        return
    if not isinstance(agent, BayCaRP):
        raise ModelError(f"{args.decider}: expected a BayCaRP, who remembers cases")
    for size in args.remembers:
        agent.casebases = {name: sized(met, size)[0] for name, met in agent.model.casebases.items()}
        yield from _by_street(agent, f", {size:,} cases")


def _by_street(agent: Agent, what: str = "") -> Iterator[Goal]:
    for street, line in LINES.items():
        seen = baycarp.observe(line, game="holdem.limit.2p.reverse_blinds")
        times = []
        for _ in range(300):
            began = time.perf_counter()
            agent.decide(seen)
            times.append(1000 * (time.perf_counter() - began))
        yield Goal(f"{street}{what}, median", None, statistics.median(times), "ms", None)
        yield Goal(f"{street}{what}, p99", None, float(np.percentile(times, 99)), "ms", None)
