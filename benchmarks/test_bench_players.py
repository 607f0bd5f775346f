"""Players: a simulated trial beside the slow reference, and what a decision costs."""

import numpy as np
import pytest
from reference import simulation as reference

from baycarp.agents.poki.weights import weigh
from baycarp.agents.registry import load
from baycarp.kernels.simulation import Simulation
from baycarp.rules.betting.context import Rules
from baycarp.rules.strength import holding_values

TRIALS = 200


@pytest.fixture(scope="module")
def flop():
    return reference.small_blind_bet()


def compiled(hand, weights):
    _, ppot, npot = holding_values(hand.board)
    sim = Simulation(hand, hand.holes[1], weights, [Rules()] * 4, ppot, npot, 1)
    sim.run(TRIALS)
    return sim.call[0]


def plain(hand, weights):
    _, ppot, npot = holding_values(hand.board)
    rng, won = np.random.default_rng(1), []
    for _ in range(TRIALS):
        holes, board = reference.deal(rng, hand.holes[1], hand.board, weights, [0, 2, 3], 4)
        for first in ("call", "raise"):
            won.append(
                reference.play(rng, hand, first, hand.holes[1], holes, board, [Rules()] * 4, ppot, npot)
            )
    return np.mean(won[::2])


@pytest.mark.benchmark(group=f"{TRIALS} trials on a four-handed flop")
@pytest.mark.parametrize("run", [compiled, plain])
def test_trials(benchmark, flop, run):
    weights = weigh(flop.observe(1), {})
    assert abs(compiled(flop, weights) - plain(flop, weights)) < 4
    benchmark(run, flop, weights)


@pytest.mark.benchmark(group="a decision on a four-handed flop")
@pytest.mark.parametrize("spec", ["rule", "formula", "simulation(playouts=300)"])
def test_decide(benchmark, flop, spec):
    agent, observation = load(spec), flop.observe(1)
    assert agent.decide(observation).action.name in ("call", "raise")
    benchmark(agent.decide, observation)
