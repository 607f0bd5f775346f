import json
from argparse import Namespace

import numpy as np
import pytest

from baycarp.cases import CaseBase, retrieve
from baycarp.errors import ModelError
from baycarp.strategies.baycarp import SCHEMAS
from baycarp.strategies.model import SHIPPED
from benchmarks.__main__ import main
from benchmarks.parts import retrieval as bench
from benchmarks.parts import sizes
from benchmarks.retrieval_cases import Sessions, decisions, table_of
from benchmarks.rivals.retrieval import Brute, agree

FLOP = SCHEMAS[1]


@pytest.fixture(scope="module")
def met():
    return CaseBase.load(SHIPPED / "flop.npz", FLOP)


def test_brute_force_gives_the_retrieved_cases(met):
    few = CaseBase(FLOP)
    few.extend_columns({name: column[..., :300] for name, column in met.columns().items()})
    steps = decisions(table_of(("call", "karma", "call", "jake"), 4), 3, 4, streets=(1,))
    for step in steps[:3]:
        query = step.case.situation
        rows, similarities = Brute(few)(query, **bench.TOP)
        found = retrieve(few, query, **bench.TOP)
        assert set(rows.tolist()) == set(found.ids.tolist())
        assert np.allclose(np.sort(similarities)[::-1], found.similarities, rtol=0, atol=1e-12)


def test_results_that_differ_are_not_timed(met):
    query = decisions(table_of(("call",) * 4, 4), 3, 2, streets=(1,))[0].case.situation
    rows, similarities = Brute(met)(query, **bench.TOP)
    with pytest.raises(AssertionError, match="expected the same"):
        agree((rows, similarities + 1e-9), retrieve(met, query, **bench.TOP))
    with pytest.raises(AssertionError, match="expected the same"):
        agree((rows[1:], similarities[1:]), retrieve(met, query, **bench.TOP))


def test_resampled_cases_are_near_the_real_ones(met):
    drawn = sizes.resampled(met.columns(), FLOP, 1000, seed=1)
    again = sizes.resampled(met.columns(), FLOP, 1000, seed=1)
    assert all(drawn[name].tobytes() == again[name].tobytes() for name in drawn)
    more = CaseBase(FLOP)
    more.extend_columns(drawn)
    whole = met.columns()["numbers"]
    for row, feature in enumerate(FLOP.numbers):
        moved = feature.name in sizes.MOVED
        assert np.isin(drawn["numbers"][row], whole[row]).all() != moved
        assert whole[row].min() <= drawn["numbers"][row].min() or moved


def test_the_sessions_of_a_folder_are_gathered_in_order(met, tmp_path):
    columns = {name: column for name, column in met.columns().items() if name != "ids"}
    for part, (start, stop) in {"00001": (70, 100), "00000": (0, 70)}.items():
        some = {name: column[..., start:stop] for name, column in columns.items()}
        np.savez_compressed(tmp_path / f"cases-{part}.npz", **some)
    gathered = bench._met(tmp_path)
    assert np.array_equal(gathered.columns()["numbers"], columns["numbers"][:, :100])
    assert len(bench._met(SHIPPED / "flop.npz")) == len(met)


def test_a_folder_without_sessions_is_refused(tmp_path):
    with pytest.raises(ModelError, match=r"benchmarks\.retrieval_cases"):
        bench._met(tmp_path)


def test_times_are_measured_and_drawn_by_size(monkeypatch, tmp_path, met):
    asked = [step.case.situation for step in decisions(table_of(("call", "jake"), 4), 3, 3, streets=(1,))]
    monkeypatch.setattr(bench, "SIZES", (2_500, 3_000))
    monkeypatch.setattr(bench, "questions", lambda: asked)
    monkeypatch.setattr(bench, "SUMMED", {3_000: 60_000.0})
    monkeypatch.setattr(bench, "OWN", Sessions(table_of(("call", "jake"), 4), 1, 3))
    args = Namespace(cases=SHIPPED / "flop.npz", most=3_000, picture=tmp_path / "latency.svg")
    lines = {goal.goal: goal.measured for goal in bench.goals(args)}
    for size in ("2,500", "3,000"):
        for mode in bench.MODES:
            assert 0 < lines[f"{mode} of {size}: p50"] <= lines[f"{mode} of {size}: p99"]
    assert "3,000" in args.picture.read_text("utf-8")
    own = [name for name in lines if " over 93 % of the queries' own table, 3,000 (" in name]
    assert [name.rsplit(" ", 1)[1] for name in own] == ["p50", "p99"] * 2
    assert all(lines[name] > 0 for name in own)


def test_decisions_are_timed_by_the_number_of_stored_cases(capsys):
    words = ["decide", "--tables", "2", "--hands", "64", "--decider", "baycarp2", "--remembers"]
    main([*words, "40", "90000", "--json"])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    goals = [line["goal"] for line in lines]
    for size in ("40", "90,000"):
        assert f"baycarp2, {size} cases, 2 seats: all, a decision" in goals
    assert all(line["measured"] > 0 for line in lines)
    main([*words, "40"])
    table = capsys.readouterr().out
    assert "first decision of a street" in table
    assert "baycarp2, 40 cases" in table
    words[words.index("baycarp2")] = "karma"
    assert main([*words, "40"]) == 1
    assert "karma: expected a case player" in capsys.readouterr().err
    words[words.index("karma")] = "baycarp2(model='empty')"
    assert main([*words, "40"]) == 1
    assert "no case of" in capsys.readouterr().err
