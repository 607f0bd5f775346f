"""``python -m experiments reproduce``."""

import json

import pytest

from experiments.__main__ import main
from experiments.papers.registry import entries


@pytest.fixture
def typed(capsys, monkeypatch):
    """Run the command; its status, standard output and standard error."""
    monkeypatch.setenv("COLUMNS", "100")

    def run(*arguments):
        status = main(["reproduce", *map(str, arguments)])
        out, err = capsys.readouterr()
        return status, out, err

    return run


def test_the_list_names_every_entry(typed):
    status, out, _ = typed("--list")
    assert status == 0
    words = out.split()
    assert set(entries()) <= set(words)
    status, out, _ = typed("--list", "--json")
    entries_listed = [json.loads(line) for line in out.splitlines()]
    assert [line["id"] for line in entries_listed] == list(entries())
    assert {line["takes"] for line in entries_listed if line["why"]} == {"-"}


def test_a_table_is_shown_in_its_printed_shape(typed):
    status, out, _ = typed("000-5.4")
    assert status == 0
    lines = [line.split() for line in out.splitlines()]
    assert ["ThreeOfAKind", "0.88", "1.00", "0.97"] in lines
    assert "same: 9 of 9 cells are the same" in out


def test_a_different_value_is_shown_beside_the_published(typed):
    _, out, _ = typed("000-5.3")
    lines = [line.split() for line in out.splitlines()]
    (flop,) = [line for line in lines if line[:1] == ["flop"]]
    assert (flop[1], flop[-1]) == ("30297", "not")
    assert "same order" in out


def test_json_of_a_measured_table(typed, tmp_path):
    status, out, _ = typed(
        "002-fig2", "--hands", 30, "--seed", 4, "--workers", 1, "--json", "--out", tmp_path
    )
    assert status == 0
    record = json.loads(out)
    assert (record["id"], record["hands"], record["seed"]) == ("002-fig2", 30, 4)
    won, lasted, casper, *_ = record["cells"]
    assert (won["published"], won["unit"]) == ("-1.49", "sb/h")
    assert won["low"] < won["ours"] < won["high"]
    assert (lasted["published"], lasted["unit"]) == ("7000", "hands")
    assert (casper["published"], casper["verdict"]) == ("-0.09", "unclear")
    assert casper["low"] < casper["ours"] < casper["high"]
    assert "half the interval is above" in casper["reason"]
    assert casper["tells"] > (casper["high"] - casper["low"]) / 2
    assert json.loads((tmp_path / "002-fig2.json").read_text()) == record
    assert (tmp_path / "002-fig2.png").read_bytes().startswith(b"\x89PNG")


def test_an_entry_without_comparison_gives_the_reason(typed):
    status, out, _ = typed("001-6")
    assert status == 0
    assert "cannot be compared: the competition's agents are not public" in out


def test_an_unknown_id_is_refused(typed):
    status, out, err = typed("000-99")
    assert (status, out) == (1, "")
    assert "000-99" in err
