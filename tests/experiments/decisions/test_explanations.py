"""``baycarp decide --flip`` and ``python -m experiments explanations``."""

import json

import pytest

import baycarp
from baycarp.cases import POLICIES
from baycarp.cli import main
from baycarp.explain.counterfactual import Counterfactual
from baycarp.explain.evidence import pieces
from baycarp.explain.flips import flip
from experiments.__main__ import main as experiment

GAME = "holdem.limit.2p.reverse_blinds"
LINE = "MATCHSTATE:0:0:rc/cc/:AhKd|/Qs7d2c/9h"


@pytest.fixture
def hero(small_model):
    return f"baycarp2(model={str(small_model)!r}, learning=False)"


def test_decide_prints_evidence_and_flips(hero, capsys):
    assert main(["decide", LINE, "--agent", hero, "--flip"]) == 0
    text = capsys.readouterr().out
    assert main(["decide", LINE, "--agent", hero, "--flip", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    agent, observation = baycarp.load(hero), baycarp.observe(LINE, game=GAME)
    counterfactual = Counterfactual(agent, observation, agent.decide(observation))
    first = pieces(counterfactual)[0]
    assert first.state.lower() in record["hangs on"][0]["seen"]
    assert record["hangs on"][0]["action without"] == first.action
    assert len(record["hangs on"]) == len(counterfactual.evidence[1])
    for over in ("features", "evidence"):
        found = flip(counterfactual, over)
        assert (record["flips"][over] or {}).get("text") == (found and str(found))
        assert (str(found) if found else "nothing flips it") in " ".join(text.split())
    assert record["hangs on"][0]["seen"] in text


def test_before_the_flop_there_is_no_evidence(hero, capsys):
    assert main(["decide", "MATCHSTATE:0:0:r:AhKd|", "--agent", hero, "--flip", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["hangs on"] == []
    assert record["flips"]["evidence"] is None


def test_an_agent_without_cases_has_no_flips(capsys):
    assert main(["decide", LINE, "--agent", "karma", "--flip"]) == 1
    assert "decision: expected one by retrieved cases" in capsys.readouterr().err


def test_bench_reports_each_removal_by_policy_and_street(hero, capsys):
    status = experiment(["explanations", "--agent", hero, "--played", "8", "--json"])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {line["policy"] for line in lines} == set(POLICIES)
    cited, other = (
        "the five cited cases, beside five",
        "the evidence that moves the decision most on the other half",
    )
    for line in lines:
        result = line["factor"]
        must = line["street"] == "all" and line["what"].startswith((f"{cited} other", other))
        assert (line["met"] is None) == (not must)
        high = result["times"]["high"]  # null without a bound
        assert line["met"] in (None, high is None or high >= 1)
        for share in (result["flipped"], result["flipped_at_random"]):
            assert 0 <= share["low"] <= share["value"] <= share["high"] <= 1
        if line["policy"] != "proportional":
            assert result["chosen"] == result["flipped"]["value"]
    assert status == 3 * any(line["met"] is False for line in lines)
    assert len({line["what"] for line in lines}) == 6
    every = {line["what"]: line["factor"]["situations"] for line in lines if line["street"] == "all"}
    assert every[f"{cited} of all other retrieved cases"] > every["the evidence that moves the case most"] > 0
