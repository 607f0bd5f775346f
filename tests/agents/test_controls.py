"""The controls that Unger (2011) lacked: BayCaRP without its network, and the network without cases."""

import numpy as np
import pytest
from reference.players import case_player
from reference.spots import spots
from reference.strength import strength

from baycarp import evaluation
from baycarp.agents.cases.stages import BeliefStage, CaseStage, RetrievalStage
from baycarp.agents.network import NetworkAlone
from baycarp.agents.registry import load
from baycarp.agents.trace import stage_of
from baycarp.bn.inference import Inference
from baycarp.cases import Majority
from baycarp.cli import main
from baycarp.errors import BaycarpError, ModelError
from baycarp.game.variant import Variant
from baycarp.opponents.model import believe_all
from baycarp.opponents.network.model import NetworkModel
from baycarp.opponents.network.ranges import TopGroups
from baycarp.strategies.baycarp import BAYCARP2, SCHEMAS, WITHOUT_NETWORK
from baycarp.strategies.model import load_model, save_model
from baycarp.training.model import Training, Watched, train


@pytest.fixture(scope="module")
def plain(small_model, watched_table, tmp_path_factory):
    """A model without a network, of the hands that the small model watched."""
    folder = tmp_path_factory.mktemp("models") / "plain"
    watched = Watched(watched_table, 150, small_model / "sessions")
    trained = train(Training(WITHOUT_NETWORK), watched, folder, "a test")
    assert (trained.model.network, trained.measured, trained.showdowns) == (None, None, 0)
    assert not (folder / "sessions").exists()
    return folder


def own_view(state):
    return state.observe(state.to_act, tuple(f"p{seat}" for seat in range(state.variant.seats)))


# Without the network


def test_the_arms_share_the_pre_flop_case_base(small_model, plain):
    assert (plain / "preflop.npz").read_bytes() == (small_model / "preflop.npz").read_bytes()


def test_the_schemas_differ_in_the_hand_types_alone():
    for full, without in zip(SCHEMAS, WITHOUT_NETWORK.schemas, strict=True):
        assert (full.name, full.threshold) == (without.name, without.threshold)
        assert set(full.features) - set(without.features) == {
            feature for feature in full.features if feature.name == "opponent_hand_type"
        }
        assert set(without.features) <= set(full.features)


def test_a_model_without_a_network_is_saved_and_loaded(plain, tmp_path):
    model = load_model(plain)
    assert model.network is None
    save_model(tmp_path / "copy", model, "again", 1)
    assert not (tmp_path / "copy" / "network.npz").exists()
    again = load_model(tmp_path / "copy")
    assert again.manifest["files"] == model.manifest["files"]


def test_strength_is_against_random_cards(plain):
    """Of every opponent the same holdings: the product is a power, straight from the definition."""
    casebase = load_model(plain).casebases["river"]
    met = set()
    for id in np.linspace(0, len(casebase) - 1, 12).astype(int).tolist():
        case = casebase.case(id)
        situation, met_at = case["situation"], case["provenance"]
        hs, _, _ = strength(met_at["hole"], met_at["board"], np.ones(1326), ahead=0)
        assert situation["hand_strength"] == pytest.approx(float(hs) ** situation["players_in_hand"])
        met.add(situation["players_in_hand"])
    assert len(met) > 1


def test_the_command_line_makes_one(tmp_path, capsys):
    asked = ["train", str(tmp_path / "plain"), "--hands", "2", "--workers", "1", "--opponents", "none"]
    assert main([*asked, "--strategy", "casper"]) == 1
    assert "opponents none: expected strategy baycarp" in capsys.readouterr().err
    assert main(asked) == 0
    agent = load(f"baycarp2(model={str(tmp_path / 'plain')!r}, opponents='none')")
    assert agent.model.network is None
    assert agent.model.manifest["command"] == "baycarp train --hands 2 --seed 1 --opponents none"


