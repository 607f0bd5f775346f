"""What would have to be otherwise where values decide, against decisions with other cards."""

import pytest
from reference.spots import spots

from baycarp.agents.registry import load
from baycarp.agents.trace import stage_of
from baycarp.agents.value.stages import ValueStage
from baycarp.card import HOLDINGS, cards, text
from baycarp.errors import ModelError
from baycarp.explain.counterfactual import Counterfactual
from baycarp.explain.least import counterfactual_of, least_changes
from baycarp.explain.valued import (
    ValueCounterfactual,
    act_pieces,
    flip_of_evidence,
    flip_of_holding,
    likeliest,
)
from baycarp.game import Variant
from baycarp.game.notation.observe import observe

LINE = "MATCHSTATE:0:7:crfc/crc/crc/cr:{}||/Js6c4c/3h/6d"
GAME = "holdem.limit.3p"


@pytest.fixture(scope="module")
def agent():
    return load("baycarp")


@pytest.fixture
def counterfactual(agent):
    """Of seven-high, which faces a bet on the river."""
    return at(agent, "7h2d")


def at(agent, hole):
    observation = observe(LINE.format(hole), game=GAME)
    agent.sit(observation.seat, observation.variant, 0)
    return ValueCounterfactual(agent, observation, agent.decide(observation))


def share(decision):
    return stage_of(decision.trace, ValueStage).share


def test_another_holding_is_decided_as_if_it_had_been_dealt(agent, counterfactual):
    for hole in ("AhAd", "9sTc", "JhJd"):
        expected = at(agent, hole).decision
        assert counterfactual.holding(tuple(cards(hole))).policy == expected.policy


def test_the_holding_that_flips_does_so_and_is_no_farther_than_a_sample_of_others(agent, counterfactual):
    found = flip_of_holding(counterfactual)
    holding, shares = found.changes
    assert holding.now == "7h2d"
    flipped = at(agent, holding.then).decision
    assert likeliest(flipped) == found.action != likeliest(counterfactual.decision)
    assert shares.then == share(flipped)
    assert found.size == pytest.approx(abs(shares.then - shares.now))
    board = {*counterfactual.observation.board}
    near = [hole for hole in HOLDINGS[::40].tolist() if not {*hole} & board]
    others = [at(agent, text(hole)).decision for hole in near]
    apart = [
        abs(share(each) - shares.now)
        for each in others
        if likeliest(each) != likeliest(counterfactual.decision)
    ]
    assert found.size <= min(apart) + 0.05


def test_an_act_left_out_is_a_belief_without_it(agent, counterfactual):
    pieces = act_pieces(counterfactual)
    (position,) = counterfactual.evidence
    acts = counterfactual.evidence[position]
    assert sorted((piece.node, piece.state) for piece in pieces) == sorted(acts.items())
    moved = [abs(piece.chips) for piece in pieces]
    assert moved == sorted(moved, reverse=True)
    assert moved[0] > 0
    rest = {each: state for each, state in acts.items() if each != pieces[0].node}
    model = agent.cases.full.opponents
    weights = model.suppose(counterfactual.observation, position, "BTN", rest).weights
    aside = agent.aside()
    aside.suppose({position: weights})
    assert likeliest(aside.decide(counterfactual.observation)) == pieces[0].action


def test_a_flip_of_evidence_changes_the_likeliest_action(agent):
    """Hands between fold and call are met, whose decision depends on what the opponent did."""
    found = [flip_of_evidence(at(agent, hole)) for hole in ("9sTc", "KhTd", "2h2d", "AhTd", "QhTd")]
    assert {each.action for each in found if each} <= {"fold", "call", "raise"}
    for hole, each in zip(("9sTc", "KhTd", "2h2d", "AhTd", "QhTd"), found, strict=True):
        if each:
            assert each.action != likeliest(at(agent, hole).decision)


@pytest.mark.parametrize("game", [GAME, "holdem.limit.2p.reverse_blinds"])
@pytest.mark.slow
def test_questions_leave_the_player_as_it_was(agent, game):
    """It decides the rest of the hands as one that was not questioned."""
    variant, other = Variant.load(game), load("baycarp")
    names = tuple(f"p{seat}" for seat in range(variant.seats))
    for player in (agent, other):
        player.sit(0, variant, 1)
    decided = hand = 0
    for state in spots(variant, 3, seed=3):
        hand += not state.acts
        if state.to_act:
            continue
        observation = state.observe(0, names, hand)
        decision = agent.decide(observation)
        if state.street:
            least_changes(counterfactual_of(agent, observation, decision))
        assert other.decide(observation).policy == decision.policy
        assert agent._seen == other._seen
        assert (agent.cases._point is None) == (other.cases._point is None)
        assert agent.cases._supposed == {}
        decided += bool(state.street)
    assert decided >= 3


def test_the_door_leads_to_cases_or_values(agent):
    observation = observe(LINE.format("7h2d"), game=GAME)
    voter = load("baycarp2")
    found = counterfactual_of(voter, observation, voter.decide(observation))
    assert isinstance(found, Counterfactual)
    assert [*least_changes(found)] == ["features", "evidence"]
    assert [*least_changes(counterfactual_of(agent, observation, agent.decide(observation)))] == [
        "holding",
        "evidence",
    ]
    with pytest.raises(ModelError, match="by value"):
        ValueCounterfactual(agent, observation, voter.decide(observation))
