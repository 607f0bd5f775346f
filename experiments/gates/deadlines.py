"""Decisions under a time limit, on the machine as it is."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from unittest.mock import patch

import numpy as np

from baycarp.agents.base import Agent
from baycarp.agents.registry import DEFAULT, load
from benchmarks.timed import Timed, measure
from experiments.gates.gate import Result, Share

__all__ = ["LIMITS", "TIMED", "late", "timed"]

LIMITS: Mapping[float, tuple[int, int]] = {0.02: (100_000, 1000), 0.1: (20_000, 200), 1.0: (2000, 20)}
"""Seconds a decision -> decisions, and decisions of a part."""

TIMED: Mapping[str, float] = {DEFAULT: 0.004, "mcts": float("inf")}
"""The default agent, which ends early where nothing is left to find, and one that uses up its time; expected
seconds of a decision without a limit."""

WORST = 0.025
"""Seconds over its limit that no decision may take."""

BLOCK = 50
"""Decisions of one seed."""


def timed(name: str, limit: float, share: Share) -> Result:
    """A share of the decisions of an agent under a time limit, on the machine as it is.

    A decision is slow if it is so twice: the hands depend on the seed alone, the machine's stalls do not.
    """
    agent, result = load(name), Result()
    for number, decisions in share.blocks(BLOCK):
        seed = Random(f"{share.seed} {number}").getrandbits(32)
        times = measure(agent, limit, decisions, seed)
        late = times.over > max(0.002, 0.05 * limit)
        result.done += decisions
        result.counts["late by more than 2 ms and 5 %"] += int(late.sum())
        result.counts["with nothing left undone"] += int(times.complete.sum())
        result.counts["that took half of the limit or more"] += int((times.wall >= limit / 2).sum())
        if np.any(slow := times.over > WORST):
            twice = slow & (measure(agent, limit, decisions, seed).over > WORST)
            result.counts["slow, but in time when repeated"] += int((slow & ~twice).sum())
            for at in np.flatnonzero(twice):
                over = 1000 * times.over[at]
                result.find("slow", f"decision {number + at}: {over:.0f} ms over the limit, and slow again")
        if times.illegal:
            result.find("other", f"decisions from {number}: {times.illegal} illegal")
    return result


def late(name: str, limit: float, share: Share) -> Result:
    """The same with the planted fault: every decision takes its limit and 100 ms more."""
    real = measure

    def slower(agent: Agent, limit: float, count: int, seed: int) -> Timed:
        times = real(agent, limit, count, seed)
        return replace(times, wall=times.wall + limit + 0.1)

    with patch(f"{__name__}.measure", slower):
        return timed(name, limit, share)
