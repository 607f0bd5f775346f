"""Systems: their parts in Python, the form that an author describes, and parts that exclude each other."""

from dataclasses import replace

import pytest
from reference.players import system

from baycarp.agents.cases.case_table import CaseTable
from baycarp.agents.cases.systems import SYSTEMS
from baycarp.agents.registry import load
from baycarp.errors import ModelError
from baycarp.game import HandOver, Observation
from baycarp.game.notation.acpc import parse_state
from baycarp.game.notation.hand import states
from baycarp.game.notation.observe import observe
from baycarp.game.variant import Variant
from baycarp.opponents.model import believe_all

GAME = "holdem.limit.2p.reverse_blinds"
HAND = "STATE:0:rrrc/crrc/crrc/crrc:2c7d|3h8s/Qs9h4c/Jh/5d:48|-48:Ann|Bob"


def beliefs_after(spec, hands):
    agent = load(spec)
    for line in hands:
        hand = parse_state(line, Variant.load(GAME))
        *_, last = states(hand)
        agent.learn(HandOver(last.observe(0, hand.players), ()))
    seen = observe("MATCHSTATE:0:9:rc/r:AhKd|/Qs7d2c", game=GAME)
    named = Observation(seen.state, seen.seat, ("Ann", "Bob"), 9)
    (belief,) = believe_all(agent.full.opponents, named).values()
    return belief.weights.tolist(), belief.groups


@pytest.mark.parametrize("kind", ["styles", "network"])
def test_a_model_that_does_not_adapt_answers_as_before_the_first_hand(kind):
    adapts, stays = (
        system("baycarp2", opponents={"kind": kind, "adaptive": adaptive}) for adaptive in (True, False)
    )
    fresh = beliefs_after(adapts, [])
    assert beliefs_after(stays, [HAND] * 20) == fresh
    assert beliefs_after(adapts, [HAND] * 20) != fresh


def test_an_agent_without_an_opponent_model_is_refused():
    with pytest.raises(ModelError, match="expected one with an opponent model that learns"):
        load(system("casper01", opponents={"adaptive": False}))


def test_a_bound_is_refused_without_the_memory_that_it_bounds():
    with pytest.raises(ModelError, match="most 5: expected a memory"):
        load(system("baycarp2", memory={"most": 5}))
    with pytest.raises(ModelError, match=r"most -5: expected .* 0 = no bound"):
        load(system("baycarp2", memory={"most": -5, "name": "ann"}))


@pytest.mark.parametrize("name", [name for name in SYSTEMS if name != "cases"])
def test_every_system_of_a_paper_has_its_published_form(name):
    default, published = load(name), load(f"{name}(published=True)")
    assert type(published) is type(default)
    if name in ("baycarp1", "baycarp2"):
        assert published.strategy.opponents == replace(default.strategy.opponents, earned=False)
    else:
        assert published.strategy.describe == default.strategy.describe
        assert (published.strategy.policy, published.strategy.opponents) == (
            default.strategy.policy,
            default.strategy.opponents,
        )


def test_a_system_in_a_file_is_an_agent_with_settings(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "from baycarp.agents.cases.system import ModelSource, System\n"
        "from baycarp.strategies.baycarp import BAYCARP2\n"
        "BEGINNER = System(BAYCARP2, ModelSource(empty=True))\n"
    )
    agent = load(f"{file}:BEGINNER(explore=0.2)")
    assert agent.reuse.explore == 0.2
    assert not any(map(len, agent.casebases.values()))


def test_a_table_player_that_explores_decides_hand_by_hand():
    assert not isinstance(load("sartre(explore=0.1)"), CaseTable)
    assert isinstance(load("sartre"), CaseTable)
