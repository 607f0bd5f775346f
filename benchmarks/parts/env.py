"""Environments: decisions a second on one core, many hands stepped together and single ones.

A decision is the draw of a choice from the mask and a step, with observation and mask written, and the deal
of the next hand where one ends.
"""

from collections.abc import Callable, Iterator

import numpy as np

from baycarp.cli.options import JSON
from baycarp.env import HandEnv, HandsEnv
from baycarp.game import Variant
from benchmarks.parts.clock import medians
from benchmarks.parts.goal import Goal, at_least, printing
from benchmarks.parts.rivals import rivals

__all__ = ["BATCH", "GAME", "STEPS", "goals", "together"]

GAME = "holdem.nolimit.2p.100bb"
"""Against a caller: every decision of the learner has one of the opponent behind it, which is not counted."""

BATCH, STEPS, SINGLE = 1024, 50, 5_000
"""Hands at once, their steps in a round, and decisions in a round of the single environment."""

ROUNDS = 5

MUST = {"vector": 200_000, "single": 10_000}
"""Decisions a second, at least."""


def goals() -> Iterator[Goal]:
    """Both, and the vector beside OpenSpiel."""
    (vector,) = medians(together(), rounds=ROUNDS)
    yield at_least(f"{BATCH:,} hands together", MUST["vector"], BATCH * STEPS / vector, "decisions/s")
    many = "holdem.nolimit.6p.100bb"
    (table,) = medians(together(many), rounds=ROUNDS)
    yield Goal(f"{BATCH:,} hands together, six seats", BATCH * STEPS / table, "decisions/s")
    (single,) = medians(_alone, rounds=ROUNDS)
    yield at_least("one hand", MUST["single"], SINGLE / single, "decisions/s")
    yield from rivals("env")()


def together(game: str = GAME) -> Callable[[], None]:
    """Steps of a vector with choices drawn from the masks."""
    env, rng = HandsEnv(BATCH, Variant.load(game), "call", sizes=(1.0,)), np.random.default_rng(1)
    seen, _ = env.reset(seed=1)

    def work() -> None:
        nonlocal seen
        for _ in range(STEPS):
            mask = seen["action_mask"]
            seen, *_ = env.step((mask * rng.random(mask.shape, np.float32)).argmax(axis=1))

    return work


def _alone() -> None:
    env, rng = HandEnv(Variant.load(GAME), "call", sizes=(1.0,)), np.random.default_rng(1)
    seen, _ = env.reset(seed=1)
    for _ in range(SINGLE):
        mask = seen["action_mask"]
        seen, _, over, _, _ = env.step((mask * rng.random(len(mask))).argmax())
        if over:
            seen, _ = env.reset()


add = JSON
run = printing(lambda args: goals())
