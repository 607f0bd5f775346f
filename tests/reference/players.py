"""Case players of Unger (2011) for tests: a call with the settings that differ from the defaults."""

from dataclasses import replace

import pytest

from baycarp.agents.cases.case_player import CasePlayer
from baycarp.agents.cases.system import System
from baycarp.agents.cases.systems import SYSTEMS
from baycarp.card import holding_index
from baycarp.cases import Majority
from baycarp.opponents.actions.model import ByActions
from baycarp.opponents.network.model import ByNetwork
from baycarp.rules.outcome import OUTCOMES
from baycarp.strategies.baycarp import BAYCARP2, WITHOUT_NETWORK, believing


def strategy_of(policy=None, rule=None, revise="cost", styles=None, plans=False, network=True):
    """BayCaRP2 with the given settings."""
    strategy = replace(
        BAYCARP2 if network else WITHOUT_NETWORK,
        policy=policy or Majority(),
        outcome=OUTCOMES[revise],
        plans=plans,
    )
    if network and rule:
        strategy = believing(strategy, ByNetwork(rule))
    return believing(strategy, ByActions(styles)) if styles else strategy


def case_player(
    model, policy=None, rule=None, revise="cost", styles=None, plans=False, **settings
) -> CasePlayer:
    """A case player of the model."""
    network = model.network is not None
    return CasePlayer(strategy_of(policy, rule, revise, styles, plans, network), model, **settings)


def system(name: str, **parts) -> System:
    """A system of the registry with some fields of its parts changed: ``model={"empty": True}``."""
    own = SYSTEMS[name]
    return replace(own, **{part: replace(getattr(own, part), **fields) for part, fields in parts.items()})


def verify_table(agent, observation):
    """An agent's policies of all holdings give its own holding the chances of its decision."""
    policy = agent.decide(observation).policy_by_kind()
    expected = [policy.get("fold", 0), policy.get("check", 0) + policy.get("call", 0)]
    expected.append(policy.get("bet", 0) + policy.get("raise", 0))
    found = agent.policies(observation.state)[holding_index(*observation.hole)]
    assert found.tolist() == pytest.approx(expected, abs=1e-12)
