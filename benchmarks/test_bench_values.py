"""The default agent: the look-ahead, the re-solve, and ``decide()`` under 5, 50 and 500 ms."""

import numpy as np
import pytest

from baycarp.agents.registry import load
from baycarp.agents.resolve.blueprint import LimitTables
from baycarp.agents.resolve.promises import promises
from baycarp.agents.resolve.solve import resolve
from baycarp.agents.resolve.subgame import Subgame
from baycarp.agents.solved.equilibrium import Equilibrium
from baycarp.agents.trace import stage_of
from baycarp.agents.value.lookahead import look_ahead
from baycarp.agents.value.stages import ValueStage
from baycarp.game.notation.observe import observe
from baycarp.opponents.actions.model import PlayerModels
from baycarp.opponents.actions.styles import load_styles

HEADS_UP = "holdem.limit.2p.reverse_blinds"
SPOTS = {
    "two seats, flop": observe("MATCHSTATE:1:0:rc/c:|AhKd/Qs7d2c", game=HEADS_UP),
    "two seats, turn": observe("MATCHSTATE:1:0:rc/rc/c:|AhKd/Qs7d2c/3h", game=HEADS_UP),
    "two seats, river": observe("MATCHSTATE:1:0:rc/rc/cc/c:|AhKd/Qs7d2c/3h/6d", game=HEADS_UP),
    "six seats, flop": observe("MATCHSTATE:0:0:fffrcc/:AhKd|||||/Qs7d2c", game="holdem.limit.6p"),
}
LIMITS = (5, 50, 500)
"""Milliseconds. Beside busy processes a decision stays at the tier that surely ends in time."""


@pytest.fixture(scope="module")
def agent():
    return load("baycarp")


@pytest.mark.benchmark(group="300 playouts of the look-ahead")
@pytest.mark.parametrize("spot", ["two seats, flop", "two seats, turn", "six seats, flop"])
def test_look_ahead(benchmark, spot):
    model, observation = PlayerModels(load_styles()), SPOTS[spot]
    values = benchmark(look_ahead, observation, model, 300, 1)
    assert {value.action for value in values} >= set(observation.legal_actions())
    assert all(value.error > 0 for value in values if value.action.name != "fold")


@pytest.mark.benchmark(group="a re-solve with all holdings, promises included")
@pytest.mark.parametrize("spot", ["two seats, turn", "two seats, river"])
def test_re_solve(benchmark, spot):
    tables, observation, every = LimitTables(Equilibrium()), SPOTS[spot], np.ones(1326)
    subgame = Subgame.of(observation.state)

    def run():
        promised = promises(subgame, tables, subgame.seats.index(observation.seat), every)
        return resolve(observation, every, every, promised=promised)

    assert benchmark(run).safe


@pytest.mark.parametrize("milliseconds", LIMITS)
@pytest.mark.parametrize("spot", SPOTS)
def test_decide(benchmark, agent, spot, milliseconds):
    benchmark.group = f"decide(), {spot}"
    observation = SPOTS[spot]
    decision = benchmark.pedantic(
        agent.decide, (observation,), {"time_limit": milliseconds / 1000}, rounds=10, warmup_rounds=1
    )
    assert decision.action in observation.legal_actions()
    stage = stage_of(decision.trace, ValueStage)
    assert stage is None or milliseconds > LIMITS[0] or stage.method == "equity"
