"""``python -m benchmarks``: how the goals of a part are printed, and its exit status."""

import json

import pytest
from reference.programs import verify_help

from benchmarks.__main__ import PARTS, main
from benchmarks.parts import game
from benchmarks.parts.goal import MISSED, Goal, at_most, printing

WARM, COLD = Goal("heat", 30.0, "degrees"), at_most("frost", 0, 5.0, "degrees")


@pytest.mark.parametrize(("goals", "status"), [([WARM], 0), ([WARM, COLD], MISSED)])
def test_goals_are_printed_and_a_missed_one_is_the_status(monkeypatch, capsys, goals, status):
    monkeypatch.setattr(game, "run", printing(lambda args: iter(goals)))
    assert main(["game"]) == status
    out = capsys.readouterr().out
    assert all(goal.goal in out for goal in goals)
    assert main(["game", "--json"]) == status
    assert [json.loads(line)["goal"] for line in capsys.readouterr().out.splitlines()] == [
        goal.goal for goal in goals
    ]


def test_a_part_prints_one_object_a_goal(monkeypatch, capsys):
    monkeypatch.setattr(game, "ROUNDS", 1)
    status = main(["game", "--json"])
    goals = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [set(goal) for goal in goals] == [{"goal", "must", "stretch", "measured", "unit", "met"}] * 4
    assert all(goal["met"] == (goal["measured"] >= goal["must"]) for goal in goals)
    assert status == (0 if all(goal["met"] for goal in goals) else MISSED)


def test_an_option_of_another_part_is_refused(capsys):
    with pytest.raises(SystemExit) as status:
        main(["game", "--hands", "7"])
    assert status.value.code == 1
    assert "--hands 7; python -m benchmarks game --help" in capsys.readouterr().err


@pytest.mark.parametrize("part", [None, *PARTS])
def test_help(capsys, part):
    verify_help(main, capsys, part, PARTS)
