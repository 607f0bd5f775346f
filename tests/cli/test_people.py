"""The commands that a player types first: stats, decide with cards, equity, play --against."""

import json
from io import StringIO
from pathlib import Path

import pytest

from baycarp.cli import main

ZOOM = """PokerStars Zoom Hand #10000000000{n}:  Hold'em No Limit ($0.02/$0.05) - 2026/01/02 10:00:00 ET
Table 'Alpha' 6-max Seat #1 is the button
Seat 1: Ann ($5.00 in chips)
Seat 2: Bob ($5.00 in chips)
Seat 3: Hero ($5.00 in chips)
Bob: posts small blind $0.02
Hero: posts big blind $0.05
*** HOLE CARDS ***
Dealt to Hero [Ah Kd]
Ann: raises $0.10 to $0.15
Bob: folds
Hero: calls $0.10
*** FLOP *** [2c 7d Kh]
Hero: checks
Ann: bets $0.20
Hero: folds
Uncalled bet ($0.20) returned to Ann
Ann collected $0.32 from pot
*** SUMMARY ***
Total pot $0.32 | Rake $0
Board [2c 7d Kh]


"""
"""I1 of the findings: people give a room's text to a tool, and get nothing."""


@pytest.fixture
def record(tmp_path):
    path = tmp_path / "ps.txt"
    path.write_text(ZOOM.format(n=1) + ZOOM.format(n=2) + ZOOM.format(n=2))
    return str(path)


def typed(capsys, *words):
    """Exit status, output and errors of a command."""
    try:
        status = main([*map(str, words)])
    except SystemExit as ending:
        status = ending.code
    return status, *capsys.readouterr()


def test_stats_of_a_rooms_text(capsys, record, tmp_path):
    status, out, _ = typed(capsys, "stats", record, "--out", tmp_path / "ann.csv", "--player", "Ann")
    assert status == 0
    assert "2 hands, 3 players" in out
    assert "repeated hands, which count once: 1" in out
    assert "100% 34-100  2/2" in out  # VPIP
    rows = (tmp_path / "ann.csv").read_text().splitlines()
    assert "Ann,BTN,70-130 bb,2,continuation_bet,2,2,1.0," in "\n".join(rows)
    status, out, _ = typed(capsys, "stats", record, "--json", "--since", "2026-01-02", "--stakes", "0.05")
    assert json.loads(out)["hands"] == 2


def test_a_name_like_a_formula_is_a_text_in_the_spreadsheet_of_stats(capsys, record, tmp_path):
    hands, out = tmp_path / "formula.txt", tmp_path / "players.csv"
    hands.write_text(Path(record).read_text().replace("Ann", "=1+1"))
    status, *_ = typed(capsys, "stats", hands, "--out", out, "--spreadsheet")
    assert status == 0
    first = {line.partition(",")[0] for line in out.read_text().splitlines()}
    assert "'=1+1" in first
    assert not any(field.startswith("=") for field in first)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["stats", "{}", "--player", "Cid"], "player 'Cid': expected one of the hands'"),
        (["stats", "{}", "--since", "2027-01-01"], "no hand is left to count: 3 before 2027-01-01"),
        (["stats", "nothing.txt"], "nothing.txt"),
        (["decide", "AhKx"], "unknown card at column 3 of 'AhKx'"),
        (["decide", "MATCHSTATE:0:0:rc/:AhKd|/Qs7d"], "wrong number of cards: 'Qs7d'"),
        (["decide", "matchstate:0:0:rc/:AhKd|"], "expected a MATCHSTATE line"),
        (["decide", "AhKd", "Qs7d2c", "--pot", "3"], "expected a pot such as 2, 2.5, 4"),
        (["decide", "AhKd", "Qs7d2c", "--board", "Qs7d2c", "--pot", "4"], "given twice"),
        (["decide", "AhKd", "--street", "flop"], "two cards are one situation"),
        (["decide", "AhKd", "--blinds", "2"], "expected both, such as 0.5/1"),
        (["equity", "AhKd"], "1 sides: expected 2 to 10"),
        (["equity", "AhKd", "77+x"], "'77+x': expected hands such as"),
        (["play", "--against", "Ann", "--terminal"], "--against PLAYER: expected --from HANDS"),
        (["play", "--from", "{}", "--terminal"], "--from HANDS: expected --against PLAYER"),
        (["play", "--against", "Cid", "--from", "{}", "--terminal"], "player 'Cid'"),
    ],
)
def test_refusals_name_what_is_wrong(capsys, record, words, says):
    status, out, err = typed(capsys, *(word.format(record) for word in words))
    assert (status, out) == (1, "")
    assert says in err
    assert "Traceback" not in err


def test_a_spot_is_decided_and_its_history_printed(capsys):
    words = ("decide", "AhKd", "--board", "Kc7d2c", "--pot", "40", "--to-call", "0", "--stack", "200")
    status, out, _ = typed(capsys, *words, "--opponents", "2", "--position", "BTN", "--villain", "QQ, 77")
    assert status == 0
    assert "preflop  BTN raise to" in out
    assert "> BTN  Ah Kd" in out
    assert "\nBTN: " in out
    status, out, _ = typed(capsys, "decide", "AhKd", "--blinds", "1/2", "--pot", "3", "--json")
    assert json.loads(out)["history"] == ""


def test_equity_of_ranges(capsys):
    status, out, _ = typed(capsys, "equity", "AhKd", "77+, AQ+", "--board", "Qs7d2c")
    assert status == 0
    assert "22.83%" in out
    status, out, _ = typed(capsys, "equity", "AhKd", "15%", "random", "--playouts", "2000", "--json")
    assert sum(json.loads(out)["shares"].values()) == pytest.approx(1)


def test_a_bot_that_plays_like_a_player_sits_down(capsys, record, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.stdin", StringIO("c\nc\nc\nc\nc\n\nf\n"))
    folder = tmp_path / "played"
    words = ("play", "--against", "Ann", "--from", record, "--terminal", "--out", folder)
    status, out, err = typed(capsys, *words)
    assert (status, err) == (0, err)
    assert "Ann: learned from 2 hands" in err
    assert "BB Ann" in out
    assert len([*folder.glob("Ann-*.npz")]) == 1
    monkeypatch.setattr("sys.stdin", StringIO("q\n"))
    status, _, err = typed(capsys, *words)  # the same command goes on
    assert status == 0
    assert "going on after" in err
    status, out, _ = typed(capsys, "stats", folder, "--player", "You")
    assert status == 0
