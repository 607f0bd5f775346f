import json

import pytest

from baycarp.agents.model import SHIPPED, Model, load_model, save_model
from baycarp.agents.schemas import SCHEMAS
from baycarp.cases import CaseBase
from baycarp.cli import main
from baycarp.cli.bench.starvation import first_hands, starved
from baycarp.train.many import decisions, table_of


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """The shipped model with the first 400 cases of each street."""
    shipped, folder = load_model(SHIPPED, SCHEMAS), tmp_path_factory.mktemp("models") / "small"
    casebases = {}
    for name, whole in shipped.casebases.items():
        casebases[name] = CaseBase(whole.schema)
        casebases[name].extend_columns({key: column[..., :400] for key, column in whole.columns().items()})
    save_model(folder, Model(shipped.network, casebases), "made by hand", 1)
    return folder


def test_coverage_tells_every_street(small, capsys):
    assert main(["coverage", str(small), "--ask", "50", "--json"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [report["street"] for report in told] == [schema.name for schema in SCHEMAS]
    for report in told:
        assert (report["cases"], report["asked"]) == (400, 50)
        assert 0 <= report["solved"] <= report["covered"] <= 1
        assert report["bytes"] > 400 * 40
        assert sum(tried for tried, _ in report["by_solution"].values()) == 50
    assert main(["coverage", str(small), "--ask", "20"]) == 0
    assert "preflop" in capsys.readouterr().out


def test_a_smaller_model_is_a_model(small, tmp_path, capsys):
    out = tmp_path / "smaller"
    assert main(["coverage", str(small), "--most", "100", "--out", str(out), "--ask", "10"]) == 0
    whole, smaller = load_model(small, SCHEMAS), load_model(out, SCHEMAS)
    for name, casebase in smaller.casebases.items():
        assert len(casebase) == 100
        assert set(casebase.columns()["ids"]) <= set(whole.casebases[name].columns()["ids"])
    assert main(["coverage", str(small), "--most", "100"]) == 1
    assert "--out" in capsys.readouterr().err


def test_more_hands_starve_less():
    steps = decisions(table_of(("call", "rule", "jag", "karma"), 5), 9, 25)
    whole = load_model(SHIPPED, SCHEMAS).casebases["flop"]
    few, many = first_hands(whole, 500), first_hands(whole, 5000)
    assert 0 < len(few) < len(many) < len(whole)
    assert few.columns()["provenance"]["session"].max() == 0
    assert 0 <= starved(many, steps) <= starved(few, steps) <= 1
    assert starved(first_hands(whole, 1), steps) == starved(few, steps)
