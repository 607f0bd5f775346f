"""A learning agent that is killed: what it had acknowledged is in its memory, once.

    python -m baycarp.study.robustness.learner SEED

plays without end with a memory in ``$BAYCARP_HOME``, and prints the number of its cases that are durable: at
the beginning, and after each hand.
"""

import subprocess
import sys
import time
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from baycarp.agents.case_player import CasePlayer
from baycarp.agents.registry import load
from baycarp.arena.hand import play_hand
from baycarp.cases import CaseStore
from baycarp.game.state import State
from baycarp.game.variant import Variant
from baycarp.strategies.baycarp import BAYCARP2
from baycarp.study.robustness.clone import environment
from baycarp.study.robustness.gate import Result, Share

__all__ = ["killed_learner", "play"]

AGENT = "baycarp2(memory='killed', empty=True)"
KILLS = 25
"""Kills of agents with one memory."""


def play(seed: int) -> None:
    """Play and learn until the process is killed."""
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


def killed_learner(share: Share) -> Result:
    """A share of the kills; each agent goes on with the memory of the one before it."""
    result = Result()
    for number, kills in share.blocks(KILLS):
        with TemporaryDirectory() as home:
            kept = 0
            for kill in range(number, number + kills):
                kept = _kill(home, kill, kept, Random(f"{share.seed} {kill}"), result)
                result.done += 1
            result.counts["cases kept"] += kept
    return result


def _kill(home: str, number: int, kept: int, draw: Random, result: Result) -> int:
    """Kill one agent, and return the number of cases in its memory."""
    program = [sys.executable, "-m", __name__, str(number)]
    env = environment(BAYCARP_HOME=home)
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        counts = [process.stdout.readline()] if number % 4 else []  # every fourth is killed as it begins
        time.sleep(draw.uniform(0, 0.3 if counts else 1.5))
        failed = process.poll()
        process.kill()
        counts += process.stdout.readlines()
        error = process.stderr.read().decode(errors="replace").strip().splitlines()[-1:]
    if failed is not None:
        result.find("untyped", f"agent {number} ended by itself: {error}")
    acknowledged = [int(line) for line in counts if line.endswith(b"\n")]
    if acknowledged and acknowledged[0] != kept:
        result.find("other", f"agent {number} began with {acknowledged[0]} cases, its memory had {kept}")
    found = _memory(Path(home, "killed.sqlite"), number, result)
    if found < max(acknowledged, default=kept):
        result.find("losses", f"agent {number}: {found} cases, {acknowledged[-1:]} were acknowledged")
    return found


def _memory(path: Path, number: int, result: Result) -> int:
    """The number of cases in a memory; 0 where it cannot be read, which is a finding."""
    if path.exists():
        with (
            result.errors(f"memory of agent {number}", lambda error: False),
            CaseStore(path, BAYCARP2.schemas) as store,
        ):
            return sum(len(store.load(name)) for name in BAYCARP2.bases)
    return 0


if __name__ == "__main__":
    play(int(sys.argv[1]))
