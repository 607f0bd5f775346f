"""Case-bases of tables of two beside those of larger tables: which one decides, learns, and is stored."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from reference.models import edit

import baycarp
from baycarp.agents.cases.stages import CaseStage
from baycarp.agents.registry import load
from baycarp.agents.trace import stage_of
from baycarp.cli import main
from baycarp.errors import ModelError, TableError
from baycarp.game import Acted, HandOver, State, Variant
from baycarp.game.action import STREETS
from baycarp.game.notation.hand import replay
from baycarp.opponents.actions.model import ByActions
from baycarp.opponents.actions.styles import load_styles
from baycarp.strategies.baycarp import BAYCARP2, WITHOUT_NETWORK, believing
from baycarp.strategies.by_seats import HEADS_UP, by_seats, shared_name
from baycarp.strategies.casey import CASEY
from baycarp.strategies.memory import recall, remember
from baycarp.strategies.model import first_hands, load_model, save_model
from baycarp.strategies.registry import STRATEGIES
from baycarp.strategies.weights import Weights
from baycarp.training.curriculum import TEACHER, Curriculum
from baycarp.training.model import Training, Watched, train
from baycarp.training.watch import hands_in

TWO = Curriculum({2: 1}, 5, ("jake", "karma", "hari"))


@pytest.fixture(scope="module")
def heads_up(tmp_path_factory):
    """A model of tables of two, without a network."""
    folder = tmp_path_factory.mktemp("two")
    train(Training(WITHOUT_NETWORK), Watched(TWO, 40), folder, "of two")
    return load_model(folder)


@pytest.fixture(scope="module")
def larger(tmp_path_factory):
    folder = tmp_path_factory.mktemp("larger")
    tables = Curriculum({4: 1}, 6, ("jake", "karma", "hari", "karma"))
    train(Training(WITHOUT_NETWORK), Watched(tables, 40), folder, "of four")
    return load_model(folder)


def turn(seats):
    """The first decision of a hand."""
    deck = np.random.default_rng(seats).permutation(52)[: 2 * seats + 5].astype(np.uint8)
    state = State(Variant.ring(seats), deck=deck)
    return state.observe(state.to_act)


def solutions(casebase):
    return casebase.columns()["solutions"].tolist()


def test_tables_of_two_have_case_bases_of_their_own():
    strategy = by_seats(BAYCARP2)
    assert STRATEGIES["baycarp-by-seats"] == strategy
    assert list(strategy.bases) == [*STREETS, *(HEADS_UP + street for street in STREETS)]
    assert [strategy.key(turn(seats)) for seats in (2, 3, 10)] == ["2p-preflop", "preflop", "preflop"]
    assert by_seats(strategy) is strategy
    for street in STREETS:
        assert replace(strategy.bases[HEADS_UP + street], name=street) == strategy.bases[street]


def test_the_cases_of_all_models_are_those_of_tables_of_two(larger, heads_up):
    both = larger.with_heads_up(heads_up, heads_up)
    for street in STREETS:
        once = heads_up.casebases[street]
        assert both.casebases[street] is larger.casebases[street]
        assert solutions(both.casebases[HEADS_UP + street]) == 2 * solutions(once)
        numbers = both.casebases[HEADS_UP + street].columns()["numbers"]
        np.testing.assert_array_equal(numbers, np.tile(once.columns()["numbers"], 2))
    sessions = both.casebases["2p-preflop"].columns()["provenance"]["session"]
    half = len(sessions) // 2
    assert sessions[:half].max() < sessions[half:].min()  # two hands are never taken for one


def test_models_that_do_not_fit_are_refused(larger, heads_up, small_model, tmp_path):
    other = load_model(small_model)
    with pytest.raises(
        ModelError, match=r"strategy 'baycarp', .*'network': expected 'baycarp-without-network'"
    ):
        larger.with_heads_up(other)
    with pytest.raises(ModelError, match="at least one"):
        larger.with_heads_up()
    both = larger.with_heads_up(heads_up)
    with pytest.raises(ModelError, match="has case-bases for tables of two already"):
        both.with_heads_up(both)
    casey = replace(larger, strategy=CASEY)
    with pytest.raises(ModelError, match="strategy 'casey-by-seats': did you mean"):
        casey.with_heads_up(casey)
    with pytest.raises(ModelError, match="strategy 'baycarp', "):  # before a hand is watched
        train(Training(WITHOUT_NETWORK, two=(other,)), Watched(TWO, 40), tmp_path, "")
    assert not list(tmp_path.iterdir())


def test_a_model_by_seats_is_saved_and_plays_with_the_cases_of_its_table(larger, heads_up, tmp_path):
    save_model(tmp_path / "both", larger.with_heads_up(heads_up), "both", 1)
    assert load_model(tmp_path / "both").strategy == by_seats(WITHOUT_NETWORK)
    agent = load(f"cases(model={str(tmp_path / 'both')!r})")
    alone = load(f"cases(model={str(save(heads_up, tmp_path / 'two'))!r}, learning=False)")
    ring = load(f"cases(model={str(save(larger, tmp_path / 'four'))!r}, learning=False)")
    for seats, same, base in ((2, alone, "2p-preflop"), (4, ring, "preflop")):
        for each in (agent, same):
            each.sit(0, Variant.ring(seats), 3)
        decision = agent.decide(turn(seats))
        assert stage_of(decision.trace, CaseStage).base == base
        assert decision.policy == same.decide(turn(seats)).policy


def save(model, folder):
    save_model(folder, model, "", 1)
    return folder


def test_a_decision_heads_up_is_learned_where_it_was_made(larger, heads_up, tmp_path):
    folder = save(larger.with_heads_up(heads_up), tmp_path / "both")
    agent = load(f"cases(model={str(folder)!r})")
    before = {name: len(base) for name, base in agent.casebases.items()}
    variant = Variant.ring(2)
    agent.sit(0, variant, 1)
    state = State(variant, deck=np.random.default_rng(2).permutation(52)[:9].astype(np.uint8))
    observation = state.observe(state.to_act)
    decision = agent.decide(observation)
    act = state.apply(decision.action)
    agent.learn(Acted(observation, act))
    while not state.is_over:
        seen, fold = state.observe(state.to_act), state.legal_actions()[0]
        agent.learn(Acted(seen, state.apply(fold)))
    agent.learn(HandOver(state.observe(None), tuple(state.payoffs())))
    grown = {name: len(base) - before[name] for name, base in agent.casebases.items()}
    assert grown == dict.fromkeys(before, 0) | {"2p-preflop": 1}


def test_the_default_agent_answers_heads_up_by_cases_of_tables_of_two():
    agent = load("baycarp2(opponents='styles', learning=False)")
    for seats, base in ((2, "2p-preflop"), (6, "preflop")):
        agent.sit(0, Variant.ring(seats), 1)
        assert stage_of(agent.decide(turn(seats)).trace, CaseStage).base == base


def test_weights_of_a_street_are_those_of_its_two_case_bases(larger, heads_up):
    weights = Weights.of(by_seats(WITHOUT_NETWORK).schemas, {"source": "here"})
    assert weights == Weights.of(WITHOUT_NETWORK.schemas, {"source": "here"})
    other = weights.to_dict()
    other["streets"]["flop"]["features"]["hand_strength"]["weight"] = 7.0
    read = Weights.from_dict(other, "here", by_seats(WITHOUT_NETWORK).schemas)
    weighed = larger.with_heads_up(heads_up).weighed(read)
    for name in ("flop", "2p-flop"):
        schema = weighed.casebases[name].schema
        assert {f.name: f.weight for f in schema.features}["hand_strength"] == 7.0
    again = larger.weighed(read).with_heads_up(heads_up)  # whichever comes first
    assert {n: base.schema for n, base in again.casebases.items()} == {
        n: base.schema for n, base in weighed.casebases.items()
    }


@pytest.mark.parametrize(
    ("base", "bases", "shared"),
    [
        ("2p-flop", ("flop", "2p-flop"), "flop"),
        ("flop", ("flop",), "flop"),
        ("2p-flop", ("3p-flop", "2p-flop"), "2p-flop"),
    ],
)
def test_the_case_base_whose_weights_are_shared(base, bases, shared):
    assert shared_name(base, bases) == shared


@pytest.fixture
def at_home(tmp_path, monkeypatch):
    monkeypatch.setenv("BAYCARP_HOME", str(tmp_path / "home"))


@pytest.mark.parametrize("opened", [remember, recall])
def test_a_memory_of_an_older_model_gets_the_case_bases_that_it_lacks(larger, heads_up, at_home, opened):
    _, store = remember(larger, "ann")
    with store:
        store.retain_all(first_hands(larger.casebases["flop"], 1))
    grown = len(recall(larger, "ann").casebases["flop"])
    assert grown > len(larger.casebases["flop"])
    newer = larger.with_heads_up(heads_up)
    opened(newer, "ann")
    found = recall(newer, "ann")
    assert len(found.casebases["flop"]) == grown
    for street in STREETS:
        assert solutions(found.casebases[HEADS_UP + street]) == solutions(heads_up.casebases[street])


def test_a_memory_described_by_other_beliefs_gets_no_cases(small_model, at_home):
    network = load_model(small_model)
    remember(network, "ann")[1].close()
    newer = replace(network, strategy=believing(BAYCARP2, ByActions(load_styles())), manifest={})
    found = recall(newer.with_heads_up(newer), "ann")
    assert [len(found.casebases[HEADS_UP + street]) for street in STREETS] == [0] * 4
    assert found.described.kind == "network"


def test_an_expert_without_case_bases_by_seats_answers_tables_of_two_too(larger, heads_up, tmp_path):
    both = save(larger.with_heads_up(heads_up), tmp_path / "both")
    old = save(larger, tmp_path / "old")
    agent = load(f"cases(model={str(both)!r}, experts=[{str(old)!r}], learning=False)")
    alone = load(f"cases(model={str(both)!r}, learning=False)")
    by_old = load(f"cases(model={str(old)!r}, learning=False)")
    for each in (agent, alone, by_old):
        each.sit(0, Variant.ring(2), 1)
    policies = [each.decide(turn(2)).policy for each in (alone, by_old)]
    mean = {action: (policies[0][action] + policies[1][action]) / 2 for action in policies[0]}
    assert agent.decide(turn(2)).policy == pytest.approx(mean)


def test_the_opponent_of_a_teacher_gives_no_cases(tmp_path):
    tables = Curriculum({2: 1}, 5, ("jake", "karma"), heads_up="raise", against="call")
    assert tables.table(0).specs == ("raise", "call")
    assert tables.teachers(0) == (TEACHER,)
    made = train(Training(WITHOUT_NETWORK), Watched(tables, 40), tmp_path, "")
    table, found = tables.table(0), Counter[str]()
    for log in (tmp_path / "sessions").glob("*.log"):
        for hand in hands_in(log.read_text("utf-8"), table):
            turns = zip(hand.actions, replay(hand).acts, strict=True)
            found.update(action.name for action, act in turns if hand.players[act.seat] == TEACHER)
    learned = Counter[str]()
    for casebase in made.model.casebases.values():
        learned.update(casebase.schema.solutions[code] for code in solutions(casebase))
    assert learned.total() == found.total()
    assert learned["check"] == found["check"] == 0  # "call" checks, "raise" never does
    assert tables.about()["against"] == "call"


def test_settings_that_do_not_fit_are_refused(tmp_path, capsys):
    words = ["train", str(tmp_path / "m"), "--hands", "10"]
    assert main([*words, "--against", "call", "--seats", "2"]) == 1
    assert "against call: expected with heads-up" in capsys.readouterr().err
    assert main([*words, "--two", str(tmp_path / "none")]) == 1
    assert "no model" in capsys.readouterr().err
    assert main([*words, "--strategy", "baycarp-by-seats", "--seats", "3-5"]) == 1
    assert "expected seats with tables of two and others" in capsys.readouterr().err
    assert not (tmp_path / "m").exists()
    with pytest.raises(TableError, match="expected with heads_up"):
        Curriculum({2: 1}, 5, ("jake", "karma"), against="call")


def test_one_command_makes_the_model_and_records_those_of_two(heads_up, tmp_path):
    two = save(heads_up, tmp_path / "of two")
    found = baycarp.train(tmp_path / "both", hands=20, seats="3", opponents="none", two=(two,))
    assert solutions(found.trained.model.casebases["2p-river"]) == solutions(heads_up.casebases["river"])
    model = load_model(tmp_path / "both")
    assert f"--two '{two}'" in model.manifest["command"]
    about = load_model(two).about()
    assert model.manifest["two"] == [{name: about[name] for name in ("command", "seed", "digest")}]
    assert model.about()["two seats"] == load_model(two).manifest["command"]


def test_a_strangers_record_of_models_is_data(larger, heads_up, tmp_path):
    folder = save(larger.with_heads_up(heads_up), tmp_path / "both")
    edit(folder, two="none")
    with pytest.raises(ModelError, match="two: none: expected a list"):
        load_model(folder)
