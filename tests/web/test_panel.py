"""A decision by value as the page opens it: in words, as bars, by keyboard and for a screen reader."""

from dataclasses import replace

import pytest
from reference.spots import spots

from baycarp.agents.base import Decision
from baycarp.agents.cases.stages import RetrievalStage, RetrievedCase
from baycarp.agents.registry import load
from baycarp.agents.value.stages import ActionValue, ValueStage
from baycarp.agents.value.words import first_line
from baycarp.card import CLASS_OF, CLASSES, HOLDINGS
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
    decision = Decision(fold, {fold: 0.99, call: 0.01}, 0.003, False, trace, first_line(stage))
    held = (HOLDINGS[:, 0] > 20) / 1326.0
    belief = belief_of(
        (other, observation.players[other]), {"Action": "Raise"}, held / held.sum(), state.board
    )
    return Panel(observation, decision, (belief,), load("call"), call, "baycarp")


def test_the_reason_is_the_first_line_to_the_person_at_the_table():
    assert panel().to_dict(advice=True)["reason"].startswith("You beat 5 % of what <jake> bets")
    other = panel(("ann", "You"))
    assert other.decision.reason.startswith("You beat 5 % of what you bet here;")
    assert other.to_dict(advice=False)["reason"].startswith("ann beats 5 % of what you bet here;")


DRAW = (
    "async (message) => { const { drawPanel } = await import('./panel.js');"
    " drawPanel(document.getElementById('panel'), message, { close() {}, step() {}, again: null }); }"
)


@pytest.fixture(scope="module")
def address(serve_module):
    return serve_module("baycarp2", "rule", "--out", ".")


@pytest.fixture
def opened(visit, turn):
    """Open the page with a panel of the given settings, drawn from a message; None = nothing is drawn."""

    def draw(message, **settings):
        page = visit(**settings)
        turn(page)
        if message:
            page.evaluate(DRAW, message)
        return page

    return draw


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_values_are_bars_and_words_and_break_no_rule(opened, faults, scheme):
    page = opened(panel().to_dict(advice=True), viewport={"width": 320, "height": 800}, color_scheme=scheme)
    shown = page.locator("#panel")
    assert shown.locator(".reason").inner_text().startswith("You beat 5 % of what <jake> bets here;")
    assert "you chose call 20: costs 1.20 ± 0.10 big blinds" in shown.locator(".verdict").inner_text()
    rows = [row.inner_text().split("\t") for row in shown.locator(".values tbody tr").all()]
    assert [(row[2], row[3], row[4]) for row in rows] == [
        ("0", "99 %", "advised"),
        ("−1.20 ± 0.10", "1.0 %", "played"),
        ("−3.40 ± 0.20", "0 %", ""),
    ]
    wide = [float(each.get_attribute("width")) for each in shown.locator(".values rect").all()]
    assert wide == pytest.approx([0, 100 * 12 / 36, 100 * 34 / 36], abs=0.01)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert faults(page) == []


def test_the_rest_of_the_record_is_opened_by_keyboard(opened, faults):
    page = opened(panel().to_dict(advice=True), viewport={"width": 1280, "height": 800})
    shown = page.locator("#panel")
    assert not shown.locator("text=solving the rest of the hand").is_visible()
    page.locator("#panel .details > summary").first.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "similar cases"
    page.locator("#panel details details summary", has_text="values").focus()
    page.keyboard.press("Enter")
    assert shown.locator("text=solving the rest of the hand").is_visible()
    assert faults(page) == []


BOXES = """() => [...document.querySelectorAll('#table, .seat, #actions button')].map((each) => {
  const box = each.getBoundingClientRect();
  return [box.x, box.y, box.width, box.height];
})"""


