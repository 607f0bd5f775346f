"""BayCaRP2 with each rule from the network's posterior to a range."""

import numpy as np
import pytest
from reference.players import system

import baycarp
from baycarp.agents.network import NetworkAlone
from baycarp.agents.registry import load
from baycarp.bn import Inference
from baycarp.card import HOLDS
from baycarp.opponents.model import believe_all
from baycarp.opponents.network.model import ByNetwork, NetworkModel
from baycarp.opponents.network.ranges import GroupsTo, Pruned, TopGroups, Weighted
from baycarp.strategies.model import SHIPPED, load_model

LINES = (
    "MATCHSTATE:0:0:r:AhKd|",
    "MATCHSTATE:0:0:rc/:AhKd|/Qs7d2c",
    "MATCHSTATE:0:0:rc/cr:AhKd|/Qs7d2c",
    "MATCHSTATE:0:0:rc/crc/c:AhKd|/Qs7d2c/9h",
    "MATCHSTATE:0:0:rc/crc/cr:AhKd|/Qs7d2c/9h",
    "MATCHSTATE:0:0:rc/crc/crc/:AhKd|/Qs7d2c/9h/3s",
)
GAME = "holdem.limit.2p.reverse_blinds"


@pytest.mark.parametrize(
    "rule",
    [
        TopGroups(4),
        GroupsTo(0.75),
        Pruned(TopGroups(4), 0.9),
        Pruned(GroupsTo(0.5), 0.8),
        Weighted(),
    ],
)
def test_every_range_plays(rule):
    whole = load(system("baycarp2", opponents={"rule": rule}))
    for name, agent in (("baycarp2", whole), ("network", NetworkAlone(whole.strategy, whole.model))):
        player = agent.player if name == "network" else agent
        spec = ByNetwork(rule, earned=True)
        assert player.strategy.opponents == spec == player.strategy.fast.opponents
        assert player.full.opponents.rule == rule
        for line in LINES:
            observation = baycarp.observe(line, game=GAME)
            if observation.state.to_act == observation.seat:
                assert sum(agent.decide(observation).policy.values()) == pytest.approx(1)


@pytest.mark.parametrize("rule", [TopGroups(4), Pruned(), Weighted()])
@pytest.mark.parametrize("line", LINES)
def test_known_cards_are_in_no_range_even_before_the_opponent_has_acted(rule, line):
    observation = baycarp.observe(line, game=GAME)
    inference = Inference(load_model(SHIPPED).network)
    belief = believe_all(NetworkModel(inference, rule), observation)[1]
    known = HOLDS[[*observation.hole, *observation.board]].any(axis=0)
    assert not belief.weights[known].any()
    assert belief.weights[~known].any()
    if isinstance(rule, Weighted):
        assert len(np.unique(belief.weights)) > 5
