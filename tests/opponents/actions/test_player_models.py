"""Beliefs about all players at a table by hand -> action."""

import numpy as np
import pytest

from baycarp.agents.cases.case_player import FULL
from baycarp.agents.registry import load
from baycarp.card import HOLDS
from baycarp.explain.counterfactual import Counterfactual
from baycarp.explain.evidence import pieces
from baycarp.game.event import HandOver
from baycarp.game.notation.observe import observe
from baycarp.opponents.actions.hand_actions import ActionModel, sensible
from baycarp.opponents.actions.model import PlayerModels
from baycarp.opponents.actions.situations import LEGAL, PRICE_OF, PRICES, hand_moves
from baycarp.opponents.actions.styles import Styles, load_styles, save_styles
from baycarp.opponents.reliance import KINDS, Confidence

GAME = "holdem.limit.2p.reverse_blinds"
STYLES = Styles((sensible(),), (1.0,))
CERTAIN = Confidence((1.0,), ((1.0,),) * len(KINDS), blind=0.0)


def hand(line):
    return observe(line, game=GAME)._replace(players=("Ann", "Bob"))


def test_beliefs_are_beliefs():
    observation = hand("MATCHSTATE:0:0:rc/r:AhKd|/Qs7d2c")
    belief = PlayerModels(STYLES, CERTAIN).believe(observation, 1, "Bob")
    assert sum(belief.groups.values()) == pytest.approx(1.0)
    assert sum(belief.types.values()) == pytest.approx(1.0)
    assert belief.weights.shape == (1326,)
    assert belief.weights.max() == 1.0
    blocked = HOLDS[[*observation.hole, *observation.board]].any(axis=0)
    assert ((belief.weights == 0) == blocked).all()
    assert list(belief.evidence.values()) == ["bets or raises"]


def test_bets_speak_of_strength_and_checks_do_not():
    known = PlayerModels(STYLES, CERTAIN)
    bet = known.believe(hand("MATCHSTATE:0:0:cc/cr:AhKd|/Qs7d2c"), 1, "Bob")
    check = known.believe(hand("MATCHSTATE:0:0:cc/cc/:AhKd|/Qs7d2c/9h"), 1, "Bob")
    strong = ("TwoPair", "ThreeOfAKind", "QueenPair")
    assert sum(bet.types[name] for name in strong) > 2 * sum(check.types[name] for name in strong)


def test_acts_that_were_not_seen_are_not_believed():
    observation, known = hand("MATCHSTATE:0:0:rc/cr:AhKd|/Qs7d2c"), PlayerModels(STYLES, CERTAIN)
    belief = known.believe(observation, 1, "Bob")
    assert np.array_equal(known.suppose(observation, 1, "Bob", belief.evidence).weights, belief.weights)
    first, second = belief.evidence
    own_moves = [move for move in hand_moves(observation.acts, observation.variant).moves if move.seat == 1]
    for evidence, done in (
        ({}, []),
        ({first: belief.evidence[first]}, own_moves[:1]),
        ({second: belief.evidence[second]}, own_moves[1:]),
        (belief.evidence | {second: "checks or calls"}, [own_moves[0], own_moves[1]._replace(choice=1)]),
    ):
        held = STYLES.models[0].posterior(done, observation.board, 0, observation.hole)
        assert known.suppose(observation, 1, "Bob", evidence).weights == pytest.approx(held / held.max())


def test_alternative_acts_are_those_that_the_model_holds_possible():
    visited, met = hand("MATCHSTATE:0:0:rc/cr:AhKd|/Qs7d2c"), set()
    for probable in (0.2, 0.02, 0.005):
        tables = [table.copy() for table in sensible().tables]
        free = LEGAL[PRICE_OF[1], 0] == 0  # where he need not fold
        tables[1][free] = [0.0, probable, 1 - probable]
        known = PlayerModels(Styles((ActionModel(tuple(tables)),), (1.0,)), CERTAIN)
        evidence = known.believe(visited, 1, "Bob").evidence
        act = list(evidence)[-1]
        assert evidence[act] == "bets or raises"
        others = [choice for what, choice in known.possible(visited, 1, "Bob", evidence) if what == act]
        assert others == ["checks or calls"] * (probable >= 0.01)
        met.add(len(others))
    assert met == {0, 1}