def test_a_panel_moves_nothing_and_stands_beside_the_table(opened):
    page = opened(None)
    for width, height in ((1024, 640), (1440, 900), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("document.getElementById('panel').hidden = true")
        before = page.evaluate(BOXES)
        page.evaluate(DRAW, panel().to_dict(advice=True))
        assert page.locator("#panel .reason").is_visible()
        assert page.evaluate(BOXES) == before
        table, box = (page.locator(name).bounding_box() for name in ("#table", "#panel"))
        assert width < 1000 or box["x"] >= table["x"] + table["width"]
        assert box["y"] + box["height"] <= height + 1


def test_a_range_has_numbers_by_keyboard_pointer_and_touch(opened):
    """The range is every holding without the lowest cards, which are counted here."""
    page = opened(panel().to_dict(advice=True), viewport={"width": 1280, "height": 900}, has_touch=True)
    cells, read = page.locator("#panel .range-of .hand"), page.locator("#panel .read")
    observation = panel().observation
    known = {*observation.hole, *observation.board}
    for at in (0, 1, 13, 40, 168):
        of = [hole for hole in HOLDINGS[at == CLASS_OF].tolist() if not {*hole} & known]
        held = [hole for hole in of if hole[0] > 20]
        shown = cells.nth(at).get_attribute("aria-label")
        share = float(cells.nth(at).evaluate("each => each.style.getPropertyValue('--share')")[:-1])
        assert shown.startswith(f"{CLASSES[at]}: {len(held)} of {len(of)} combos, ")
        assert share == pytest.approx(100 * len(held) / len(of), abs=0.06)
    cells.nth(0).focus()
    page.keyboard.press("ArrowRight")
    assert read.inner_text() == cells.nth(1).get_attribute("aria-label")
    page.keyboard.press("ArrowDown")
    assert read.inner_text() == cells.nth(14).get_attribute("aria-label")
    assert page.locator("#panel .range-of .hand[tabindex='0']").count() == 1
    for at, point in ((30, "hover"), (45, "tap")):
        getattr(cells.nth(at), point)()
        assert read.inner_text() == cells.nth(at).get_attribute("aria-label")


EVIL = "<img src=x onerror=document.title='owned'>"


def test_a_hint_is_drawn_without_what_was_not_done_and_names_are_text(opened, faults):
    message = panel(("You", EVIL)).hint()
    like = {"hole": ["Ah"], "board": [], "similarity": 0.9, "action": EVIL, "outcome": 1.0}
    like["origin"] = f"A case of {EVIL}; its betting is not stored."
    like |= {"line": "STATE:7:rf:|AhKd:-10|10:BB|BTN", "game": "holdem.limit.2p.reverse_blinds", "act": 1}
    page = opened(message | {"similar": [like | {"features": [[EVIL] * 3]}]})
    page.locator("#panel .like summary").click()
    assert page.locator("#panel .like .aside-note").inner_text() == like["origin"]
    assert page.locator("#panel h2").inner_text() == "Hint"
    assert page.locator("#panel .verdict").inner_text() == "Fold"
    assert page.locator("#panel [aria-label='later decision']").count() == 0
    assert EVIL in page.locator("#panel .reason").inner_text()
    assert page.locator("#panel img").count() == 0
    assert page.title() != "owned"
    assert faults(page) == []
    page.click("#panel .like a:has-text('Open this hand')")
    page.wait_for_function("() => document.getElementById('table')?.dataset.at === 'replay/1'")


def test_within_the_error_either_is_fine():
    close = panel()
    stage = close.decision.trace[1]
    near = replace(stage, values=(*stage.values[:1], replace(stage.values[1], chips=-0.5), stage.values[2]))
    close = replace(close, decision=replace(close.decision, trace=(close.decision.trace[0], near)))
    assert close.hint()["close"] == "close, either is fine"
    assert close.to_dict(advice=True)["verdict"] == "close, either is fine"
    assert panel().hint()["close"] == ""


def test_an_action_that_is_valued_higher_than_the_advised_one_is_not_called_as_good():
    _, call, _ = panel().observation.legal_actions()
    mixing = replace(panel(), decision=replace(panel().decision, action=call))
    assert mixing.hint()["close"] == "it mixes; by the values alone fold is better"


def test_an_action_that_is_drawn_although_another_is_usual_is_called_mixed():
    fold, call, _ = panel().observation.legal_actions()
    rare = replace(panel(), decision=replace(panel().decision, policy={fold: 0.1, call: 0.9}))
    assert rare.hint()["close"] == "it mixes; 90 % of the time it would call 20"


def test_an_action_that_is_done_now_and_then_costs_nothing():
    fold, call, _ = panel().observation.legal_actions()
    mixed = replace(panel(), decision=replace(panel().decision, policy={fold: 0.7, call: 0.3}))
    assert mixed.verdict == "it does so too, 30 % of the time"
