"""``baycarp match``: the same results when it is resumed, killed or settled."""

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial

import pytest

from baycarp.arena.decks import PLAYED
from baycarp.arena.match import Match
from baycarp.arena.names import named
from baycarp.cli import main

MATCH = [
    "match",
    "rule",
    "Bob=jag",
    "--deals",
    "120",
    "--game",
    "holdem.limit.2p.reverse_blinds",
    "--workers",
    "1",
]


@pytest.fixture(autouse=True)
def short_sessions(monkeypatch):
    monkeypatch.setattr("baycarp.api.match.Match", partial(Match, hands=30))


def typed(capsys, *options):
    assert main([*MATCH, "--json", *options]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.fixture
def whole(tmp_path, capsys):
    return typed(capsys, "--out", str(tmp_path / "whole"), "--estimators", "control")


def test_json_and_table_agree(whole, tmp_path, capsys):
    assert (whole["deals"], whole["seatings"], whole["unit"]) == (120, 2, "sb/h")
    assert set(whole["players"]) == {"rule", "Bob"}
    rule, bob = (whole["players"][name]["net"] for name in ("rule", "Bob"))
    assert rule["mean"] == pytest.approx(-bob["mean"])
    assert rule["hands"] == 240
    assert main([*MATCH, "--out", str(tmp_path / "whole"), "--estimators", "control"]) == 0
    printed = capsys.readouterr().out
    assert "120 deals in 2 seatings: 240 hands; sb/h, 95 %" in printed
    assert f"{rule['mean']:+.3f} ± {rule['margin']:.3f}" in printed


def test_a_longer_match_continues_the_journal_of_a_shorter_one(whole, tmp_path, capsys):
    options = ("--out", str(tmp_path / "longer"), "--estimators", "control")
    assert [typed(capsys, *options, "--deals", str(deals))["deals"] for deals in (2, 3, 70)] == [2, 3, 70]
    path = tmp_path / "longer" / "whole.journal"
    before = path.read_bytes()
    assert typed(capsys, *options) == whole
    assert path.read_bytes().startswith(before)
    added = path.read_bytes()[len(before) :].decode().splitlines()
    units = {tuple(json.loads(line.partition(" ")[2])[0]) for line in added}
    assert units == {(PLAYED + session, seating) for session in (2, 3) for seating in (0, 1)}


def test_a_journal_of_another_match_is_refused(whole, tmp_path, capsys):
    assert main([*MATCH, "--out", str(tmp_path / "whole"), "--seed", "2"]) == 1
    text = capsys.readouterr().err
    assert "seed is 1, not 2, estimators is ['control'], not []; go on with it, or name another" in text
    assert len(text.splitlines()) == 1


def test_matches_without_a_folder_get_one_each(tmp_path, capsys, monkeypatch):
    """The second match is not refused, and each goes on in its own folder, whichever came first."""
    monkeypatch.chdir(tmp_path)
    seeds = ("1", "2", "1", "2")
    results = [typed(capsys, "--deals", "30", "--seed", seed) for seed in seeds]
    assert results[0] == results[2] != results[1] == results[3]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["match", "match-2"]
    before = {path: path.read_bytes() for path in tmp_path.glob("*/*")}
    assert main([*MATCH, "--deals", "30", "--seed", "2"]) == 0
    assert capsys.readouterr().err.endswith("recorded: match-2\n")
    assert {path: path.read_bytes() for path in tmp_path.glob("*/*")} == before  # nothing was played again


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kills by signal")
def test_a_killed_match_gives_the_same_results(tmp_path):
    command = [sys.executable, "-m", "baycarp", *MATCH, "--deals", "1500", "--out"]
    whole = subprocess.run([*command, str(tmp_path / "a"), "--json"], capture_output=True, check=True).stdout
    out = tmp_path / "b"
    for units in (1, 3):
        running = subprocess.Popen([*command, str(out)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        journal = out / "whole.journal"
        while running.poll() is None and not (journal.exists() and journal.read_bytes().count(b"\n") > units):
            time.sleep(0.005)
        running.send_signal(signal.SIGKILL)
        running.wait()
    again = subprocess.run([*command, str(out), "--json"], capture_output=True, check=True).stdout
    assert again == whole


@pytest.mark.slow
def test_until_stops_when_it_is_settled(tmp_path, capsys):
    """With a narrower estimate, the same match is settled sooner."""
    deals = []
    for judge, options in (("net", []), ("control", ["--estimators", "control"])):
        match = ["match", "rule", "random", "--deals", "3000", "--workers", "1", *options]
        assert main([*match, "--out", str(tmp_path / judge), "--until", "rule>random @99%"]) == 0
        printed = capsys.readouterr().out
        assert "rule > random" in printed
        assert f"\nsettled at 99% ({judge}), by the test" in printed
        deals.append(int(printed.split()[0]))
    assert deals[1] < deals[0] < 3000


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--until", "rule>Ann"], "expected two of rule, Bob"),
        (["--until", "rule<Bob"], "expected 'A>B @95%'"),
        (["--estimators", "luck"], "estimator 'luck': expected one of all-in, control, divat"),
        (["--game", "holdem.limit.3p"], "seats 3: got 2 names"),
        (["--until", "rule>rule"], "expected 'A>B @95%' of two"),
        (["--stacks", "carried"], "names no stacks"),
    ],
)
def test_wrong_options_are_refused(options, expected, tmp_path, capsys):
    assert main([*MATCH, "--out", str(tmp_path), *options]) == 1
    assert expected in capsys.readouterr().err


@pytest.mark.parametrize(
    ("agents", "expected"),
    [
        (["call"], "call alone: expected two agents or more"),
        (["call", "baycarp2(memory='mine')"], "baycarp2(memory='mine'): expected no memory"),
    ],
)
def test_wrong_agents_are_refused(agents, expected, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("BAYCARP_HOME", str(tmp_path / "home"))
    assert main(["match", *agents, "--out", str(tmp_path)]) == 1
    assert expected in capsys.readouterr().err
    assert not (tmp_path / "home").exists()


def test_a_cluster_without_an_address_is_refused(tmp_path, capsys):
    pytest.importorskip("distributed")
    assert main([*MATCH, "--out", str(tmp_path), "--cluster", "foo"]) == 1
    assert "cluster 'foo': expected tcp://HOST:PORT" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "value", "expected"),
    [
        ("--deals", "9" * 20, "expected a whole number, 1 to 100000000"),
        ("--seed", "9" * 26, "expected a whole number, 0 to 9223372036854775807"),
    ],
)
def test_numbers_above_the_bound_are_refused(option, value, expected, tmp_path, capsys):
    with pytest.raises(SystemExit):
        main([*MATCH, "--out", str(tmp_path), option, value])
    assert expected in capsys.readouterr().err


def test_names():
    assert named(["a", "a", "formula(level='tight')", "x=formula(shift=3)"]) == (
        ("a", "a-2", "formula(level='tight')", "x"),
        ("a", "a", "formula(level='tight')", "formula(shift=3)"),
    )
