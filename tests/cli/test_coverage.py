import json

import numpy as np
import pytest

from baycarp.arena.session import play_session, split
from baycarp.cases import CaseBase
from baycarp.cases.columns import room
from baycarp.cli import main
from baycarp.game.notation.acpc import parse_state
from baycarp.strategies.baycarp import SCHEMAS
from baycarp.strategies.model import SHIPPED, Model, first_hands, load_model, save_model


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """The shipped model with the first 400 cases of each street."""
    shipped, folder = load_model(SHIPPED), tmp_path_factory.mktemp("models") / "small"
    casebases = {}
    for name, whole in shipped.casebases.items():
        casebases[name] = CaseBase(whole.schema)
        casebases[name].extend_columns({key: column[..., :400] for key, column in whole.columns().items()})
    model = Model(shipped.strategy, shipped.network, casebases, {"outcome": "g-bucks"})
    save_model(folder, model, "made by hand", 1)
    return folder


def test_coverage_reports_every_street(small, capsys):
    assert main(["memory", "coverage", str(small), "--ask", "50", "--json"]) == 0
    reports = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [report["street"] for report in reports] == [schema.name for schema in SCHEMAS]
    for report in reports:
        assert (report["cases"], report["asked"]) == (400, 50)
        assert 0 <= report["solved"] <= report["covered"] <= 1
        assert report["bytes"] > 400 * 40
        assert sum(tried for tried, _ in report["by_solution"].values()) == 50
    assert main(["memory", "coverage", str(small), "--ask", "20"]) == 0
    assert "preflop" in capsys.readouterr().out


def test_a_smaller_model_can_be_loaded(small, tmp_path, capsys):
    out = tmp_path / "smaller"
    assert main(["memory", "coverage", str(small), "--most", "100", "--out", str(out), "--ask", "10"]) == 0
    whole, smaller = load_model(small), load_model(out)
    assert smaller.outcome == whole.outcome == "g-bucks"
    for name, casebase in smaller.casebases.items():
        assert len(casebase) == 100
        assert set(casebase.columns()["ids"]) <= set(whole.casebases[name].columns()["ids"])
    assert main(["memory", "coverage", str(small), "--most", "100"]) == 1
    assert "--out" in capsys.readouterr().err


def test_the_first_hands_are_those_of_the_first_sessions():
    whole = load_model(SHIPPED).casebases["flop"]
    few, many = first_hands(whole, 500), first_hands(whole, 5000)
    assert 0 < len(few) < len(many) < len(whole)
    assert few.columns()["provenance"]["session"].max() == 0
    assert set(few.columns()["ids"]) <= set(many.columns()["ids"])


def test_sessions_of_any_length_are_cut_at_the_hand(watched_table):
    """Three sessions of 400 are what ``train --hands 1200`` watches, and it numbers their hands through."""
    (line,) = play_session(watched_table, 2, 1).log
    assert parse_state(line, watched_table.variant).id == 2
    count, length = split(1200)
    cases = room(SCHEMAS[3], 1200)
    for name in ("numbers", "codes", "solutions", "outcomes", "provenance"):
        cases[name][...] = 0
    cases["numbers"][...] = SCHEMAS[3].limits[0]
    cases["provenance"]["session"] = np.repeat(np.arange(count), length)
    cases["provenance"]["hand"] = cases["ids"] = np.arange(1200)
    casebase = CaseBase(SCHEMAS[3])
    casebase.extend_columns(cases)
    assert [len(first_hands(casebase, hands)) for hands in (1, 500, 1000, 1200)] == [1, 500, 1000, 1200]
