"""Several experts: the mean of their choices, their vote, and run-time selection."""

from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from reference.players import system, verify_table

from baycarp.agents.cases.case_player import CasePlayer
from baycarp.agents.cases.case_table import CaseTable
from baycarp.agents.cases.classes import offers_classes
from baycarp.agents.cases.selection import Selection
from baycarp.agents.cases.stages import ReuseStage
from baycarp.agents.registry import load
from baycarp.agents.trace import stage_of
from baycarp.arena.session import Table, play_session
from baycarp.cases import Distribution, Majority, Proportional, vote
from baycarp.errors import ModelError
from baycarp.explain.replay import replay
from baycarp.game import Acted, HandOver, State, Variant
from baycarp.strategies.model import Model, save_model
from baycarp.strategies.sartre import GAME, SARTRE2011
from experiments.cases.table_cases import TableCases, self_play

VARIANT = Variant.load(GAME)


@pytest.fixture(scope="module")
def models():
    """Sartres that have watched three different players."""
    found = []
    for spec, seed in (("rule", 1), ("jag", 2), ("random", 3)):
        cases = TableCases(SARTRE2011)
        self_play(load(spec), [cases], GAME, 150, seed)
        found.append(Model(SARTRE2011, None, cases.casebases))
    return found


@pytest.fixture(scope="module")
def folders(models, tmp_path_factory):
    kept = tmp_path_factory.mktemp("experts")
    for number, model in enumerate(models):
        save_model(kept / str(number), model, "a test", 0)
    return [str(kept / str(number)) for number in range(len(models))]


def spots(count, seed):
    """Observations of random hands."""
    draw = np.random.default_rng(seed)
    for number in range(count):
        state = State(VARIANT, None, draw.permutation(52)[:9].astype(np.uint8))
        while not state.is_over:
            yield state.observe(state.to_act, hand=number)
            legal = [each for each in state.legal_actions() if each.name != "fold"]
            state.apply(legal[draw.integers(len(legal))])


def of(models, together, kind=CaseTable, policy=None):
    strategy = replace(SARTRE2011, together=together, policy=policy or SARTRE2011.policy)
    return kind(strategy, models[0], learning=False, experts=models[1:])


def alone(models, policy=None):
    strategy = replace(SARTRE2011, policy=policy or SARTRE2011.policy)
    return [CaseTable(strategy, model, learning=False) for model in models]


def test_the_vote_is_the_choice_of_most_experts(models):
    player, each = of(models, "vote"), alone(models)
    decided = Counter()
    for observation in spots(25, 1):
        votes = Counter(one.decide(observation).action.name for one in each)
        name, most = votes.most_common(1)[0]
        decided[most] += 1
        if most > 1:
            assert player.decide(observation).action.name == name
    assert min(decided[2], decided[3]) > 10  # often they do not agree


def test_where_all_experts_differ_the_largest_share_decides(models):
    player, each = of(models, "vote", policy=Proportional()), alone(models, Proportional())
    differed = 0
    for observation in spots(60, 2):
        policies = [one.decide(observation).policy_by_kind() for one in each]
        if len({max(policy, key=policy.get) for policy in policies}) == 3:
            sums = {kind: sum(policy[kind] for policy in policies) for kind in policies[0]}
            assert player.decide(observation).action.name == max(sums, key=sums.get)
            differed += 1
    assert differed > 0


@pytest.mark.parametrize("together", ["mean", "vote"])
@pytest.mark.parametrize("policy", [Majority(), Proportional()], ids=repr)
def test_a_table_of_several_experts_is_what_their_decisions_give(models, together, policy):
    player = of(models, together, policy=policy)
    for observation in spots(12, 3):
        verify_table(player, observation)


@pytest.mark.parametrize("together", ["mean", "vote", "select"])
def test_the_trace_gives_the_action(models, together):
    player = of(models, together, CasePlayer)
    for observation in spots(10, 4):
        decision = player.decide(observation)
        assert replay(decision.trace) == decision.action
        assert len(stage_of(decision.trace, ReuseStage).memories) == (1 if together == "select" else 3)


def test_a_memory_without_a_result_does_not_vote():
    nothing = dict.fromkeys(("call", "raise"), 0.0)
    empty = Distribution({"call": 0, "raise": 0}, nothing, nothing)
    one = replace(empty, votes={"call": 1, "raise": 3}, probabilities={"call": 0.0, "raise": 1.0})
    assert vote([empty, one, empty]).probabilities == {"call": 0.0, "raise": 1.0}
    assert not vote([empty, empty])


def simulated(chances, worth, hands, seed):
    """A selection among memories that do one of two actions each hand; an action has a noisy worth."""
    selection, draw, used = Selection(len(chances)), np.random.default_rng(seed), Counter()
    selection.begin(seed)
    memories = [Distribution({}, {}, {}, {"call": chance, "raise": 1 - chance}) for chance in chances]
    state = State(VARIANT)
    for hand in range(hands):
        observation = state.observe(state.to_act, hand=hand)
        chosen = selection.choose(observation, memories)
        assert selection.choose(observation, memories) == chosen  # one memory a hand
        used[chosen] += 1
        name = "call" if draw.random() < chances[chosen] else "raise"
        act = state.copy().apply(state.named(name))
        selection.learn(Acted(observation, act), lambda action, seen: action.name)
        won = VARIANT.small_bet * (worth[name] + draw.normal(0, 3))
        payoffs = [0.0, 0.0]
        payoffs[observation.seat] = won
        selection.learn(HandOver(SimpleNamespace(hand=hand, variant=VARIANT), tuple(payoffs)), None)
    return selection, used


def test_what_each_memory_would_have_won_is_estimated_without_bias():
    chances, worth = (0.9, 0.5, 0.1), {"call": 0.3, "raise": 0.8}
    found = np.mean([simulated(chances, worth, 400, seed)[0].won / 400 for seed in range(30)], axis=0)
    expected = [each * worth["call"] + (1 - each) * worth["raise"] for each in chances]
    assert found == pytest.approx(expected, abs=0.12)


def test_memories_that_agree_are_rated_alike():
    selection, _ = simulated((0.7, 0.7, 0.7), {"call": 1.0, "raise": -1.0}, 200, 1)
    assert selection.won[1:] == pytest.approx(selection.won[0])


def test_the_best_memory_plays_most_hands():
    _, used = simulated((1.0, 0.5, 0.0), {"call": 0.0, "raise": 1.0}, 2000, 3)
    assert used[2] > 1500
    assert min(used.values()) > 20  # the others are still tried


def test_a_session_with_selection_is_the_same_again(folders):
    models = {"folder": folders[0], "experts": folders[1:]}
    spec = system("sartre", model=models, strategy={"together": "select"})
    table = Table(VARIANT, ("A", "B"), (spec, "call"), 3)
    one, other = (play_session(table, 0, 60).log for _ in range(2))
    assert one == other
    agent = load(spec)
    assert agent.reuse.selection
    assert not offers_classes(agent)
    assert offers_classes(load(system("sartre", model=models, strategy={"together": "vote"})))


def test_settings_that_make_no_sense_are_refused(folders, models):
    with pytest.raises(ModelError, match="together 'first': expected one of"):
        load(system("sartre", strategy={"together": "first"}))
    with pytest.raises(ModelError, match="expected 0 with run-time selection"):
        CasePlayer(replace(SARTRE2011, together="select"), models[0], None, False, models[1:], 0.1)
