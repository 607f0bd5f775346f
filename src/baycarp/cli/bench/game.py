"""Random hands a second and core: in C, and through Python with agents that cost nothing."""

import random
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial

from baycarp.agents.base import Agent, Decision
from baycarp.arena.hand import play_hand
from baycarp.budget import Budget
from baycarp.cli.bench.goal import Goal
from baycarp.game.event import Event
from baycarp.game.plays import Plays
from baycarp.game.state import Observation, State
from baycarp.game.variant import Variant
from baycarp.kernels.game import deal, random_hands

__all__ = ["goals"]


def goals() -> Iterator[Goal]:
    """Measure both, heads-up and with eight seats."""
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
        self, observation: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        legal = observation.legal_actions()
        return Decision(legal[int(len(legal) * self._draw())], {})

    def learn(self, event: Event) -> None:
        pass


def _random_table(variant: Variant, hands: int, seed: int) -> None:
    agents: list[Agent] = [_Trivial(seat) for seat in range(variant.seats)]
    names = tuple(f"p{seat}" for seat in range(variant.seats))
    for hand in range(hands):
        play_hand(State(variant, deck=deal(seed, 0, hand, 2 * variant.seats + 5)), agents, names, hand)


def _rate(work: Callable[[int], object], n: int, rounds: int = 5) -> float:
    """Pieces of work a second: the median of some rounds."""
    rates = []
    for number in range(rounds):
        began = time.perf_counter()
        work(number)
        rates.append(n / (time.perf_counter() - began))
    return statistics.median(rates)
