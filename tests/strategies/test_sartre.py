from dataclasses import replace
from itertools import chain

import numpy as np
import pytest
from reference.players import verify_table

from baycarp.agents.cases.case_table import CaseTable
from baycarp.card import HOLDINGS, blocked_by
from baycarp.cases import BestOutcome, CaseBase, Distribution, Majority, Otherwise, Proportional
from baycarp.evaluation import expected_strength
from baycarp.game import State, Variant
from baycarp.game.notation.hand import Hand
from baycarp.rules.outcome import HandResult, Stake, payoff
from baycarp.strategies.model import Model
from baycarp.strategies.sartre import (
    GAME,
    SARTRE2009,
    SARTRE2010,
    SARTRE2011,
    Categories,
    Strengths,
    action_of,
    schemas,
    solution_of,
)
from baycarp.training.casebases import cases_of_session

VARIANT = Variant.load(GAME)


def hands(count, seed):
    """Hands between two players that act at random, folds seldom."""
    draw, found = np.random.default_rng(seed), []
    for number in range(count):
        state = State(VARIANT, None, draw.permutation(52)[:9].astype(np.uint8))
        while not state.is_over:
            legal = state.legal_actions()
            chances = np.array([0.15 if action.name == "fold" else 1.0 for action in legal])
            state.apply(legal[draw.choice(len(legal), p=chances / chances.sum())])
        found.append(Hand.of(state, ("Ann", "Bob"), number))
    return found


def player(strategy, count=80, seed=5, **settings):
    """A player that has watched random hands."""
    casebases = {name: CaseBase(schema) for name, schema in strategy.bases.items()}
    for settled in cases_of_session(hands(count, seed), 0, strategy):
        casebases[settled.base].append(settled.case)
    return CaseTable(strategy, Model(strategy, None, casebases), learning=False, **settings)


def spots(count, seed):
    """Observations of the player to act, in other random hands."""
    for hand in hands(count, seed):
        if len(hand.board) < 5:
            continue
        state = State(VARIANT, None, np.array([*chain(*hand.holes), *hand.board], np.uint8))
        for action in hand.actions:
            yield state.observe(state.to_act)
            state.apply(action)


@pytest.mark.parametrize(
    "description",
    [
        Strengths(),
        Strengths(20, moment=1),
        Categories(),
    ],
    ids=repr,
)
def test_the_class_of_a_holding_is_that_of_all_holdings_on_a_board(description):
    draw = np.random.default_rng(1)
    for cards, street in ((0, 0), (3, 1), (4, 2), (5, 3)):
        board = draw.permutation(52)[:cards].tolist()
        classes = description.classes(board)
        assert classes.max() < description.count(street)
        for holding in draw.choice(np.flatnonzero(~blocked_by(board)), 10).tolist():
            assert description.class_of(HOLDINGS[holding].tolist(), board) == classes[holding]


def test_buckets_are_intervals_of_the_strength():
    board, draw = [50, 22, 1, 10], np.random.default_rng(2)
    for holding in draw.choice(np.flatnonzero(~blocked_by(board)), 30).tolist():
        mean, square = expected_strength(HOLDINGS[holding].tolist(), board)
        features = Strengths().features(int(Strengths().classes(board)[holding]), 2)
        assert (features["strength"] - 1) / 50 - 1e-9 <= square <= features["strength"] / 50 + 1e-9
        features = Strengths(20, moment=1).features(int(Strengths(20, moment=1).classes(board)[holding]), 2)
        assert (features["strength"] - 1) / 20 - 1e-9 <= mean <= features["strength"] / 20 + 1e-9


@pytest.mark.parametrize(
    "strategy",
    [
        SARTRE2009,
        SARTRE2010,
        SARTRE2011,
        replace(SARTRE2011, policy=BestOutcome("mean")),
    ],
    ids=["2009", "2010", "2011", "best outcome"],
)
def test_the_table_is_what_a_retrieval_for_every_holding_gives(strategy):
    agent, decided = player(strategy), 0
    for observation in spots(16, 9):
        verify_table(agent, observation)
        decided += 1
    assert decided > 30


