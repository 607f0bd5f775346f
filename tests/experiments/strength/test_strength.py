"""The table of an agent's strength: its rows, their parts, and what a command makes of them."""

import json

import numpy as np
import pytest

from baycarp.api.exploit import GAME, exploit
from baycarp.arena.measure import interval
from baycarp.arena.workers import THIS_PROCESS
from baycarp.responses.belief import RESPONDER
from baycarp.responses.local_run import LocalPlan, play_unit
from experiments.__main__ import main
from experiments.strength.folds import FoldRow
from experiments.strength.losses import LossRow, MostRow
from experiments.strength.rows import SECTIONS
from experiments.strength.seats import ESTIMATOR, HERO, SeatRow
from experiments.strength.taught import TaughtPlan


def done(row, agent, folder, share=1.0):
    return row.plan(agent, share).run(folder, THIS_PROCESS, lambda count: None)


def test_rows_have_names_of_their_own_and_plans_without_play():
    rows = [row for section in SECTIONS for row in section.rows]
    assert len({row.name for row in rows}) == len(rows)
    for row in rows:
        whole, part = (row.plan("call", share).units[1] for share in (1.0, 0.05))
        assert 0 < part <= whole


def test_parts_of_a_session_are_its_hands(tmp_path):
    """Two sessions of four deals: each part has the deals of its numbers, in both seatings."""
    row = SeatRow("row", ("rule",), 8, 3, ("raise", "call"), GAME, 4, (0, 1, 3))
    plan = row.plan("jag", 1.0)
    lines = plan.run(tmp_path, THIS_PROCESS, lambda count: None)
    assert [line.part for line in lines] == ["1 to 1", "2 to 3", "4 to 4"]
    assert [line.own.n for line in lines] == [4, 8, 4]
    own, *rivals = (
        scores.won(HERO, ESTIMATOR) for scores in plan.series.scores(plan.play(tmp_path, THIS_PROCESS, id))
    )
    which = [1, 2, 5, 6]
    best = max(rivals, key=lambda won: won[which].mean())
    assert lines[1].own == interval(own[which], 2)
    assert lines[1].other == interval(best[which], 2)
    assert lines[1].more == interval((own - best)[which], 2)
    assert lines[1].beside == ("raise", "call")[[each is best for each in rivals].index(True)]


def test_a_share_is_played_before_the_whole(tmp_path):
    row = SeatRow("row", ("rule",), 40, 3, game=GAME, session=10)
    (first,) = done(row, "jag", tmp_path, 0.25)
    known = (tmp_path / "whole.journal").read_bytes()
    (whole,) = done(row, "jag", tmp_path)
    assert (first.own.n, whole.own.n) == (20, 80)
    assert (tmp_path / "whole.journal").read_bytes().startswith(known)
    assert done(row, "jag", tmp_path) == (whole,)


def test_folds_are_compared_at_the_same_decision_points(tmp_path):
    row = FoldRow("row", 50, 1)
    turn, river = done(row, "equilibrium", tmp_path / "same")
    assert turn.own.n > 5
    assert river.own.n > 5
    for line in (turn, river):
        assert line.more.mean == pytest.approx(0)
        assert line.own == line.other
        assert 10 < line.own.mean < 60
    for line, before in zip(done(row, "call", tmp_path / "call"), (turn, river), strict=True):
        assert line.own.mean == 0
        assert line.other == before.other


def test_local_best_responses_on_the_same_deals(tmp_path):
    row = LossRow("row", ("AGENT", "folder"), "jag", 40, 1)
    call, folder = done(row, "call", tmp_path)
    assert (call.part, folder.part, call.beside) == ("AGENT", "folder", "jag")
    assert (call.own.unit, call.own.n) == ("mbb/h", 40)
    assert call.own.mean > 100  # always-call loses 1,163
    alone = exploit("call", hands=40, seed=1).bounds[0]
    assert (call.own.mean, call.own.margin) == pytest.approx((alone.mean, alone.margin))
    assert call.more.mean == pytest.approx(call.own.mean - call.other.mean)
    assert done(row, "call", tmp_path) == (call, folder)


def test_a_responder_misleads_by_the_strategy_that_it_played_before(tmp_path):
    """The agent takes it for another player than the equilibrium, and learns nothing from the responder."""
    plan = TaughtPlan("baycarp", GAME, 20, 1, 2, "call", 60)
    agent = plan.player(0)
    assert agent._evidence.earned(RESPONDER) > 0.9
    play_unit(plan, 0)
    assert agent._hands[RESPONDER] == 60
    assert plan.player(1) is agent
    alone = TaughtPlan("jag", GAME, 20, 1, 2, "call", 0)
    assert play_unit(alone, 0) == play_unit(LocalPlan("jag", GAME, 20, 1, 2), 0)
    row = LossRow("row", ("AGENT",), "jag", 40, 1, before="call")
    assert {each.header["before"] for each in row.plan("rule", 1).plans.values()} == {"call"}


@pytest.mark.slow
def test_best_responses_in_small_bets(tmp_path):
    lower, upper = done(MostRow("row", "call", 4, 1), "jag", tmp_path)
    assert 0.5 < lower.own.mean < upper.own.mean < 2  # 1.163 in all flops
    assert np.isfinite(lower.own.margin)


def test_a_row_that_cannot_be_played_is_named(tmp_path, capsys):
    words = [
        "strength",
        "--agent",
        "rule",
        "--only",
        "no-limit v call",
        "folds",
        "--share",
        "0.001",
        "--workers",
        "1",
    ]
    assert main([*words, "--out", str(tmp_path)]) == 3
    shown = capsys.readouterr().out
    assert "no-limit v call: not played" in shown
    assert "equilibrium" in shown
    assert main([*words, "--out", str(tmp_path), "--json"]) == 3
    found = json.loads(capsys.readouterr().out)
    assert [bool(row["refused"]) for row in found["rows"]] == [True, False]
    assert found["hours"] == pytest.approx(sum(row["hours"] for row in found["rows"]))
    assert [line["part"] for line in found["rows"][1]["lines"]] == ["turn", "river"]


def test_cost_is_added_up_over_runs(tmp_path, capsys):
    words = [
        "strength",
        "--agent",
        "call",
        "--only",
        "folds",
        "--share",
        "0.001",
        "--out",
        str(tmp_path),
        "--json",
    ]
    hours = []
    for _ in range(2):
        main(words)
        hours.append(json.loads(capsys.readouterr().out)["hours"])
    assert 0 < hours[0] < hours[1]


def test_rows_are_listed(capsys):
    assert main(["strength", "--list", "--only", "several seats"]) == 0
    assert "several seats: default table" in capsys.readouterr().out


def test_a_whole_name_is_one_row_and_no_other_that_begins_with_it(capsys):
    assert main(["strength", "--list", "--only", "six seats that pay"]) == 0
    assert capsys.readouterr().out == "several seats: six seats that pay\n"
    assert main(["strength", "--list", "--only", "six seats that pay,"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 5  # by milliseconds


def test_words_of_no_row_are_refused(capsys):
    assert main(["strength", "--only", "fitted to people"]) == 1
    assert "'fitted to people': expected words of a row" in capsys.readouterr().err
