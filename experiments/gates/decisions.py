"""Agents at work: decisions under a time limit, and every agent of the registry in random games."""

import shlex
import sys
from collections.abc import Mapping
from random import Random

import numpy as np

from baycarp.agents.base import Agent, Decision
from baycarp.agents.external.program import Program
from baycarp.agents.registry import DEFAULT, load
from baycarp.arena.hand import play_hand
from baycarp.game.state import State
from baycarp.game.variant import Variant
from benchmarks.timed import measure
from experiments.gates.clone import environment
from experiments.gates.game_files import game_file
from experiments.gates.gate import Result, Share

__all__ = ["AGENTS", "LIMITS", "TIMED", "play_tables", "timed"]

LIMITS: Mapping[float, tuple[int, int]] = {0.02: (100_000, 1000), 0.1: (20_000, 200), 1.0: (2000, 20)}
"""Seconds a decision -> decisions, and decisions of a part."""

TIMED: Mapping[str, float] = {DEFAULT: 0.004, "mcts": float("inf")}
"""The default agent, which ends early where nothing is left to find, and one that uses up its time; expected
seconds of a decision without a limit."""

WORST = 0.025
"""Seconds over its limit that no decision may take."""

BLOCK = 50
"""Decisions between two signs of life."""

HANDS = 10
"""Hands at a table."""

HEADS_UP = tuple(map(Variant.load, ("holdem.limit.2p.reverse_blinds", "holdem.nolimit.2p.100bb")))
TRIES = 1000
"""Random games among which one is looked for that an agent plays."""

NAMES = """
    random call raise frequency rule jag maniac station folder formula simulation
    baycarp baycarp1 baycarp2 cases casper01 casper02 casey sartre sartre2009 sartre2010
    sartrenl sartrenl2010 sartre3p
    network responder equilibrium equilibriumnl gambler mcts sizer
    absinthe anders doyle erasmus frida hari jake karma
"""
PROGRAM = f"""
    env {shlex.quote(f"PYTHONPATH={environment()['PYTHONPATH']}")}
    {shlex.quote(sys.executable)} -m baycarp serve engine --agent call
"""
"""A program that always calls."""

AGENTS: Mapping[str, str] = {
    **{name: name for name in NAMES.split()},
    "program": f"program(command={PROGRAM!r})",
}
"""Every agent of the registry, by its name, and how it is loaded."""


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


def play_tables(name: str, share: Share) -> Result:
    """A share of the tables at which an agent plays with others that act at random."""
    agent, result = load(AGENTS[name]), Result()
    for number in share:
        draw = Random(f"{share.seed} {name} {number}")
        with result.errors(f"table {number}", lambda error: False):
            _play(agent, draw)
        result.done += 1
    if isinstance(agent, Program):
        for kind, count in agent.faults.items():
            result.find("other", f"{count} faults of the program: {kind}")
    return result


def _play(agent: Agent, draw: Random) -> None:
    """Some hands of a random game that the agent plays."""
    game = _game(agent, draw)
    players = [agent, *(load("random") for _ in range(game.seats - 1))]
    for seat, player in enumerate(players):
        player.sit(seat, game, draw.getrandbits(32))
    names = tuple(f"player {seat}" for seat in range(game.seats))
    for hand in range(HANDS):
        turn = hand % game.seats
        deck = draw.sample(range(52), 2 * game.seats + 5)
        around = players[turn:] + players[:turn]
        play_hand(State(game, deck=deck), around, names[turn:] + names[:turn], hand, watch=_verify)


def _game(agent: Agent, draw: Random) -> Variant:
    """A random game that the agent plays; a usual one for two, if it plays hardly any."""
    for _ in range(TRIES):
        game = game_file(draw)
        if agent.plays.fits(game):
            return game
    return next((game for game in HEADS_UP if agent.plays.fits(game)), HEADS_UP[0])


def _verify(state: State, decision: Decision) -> None:
    total = sum(decision.policy.values())
    if not np.isclose(total, 1) or not state.can(decision.action):
        raise ValueError(f"{decision.action} with a policy that sums to {total}")
