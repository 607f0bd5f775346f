"""A decision by value, explained: the sentence, the values, two cases, and the rest behind "details"."""

from dataclasses import replace

import pytest

from baycarp.agents.base import Decision
from baycarp.agents.cases.stages import RetrievalStage, RetrievedCase
from baycarp.agents.trace import TierStage
from baycarp.agents.trace_json import read_trace
from baycarp.agents.value.stages import ActionValue, ValueStage
from baycarp.agents.value.words import first_line
from baycarp.game.action import Action

FOLD, CALL, RAISE = Action("fold"), Action("call", 20), Action("raise", 40)
VALUES = (ActionValue(CALL, -12.0, 1.0), ActionValue(FOLD, 0.0), ActionValue(RAISE, -34.0, 2.0))
STAGE = ValueStage("look-ahead", 0.05, 0.12, "<jake>", "bets", VALUES, removed=(CALL, RAISE), big_blind=10)
NEAREST = tuple(RetrievedCase(number, 1 - number / 100, "call", -1.0) for number in (7, 12, 20))
TRACE = (TierStage("rules", FOLD), RetrievalStage(3, 90, 31, False, NEAREST), STAGE)
DECISION = Decision(FOLD, {FOLD: 1.0, CALL: 0.0, RAISE: 0.0}, 0.003, True, TRACE, first_line(STAGE))
LINE = "fold: You beat 5 % of what <jake> bets here; the call needs 12 %."


def test_the_text_ends_with_its_details():
    above, details = DECISION.explain().split("\n\ndetails\n")
    assert above.splitlines() == [
        LINE,
        "values   fold 0, call 20 -1.20 ± 0.10, raise 40 -3.40 ± 0.20 (big blinds)",
        "policy   fold: 1.00  call 20: 0.00  raise 40: 0.00",
        "similar  93 % alike: call, outcome -1.00 small bets",
        "similar  88 % alike: call, outcome -1.00 small bets",
    ]
    assert details.startswith("receipt  3.00 ms")
    assert "left out as worse               call 20, raise 40" in details
    assert "alike        93 %   88 %   80 %" in details


def test_the_sentence_is_the_first_line_of_every_form():
    assert str(DECISION) == DECISION.explain().splitlines()[0] == LINE
    assert f"{DECISION.action}: {DECISION.to_dict()['reason']}" == LINE
    escaped = LINE.replace("<", "&lt;").replace(">", "&gt;")
    assert DECISION._repr_html_().startswith(f"<div><b>{escaped}</b>")


def test_the_page_of_a_notebook_shows_values_and_folds_the_rest():
    shown, details = DECISION._repr_html_().split("<details><summary>details</summary>")
    assert "<jake>" not in shown + details
    rows = shown.split("<tr>")[2:]
    assert [row.split("</th>")[0].split(">")[-1] for row in rows] == ["fold", "call 20", "raise 40"]
    assert [text in row for text, row in zip(("-1.20 ± 0.10", "-3.40 ± 0.20"), rows[1:], strict=True)]
    assert shown.count("<li>") == 2
    assert "<pre>" not in shown
    assert details.count("<pre>") == len(TRACE)


@pytest.mark.parametrize("values", [VALUES, (ActionValue(CALL, 30.0, 4.0), ActionValue(FOLD, 0.0))])
def test_bars_share_a_scale_and_a_zero(values):
    """A bar goes from the zero to the value; the greatest span of values and errors fills the picture."""
    html = replace(DECISION, trace=(replace(STAGE, values=values),))._repr_html_()
    pictures = [part.split("</svg>")[0] for part in html.split("<svg ")[1:]]
    ends = [each.chips + sign * each.error for each in values for sign in (-1, 0, 1)]
    low, span = min(0, *ends), max(0, *ends) - min(0, *ends)
    best_first = sorted(values, key=lambda each: -each.chips)
    for picture, value in zip(pictures, best_first, strict=True):
        left, width = (float(picture.split(f' {name}="')[-1].split('"')[0]) for name in ("x", "width"))
        assert left == pytest.approx((min(value.chips, 0) - low) / span * 200, abs=1)
        assert width == pytest.approx(abs(value.chips) / span * 200, abs=1)


def test_a_stage_without_values_is_explained_by_its_sentence():
    decision = replace(DECISION, trace=(replace(STAGE, values=()),))
    assert decision.explain().splitlines()[:2] == [LINE, "policy   fold: 1.00  call 20: 0.00  raise 40: 0.00"]
    assert decision._repr_html_().startswith("<div><b>fold: You beat 5 % of")


def test_the_trace_survives_json():
    assert read_trace(DECISION.to_dict()["trace"]) == TRACE
