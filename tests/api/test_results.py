"""Tables and tournaments from Python: the results of the commands, as text, records, files and pictures."""

import csv
import json
import subprocess
import sys
from typing import get_type_hints

import pytest

import baycarp
from baycarp.api.exploit import ExploitOptions, ExploitSettings
from baycarp.api.match import MatchOptions, MatchSettings
from baycarp.api.printing import as_json
from baycarp.api.settings import PlayOptions, PlaySettings, RunOptions, RunSettings
from baycarp.api.solve_holdem import HoldemOptions, HoldemSettings
from baycarp.api.tournament import TournamentOptions, TournamentSettings
from baycarp.api.train import TrainOptions, TrainSettings
from baycarp.cli import main
from baycarp.errors import ArgumentError, ModelError, PictureError, TableError
from baycarp.game.notation.acpc import read_log
from baycarp.game.variant import Variant
from baycarp.solvers import Kuhn, flatten, load_strategy

THREE = ["rule", "call", "Bob=raise"]


@pytest.fixture(scope="module")
def table():
    return baycarp.table(THREE, hands=60, seed=4)


@pytest.fixture(scope="module")
def tournament():
    return baycarp.tournament(THREE, deals=30, seed=4)


def test_a_table_prints_what_the_command_prints(table, tmp_path, capsys):
    words = ["rule", "call", "Bob=raise", "--hands", "60", "--seed", "4"]
    assert main(["table", *words, "--workers", "1", "--out", str(tmp_path / "by command")]) == 0
    printed = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert {line.strip() for line in str(table).splitlines()} <= {*printed}
    table.save(tmp_path / "hands.log")
    assert (tmp_path / "hands.log").read_bytes() == (tmp_path / "by command" / "hands.log").read_bytes()


def test_the_log_of_a_table_holds_its_chips(table, tmp_path):
    table.save(tmp_path / "hands.log")
    hands = list(read_log(tmp_path / "hands.log", Variant.ring(3)))
    won = dict.fromkeys(table.players, 0)
    for hand in hands:
        for player, chips in zip(hand.players, hand.payoffs, strict=True):
            won[player] += chips
    assert len(hands) == 60
    assert won == {record["player"]: record["net"] for record in table.to_records()}


def test_one_agent_alone_sits_at_the_default_table():
    found = baycarp.table("rule", hands=2)
    assert found.players[0] == "rule"
    assert len(found.players) == 8


def test_a_tournament_is_that_of_the_command(tournament, tmp_path, capsys):
    words = ["tournament", *THREE, "--deals", "30", "--seed", "4", "--workers", "1", "--out", str(tmp_path)]
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(as_json(tournament.to_dict()))
    assert main(words) == 0
    assert {*str(tournament).split()} <= {*capsys.readouterr().out.split()}  # the terminal folds lines
    again = baycarp.tournament(THREE, deals=30, seed=4, out=tmp_path)
    assert again.to_dict() == tournament.to_dict()


def test_records_are_in_the_order_of_the_ranking(tournament):
    records = tournament.to_records()
    assert [record["total bankroll"] for record in records] == [1, 2, 3]
    assert sum(record["rate"] for record in records) == pytest.approx(0)


@pytest.mark.parametrize("made", ["table", "tournament"])
def test_results_are_saved_and_drawn(made, request, tmp_path):
    result = request.getfixturevalue(made)
    result.save(tmp_path / "it.csv")
    result.save(tmp_path / "it.json")
    result.draw(tmp_path / "it.svg")
    with (tmp_path / "it.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [{**row} for row in rows] == [
        {key: str(value) for key, value in record.items()} for record in result.to_records()
    ]
    assert json.loads((tmp_path / "it.json").read_text()) == json.loads(as_json(result.to_dict()))
    assert (tmp_path / "it.svg").read_text().lstrip().startswith("<?xml")
    with pytest.raises(ArgumentError, match=r"expected a file \.json or \.csv"):
        result.save(tmp_path / "it.xlsx")
    with pytest.raises(PictureError):
        result.draw(tmp_path / "it.txt")


