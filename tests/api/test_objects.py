"""Agents as objects and names alike, beliefs as ranges, data frames, short texts, help."""

import json
import sys
from dataclasses import fields

import numpy as np
import pytest

import baycarp
from baycarp.agents.base import Decision
from baycarp.agents.static.simple import AlwaysCall
from baycarp.agents.trace_json import read_trace
from baycarp.api.match import MatchSettings
from baycarp.api.train import TrainSettings
from baycarp.arena import session
from baycarp.errors import ArgumentError, JournalError, ModelError, TableError

LIMIT = "MATCHSTATE:0:0:rc/:AhKd|/Qs7d2c"


class Unsendable(AlwaysCall):
    def __reduce__(self):
        raise TypeError("no")


def won(result):
    return {name: values.tolist() for name, values in result.scores.blocks.items()}


def test_an_object_plays_as_its_name_does(monkeypatch):
    """Formula keeps statistics of its opponents: they start afresh with each seating and session."""
    monkeypatch.setattr(session, "HANDS", 15)
    by_name = baycarp.match(["Ann=formula(level='tight')", "Bob=raise"], deals=40, seed=3)
    agents = {"Ann": baycarp.load("formula(level='tight')"), "Bob": "raise"}
    for _ in range(2):  # the same object again
        assert won(baycarp.match(agents, deals=40, seed=3)) == won(by_name)


def test_an_object_is_sent_to_other_processes():
    found = [
        baycarp.match([each, "call"], deals=10, workers=2) for each in (baycarp.load("rule"), "RuleBot=rule")
    ]
    assert won(found[0]) == won(found[1])


def test_every_function_that_takes_agents_takes_both(tmp_path):
    rule = baycarp.load("rule")
    assert baycarp.table([rule, "call", AlwaysCall()], hands=3).players == ("RuleBot", "call", "AlwaysCall")
    assert baycarp.table(rule, hands=2).players[0] == "RuleBot"
    found = baycarp.tournament([rule, "call", "Ann=raise"], deals=5, seed=2)
    assert {*found.results.agents} == {"RuleBot", "call", "Ann"}
    one, other = (baycarp.exploit(each, hands=20, seed=2).bounds for each in (AlwaysCall(), "call"))
    assert one == other
    assert (
        baycarp.decide("AhKd", agent=baycarp.load("sizer")).action
        == baycarp.decide("AhKd", agent="sizer").action
    )
    again = [baycarp.match([rule, "call"], deals=4, out=tmp_path / "kept") for _ in range(2)]
    assert won(again[0]) == won(again[1])
    with pytest.raises(JournalError):
        baycarp.match([baycarp.load("jag"), "call"], deals=4, out=tmp_path / "kept")


@pytest.mark.parametrize(
    ("agents", "workers", "error", "says"),
    [
        ([3, "call"], 1, ModelError, "agent 3 has no plays, sit, decide, learn: expected a text such as"),
        ([AlwaysCall, "call"], 1, ModelError, "is a class: expected a text such as 'rule', or an agent"),
        ([Unsendable(), "call"], 2, ArgumentError, "workers 2: expected 1, or the name of Unsendable"),
        ([one := AlwaysCall(), one], 1, TableError, "an agent is there twice: expected another object"),
        (AlwaysCall(), 1, TableError, "expected several, not one"),
    ],
)
def test_what_is_no_agent_is_named(agents, workers, error, says):
    with pytest.raises(error, match=says):
        baycarp.match(agents, deals=2, workers=workers)
    assert baycarp.match([Unsendable(), "call"], deals=2).players == ("Unsendable", "call")


def test_a_belief_is_a_range(capsys):
    agent = baycarp.load("baycarp2")
    observation = baycarp.observe(LIMIT, game="holdem.limit.2p.reverse_blinds")
    decision = agent.decide(observation)
    (belief,) = decision.beliefs
    (held,) = agent.beliefs(observation).values()
    assert isinstance(belief.range, baycarp.Range)
    np.testing.assert_array_equal(belief.range.weights, held.weights)
    assert belief.range == held.range
    assert len(belief.range) == belief.holdings
    assert belief.range["AhKh"] == 0  # the own card
    assert belief.range.classes().shape == (13, 13)
    assert len(belief.range.draw().splitlines()) == 14
    record = decision.to_dict()["trace"]
    assert "weights" not in json.dumps(record)
    read = Decision(decision.action, decision.policy, trace=read_trace(record)).beliefs[0]
    assert read == belief
    with pytest.raises(ArgumentError, match="expected a decision, not its JSON"):
        _ = read.range


def test_a_frame_is_of_the_library_that_is_named_or_of_the_first(monkeypatch):
    pandas, found = pytest.importorskip("pandas"), baycarp.match(["rule", "call"], deals=30)
    assert isinstance(found.to_frame(), pandas.DataFrame)
    assert found.to_frame(backend="pandas").to_dict("records") == found.to_records()
    with pytest.raises(ArgumentError, match="backend 'nonsense': expected one of pandas, polars, pyarrow"):
        found.to_frame("nonsense")
    for name in ("pandas", "polars", "pyarrow"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=r"such as pandas: pip install 'baycarp\[frames\]' pandas"):
        found.to_frame()
    with pytest.raises(ImportError, match=r"'baycarp\[frames\]' polars"):
        found.to_frame("polars")


def test_results_are_a_line_in_an_interpreter(tmp_path):
    results = [
        baycarp.match(["rule", "call"], deals=2),
        baycarp.table(["rule", "call"], hands=2),
        baycarp.tournament(["rule", "call"], deals=2),
        baycarp.exploit("call", hands=20),
        baycarp.solve("kuhn", 5),
        baycarp.versus("AhKd", "77+"),
        baycarp.decide("AhKd", agent="sizer"),
        baycarp.train(tmp_path / "m", 20, opponents="none"),
    ]
    for result in results:
        assert repr(result) == f"<{type(result).__name__}: {result.title()}>"
        assert "\n" not in repr(result)
        assert 20 < len(repr(result)) < 160


@pytest.mark.parametrize(
    ("function", "kind"), [(baycarp.train, TrainSettings), (baycarp.match, MatchSettings)]
)
def test_help_has_every_setting(function, kind):
    lines = function.__doc__.splitlines()
    for each in fields(kind):
        assert lines.count(f"    {each.name}") == 1
    assert lines.index("    Raises") > lines.index(f"    {fields(kind)[-1].name}")
    with pytest.raises(ArgumentError, match="did you mean"):
        function("folder", **{fields(kind)[0].name + "x": 3})


def test_a_wrong_setting_is_answered_with_all_of_the_function():
    with pytest.raises(ArgumentError, match="setting 'hands': expected one of agents, game, deals, seed, "):
        baycarp.match(["rule", "call"], hands=3)