def test_hands_that_are_over_are_learned_by_name():
    tables = [table.copy() for table in sensible().tables]
    for table in tables[1:]:
        table[:] = table[:, ::-1]  # strong hands are played as weak ones, and weak ones as strong
    slow = ActionModel(tuple(tables))
    known = PlayerModels(Styles((*STYLES.models, slow), (0.5, 0.5)), CERTAIN)
    over = hand("MATCHSTATE:0:0:rc/cc/cc/cc:AhKd|7c7s/Qs7d2c/9h/3s")
    for _ in range(30):
        known.learn(HandOver(over, (0.0, 0.0)))
    assert known.of("Bob").hands == known.of("Ann").hands == 30
    assert known.of("Cleo").hands == 0
    slow_share = [known.of(name).styles[1] for name in ("Bob", "Cleo")]
    assert slow_share[0] > 0.9 > slow_share[1]  # its set was shown after checks, thirty times


def test_players_without_a_name_are_not_learned():
    known = PlayerModels(STYLES, CERTAIN)
    over = hand("MATCHSTATE:0:0:rc/rf:AhKd|/Qs7d2c")._replace(players=())
    known.learn(HandOver(over, (0.0, 0.0)))
    assert known.of("").hands == 0
    assert len(list(hand_moves(over.acts, over.variant).moves)) == 4


def test_baycarp_uses_player_models_by_setting_and_else_its_network(tmp_path):
    path = tmp_path / "styles.npz"
    save_styles(STYLES, path, "the tests")
    observation = hand("MATCHSTATE:0:0:rc/cr:AhKd|/Qs7d2c")
    plain, asked = load("baycarp2"), load(f"baycarp2(opponents={str(path)!r})")
    records = [agent.decide(observation).to_dict() for agent in (plain, asked)]
    assert "bets or raises" in str(records[1])
    assert "bets or raises" not in str(records[0])
    over = HandOver(hand("MATCHSTATE:0:0:rc/rf:AhKd|/Qs7d2c"), (0.0, 0.0))
    asked.learn(over)
    assert asked.full.opponents.of("Bob").hands == 1
    asked.sit(0, observation.variant, 1)
    assert asked.full.opponents.of("Bob").hands == 0


def test_the_fast_tier_uses_the_network():
    agent, observation = (
        load("baycarp2(opponents='styles', learning=False)"),
        hand("MATCHSTATE:0:0:rc/cr:AhKd|/Qs7d2c"),
    )
    agent._anytime.record(FULL, 1, 1000.0)
    decision = agent.decide(observation, time_limit=100)
    assert [stage.tier for stage in decision.trace if not stage.done] == [FULL]
    counterfactual = Counterfactual(agent, observation, decision)
    assert counterfactual.evidence[1]["ActionFlop"] == "ContinuationBet"
    assert counterfactual.at(counterfactual.situation).probabilities == decision.policy_by_kind()
    assert counterfactual.given(counterfactual.evidence).probabilities == decision.policy_by_kind()
    assert {piece.node for piece in pieces(counterfactual)} == set(counterfactual.evidence[1])


def test_the_shipped_styles_are_those_of_the_default_table():
    styles = load_styles()
    assert len(styles.models) > 50
    for style in styles.models[:8]:  # before the flop each folds trash to a raise, and aces never
        table = style.tables[0][PRICE_OF[0] == PRICES.index("raised")]
        assert table[:, 0, 0].mean() > 0.7
        assert (table[:, 15, 0] < 0.03).all()
    assert load("baycarp2(opponents='styles')").full.opponents.styles is styles
