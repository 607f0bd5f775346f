"""Model students: what they read of an advice, how they learn from it, and that no arm is favoured."""

import ast
import json
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import experiments.commands.students
import experiments.students.rows
import experiments.students.student
from baycarp.agents.registry import load
from baycarp.agents.value.stages import ActionValue
from baycarp.api.exploit import GAME
from baycarp.arena.measure import interval
from baycarp.arena.workers import THIS_PROCESS
from baycarp.coach.advice import Advice
from baycarp.coach.themes import THEMES
from baycarp.game import Action, Variant
from experiments.__main__ import main
from experiments.students.lessons import ARMS, lesson, planted, taught, voted
from experiments.students.mistakes import BASE, MISTAKES, REPORTED, Mistaken
from experiments.students.rows import GroupPlan, GroupResult, mean_of
from experiments.students.sessions import STUDENT, played, won
from experiments.students.student import FOLLOWED, Student


class SpotAlone:
    """An advice of which only the spot, the own action, the advised ones and the values may be read."""

    def __init__(self, observation, taken, *best, **chips):
        self.observation, self.taken, self.best = observation, Action(taken), tuple(map(Action, best))
        self.values = tuple(ActionValue(Action(name), value) for name, value in chips.items())


@pytest.fixture(scope="module")
def session():
    """Hands of the sound player, with the states at their ends."""
    return list(played(load(BASE), "station", (5, 0, 40)))


@pytest.fixture(scope="module")
def decisions(session):
    """The student's decisions in them that face a bet after the flop."""
    from baycarp.game.notation.hand import states

    found = []
    for _, _, hand in session:
        seat = hand.players.index(STUDENT)
        found += [
            state.observe(seat, hand.players, int(hand.id))
            for state in states(hand)
            if state.to_act == seat and state.street and state.owed
        ]
    return found


def folds(student, observation):
    return student.policy(observation).get(Action("fold"), 0.0)


def seated(mistake, seed=1):
    student = Student(Mistaken(mistake), seed)
    student.sit(0, Variant.load(GAME), 1)
    return student


def test_a_student_imports_of_the_coach_the_advice_alone():
    tree = ast.parse(Path(experiments.students.student.__file__).read_text("utf-8"))
    names = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name for name in names if "coach" in name} == {"baycarp.coach.advice"}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Import) and "coach" in ast.dump(node)]
    assert not [name for name in names if name.startswith(("baycarp.explain", "baycarp.agents.value"))]


def test_without_advice_a_student_plays_by_its_habit(decisions):
    student, habit = seated("calls after the flop"), Mistaken("calls after the flop")
    habit.sit(0, Variant.load(GAME), 1)
    for observation in decisions:
        ours, theirs = student.policy(observation), habit.policy(observation)
        assert ours == pytest.approx({action: theirs.get(action, 0.0) for action in ours})


def test_advice_moves_the_spot_and_like_ones_and_no_other_street(decisions):
    spot = decisions[0]
    student, before = seated("calls after the flop"), seated("calls after the flop")
    for _ in range(10):
        student.study(SpotAlone(spot, "call", "fold"))
    assert folds(before, spot) == 0 < 0.5 < folds(student, spot)
    others = [each for each in decisions if folds(student, each) > folds(before, each) + 1e-9]
    assert len(others) > 1
    assert folds(student, spot) >= max(folds(student, each) for each in others) - 1e-9


def test_advice_for_another_action_than_its_own_is_no_advice_for_it(decisions):
    spot, student = decisions[0], seated("calls after the flop")
    for _ in range(10):
        student.study(SpotAlone(spot, "raise", "fold"))
    before = seated("calls after the flop").policy(spot)[spot.state.named("call")]
    assert student.policy(spot)[spot.state.named("call")] == pytest.approx(before)


def test_mixed_advice_counts_each_action(decisions):
    student, before = seated("calls after the flop"), seated("calls after the flop")
    spot = next(each for each in decisions if before.policy(each)[each.state.named("call")] > 0.9)
    for _ in range(60):
        student.study(SpotAlone(spot, "call", "fold", "raise"))
    assert folds(student, spot) == pytest.approx(0.5, abs=0.1)


