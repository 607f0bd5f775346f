"""The hands like a decision: those of the cases that were retrieved, and where they come from."""

import re

import pytest
from reference.spots import spots

from baycarp.agents.cases.stages import CaseStage, RetrievalStage
from baycarp.agents.registry import load_for
from baycarp.agents.trace import stage_of
from baycarp.explain.similar import similar_hands
from baycarp.game import Variant


@pytest.mark.parametrize("game", ["holdem.limit.3p", "holdem.limit.2p.reverse_blinds"])
def test_similar_hands_have_the_cards_of_their_cases_and_state_what_is_not_stored(game):
    variant = Variant.load(game)
    agent, found = load_for(variant, "baycarp"), 0
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
            shown = re.fullmatch(r"A case of ([\d,]+) watched hands; its betting is not stored.", hand.origin)
            watched = int(shown[1].replace(",", ""))
            assert stored["provenance"]["hand"] < watched == base.columns()["provenance"]["hand"].max() + 1
            found += 1
    assert found > 4
