"""SartreNL: features and similarities as the paper prints them, letters as legal actions, play."""

from math import exp
from random import Random

import numpy as np
import pytest
from reference.games import random_action, random_stacks

from baycarp.agents.cases.case_player import CasePlayer
from baycarp.agents.cases.stages import ReuseStage
from baycarp.agents.trace import stage_of
from baycarp.arena.session import Table, play_session
from baycarp.cases import Case, CaseBase, local_similarities
from baycarp.game import State, Variant
from baycarp.rules.betting.sizes import SARTRE_NL, BetRange
from baycarp.strategies.model import Model, save_model
from baycarp.strategies.sartre_nl import GAME, JITTER, SARTRENL2010, SARTRENL2011, at_table
from baycarp.training.casebases import cases_of_session
from baycarp.training.watch import hands_of

DOYLE = Variant.load(GAME)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """Taught by 150 hands of two drawn players."""
    table = Table(DOYLE, ("Ann", "Bob"), ("sizer(number=3)", "sizer(number=7)"), seed=4)
    log = tmp_path_factory.mktemp("nl") / "hands.log"
    log.write_text("\n".join(play_session(table, 0, hands=150).log))
    bases = {name: CaseBase(schema) for name, schema in SARTRENL2011.bases.items()}
    for settled in cases_of_session(hands_of(log, table), 0, SARTRENL2011):
        bases[settled.base].extend([settled.case])
    return Model(SARTRENL2011, None, bases, {"game": GAME})


def test_features_are_those_of_table_10():
    flop = SARTRENL2011.bases["flop"]
    assert {each.name for each in flop.features} == {"strength", "sequence", "commitment", "texture"}
    assert {each.weight for each in flop.features} == {1}
    assert flop.solutions == tuple("fcqhipdvta")
    assert SARTRENL2010.bases["flop"].solutions == tuple("fcqhipdvt")
    assert (flop.most, flop.ties, flop.merged) == (1, True, True)


def test_similarity_by_equations_2_7_and_8():
    """Mean of four: strengths 10 buckets of 50 apart, ihpc v dqpc, parts 1 and 3, textures A and A."""
    schema = SARTRENL2011.bases["flop"]
    base = CaseBase(schema)
    stored = {"strength": 30.0, "sequence": "dqpc-", "commitment": 3.0, "texture": "A"}
    base.append(Case(schema.situation(stored), "c", 1.0))
    query = schema.situation({"strength": 20.0, "sequence": "ihpc-", "commitment": 1.0, "texture": "A"})
    found = dict(zip(schema.columns, local_similarities(base, query, np.array([0]))[:, 0], strict=True))
    expected = {"strength": 0.8, "sequence": 0.85, "commitment": exp(-2), "texture": 1.0}
    assert found == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("one", "other", "similarity"),
    [("pc-q", "pc-t", 0.7), ("pc-q", "pcc", 0.0), ("pc-c", "pc-q", 0.0), ("pc-a", "pc-t", 0.0),
     ("pc-", "pcc-", 0.0), ("tttttttt", "qqqqqqqq", 0.0)],
)  # fmt: skip
def test_calls_all_in_bets_and_rounds_stand_at_the_same_place(one, other, similarity):
    compared = next(f for f in SARTRENL2011.bases["flop"].features if f.name == "sequence").similarity
    assert compared(one, other) == pytest.approx(similarity)


def spots(rng, count):
    """Random decisions of random hands, with random stacks."""
    while count > 0:
        state = State(DOYLE, random_stacks(rng, DOYLE) if rng.random() < 0.7 else None)
        while state.to_act is not None and count > 0:
            yield state
            count -= 1
            _, least, most, _ = state.bounds()
            state.apply(random_action(rng, state.legal_actions(), least, most))


def verify_spots(count, seed):
    rng, bets = Random(seed), 0
    for number, state in enumerate(spots(rng, count)):
        seeded = at_table(SARTRENL2011, number % 1000)
        observation = state.observe(state.to_act, hand=number)
        legal = BetRange.of(state)
        for letter in SARTRENL2011.schemas[0].solutions:
            action = seeded.action(letter, observation)
            state.verify(action)
            if legal is not None and letter in SARTRE_NL.at(legal):
                bets += 1
                plain = SARTRE_NL.chips(letter, legal)
                chips = action.amount - legal.level
                most = plain * JITTER + 1 if letter != "a" else 0
                assert abs(chips - plain) <= most or chips in (legal.least, legal.most)
    assert bets > count / 4


def test_every_letter_is_a_legal_action_with_jitter():
    verify_spots(2_000, 1)


@pytest.mark.slow
def test_every_letter_is_a_legal_action_in_many_spots():
    verify_spots(100_000, 2)  # of ten letters each: 10^6 actions


def dealt(rng):
    return State(DOYLE, None, rng.sample(range(52), 9))


def test_its_own_bets_are_read_back_and_the_trace_has_the_drawn_amount(model):
    agent = CasePlayer(SARTRENL2011, model, learning=False)
    agent.sit(0, DOYLE, 11)
    rng, found = Random(3), 0
    for hand in range(60):
        state = dealt(rng)
        while state.to_act is not None:
            observation = state.observe(state.to_act, hand=hand)
            decision = agent.decide(observation)
            state.verify(decision.action)
            assert decision.policy[decision.action] > 0
            if decision.action.name in ("bet", "raise"):
                reuse = stage_of(decision.trace, ReuseStage)
                assert decision.action in reuse.legal.values()
                assert set(reuse.memories[0].probabilities) <= set("fcqhipdvta")
                found += 1
            _, least, most, _ = state.bounds()
            state.apply(random_action(rng, state.legal_actions(), least, most))
    assert found > 5


def test_the_version_of_2010_is_hard_everywhere():
    assert not SARTRENL2010.describe.soft
    assert at_table(SARTRENL2010, 1).describe.sizes.all_in == ""


def test_seeds_decide_what_is_drawn(model):
    """The same seed plays the same; another one bets other amounts."""

    def played(seed):
        agent = CasePlayer(SARTRENL2011, model, learning=False)
        agent.sit(0, DOYLE, seed)
        state = dealt(Random(5))
        return [
            at.action("p", state.observe(state.to_act, hand=hand)).amount
            for hand in range(30)
            for at in (agent.strategy,)
        ]

    assert played(1) == played(1) != played(2)


@pytest.mark.slow
def test_no_action_is_illegal_in_many_hands(model, tmp_path):
    """The engine refuses an illegal action with an error; 100,000 hands."""
    save_model(tmp_path / "nell", model, "an example", 0)
    table = Table(DOYLE, ("Nell", "Ann"), (str(tmp_path / "nell"), "sizer(number=5)"), seed=9)
    for session in range(200):
        assert len(play_session(table, session, hands=500).log) == 500
