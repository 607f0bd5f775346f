"""``beliefs --oracle``: from watched hands to the table, with an external model."""

import json
import sys
from types import ModuleType

import numpy as np
import pytest

from baycarp.card import HOLDS
from experiments.__main__ import main
from experiments.beliefs.reports import oracle


def anything(view, street):
    possible = ~HOLDS[list(view.observation.board)].any(axis=0)
    return possible / possible.sum()


@pytest.mark.slow
def test_table_and_json_have_all_models(tmp_path, monkeypatch, capsys):
    module = ModuleType("external")
    module.anything = anything
    monkeypatch.setitem(sys.modules, "external", module)
    monkeypatch.setattr(oracle, "HANDS", 20)
    call = ["beliefs", "--oracle", str(tmp_path), "--hands", "40", "--held-out", "20", "--workers", "1"]
    call += ["--fit", "all", "--fit", "its styles"]
    assert main([*call, "--model", "external:anything"]) == 0
    text = capsys.readouterr().out
    record = json.loads((tmp_path / "results.json").read_text())
    assert set(record) == {"pool", "held-out"}
    by_name = {each["name"]: each for each in record["pool"]["models"]}
    assert {"base", "plain", "all", "its styles", "external:anything"} <= set(by_name)
    for name in by_name:
        assert name in text
    deal = np.mean([np.log(len(np.flatnonzero(anything_on(cards)))) for cards in (0, 3, 4, 5)])
    assert by_name["external:anything"]["loss"]["value"] == pytest.approx(deal, abs=0.15)
    assert by_name["base"]["share"]["value"] == 0
    assert main([*call, "--model", "external:nothing"]) == 1
    assert main([*call, "--export", str(tmp_path / "files"), "--sessions", "1"]) == 0
    card = json.loads((tmp_path / "files" / "benchmark.json").read_text())
    for name in ("pool", "held-out"):
        assert card["tables"][name]["baselines"] == ["base", "plain", "all", "its styles"]
    flat = np.full((card["tables"]["held-out"]["points"], 1326), 1 / 1326)
    np.savez(tmp_path / "flat.npz", **{"held-out": flat})
    assert main(["beliefs", "--oracle", str(tmp_path / "files"), "--score", str(tmp_path / "flat.npz")]) == 0
    (*_, mine) = json.loads((tmp_path / "flat.json").read_text())["held-out"]
    assert (mine["name"], mine["loss"]["value"]) == ("flat", pytest.approx(np.log(1326)))


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--model", "no.such:model", "expected a module"),
        ("--model", "json:no_such", "expected MODULE:NAME"),
    ],
)
def test_a_wrong_model_is_refused_before_a_hand_is_played(tmp_path, capsys, option, value, message):
    assert main(["beliefs", "--oracle", str(tmp_path / "hands"), option, value]) == 1
    assert message in capsys.readouterr().err
    assert not (tmp_path / "hands").exists()


def anything_on(cards):
    return ~HOLDS[list(range(cards))].any(axis=0)