def test_right_decisions_beside_wrong_ones_are_learned_too(decisions):
    """The same mistakes, and two decisions like each at which the own action was right, or as good."""
    spot = decisions[0]
    wrong, both, as_good = (seated("calls after the flop") for _ in range(3))
    for _ in range(10):
        for student in (wrong, both, as_good):
            student.study(SpotAlone(spot, "call", "fold", fold=0, call=-20))
        for _ in range(2):
            both.study(SpotAlone(spot, "call", "call", fold=0, call=20, **{"raise": -10}))
            as_good.study(SpotAlone(spot, "call", "call", "fold", fold=0, call=5, **{"raise": -10}))
    assert folds(both, spot) < 0.5 < 0.9 < folds(wrong, spot)
    assert folds(as_good, spot) > 0.9


def test_a_larger_loss_is_a_larger_step_up_to_a_big_blind(decisions):
    spot, found = decisions[0], []
    big_blind = spot.variant.big_blind
    for cost in (0.1, 0.5, 1.0, 5.0):
        student = seated("calls after the flop")
        student.study(SpotAlone(spot, "call", "fold", fold=0, call=-cost * big_blind))
        found.append(folds(student, spot))
    assert 0 < found[0] < found[1] < found[2] == found[3] < 1


def test_a_wrong_answer_is_not_learned_though_it_loses_less_than_the_own_action(decisions):
    student = seated("folds late")
    spot = next(each for each in decisions if folds(student, each) > 0.5)
    assert {"call", "raise"} <= {action.name for action in spot.legal_actions()}
    before = student.policy(spot)
    for _ in range(10):
        student.study(SpotAlone(spot, "fold", "call", fold=0, call=20, **{"raise": 15}))
    after = student.policy(spot)
    call, push = (spot.state.named(name) for name in ("call", "raise"))
    assert after[call] > 0.8 > before.get(call, 0.0)
    assert after.get(push, 0.0) == pytest.approx(before.get(push, 0.0))


def test_no_action_is_learned_that_cannot_be_taken(decisions):
    student = seated("calls after the flop")
    spot = decisions[0]
    for _ in range(10):
        student.study(SpotAlone(spot, "call", "raise", call=-30, **{"raise": 10}))
    assert folds(student, spot) == 0


def test_advice_is_followed_in_seven_cases_of_ten(decisions):
    spot, followed = decisions[0], 0
    for seed in range(300):
        student = seated("calls after the flop", seed)
        student.study(SpotAlone(spot, "call", "fold"))
        followed += folds(student, spot) > 0
    assert followed / 300 == pytest.approx(FOLLOWED, abs=0.08)


def test_old_advice_fades(decisions):
    spot = decisions[0]
    other = next(each for each in decisions if each.street != spot.street)
    student = seated("calls after the flop")
    for _ in range(10):
        student.study(SpotAlone(spot, "call", "fold"))
    fresh = folds(student, spot)
    for _ in range(400):
        student.study(SpotAlone(other, "call", "call"))
    assert folds(student, spot) < 0.9 * fresh


def test_a_measurement_has_the_same_deals_for_all_and_both_positions():
    dealt = (3, 7, 20)
    assert won(load(BASE), BASE, dealt) == pytest.approx(0, abs=1e-9)
    assert won(seated(""), "jag", dealt) == won(taught("", (), 9), "jag", dealt)


def test_the_vote_advises_at_the_same_spots(session, decisions):
    hands = [hand for _, _, hand in session]
    spots = [
        Advice(each, Action("call"), (Action("call"),), 0.0, 0.0, "", "its theme") for each in decisions[:5]
    ]
    votes = voted(hands, spots)
    assert [each.observation for each in votes] == [each.observation for each in spots]
    assert all(len(each.best) == 1 and each.sentence for each in votes)


