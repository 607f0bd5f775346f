"""A session in the browser: set up, cut in mid-hand, ended; settings stay in the browser."""

import pytest

RECORDED_LINE = """
const Line = window.WebSocket;
window.WebSocket = class extends Line {
  constructor(...given) { super(...given); window.drop = () => this.close(); }
};
const Mended = window.WebSocket;
window.cut = () => {
  window.WebSocket = function () { setTimeout(() => this.onclose(), 10); };
  window.drop();
};
window.mend = () => { window.WebSocket = Mended; };
"""
"""``cut()`` cuts the line, and the server does not answer until ``mend()``."""


@pytest.fixture
def page(visit):
    return visit(viewport={"width": 390, "height": 844})


def act(page, turn, changed, key="c"):
    _, at = turn(page)
    page.keyboard.press(key)
    changed(page, at)


@pytest.mark.slow
def test_a_session_is_set_up_and_its_settings_stay(page, turn, faults):
    turn(page)
    page.click("#views a.setup")
    page.wait_for_selector("#begin")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert faults(page) == []
    page.check("[name=game][value=no-limit]")
    assert page.locator("#opponent-0 option[value=karma]").count() == 0  # it plays limit alone
    page.select_option("#seats-of-game", "3")
    assert page.locator("#opponents select").count() == 2
    page.select_option("#opponent-0", "caller")
    page.select_option("#opponent-1", "sizer")
    page.select_option("#adviser", "sizer")
    page.check("#set-deck")
    page.check("#set-left")
    page.select_option("#set-pace", "300")
    page.select_option("#set-clock", "30")
    page.click("#begin")
    page.wait_for_selector(".seat:has-text('caller')")
    turn(page)
    assert page.locator(".seat").count() == 3
    page.wait_for_selector("#clock", state="visible")
    page.wait_for_selector("#results:has-text('100 big blinds')")
    page.reload()
    turn(page)
    assert page.evaluate("[document.body.dataset.deck, document.body.classList.contains('left-handed')]") == [
        "four",
        True,
    ]
    assert page.input_value("#pace") == "300"
    stored = page.evaluate("JSON.parse(localStorage.getItem('baycarp settings'))")
    assert (stored["clock"], stored["sounds"]) == (30, False)
    page.evaluate("localStorage.setItem('baycarp settings', '{\"deck\": 7, \"pace\": null}')")
    page.reload()
    turn(page)
    assert page.evaluate("document.body.dataset.deck") == "two"


def test_a_cut_in_mid_hand_changes_nothing(page, turn, changed):
    page.add_init_script(RECORDED_LINE)
    page.reload()
    act(page, turn, changed)
    _, at = turn(page)
    cards = page.locator(".seat.you .cards").inner_html()
    top = page.locator("#table").bounding_box()["y"]
    page.evaluate("window.before = document.getElementById('table'); window.cut()")
    page.wait_for_selector("#line:has-text('connecting again')", state="attached")
    assert page.locator("#table").bounding_box()["y"] == top  # what a finger aims at stays
    page.evaluate("window.mend()")
    page.wait_for_selector("#line", state="hidden")
    assert turn(page)[1] == at
    assert page.locator(".seat.you .cards").inner_html() == cards
    assert page.evaluate("window.before.isConnected")
    act(page, turn, changed)


@pytest.mark.slow
def test_a_server_that_has_ended_is_named(page, turn):
    page.add_init_script(RECORDED_LINE)
    page.reload()
    turn(page)
    page.evaluate("window.cut()")
    page.wait_for_selector("#line:has-text('If the program has ended, start it again')")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator("#live p").last.inner_text() == page.locator("#line").inner_text()


@pytest.mark.slow
def test_after_the_summary_the_table_goes_on_whichever_way_is_taken(page, turn):
    turn(page)
    page.click("#end")
    page.wait_for_selector("#summary:has-text('No hand is finished yet')")
    page.click("#views a.table")
    page.wait_for_selector("#pause[aria-pressed=false]")
    page.wait_for_selector("#note:has-text('Your turn')")


@pytest.mark.slow
def test_a_session_is_ended_and_gone_on_with(page, turn, play_the_hand, faults):
    play_the_hand(page)
    page.wait_for_selector("#results dd:has-text('1')")
    page.click("#end")
    page.wait_for_selector("#summary table")
    assert faults(page) == []
    assert "Hand 1" in page.text_content("#summary table")
    page.click("#play-on")
    assert turn(page)[0] == "next"
    page.wait_for_selector("#pause[aria-pressed=false]")