def test_a_result_shows_itself_in_a_notebook(tournament):
    assert "total bankroll" in tournament._repr_html_()


@pytest.mark.parametrize(
    ("options", "settings"),
    [
        (RunOptions, RunSettings),
        (PlayOptions, PlaySettings),
        (MatchOptions, MatchSettings),
        (TournamentOptions, TournamentSettings),
        (TrainOptions, TrainSettings),
        (ExploitOptions, ExploitSettings),
        (HoldemOptions, HoldemSettings),
    ],
)
def test_the_names_and_types_of_settings_are_those_that_a_checker_sees(options, settings):
    assert get_type_hints(options) == get_type_hints(settings)


@pytest.mark.parametrize("play", [baycarp.table, baycarp.match, baycarp.tournament])
def test_unknown_settings_and_wrong_agents_are_named(play):
    with pytest.raises(ArgumentError, match=r"setting 'sed': .*did you mean seed"):
        play(["call", "raise"], sed=3)
    with pytest.raises(ArgumentError, match="workers: expected 1"):
        play(["call", "raise"], workers=0)
    with pytest.raises(ModelError, match="agent 3 has no plays, sit, decide, learn: expected a text"):
        play(["call", 3])
    with pytest.raises((ModelError, TableError), match=r"agents? 3"):
        play(3)


def test_a_player_that_is_not_there_is_named(table):
    with pytest.raises(TableError, match="player 'Ann': expected one of rule, call, Bob"):
        table.rate("Ann")


def test_kuhn_is_solved_to_its_known_value(tmp_path):
    result = baycarp.solve("kuhn", 2000)
    assert result.value == pytest.approx(-1 / 18, abs=1e-3)
    assert 0 <= result.exploitability < 1e-3
    result.save(tmp_path / "kuhn.npz")
    assert load_strategy(tmp_path / "kuhn.npz", flatten(Kuhn())).origin.iterations == 2000
    assert result.to_records()[-1]["iterations"] == 2000
    assert "kuhn, cfr+: " in str(result)


def test_a_solve_stops_when_asked_with_what_it_has():
    calls = []
    result = baycarp.solve("kuhn", 1000, tick=calls.append, stop=lambda: True)
    assert [point.iterations for point in result.points] == [1]
    assert calls[-1] == 1


@pytest.mark.parametrize(
    ("words", "reason"),
    [(("chess",), "kuhn, leduc"), (("kuhn", 10, "simplex"), "cfr, "), ((3,), "a game")],
)
def test_what_cannot_be_solved_is_named(words, reason):
    with pytest.raises(ArgumentError, match=reason):
        baycarp.solve(*words)


def test_the_raiser_loses_to_a_best_response(tmp_path):
    result = baycarp.exploit("raise", hands=200, seed=3, out=tmp_path)
    (record,) = result.to_records()
    assert record["mbb/h"] - record["margin"] > 0
    assert record["mbb/h"] == pytest.approx((record["button"] + record["big blind"]) / 2)
    assert baycarp.exploit("raise", hands=200, seed=3, out=tmp_path).bounds == result.bounds
    assert "200 hands" in str(result)


def test_a_model_is_trained_by_calling_the_package(tmp_path):
    """Two sessions of few hands: the model plays, and the package is a package still."""
    result = baycarp.train(tmp_path / "model", hands=40, seed=2, opponents="none")
    bases = result.to_dict()["cases"]
    assert sum(bases.values()) > 40
    assert all(f"{name:<8} {count} cases" in str(result) for name, count in bases.items())
    spec = f"baycarp2(opponents='none', model={str(result.folder)!r})"
    assert baycarp.table({"mine": spec, "Bob": "call"}, hands=2).players == ("mine", "Bob")
    assert baycarp.training.model.Trained is type(result.trained)
    with pytest.raises(ModelError, match="opponents 'nobody': expected one of network, "):
        baycarp.train(tmp_path / "other", opponents="nobody")
    with pytest.raises(ArgumentError, match="setting 'hand'"):
        baycarp.train(tmp_path / "other", hand=3)


def test_the_face_of_the_package_is_light():
    code = "import sys, baycarp; print({'rich', 'baycarp.api'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