def test_planted_themes_are_those_of_the_mistakes_spots():
    assert planted("folds the flop") == {"folds too much to bets on the flop and turn"}
    assert planted("bets and raises") == {"bluffs too much", "bets and raises too thinly"}
    assert planted("") == frozenset()
    for name in MISTAKES:
        assert planted(name) <= {theme.name for theme in THEMES}
        assert planted(name)


def test_a_group_counts_students_and_pairs_their_gains():
    won = [
        {"none": 0.1, "coach": 0.4, "random": 0.1, "vote": 0.0},
        {"none": 0, "coach": 1, "random": 0, "vote": 0},
    ]
    record = {"named": ["bluffs too much", "limps"], "remarks": 3, "spots": 40, "won": won}
    silent = record | {"named": [], "won": [each | {"coach": each["none"]} for each in won]}
    found = GroupResult.of("bets and raises", [record, silent])
    assert (found.students, found.named, found.others, found.remarks, found.spots) == (2, 1, 1, 3, 40)
    assert found.gains[0]["coach"].mean == pytest.approx(0.15)
    assert found.gains[1]["coach"].mean == pytest.approx(0.5)
    assert found.gains[0]["vote"].mean == pytest.approx(-0.1)


def test_a_lesson_is_repeatable_and_continues(tmp_path):
    plan = GroupPlan("calls after the flop", 2, hands=15, deals=5, playouts=10)
    one = plan.run(tmp_path, THIS_PROCESS, lambda done: None)
    ticks = []
    assert plan.run(tmp_path, THIS_PROCESS, ticks.append) == one
    assert ticks == [2]
    record = lesson(4401, 15, 5, 10, ("calls after the flop", 0))
    assert set(record["won"][0]) == {"none", *ARMS}
    assert one.students == 2


def test_the_command_continues_and_prints_what_is_kept(tmp_path, capsys, monkeypatch):
    small = partial(GroupPlan, hands=8, deals=2, playouts=5)
    monkeypatch.setattr(experiments.commands.students, "GroupPlan", small)
    words = ["students", "--share", "0.002", "--workers", "1", "--out", str(tmp_path), "--only"]
    words += ["costs: rule", "no mistake"]
    assert main(words) == 0
    shown = capsys.readouterr().out
    assert "| tight pre-flop | building | `rule`" in shown
    assert "| no mistake | 0 of 1 " in shown
    assert main([*words, "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert [each["students"] for each in record["students"]] == [1]
    assert set(record["costs"][0]["cost"]) == {"none", "tight pre-flop", "never folds"}
    assert record["costs"][0]["cost"]["none"]["mean"] == 0
    monkeypatch.setattr(experiments.students.rows, "lesson", None)
    assert main([*words, "--kept"]) == 0
    assert capsys.readouterr().out == shown
    path = tmp_path / "costs-rule" / "whole.journal"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    assert main([*words, "costs", "--kept"]) == 0
    cut = capsys.readouterr().out
    assert "| building |" not in cut
    assert "| no mistake | 0 of 1 " in cut


def test_mistakes_have_equally_many_students_at_any_time(tmp_path, monkeypatch):
    taught = []
    monkeypatch.setattr(experiments.commands.students, "_done", lambda args, name, plan: taught.append(plan))
    words = ["students", "--share", "0.15", "--out", str(tmp_path), "--only", "bluff-raises", "no mistake"]
    assert main([*words, "--workers", "2"]) == 0
    assert [(each.mistake, each.students) for each in taught] == [
        ("bluff-raises", 2),
        ("", 2),
        ("bluff-raises", 3),
        ("", 3),
    ]


def test_the_mean_of_mistakes_has_the_interval_of_independent_ones():
    random = np.random.default_rng(1)
    blocks = random.normal((0.1, 0.2, 0.3), (0.5, 1.0, 1.5), (400, 3))
    rate = mean_of([interval(column) for column in blocks.T])
    whole = interval(blocks.mean(axis=1))
    assert rate.mean == pytest.approx(whole.mean)
    assert rate.margin == pytest.approx(whole.margin, rel=0.1)


def test_rows_are_listed_without_play(capsys):
    assert main(["students", "--list", "--only", "reported"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(REPORTED)
