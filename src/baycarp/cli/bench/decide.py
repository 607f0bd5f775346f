"""Milliseconds of a decision by street, heads-up, and by the number of stored cases.

A repeated situation is answered from the cache of its board; a game brings new boards. Both
are timed.
"""

import re
import statistics
import time
from argparse import Namespace
from collections.abc import Iterator, Sequence

import numpy as np

import baycarp
from baycarp.agents.base import Agent
from baycarp.agents.case_player import CasePlayer
from baycarp.agents.registry import DEFAULT
from baycarp.card import DECK
from baycarp.cli.bench.goal import Goal
from baycarp.cli.bench.sizes import sized
from baycarp.cli.options import count, option, options
from baycarp.errors import ModelError
from baycarp.game.state import Observation

__all__ = ["add", "goals"]

GAME = "holdem.limit.2p.reverse_blinds"

REPEATED, NEW = 300, 100
"""Decisions on one board, and on boards that are new."""

LINES = {
    "preflop": "MATCHSTATE:0:0:r:AhKd|",
    "flop": "MATCHSTATE:0:0:rc/:AhKd|/Qs7d2c",
    "turn": "MATCHSTATE:0:0:rc/cc/:AhKd|/Qs7d2c/9h",
    "river": "MATCHSTATE:0:0:rc/cc/cc/:AhKd|/Qs7d2c/9h/3s",
}


add = options(
    option("--decider", default=DEFAULT, metavar="AGENT", help="the agent that decides"),
    option(
        "--remembers",
        type=count,
        nargs="+",
        default=[],
        metavar="CASES",
        help="this number of cases a street instead of the model's: its first ones, or more drawn from them",
    ),
)


def goals(args: Namespace) -> Iterator[Goal]:
    """Measure with the cases of the model, or size by size."""
    agent = baycarp.load(args.decider)
    if not args.remembers:
        yield from _by_street(agent)
        return
    if not isinstance(agent, CasePlayer):
        raise ModelError(f"{args.decider}: expected a case player")
    for size in args.remembers:
        agent.casebases = {name: sized(met, size)[0] for name, met in agent.model.casebases.items()}
        yield from _by_street(agent, f", {size:,} cases")


def _by_street(agent: Agent, what: str = "") -> Iterator[Goal]:
    for street, line in LINES.items():
        same = baycarp.observe(line, game=GAME)
        yield from _goals(f"{street}{what}", [_milliseconds(agent, same) for _ in range(REPEATED)])
    for street, times in _on_new_boards(agent).items():
        yield from _goals(f"{street}{what}, new boards", times)


def _on_new_boards(agent: Agent, seed: int = 7) -> dict[str, list[float]]:
    """Street by street through the same betting with other cards, as in a game; milliseconds by street."""
    rng, times = np.random.default_rng(seed), {street: list[float]() for street in LINES}
    for _ in range(NEW):
        cards = [DECK[card] for card in rng.permutation(len(DECK))[:7]]
        for street, line in LINES.items():
            dealt = iter(cards)
            observation = baycarp.observe(re.sub("[2-9TJQKA][cdhs]", lambda _: next(dealt), line), game=GAME)  # noqa: B023
            times[street].append(_milliseconds(agent, observation))
    return times


def _milliseconds(agent: Agent, observation: Observation) -> float:
    began = time.perf_counter()
    agent.decide(observation)
    return 1000 * (time.perf_counter() - began)


def _goals(what: str, times: Sequence[float]) -> Iterator[Goal]:
    yield Goal(f"{what}, median", statistics.median(times), "ms")
    yield Goal(f"{what}, p99", float(np.percentile(times, 99)), "ms")