def test_a_model_without_a_network_is_not_one_with_it(plain):
    assert load(plain).strategy == WITHOUT_NETWORK  # by its folder alone, the strategy that it was made for
    for agent in ("baycarp(model={!r})", "network(model={!r})", "baycarp2(experts=[{!r}])"):
        with pytest.raises(ModelError, match="expected a model with a network"):
            load(agent.format(str(plain)))


def test_everything_unseen_is_believed_alike(plain):
    agent = load(f"baycarp2(model={str(plain)!r}, opponents='none')")
    for state in spots(Variant.ring(3), 6, seed=3):
        observation = own_view(state)
        decision = agent.decide(observation)
        known = len(observation.hole) + len(observation.board)
        believed = stage_of(decision.trace, BeliefStage).opponents
        assert len(believed) == len(state.seats_in) - 1
        for belief in believed:
            assert (belief.evidence, belief.groups, belief.types) == ({}, {}, {})
            assert belief.holdings == (52 - known) * (51 - known) // 2
        assert "opponent_hand_type" not in stage_of(decision.trace, CaseStage).values
        assert decision.explain()


def test_models_and_settings_must_fit(small_model, plain):
    for spec in (
        f"baycarp2(model={str(plain)!r})",
        f"baycarp2(model={str(small_model)!r}, opponents='none')",
        f"network(model={str(plain)!r})",
        f"network(model={str(small_model)!r}, threshold=1.5)",
    ):
        with pytest.raises(BaycarpError):
            load(spec)
    with pytest.raises(ModelError, match="with a network"):
        NetworkAlone(BAYCARP2, load_model(plain))


# The network alone


@pytest.fixture(scope="module")
def model(small_model):
    return load_model(small_model)


def test_before_the_flop_it_is_baycarp2(model):
    alone, whole = NetworkAlone(BAYCARP2, model), case_player(model, Majority())
    met = set()
    for state in spots(Variant.ring(4), 10, seed=4):
        if state.street == 0:
            one, two = alone.decide(own_view(state)), whole.decide(own_view(state))
            assert (one.action, one.policy, one.reason) == (two.action, two.policy, two.reason)
            met.add(one.action.name)
    assert len(met) > 1


def test_after_the_flop_strength_threshold_and_pot_odds_decide(model):
    alone, met = NetworkAlone(BAYCARP2, model, threshold=0.6), set()
    opponent_model = NetworkModel(Inference(model.network), TopGroups(4))
    for state in spots(Variant.ring(4), 25, seed=5):
        if state.street == 0:
            continue
        observation = own_view(state)
        beliefs = believe_all(opponent_model, observation)
        hs, ppot, _ = evaluation.strength(
            observation.hole, observation.board, *(b.weights for b in beliefs.values())
        )
        able = {action.name for action in observation.legal_actions()}
        if hs >= 0.6 and able & {"bet", "raise"}:
            expected = "bet" if "bet" in able else "raise"
        elif state.owed == 0:
            expected = "check"
        else:
            expected = "call" if hs + ppot > state.owed / (state.pot + state.owed) else "fold"
        decision = alone.decide(observation)
        assert decision.action.name == expected
        assert decision.policy[decision.action] == 1
        assert stage_of(decision.trace, RetrievalStage) is None
        met.add((expected, state.street))
    assert {name for name, _ in met} == {"bet", "raise", "check", "call", "fold"}
    assert {street for _, street in met} == {1, 2, 3}


def test_at_the_cap_a_strong_hand_calls(model):
    alone, met = NetworkAlone(BAYCARP2, model, threshold=0.0), 0
    for state in spots(Variant.ring(3), 40, seed=6):
        able = {action.name for action in state.legal_actions()}
        if state.street and able == {"fold", "call"}:
            met += alone.decide(own_view(state)).action.name == "call"
        elif state.street:
            assert alone.decide(own_view(state)).action.name in ("bet", "raise")
    assert met
