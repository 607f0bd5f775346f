"""Fall-back by table size, against a count over a full scan of the cases."""

import json

import numpy as np
import pytest

from baycarp.arena.decks import HELD_OUT
from baycarp.arena.session import play_session
from baycarp.cases import local_similarities
from baycarp.game.notation.acpc import parse_state
from baycarp.strategies.model import load_model
from baycarp.training.casebases import cases_of_session
from baycarp.training.curriculum import Curriculum
from benchmarks.parts.goal import MISSED
from experiments.__main__ import main
from experiments.cases.starvation import interval, starvation_by_seats
from experiments.commands import starvation as bench

PLAYERS = ("rule", "jag", "call", "random")


def counted(model, curriculum, hands):
    """Decisions and fall-backs by size and street: every query against every case, without retrieval."""
    found = {}
    for seats in curriculum.seats:
        table = Curriculum({seats: 1}, curriculum.seed, curriculum.players).table(HELD_OUT)
        log = [parse_state(line, table.variant) for line in play_session(table, HELD_OUT, hands).log]
        for step in cases_of_session(log, HELD_OUT, model.strategy, model.network):
            casebase = model.casebases[step.base]
            ids = casebase.columns()["ids"]
            local = local_similarities(casebase, step.case.situation, ids)
            weights = np.array(casebase.schema.weights)[:, None]
            best = (local * weights).sum(axis=0).max() / weights.sum()
            asked, starved = found.get((seats, step.base), (0, 0))
            found[seats, step.base] = asked + 1, starved + (best < casebase.schema.threshold)
    return found


@pytest.mark.parametrize("kind", ["small_model", "styled_model"])
def test_shares_are_those_of_a_direct_count(request, kind):
    model = load_model(request.getfixturevalue(kind))
    curriculum = Curriculum({2: 1, 5: 1}, 2, PLAYERS)
    found = {(each.seats, each.base): each for each in starvation_by_seats(model, curriculum, 12)}
    expected = counted(model, curriculum, 12)
    assert {key: (each.asked, each.fell_back) for key, each in found.items() if each.asked} == expected
    assert found[2, "preflop"].fell_back > 0  # the model has watched four seats
    for each in found.values():
        assert not each.asked or each.low <= each.share <= each.high


def test_the_interval_is_wilsons_for_independent_decisions():
    fell_back = np.arange(200) < 10
    low, high = interval(fell_back, np.arange(200))
    assert (low, high) == pytest.approx((0.0274, 0.0896), abs=2e-4)  # Wilson 1927, 10 of 200


def test_clustered_decisions_have_a_wider_interval():
    fell_back = np.arange(200) < 10
    low, high = interval(fell_back, np.arange(200))
    less, more = interval(fell_back, np.arange(200) // 10)
    assert less < low < high < more
    even = interval(fell_back, np.arange(200) % 20)  # spread over the hands: not narrower
    assert even == pytest.approx((low, high), abs=2e-4)
    assert interval(np.zeros(0, bool), np.zeros(0, int)) == (0.0, 1.0)


def test_the_command_prints_every_size_and_street(small_model, capsys, monkeypatch):
    monkeypatch.setitem(bench.TABLES, "watched table", PLAYERS)
    status = main(["starvation", "--trained", str(small_model), "--seats", "2,4", "--fresh", "6", "--json"])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    streets = ("preflop", "flop", "turn", "river")
    assert [line["goal"] for line in lines] == [f"{n} seats, {street}" for n in (2, 4) for street in streets]
    assert status == MISSED * any(line["met"] is False for line in lines) == MISSED
    assert main(["starvation", "--trained", str(small_model), "--seats", "2", "--fresh", "2"]) == MISSED
    assert "preflop" in capsys.readouterr().out
