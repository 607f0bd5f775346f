"""The hands like a decision: those of the cases that were retrieved, and where they come from."""

import re

import pytest
from reference.spots import spots

from baycarp.agents.cases.stages import CaseStage, RetrievalStage
from baycarp.agents.registry import load, load_for
from baycarp.agents.trace import stage_of
from baycarp.cases import CaseBase
from baycarp.explain.case_hands import hand_of_case
from baycarp.explain.similar import similar_hands
from baycarp.game import Variant
from baycarp.game.notation.acpc import parse_state
from baycarp.game.notation.hand import replay, states


@pytest.mark.parametrize("game", ["holdem.limit.3p", "holdem.limit.2p.reverse_blinds"])
def test_similar_hands_have_the_cards_of_their_cases_and_state_what_is_not_stored(game):
    variant = Variant.load(game)
    agent, opened = load_for(variant, "baycarp"), 0
    agent.sit(0, variant, 1)
    for state in spots(variant, 12, seed=4):
        if state.is_over:
            continue
        observation = state.observe(state.to_act)
        decision = agent.decide(observation)
        hands = similar_hands(agent, decision)
        case, retrieval = (stage_of(decision.trace, kind) for kind in (CaseStage, RetrievalStage))
        for hand, near in zip(hands, retrieval.nearest if retrieval else (), strict=False):
            base = agent.cases.casebases[case.base]
            stored = base.case(near.case)
            assert list(hand.hole) == stored["provenance"]["hole"]
            assert [*hand.board] == [card for card in stored["provenance"]["board"] if card != 255]
            assert len(hand.board) == len(observation.board)
            kept = "" if hand.line else "; its betting is not stored"
            shown = re.fullmatch(rf"A case of ([\d,]+) watched hands{kept}.", hand.origin)
            watched = int(shown[1].replace(",", ""))
            assert stored["provenance"]["hand"] < watched == base.columns()["provenance"]["hand"].max() + 1
            if hand.line:
                verify_opened(hand, stored)
                opened += 1
    assert opened > 4


def verify_opened(hand, stored):
    """The case's action stands in its hand, in a situation that has the case's features."""
    record = parse_state(hand.line, Variant.load(hand.game))
    before, act = [*states(record)][hand.act], replay(record).acts[hand.act]
    assert (act.seat, act.action.name) == (stored["provenance"]["player"], stored["solution"])
    assert [*record.holes[act.seat]] == stored["provenance"]["hole"]
    assert replay(record).is_over
    if act.owed:
        assert stored["situation"]["pot_odds"] == pytest.approx(act.owed / (before.pot + act.owed))


def test_a_hand_with_a_decision_that_is_no_case_is_not_opened():
    player = load("baycarp2")
    bases = player.casebases
    case = int(bases["river"].columns()["ids"][0])
    assert hand_of_case(player, "river", case)
    for street in ("preflop", "turn"):
        player.casebases = bases | {street: CaseBase(bases[street].schema)}
        assert hand_of_case(player, "river", case) is None
