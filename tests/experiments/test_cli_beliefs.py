"""``beliefs``: each format of records, players by name, JSON, and one population left out."""

import gzip
import io
import json
import sys
import tarfile
from types import ModuleType

import numpy as np
import pytest
from reference.irc import HDB, PDB, ROSTER

from baycarp.arena.session import Table, play_session
from baycarp.card import blocked_by
from baycarp.game.notation.acpc import parse_state
from baycarp.game.notation.phh import write_phhs
from baycarp.game.variant import Variant
from experiments.__main__ import main
from experiments.beliefs.summary import OBSERVED
from experiments.commands.models import load_models

GAME = "holdem.limit.3p"


def anything(view, street):
    possible = ~blocked_by(view.observation.board)
    return possible / possible.sum()


@pytest.fixture(autouse=True)
def external(monkeypatch):
    module = ModuleType("external")
    module.anything = anything
    monkeypatch.setitem(sys.modules, "external", module)


def lines(variant, hands=12):
    first = "rule" if variant.betting == "limit" else "call"
    return play_session(Table(variant, ("Ann", "Bob", "Cid"), (first, "call", "random"), 3), 0, hands).log


def acpc(folder):
    path = folder / "record.log"
    path.write_text("".join(f"{line}\n" for line in lines(Variant.load(GAME))), "utf-8")
    return path


def packed(folder):
    path = folder / "record.log.gz"
    path.write_bytes(gzip.compress(acpc(folder).read_bytes()))
    return path


def phhs(folder):
    pytest.importorskip("pokerkit")
    game = Variant.load(GAME)
    write_phhs(folder / "record.phhs", [parse_state(line, game) for line in lines(game)])
    return folder / "record.phhs"


def no_limit(folder):
    pytest.importorskip("pokerkit")
    game = Variant.ring(3, betting="no-limit", stacks=(200, 200, 200))
    write_phhs(folder / "record.phhs.gz", [parse_state(line, game) for line in lines(game)])
    return folder / "record.phhs.gz"


def irc(folder):
    path = folder / "record.tar.gz"
    with tarfile.open(path, "w:gz") as tar:
        for name, text in (("hdb", HDB), ("hroster", ROSTER), ("pdb", PDB)):
            info = tarfile.TarInfo(f"irc/{name}")
            info.size = len(text)
            tar.addfile(info, io.BytesIO(text.encode()))
    return path


def record(capsys, *words):
    assert (
        main(["beliefs", *map(str, words), "--workers", "1", "--json", "--model", "external:anything"]) == 0
    )
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("make", [acpc, packed, phhs, no_limit, irc])
def test_every_format_is_judged(tmp_path, capsys, make):
    path = make(tmp_path)
    game = ["--game", GAME] if path.name.startswith("record.log") else []
    found = record(capsys, path, *game, "--by", "street")
    by_name = {line["name"]: line for line in found["models"]}
    assert {"deal", "street and position", "player's own", "baycarp", "baycarp2", "external:anything"} <= set(
        by_name
    )
    assert found["hands"] == (1 if make is irc else 12)
    deal, mine = by_name["deal"], by_name["external:anything"]
    assert mine["loss"]["value"] == pytest.approx(deal["loss"]["value"])
    assert mine["over_deal"]["value"] == pytest.approx(0)
    assert mine["tenths"] == pytest.approx([0.1] * 10)
    assert by_name["baycarp"]["action"]["value"] > 0
    assert mine["action"] is None
    parts = found["by"]["street"]
    points = {label: each[0]["moments"] for label, each in parts.items()}
    assert sum(points.values()) == deal["moments"] > 0
    if make is no_limit:
        assert [label for label, count in points.items() if count] == ["preflop"]
    if make is irc:
        assert points == dict.fromkeys(("preflop", "flop", "turn", "river"), 2)
    assert list(found["by"]["observed"]) == list(OBSERVED)


def test_players_are_chosen_by_name(tmp_path, capsys):
    path = acpc(tmp_path)
    every = record(capsys, path, "--game", GAME, "--by", "player")
    one = record(capsys, path, "--game", GAME, "--player", "Bob")
    two = record(capsys, path, "--game", GAME, "--player", "Bob", "--player", "Cid")
    points = {label: lines[0]["moments"] for label, lines in every["by"]["player"].items()}
    assert one["models"][0]["moments"] == points["Bob"]
    assert two["models"][0]["moments"] == points["Bob"] + points["Cid"]
    assert main(["beliefs", str(path), "--game", GAME, "--player", "Eve", "--workers", "1"]) == 1
    assert "no decision point with known cards of Eve" in capsys.readouterr().err


def test_the_tables_name_every_line(tmp_path, capsys):
    assert main(["beliefs", str(acpc(tmp_path)), "--game", GAME, "--by", "player", "--workers", "1"]) == 0
    text = capsys.readouterr().out
    for word in (
        "deal",
        "street and position",
        "player's own",
        "thesis",
        "too few",
        "Ann",
        "next action",
    ):
        assert word in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "expected a RECORD, or --leave-out"),
        (["record.log", "--leave-out", "folder"], "expected a RECORD, or --leave-out"),
        (["no-such.tar.gz"], "no-such.tar.gz"),
        (["no-such.log", "--game", GAME, "--model", "no.such:model"], "expected a module"),
        (["--leave-out", "folder", "--only", "nobody"], "population 'nobody': expected one of formula"),
        (["--leave-out", "folder", "--people", "no-such.phhs"], "no-such.phhs"),
        (["--leave-out", "folder", "--beside", "nobody"], "shipped model 'nobody': expected one of baycarp"),
    ],
)
def test_a_wrong_call_is_refused_before_a_hand_is_played(tmp_path, monkeypatch, capsys, words, message):
    monkeypatch.chdir(tmp_path)
    assert main(["beliefs", *words]) == 1
    assert message in capsys.readouterr().err
    assert not (tmp_path / "folder").exists()


def test_each_population_is_left_out_and_an_archive_is_one(tmp_path, capsys):
    folder, people = tmp_path / "folder", acpc(tmp_path)
    words = ["beliefs", "--leave-out", str(folder), "--sessions", "1", "--hands", "6", "--workers", "1"]
    words += ["--people", f"{people}:{GAME}", "--fit", "one model", "--fit", "network"]
    words += ["--only", "blind", "--only", people.name, "--model", "external:anything"]
    words += ["--beside", "baycarp", "--beside", "baycarp2"]
    assert main(words) == 0
    text = capsys.readouterr().out
    found = json.loads((folder / "results.json").read_text())
    assert [each["population"] for each in found] == ["blind", people.name]
    for each in found:
        assert each["population"] in text
        names = [line["name"] for line in each["models"]]
        assert [name + ", no hand known" for name in names[3::2]] == names[4::2]
        assert names[3::2] == [
            "one model",
            "network",
            "baycarp",
            "baycarp2",
            "external:anything",
        ]
        goals = [goal["goal"] for goal in each["goals"]["one model"]]
        over = "deal" if each["population"] == "blind" else "shares"
        assert goals[:2] == ["no hand known: over deal", f"50 hands on: over {over}"]
        assert {goal["verdict"] for goal in each["goals"]["one model"]} == {"too few"}
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == found
    assert np.isfinite([line["loss"]["value"] for line in found[0]["models"]]).all()


def test_a_model_of_the_current_folder_is_found(tmp_path, monkeypatch):
    (tmp_path / "model_of_a_folder.py").write_text("def mine(view, street):\n    return street\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [folder for folder in sys.path if folder])
    (model,) = load_models(["model_of_a_folder:mine"]).values()
    assert model(None, 3) == 3
