"""Measure this machine against the goals of a part, in one run."""

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial

import numpy as np
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table as Grid

import baycarp
from baycarp.agents.base import Agent, Decision, Plays
from baycarp.agents.registry import DEFAULT
from baycarp.arena.hand import play_hand
from baycarp.budget import Budget
from baycarp.cli import bn, deadlines, explanations, kernels, opponents, retrieval, robustness, starvation
from baycarp.cli.goal import Goal
from baycarp.game.event import Event
from baycarp.game.observation import Observation
from baycarp.game.variant import Variant
from baycarp.kernels.game import deal, random_hands


def add(parser: argparse.ArgumentParser) -> None:
    """Name the options."""
    parser.add_argument("part", choices=sorted([*PARTS, *LONGER]), help="what to measure")
    parser.add_argument("--json", action="store_true", help="one JSON object a line for each goal")
    for name, module in (LONGER | {"retrieval": retrieval}).items():
        module.add(parser.add_argument_group(name))


def run(args: argparse.Namespace) -> int:
    """Measure and print; 1 when a goal is missed."""
    if args.part in LONGER:
        return int(LONGER[args.part].run(args))
    goals = list(PARTS[args.part](args))
    if args.json:
        for goal in goals:
            print(json.dumps(asdict(goal)))
    else:
        grid = Grid("goal", box=SIMPLE, padding=(0, 1, 0, 0))
        for title in ("must", "stretch", "measured"):
            grid.add_column(title, justify="right", no_wrap=True)
        for title in ("unit", "met"):
            grid.add_column(title, no_wrap=True)
        for goal in goals:
            must, stretch = ("-" if x is None else f"{x:,.6g}" for x in (goal.must, goal.stretch))
            met = "-" if goal.met is None else "yes" if goal.met else "NO"
            grid.add_row(goal.goal, must, stretch, f"{goal.measured:,.4g}", goal.unit, met)
        Console().print(grid)
    return 1 if any(goal.met is False for goal in goals) else 0


def _rate(work: Callable[[int], object], n: int, rounds: int = 5) -> float:
    """Pieces of work a second: the median of some rounds."""
    rates = []
    for number in range(rounds):
        began = time.perf_counter()
        work(number)
        rates.append(n / (time.perf_counter() - began))
    return statistics.median(rates)


def _game(args: argparse.Namespace) -> Iterator[Goal]:
    """Random hands a second and core: in C, and through Python with agents that cost nothing."""
    for name, seats, compiled, python in (
        ("heads-up", 2, 100_000, 20_000),
        ("eight seats", 8, 25_000, 3_000),
    ):
        variant = Variant.ring(seats)
        n = 40_000
        rate = _rate(partial(random_hands, variant, n), n)
        yield Goal(f"{name}, in C", compiled, rate, "hands/s", rate >= compiled)
        rate = _rate(partial(_random_table, variant, 2_000), 2_000)
        yield Goal(f"{name}, Python agents", python, rate, "hands/s", rate >= python)


class _Trivial:
    """Takes any legal action: it costs next to nothing, so that the table is what is measured."""

    plays = Plays(frozenset({"limit"}))

    def __init__(self, seed: int) -> None:
        self._draw = random.Random(seed).random

    def sit(self, seat: int, variant: Variant, seed: int) -> None:
        pass

    def decide(
        self, seen: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        legal = seen.legal_actions()
        return Decision(legal[int(len(legal) * self._draw())], {})

    def learn(self, event: Event) -> None:
        pass


def _random_table(variant: Variant, hands: int, seed: int) -> None:
    agents: list[Agent] = [_Trivial(seat) for seat in range(variant.seats)]
    names = tuple(f"p{seat}" for seat in range(variant.seats))
    for hand in range(hands):
        play_hand(variant, agents, deal(seed, 0, hand, 2 * variant.seats + 5), names, hand)


def _decide(args: argparse.Namespace) -> Iterator[Goal]:
    """Milliseconds of a BayCaRP decision by street, heads-up, warm."""
    agent = baycarp.load(DEFAULT)
    lines = {
        "pre-flop": "MATCHSTATE:0:0:r:AhKd|",
        "flop": "MATCHSTATE:0:0:rc/:AhKd|/Qs7d2c",
        "turn": "MATCHSTATE:0:0:rc/cc/:AhKd|/Qs7d2c/9h",
        "river": "MATCHSTATE:0:0:rc/cc/cc/:AhKd|/Qs7d2c/9h/3s",
    }
    for street, line in lines.items():
        seen = baycarp.observe(line, game="holdem.limit.2p.reverse_blinds")
        times = []
        for _ in range(300):
            began = time.perf_counter()
            agent.decide(seen)
            times.append(1000 * (time.perf_counter() - began))
        yield Goal(f"{street}, median", None, statistics.median(times), "ms", None)
        yield Goal(f"{street}, p99", None, float(np.percentile(times, 99)), "ms", None)


PARTS: dict[str, Callable[[argparse.Namespace], Iterator[Goal]]] = {
    "game": _game,
    "decide": _decide,
    "kernels": lambda args: kernels.goals(),
    "bn": lambda args: bn.goals(),
    "retrieval": retrieval.goals,
}

LONGER = {
    "deadlines": deadlines,
    "explanations": explanations,
    "opponents": opponents,
    "robustness": robustness,
    "starvation": starvation,
}
"""Parts with options and a table of their own."""
