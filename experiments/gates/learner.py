"""A learning agent that is killed: what it had acknowledged is in its memory, once."""

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from baycarp.agents.cases.case_player import CasePlayer
from baycarp.agents.registry import load
from baycarp.arena.hand import play_hand
from baycarp.cases import CaseStore
from baycarp.game.state import State
from baycarp.game.variant import Variant
from baycarp.strategies.baycarp import BAYCARP2
from experiments.gates.gate import Result, Share
from experiments.gates.programs import Origin, Program

__all__ = ["forgetful_learner", "killed_learner"]

AGENT = "baycarp2(memory='killed', model='empty')"
KILLS = 25
"""Kills of agents with one memory."""

INTERVAL = 0.01
"""Seconds between two looks at what an agent has printed."""


def play(seed: int) -> None:
    """Play and learn until the process is killed, with a memory in ``$BAYCARP_HOME``.

    Prints the number of its cases that are durable: at the beginning, and after each hand.
    """
    draw, agent = Random(seed), load(AGENT)
    assert isinstance(agent, CasePlayer)
    assert agent.store is not None
    game, players = Variant.ring(2), (agent, load("call"))
    for seat, player in enumerate(players):
        player.sit(seat, game, seed)
    hand = 0
    while True:
        agent.store.flush()
        print(sum(map(len, agent.casebases.values())), flush=True)
        play_hand(State(game, deck=draw.sample(range(52), 9)), players, ("Ann", "Bob"), hand)
        hand += 1


def play_from_nothing(_seed: int) -> None:
    """An agent that keeps nothing, and reports a case more with each hand: the planted fault."""
    for cases in range(1000):
        print(cases, flush=True)
        time.sleep(0.01)


def forgetful_learner(share: Share) -> Result:
    """A share of the kills of agents that keep nothing."""
    return killed_learner(share, play_from_nothing)


def killed_learner(share: Share, player: Callable[[int], None] = play) -> Result:
    """A share of the kills; each agent goes on with the memory of the one before it."""
    result = Result()
    with Origin([__name__]) as origin:
        for number, kills in share.blocks(KILLS):
            with TemporaryDirectory() as home:
                kept = 0
                for kill in range(number, number + kills):
                    kept = _kill(
                        partial(origin.program, player, kill, BAYCARP_HOME=home),
                        Path(home, "killed.sqlite"),
                        (kill, kept),
                        Random(f"{share.seed} {kill}"),
                        result,
                    )
                    result.done += 1
                result.counts["cases kept"] += kept
    return result


def _kill(
    begun: Callable[[], Program], memory: Path, before: tuple[int, int], draw: Random, result: Result
) -> int:
    """Kill one agent, of a number and with so many cases kept before; and return the cases in its memory."""
    number, kept = before
    with begun() as program:
        if number % 4:  # every fourth is killed as it begins
            while not program.out and not program.wait(INTERVAL):
                pass
        program.wait(draw.uniform(0, 0.3))
        failed = program.status
        program.kill()
        counts, error = program.out.splitlines(keepends=True), program.err.splitlines()[-1:]
    if failed is not None:
        result.find("untyped", f"agent {number} ended by itself: {error}")
    acknowledged = [int(line) for line in counts if line.endswith(b"\n")]
    result.counts["hands acknowledged"] += max(0, len(acknowledged) - 1)
    if acknowledged and acknowledged[0] != kept:
        result.find("other", f"agent {number} began with {acknowledged[0]} cases, its memory had {kept}")
    found = _memory(memory, number, result)
    if found < max(acknowledged, default=kept):
        result.find("losses", f"agent {number}: {found} cases, {acknowledged[-1:]} were acknowledged")
    return found


def _memory(path: Path, number: int, result: Result) -> int:
    """The number of cases in a memory; 0 where it cannot be read, which is a finding."""
    if path.exists():
        try:
            with CaseStore(path, BAYCARP2.schemas) as store:
                return sum(len(store.load(name)) for name in BAYCARP2.bases)
        except Exception as error:  # whatever it is, a kill has made it
            result.find("untyped", f"memory of agent {number}: {type(error).__name__}: {error}")
    return 0
