"""``baycarp beliefs``: from watched hands to the table, with an external model."""

import json
import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from baycarp.arena.session import Table, play_session
from baycarp.card import HOLDS
from baycarp.cli import beliefs, main
from baycarp.game.variant import Variant
from baycarp.train import logs

GAME = "holdem.limit.2p.reverse_blinds"


def anything(view, street):
    possible = ~HOLDS[list(view.observation.board)].any(axis=0)
    return possible / possible.sum()


@pytest.mark.slow
def test_table_and_json_have_all_models(tmp_path, monkeypatch, capsys):
    module = ModuleType("external")
    module.anything = anything
    monkeypatch.setitem(sys.modules, "external", module)
    monkeypatch.setattr(beliefs, "HANDS", 20)
    monkeypatch.setattr(beliefs, "processes", _here)
    call = ["beliefs", str(tmp_path), "--hands", "40", "--strangers", "20", "--workers", "1", "--only", "all"]
    call += ["--only", "its styles"]
    assert main([*call, "--model", "external:anything"]) == 0
    text = capsys.readouterr().out
    record = json.loads((tmp_path / "results.json").read_text())
    assert set(record) == {"pool", "strangers"}
    by_name = {each["name"]: each for each in record["pool"]["models"]}
    assert {"base", "plain", "all", "its styles", "external:anything"} <= set(by_name)
    for name in by_name:
        assert name in text
    deal = np.mean([np.log(len(np.flatnonzero(anything_on(cards)))) for cards in (0, 3, 4, 5)])
    assert by_name["external:anything"]["loss"]["value"] == pytest.approx(deal, abs=0.15)
    assert by_name["base"]["share"]["value"] == 0
    assert main([*call, "--model", "external:nothing"]) == 1
    monkeypatch.setattr(logs, "session", SimpleNamespace(HANDS=20))
    people_log = tmp_path / "people.log"
    played = play_session(Table(Variant.load(GAME), ("Ann", "Bob"), ("rule", "call"), 3), 0, 40)
    people_log.write_text("".join(f"{line}\n" for line in played.log), "utf-8")
    assert main([*call, "--people", str(people_log), "--game", GAME]) == 0
    record = json.loads((tmp_path / "results.json").read_text())[people_log.name]
    names = {each["name"] for each in record["models"]}
    taught = {"plain", "all", "hand -> action", "its styles"}
    assert names == {"base", *taught, "plain; bots", "all; bots", "its styles; bots"}
    assert main([*call, "--export", str(tmp_path / "files"), "--oracle", "1"]) == 0
    card = json.loads((tmp_path / "files" / "benchmark.json").read_text())
    for name in ("pool", "strangers"):
        assert card["tables"][name]["baselines"] == ["base", "plain", "all", "its styles"]
    flat = np.full((card["tables"]["strangers"]["moments"], 1326), 1 / 1326)
    np.savez(tmp_path / "flat.npz", strangers=flat)
    assert main(["beliefs", str(tmp_path / "files"), "--score", str(tmp_path / "flat.npz")]) == 0
    (*_, mine) = json.loads((tmp_path / "flat.json").read_text())["strangers"]
    assert (mine["name"], mine["loss"]["value"]) == ("flat", pytest.approx(np.log(1326)))


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--model", "no.such:model", "expected a module"),
        ("--model", "json:no_such", "expected MODULE:NAME"),
        ("--people", "no-such.tar.gz", "no-such.tar.gz"),
    ],
)
def test_a_wrong_model_or_record_is_refused_before_a_hand_is_played(tmp_path, capsys, option, value, message):
    assert main(["beliefs", str(tmp_path / "hands"), option, value]) == 1
    assert message in capsys.readouterr().err
    assert not (tmp_path / "hands").exists()


def anything_on(cards):
    return ~HOLDS[list(range(cards))].any(axis=0)


class _here:
    """Work in this process, which has the external module."""

    def __init__(self, count):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    map = staticmethod(map)
