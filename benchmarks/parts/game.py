"""Random hands a second and core: in C, and through Python with agents of almost no cost."""

import random
from collections.abc import Iterator
from functools import partial

from baycarp.agents.base import Agent, Decision
from baycarp.arena.hand import play_hand
from baycarp.budget import Budget
from baycarp.cli.options import JSON
from baycarp.game import Event, Observation, State, Variant
from baycarp.game.plays import Plays
from baycarp.kernels.game import deal, random_hands
from benchmarks.parts.clock import medians
from benchmarks.parts.goal import Goal, at_least, printing

__all__ = ["goals"]

ROUNDS = 5
COMPILED, PYTHON = 40_000, 2_000
"""Hands of a round."""


def goals() -> Iterator[Goal]:
    """Measure both, heads-up and with eight seats."""
    for name, seats, compiled, python in (
        ("heads-up", 2, 100_000, 20_000),
        ("eight seats", 8, 25_000, 3_000),
    ):
        variant = Variant.ring(seats)
        works = partial(random_hands, variant, COMPILED, 1), partial(_random_table, variant, PYTHON)
        fast, slow = medians(*works, rounds=ROUNDS)
        yield at_least(f"{name}, in C", compiled, COMPILED / fast, "hands/s")
        yield at_least(f"{name}, Python agents", python, PYTHON / slow, "hands/s")


class _Trivial:
    """Takes a random legal action at almost no cost, so that the table is measured."""

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


def _random_table(variant: Variant, hands: int, seed: int = 0) -> None:
    agents: list[Agent] = [_Trivial(seat) for seat in range(variant.seats)]
    names = tuple(f"p{seat}" for seat in range(variant.seats))
    for hand in range(hands):
        play_hand(State(variant, deck=deal(seed, 0, hand, 2 * variant.seats + 5)), agents, names, hand)


add = JSON
run = printing(lambda args: goals())
