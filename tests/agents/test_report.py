"""A decision in words: all of its record, and nothing else."""

import json

import pytest

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
        "tier  0.10 ms",
        "  tier    rules",
        "  answer  fold",
        "",
        "tier  0.00 ms  (not done)",
        "  tier    full",
        "  reason  expected 9.0 ms, 1.0 ms left",
        "",
        "beliefs  2.00 ms",
        "  opponents",
        "    player        Ann",
        "    Action      Raise",
        "    HandGroup1  0.500",
        "    HandGroup2  0.250",
        "    ONE_PAIR    0.123",
        "    holdings       17",
        "",
        "retrieval  0.00 ms",
        "  cases      2",
        "  stored     90",
        "  compared   31",
        "  fell back  False",
        "  nearest",
        "    case            7      12",
        "    similarity  0.988   0.900",
        "    solution      bet    fold",
        "    outcome     1.000  -0.500",
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
    for stage in TRACE:
        assert stage.name in html
    assert "HandGroup1  0.500" in html


@pytest.mark.parametrize("tag", ["div", "table", "tr", "details", "summary", "pre", "svg"])
def test_html_tags_are_balanced(tag):
    html = DECISION._repr_html_()
    assert html.count(f"<{tag}") == html.count(f"</{tag}>") > 0
