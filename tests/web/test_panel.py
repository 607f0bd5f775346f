"""A decision by value as the page opens it: in words, as bars, by keyboard and for a screen reader."""

import pytest
from reference.spots import spots

from baycarp.agents.base import Decision
from baycarp.agents.cases.stages import RetrievalStage, RetrievedCase
from baycarp.agents.registry import load
from baycarp.agents.value.stages import ActionValue, ValueStage
from baycarp.agents.value.words import first_line
from baycarp.card import HOLDINGS
from baycarp.game.variant import Variant
from baycarp.opponents.belief import belief_of
from baycarp.web.panels import Panel

NEAREST = tuple(RetrievedCase(case, 0.97, "call", -1.0, {"pot_odds": 1.0}) for case in (7, 12, 20))


def panel(names=("You", "<jake>")):
    """A bet on the river is to be called; calling and raising lose."""
    states = spots(Variant.load("holdem.limit.2p.reverse_blinds"), 400, seed=2)
    state = next(each for each in states if each.street == 3 and each.owed and len(each.legal_actions()) == 3)
    observation = state.observe(state.to_act, names, 0)
    if state.to_act:
        observation = state.observe(1, names[::-1], 0)
    fold, call, push = observation.legal_actions()
    other = 1 - observation.seat
    values = (ActionValue(fold, 0.0), ActionValue(call, -12.0, 1.0), ActionValue(push, -34.0, 2.0))
    stage = ValueStage("re-solve", 0.05, 0.12, observation.players[other], "bets", values, big_blind=10)
    trace = (RetrievalStage(3, 90, 31, False, NEAREST), stage)
    decision = Decision(fold, {fold: 0.9, call: 0.1}, 0.003, False, trace, first_line(stage))
    held = (HOLDINGS[:, 0] > 20) / 1326.0
    belief = belief_of(
        (other, observation.players[other]), {"Action": "Raise"}, held / held.sum(), state.board
    )
    return Panel(observation, decision, (belief,), load("call"), call, "baycarp")


def test_the_reason_is_the_first_line_to_the_person_at_the_table():
    assert panel().to_dict(advice=True)["decision"]["reason"].startswith("You beat 5 % of what <jake> bets")
    other = panel(("ann", "You"))
    assert other.decision.reason.startswith("You beat 5 % of what you bet here;")
    assert other.to_dict(advice=False)["decision"]["reason"].startswith("ann beats 5 % of what you bet here;")


@pytest.fixture
def opened(visit, turn):
    """Open the page with a panel of the given settings."""

    def draw(message, **settings):
        page = visit(**settings)
        turn(page)
        page.evaluate(
            "async (message) => { const { drawPanel } = await import('./panel.js');"
            " drawPanel(document.getElementById('panel'), message, { close() {}, step() {}, again: null });"
            " }",
            message,
        )
        return page

    return draw


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_values_are_bars_and_words_and_break_no_rule(opened, faults, scheme):
    page = opened(panel().to_dict(advice=True), viewport={"width": 320, "height": 800}, color_scheme=scheme)
    shown = page.locator("#panel")
    assert shown.locator(".reason").inner_text().startswith("You beat 5 % of what <jake> bets here;")
    assert "you chose call 20, which costs 1.20 ± 0.10 big blinds" in shown.locator(".verdict").inner_text()
    rows = [row.inner_text().split("\t") for row in shown.locator(".values tbody tr").all()]
    assert [(row[2], row[3], row[4]) for row in rows] == [
        ("0", "90 %", "advised"),
        ("−1.20 ± 0.10", "10 %", "played"),
        ("−3.40 ± 0.20", "0 %", ""),
    ]
    wide = [float(each.get_attribute("width")) for each in shown.locator(".values rect").all()]
    assert wide == pytest.approx([0, 100 * 12 / 36, 100 * 34 / 36], abs=0.01)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert faults(page) == []


def test_the_rest_of_the_record_is_opened_by_keyboard(opened, faults):
    page = opened(panel().to_dict(advice=True), viewport={"width": 1280, "height": 800})
    shown = page.locator("#panel")
    assert shown.locator("section li").count() == 2
    assert not shown.locator("text=re-solve").is_visible()
    page.locator("#panel .details > summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "retrieval"
    page.locator("#panel details details summary", has_text="value").focus()
    page.keyboard.press("Enter")
    assert shown.locator("text=re-solve").is_visible()
    assert faults(page) == []
