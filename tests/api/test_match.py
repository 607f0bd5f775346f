"""Matches from Python: the result of the command line, as text, records, files and in a notebook."""

import json
from dataclasses import replace

import numpy as np
import pytest

import baycarp
from baycarp.api.match import MatchResult, match
from baycarp.arena.names import named
from baycarp.cli import main
from baycarp.cli.output import as_json
from baycarp.errors import JournalError, ModelError, TableError

HEADS_UP = "holdem.limit.2p.reverse_blinds"


@pytest.fixture(scope="module")
def result():
    return match(["call", "Bob=rule"], HEADS_UP, deals=30, seed=5, estimators=("control",))


def test_a_match_is_that_of_the_command_line(result, tmp_path, capsys):
    words = [
        "call",
        "Bob=rule",
        "--game",
        HEADS_UP,
        "--deals",
        "30",
        "--seed",
        "5",
        "--estimators",
        "control",
    ]
    assert main(["match", *words, "--workers", "1", "--json", "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert baycarp.match is match
    assert json.loads(printed) == json.loads(as_json(result.to_dict()))
    again = match(["call", "Bob=rule"], HEADS_UP, 30, seed=5, estimators=("control",), out=tmp_path)
    assert again.to_dict() == result.to_dict()


def test_the_first_estimator_judges(result):
    assert result.judge == "control"
    assert result.rate("Bob") == result.scores.rate("Bob", "control") != result.rate("Bob", "net")
    assert result.difference("call", "Bob").mean == pytest.approx(-result.difference("Bob", "call").mean)


def test_any_number_of_workers_gives_the_same_result(result):
    two = match({"call": "call", "Bob": "rule"}, HEADS_UP, 30, seed=5, estimators=("control",), workers=2)
    assert two.to_dict() == result.to_dict()


def test_rows_are_of_the_players_in_their_order(result):
    rows = result.to_records()
    assert [row["player"] for row in rows] == ["call", "Bob"]
    assert rows[0]["hands"] == 60
    assert rows[0]["net"] == -rows[1]["net"]
    assert (rows[1]["rate"], rows[1]["margin"]) == (result.rate("Bob").mean, result.rate("Bob").margin)


def test_text_and_html(result):
    assert str(result).splitlines()[0] == "30 deals in 2 seatings: 60 hands; sb/h, 95 %"
    assert result.rate("Bob").cell() in str(result)
    named = MatchResult(replace(result.scores, players=("<b>", "Bob")), result.counts, "net")
    html = named._repr_html_()
    assert "&lt;b&gt;" in html
    assert "<b>" not in html
    assert html.count("<svg") == 2


def test_one_deal_has_no_interval_and_no_bar():
    one = match(["call", "raise"], HEADS_UP, deals=1)
    assert np.isnan(one.rate("call").margin)
    assert "<svg" not in one._repr_html_()


@pytest.mark.parametrize(
    ("agents", "error", "reason"),
    [
        (["call"], TableError, "call alone: expected two agents"),
        ([], TableError, "no agent: expected"),
        (["call", "cal"], ModelError, "agent 'cal': did you mean call"),
        (["call", "sizer"], TableError, "sizer"),
    ],
)
def test_bad_input_is_named(agents, error, reason):
    with pytest.raises(error, match=reason):
        match(agents, HEADS_UP, deals=1)


def test_a_folder_of_another_match_is_refused(tmp_path):
    match(["call", "raise"], HEADS_UP, deals=2, out=tmp_path)
    with pytest.raises(JournalError):
        match(["call", "rule"], HEADS_UP, deals=2, out=tmp_path)


def test_every_name_of_the_package_is_there():
    assert {name: getattr(baycarp, name) for name in dir(baycarp)}.keys() == {*baycarp.__all__, "__version__"}


@pytest.mark.parametrize(
    ("agents", "settings", "reason"),
    [
        ("call", {}, "expected several"),
        (["call", "raise"], {"deals": 0}, "deals 0"),
        (["call", "raise"], {"stacks": "zz"}, "stacks 'zz'"),
        (["call", "raise"], {"estimators": "control"}, "estimators 'control'"),
    ],
)
def test_settings_out_of_their_range_are_named(agents, settings, reason):
    with pytest.raises(TableError, match=reason):
        match(agents, HEADS_UP, **settings)


def test_repeated_names_get_free_numbers():
    assert named(["a-2=call", "a=call", "a=call"])[0] == ("a-2", "a", "a-3")
    assert named(["x-y=call", "x=raise"])[0] == ("x-y", "x")
