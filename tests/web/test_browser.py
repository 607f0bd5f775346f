"""The page in a browser: a hand by keyboard, a decision, a replay, a cut line, the same cards again."""

import pytest

PATIENCE = 180_000
"""Milliseconds, as those of ``visit``."""

BUTTONS = "count => document.querySelectorAll('#hands .line').length === count"
"""Whether so many hands can be replayed."""

OWN, NAMES = ".seat.you .card", "cards => cards.map(card => card.getAttribute('aria-label'))"
"""The person's cards, in words."""


@pytest.fixture
def page(visit):
    return visit(viewport={"width": 320, "height": 700})


def test_a_hand_by_keyboard_a_decision_a_replay_and_a_cut_line(page, play_the_hand, turn, changed):
    play_the_hand(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert page.locator("button:not([aria-label]):empty").count() == 0
    assert " of " in page.locator(".seat.you svg").first.get_attribute("aria-label")
    page.locator(".why[aria-label*='You']").first.click()
    page.wait_for_selector("#panel h2:has-text('would have done')")
    page.keyboard.press("Escape")
    page.wait_for_selector("#panel", state="hidden")

    page.click("#views a.hands")
    page.locator("#hands .line").first.click()
    page.wait_for_selector("#forward")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.getElementById('note').textContent.startsWith('Replay: 1 of')")
    page.click("#views a.table")

    due, at = turn(page)
    assert due == "next"
    page.keyboard.press("Enter")
    changed(page, at)
    _, at = turn(page)
    cards = page.locator(OWN).evaluate_all(NAMES)
    page.reload()
    assert turn(page)[1] == at
    assert page.locator(OWN).evaluate_all(NAMES) == cards
    play_the_hand(page)
    page.click("#views a.hands")
    page.wait_for_function(BUTTONS, arg=2)


SLOW_WHILE_CONNECTING = """
const Line = window.WebSocket;
window.WebSocket = class extends Line {
  constructor(...given) {
    super(...given);
    queueMicrotask(() => {
      const pace = document.getElementById("pace");
      pace.value = "1500";
      pace.dispatchEvent(new Event("change"));
    });
  }
};
"""
"""Choose a pace when the connection is begun and not yet open."""

PACE = "pace => document.getElementById('pace').value === pace"


@pytest.mark.slow
def test_what_is_chosen_before_the_line_is_open_is_sent(page, turn):
    turn(page)
    page.add_init_script(SLOW_WHILE_CONNECTING)
    page.reload()
    other = page.context.new_page()
    other.set_default_timeout(PATIENCE)
    other.goto(page.url)
    other.wait_for_function(PACE, arg="1500")


@pytest.mark.slow
def test_a_button_stays_focused_while_the_hand_does_not_go_on(page, turn):
    turn(page)
    page.locator("#stay").focus()
    page.evaluate("document.getElementById('stay').dataset.kept = 'yes'")
    other = page.context.new_page()
    other.set_default_timeout(PATIENCE)
    other.goto(page.url)
    turn(other)
    other.select_option("#pace", "300")  # the table is sent again, to both
    page.wait_for_function(PACE, arg="300")
    assert page.evaluate("document.activeElement.dataset.kept") == "yes"


SITUATION = "document.querySelector('#panel .situation').innerHTML"


@pytest.mark.slow
def test_an_open_decision_stays_that_of_its_hand(page, play_the_hand, turn, changed):
    play_the_hand(page)
    page.locator(".why").first.click()
    page.wait_for_selector("#panel h2")
    first = page.locator("#panel .situation").inner_html()
    _, at = turn(page)
    page.keyboard.press("Enter")  # the next hand begins behind the panel
    changed(page, at)
    turn(page)
    page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "first => document.querySelector('#panel .situation').innerHTML !== first", arg=first
    )
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(
        "first => document.querySelector('#panel .situation').innerHTML === first", arg=first
    )
    page.click("#same-cards")
    page.wait_for_selector("#leave:has-text('Leave the repeated hand')")


@pytest.mark.slow
def test_a_decision_is_played_again_with_the_same_cards(page, play_the_hand):
    play_the_hand(page)
    cards = page.locator(OWN).evaluate_all(NAMES)
    page.locator(".why[aria-label*='You']").first.click()
    page.click("#same-cards")
    page.wait_for_selector("#leave:has-text('Leave the repeated hand')")
    page.wait_for_selector("#stay")
    assert page.locator(OWN).evaluate_all(NAMES) == cards
    assert page.locator(".seat:not(.you) svg:not([aria-label='hidden card'])").count() == 0
    play_the_hand(page)
    page.click("#views a.hands")
    page.locator("#hands .line").first.click()
    page.wait_for_selector("#again")
    page.keyboard.press("ArrowRight")
    page.click("#again")
    page.wait_for_selector("#leave:has-text('Leave the repeated hand')")
    page.click("#views a.hands")
    page.wait_for_selector("#none:has-text('No hand is finished yet')")
    page.wait_for_function(BUTTONS, arg=0)
    page.go_back()
    page.click("#leave")
    page.wait_for_selector("#next")
    page.click("#views a.hands")
    page.wait_for_function(BUTTONS, arg=1)
