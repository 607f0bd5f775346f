"""A decision in words: all of its record, and nothing else."""

import json
import re

import pytest

import baycarp
from baycarp.agents.base import Decision
from baycarp.agents.cases.stages import BeliefStage, OpponentBelief, RetrievalStage, RetrievedCase
from baycarp.agents.trace import TierStage
from baycarp.game.action import Action

ANN = OpponentBelief(
    0, "Ann", {"Action": "Raise"}, {"HandGroup1": 0.5, "HandGroup2": 0.25}, {"ONE_PAIR": 0.123456}, 17
)
TRACE = (
    TierStage("rules", Action("fold"), seconds=0.0001),
    TierStage("full", reason="expected 9.0 ms, 1.0 ms left", done=False),
    BeliefStage((ANN,), seconds=0.002),
    RetrievalStage(
        2, 90, 31, False, (RetrievedCase(7, 0.98765, "bet", 1.0), RetrievedCase(12, 0.9, "fold", -0.5))
    ),
)
DECISION = Decision(
    Action("raise", 4),
    {Action("fold"): 0.25, Action("call", 2): 0.0, Action("raise", 4): 0.75},
    0.00345,
    False,
    TRACE,
    "3 of <4> did so",
)


def test_the_sentence():
    assert str(DECISION) == "raise to 4: 3 of <4> did so"
    assert str(Decision(Action("fold"), {Action("fold"): 1.0})) == "fold"


def test_text_from_the_first_line_to_the_last():
    assert DECISION.explain().splitlines() == [
        "raise 4: 3 of <4> did so",
        "policy   fold: 0.25  call 2: 0.00  raise 4: 0.75",
        "receipt  3.45 ms, cut short or sampled",
        "",
        "answers  0.10 ms",
        "  at once               fold",
        "  by all that is known  left out: expected 9.0 ms, 1.0 ms left",
        "",
        "what the opponents did and may hold  2.00 ms",
        "                            Ann",
        "  action before the flop  raise",
        "  group 1                  50 %",
        "  group 2                  25 %",
        "  one pair                 12 %",
        "  holdings in its range      17",
        "",
        "similar cases  0.00 ms",
        "  similar  2 of 90 cases, 31 compared",
        "                  7     12",
        "  alike        99 %   90 %",
        "  did           bet   fold",
        "  small bets  +1.00  -0.50",
    ]


def test_the_receipt_of_a_whole_decision():
    assert "every stage done, nothing sampled" in Decision(Action("fold"), {Action("fold"): 1.0}).explain()


def test_the_record_survives_json():
    words = DECISION.to_dict()
    assert json.loads(json.dumps(words)) == words
    assert words["action"] == "raise"
    assert words["amount"] == 4
    assert [stage["stage"] for stage in words["trace"]] == ["tier", "tier", "beliefs", "retrieval"]


def test_html_is_escaped_and_complete():
    html = DECISION._repr_html_()
    assert "<4>" not in html
    assert "&lt;4&gt;" in html
    assert [f'width="{width}"' in html for width in (40, 0, 120)] == [True] * 3  # bars of 160 at most
    for title in ("answers", "what the opponents did and may hold", "similar cases"):
        assert f"<summary>{title} (" in html
    assert "group 1                  50 %" in html


@pytest.mark.parametrize("tag", ["div", "table", "tr", "details", "summary", "pre", "svg"])
def test_html_tags_are_balanced(tag):
    html = DECISION._repr_html_()
    assert html.count(f"<{tag}") == html.count(f"</{tag}>") > 0


WORKSHOP = re.compile(
    r"_|\(\)|HandGroup|Majority|tier|fell back|EHS|\bseat \d|position \d|[a-z][A-Z]|\ba\d+_"
)
"""Words of the builders."""


@pytest.mark.parametrize(
    ("agent", "line", "game"),
    [
        ("baycarp", "MATCHSTATE:0:7:crfc/crc/crc/cr:7h2d||/Js6c4c/3h/6d", "holdem.limit.3p"),
        ("baycarp2", "MATCHSTATE:0:0:rc/:AhKd|/Qs7d2c", "holdem.limit.2p.reverse_blinds"),
        ("casper02", "MATCHSTATE:0:7:crfc/crc/crc/cr:7h2d||/Js6c4c/3h/6d", "holdem.limit.3p"),
        ("casey", "MATCHSTATE:0:0:rc/:AhKd|/Qs7d2c", "holdem.limit.2p.reverse_blinds"),
        ("sizer", "MATCHSTATE:0:0:r300c/:AhKd|/Qs7d2c", "holdem.nolimit.2p.reverse_blinds"),
    ],
)
def test_explanations_have_the_words_of_players(agent, line, game):
    player, observation = baycarp.load(agent), baycarp.observe(line, game=game)
    decision = player.decide(observation)
    for text in (decision.explain(), re.sub(r"<[^>]*>", " ", decision._repr_html_())):
        assert not WORKSHOP.search(text), WORKSHOP.search(text)
    for row in decision.explain().splitlines():
        assert len(row) <= 80 or row.startswith(("policy", "values"))