def test_a_raise_beyond_the_cap_is_a_call_or_a_check():
    state = State(replace(VARIANT, max_raises=(0, 3, 4, 4)), None, np.arange(9, dtype=np.uint8))
    assert str(action_of("raise", state.observe(0))).startswith("call")
    state.apply(action_of("raise", state.observe(0)))
    assert {str(action_of(each, state.observe(1))) for each in ("fold", "call", "raise")} == {"check"}


def test_2009_calls_where_no_case_is_identical():
    agent = player(SARTRE2009, count=2)
    without = [agent.decide(each) for each in spots(30, 4)]
    without = [each for each in without if each.reason.startswith("no similar case")]
    assert len(without) > 20
    assert {each.action.name for each in without} == {"check", "call"}


def test_2009_keeps_a_case_for_every_decision_and_2011_one_for_a_situation():
    single, merged = player(SARTRE2009), player(SARTRE2011)
    decisions = sum(map(len, single.casebases.values()))
    counted = sum(int(base.columns()["counts"].sum()) for base in merged.casebases.values())
    assert decisions == counted > sum(map(len, merged.casebases.values()))


def test_the_nearest_case_answers_whatever_its_similarity():
    agent = player(SARTRE2011, count=1)
    for observation in spots(10, 8):
        if len(agent.casebases[SARTRE2011.key(observation)]):
            assert agent.decide(observation).policy


def test_the_order_of_storing_decides_nothing():
    one = player(SARTRE2010)
    turned = {name: CaseBase(base.schema) for name, base in one.casebases.items()}
    for name, base in one.casebases.items():
        columns = {n: c[..., ::-1] for n, c in base.columns().items() if n != "ids"}
        turned[name].extend_columns({n: np.ascontiguousarray(c) for n, c in columns.items()})
    other = CaseTable(SARTRE2010, Model(SARTRE2010, None, turned), learning=False)
    for observation in spots(20, 2):
        assert other.decide(observation).policy == pytest.approx(one.decide(observation).policy)


def test_an_outcome_is_the_result_of_the_whole_hand():
    state = State(VARIANT)
    state.apply(state.named("raise"))
    state.apply(state.named("raise"))
    act = state.copy().apply(state.named("fold"))
    stake = Stake(state.observe(1), act)
    assert payoff(stake, HandResult(-20.0, False)) == -2.0


def test_untried_actions_have_no_outcome():
    agent = player(replace(SARTRE2011, policy=BestOutcome("mean")))
    for observation in spots(20, 3):
        decision = agent.decide(observation)
        stage = next(each for each in decision.trace if type(each).__name__ == "ReuseStage")
        (memory,) = stage.memories
        tried = {name for name, votes in memory.votes.items() if votes}
        assert solution_of(decision.action, observation) in tried


def test_snapshots_differ_as_the_paper_has_them():
    assert (SARTRE2009.policy, SARTRE2010.policy, SARTRE2011.policy) == (
        Otherwise(Majority(), "call"),
        Proportional(),
        Majority(),
    )
    assert SARTRE2010.bases == SARTRE2011.bases == schemas()
    assert not SARTRE2009.bases["flop"].merged
    assert SARTRE2011.bases["flop"].merged
    assert SARTRE2009.bases["flop"].most is None


@pytest.mark.parametrize("policy", [Majority(), Proportional(), BestOutcome(), BestOutcome("mean")], ids=repr)
def test_many_sums_are_weighed_as_each_of_them(policy):
    draw = np.random.default_rng(1)
    votes = draw.integers(0, 3, (3, 200)).astype(float)
    outcomes = np.where(votes > 0, draw.integers(-2, 3, (3, 200)), 0).astype(float)
    alike = votes * draw.choice([0.5, 1.0], (3, 200))
    chances = policy.choose_all(votes, outcomes, alike)
    for column in range(200):
        sums = (dict(zip("abc", each[:, column].tolist(), strict=True)) for each in (votes, outcomes, alike))
        expected = policy.choose(Distribution(*sums)).probabilities
        assert chances[:, column].tolist() == pytest.approx([expected.get(name, 0.0) for name in "abc"])
