"""``python -m experiments learning``."""

import json

import numpy as np
import pytest

from baycarp.arena.decks import PLAYED
from baycarp.arena.session import Table, play_session
from baycarp.game.variant import Variant
from experiments.__main__ import main


@pytest.fixture
def typed(capsys, small_model, tmp_path):
    learner = "baycarp1(model='empty')"
    command = ["learning", f"Ann={learner}", "Bob=raise", "--table", "rule", "jag", "--seed", "5"]

    def run(*arguments, hands=60, sessions=3):
        play = ["--hands", hands, "--sessions", sessions, "--out", tmp_path / "run"]
        assert main([*command, *(str(argument) for argument in (*play, *arguments))]) == 0
        return capsys.readouterr().out

    run.learner = learner
    return run


def test_learners_begin_without_cases_on_the_same_decks(typed, tmp_path):
    record = json.loads(typed("--json", "--workers", 1))
    assert (record["unit"], record["judge"], record["sessions"]) == ("sb/h", "net", 3)
    game = Variant.ring(3)
    for learner, spec in zip(record["learners"], (typed.learner, "raise"), strict=True):
        table = Table(game, ("the arm", "rule", "jag"), (spec, "rule", "jag"), seed=5)
        chips = np.array([play_session(table, PLAYED + number, 60).net[:, 0] for number in range(3)])
        won = chips / game.small_bet
        for block in learner["blocks"]:
            assert block["mean"] == pytest.approx(won[:, block["from"] - 1 : block["to"]].mean())
        assert [block["to"] for block in learner["blocks"]] == [30, 60]
    before = (tmp_path / "run" / "whole.journal").read_bytes()
    text = typed("--workers", 1, "--draw", tmp_path / "curve.svg")
    assert (tmp_path / "run" / "whole.journal").read_bytes() == before  # nothing was played again
    assert "sb/h (net), 95 % over 3 sessions that each began anew" in text
    rows = [line.split() for line in text.splitlines() if "±" in line]
    assert [row[:3] for row in rows[:2]] == [["1", "to", "30"], ["31", "to", "60"]]
    last = [f"{learner['blocks'][1]['mean']:+.3f}" for learner in record["learners"]]
    assert [rows[1][3], rows[1][6]] == last
    assert max(map(len, text.splitlines())) <= 80
    assert (tmp_path / "curve.svg").read_text("utf-8").count('id="axes_') == 1


@pytest.mark.slow
def test_workers_and_more_sessions_change_nothing(typed):
    """The first three of five sessions, and the results of two processes, are the same."""
    alone = json.loads(typed("--json", "--workers", 1))
    more = json.loads(typed("--json", "--workers", 2, sessions=5))
    assert more != alone
    assert json.loads(typed("--json", "--workers", 2)) == alone
