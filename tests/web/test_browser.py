"""The page in a browser: a hand by keyboard, a decision, a replay, a cut line, the same cards again."""

import pytest


@pytest.fixture
def page(visit):
    return visit(viewport={"width": 320, "height": 700})


def test_a_hand_by_keyboard_a_decision_a_replay_and_a_cut_line(page, play_the_hand):
    play_the_hand(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert page.locator("button:not([aria-label]):empty").count() == 0
    assert " of " in page.locator(".seat.you svg").first.get_attribute("aria-label")
    page.locator(".why[aria-label*='You']").first.click()
    page.wait_for_selector("#panel h2:has-text('would have done for You')")
    page.keyboard.press("Escape")
    page.wait_for_selector("#panel", state="hidden")

    page.locator("#hands button").first.click()
    page.wait_for_selector("#forward")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.getElementById('note').textContent.startsWith('Replay: 1 of')")
    page.click("#leave")

    over = page.query_selector("#next")
    page.keyboard.press("Enter")
    page.wait_for_function("button => !button.isConnected", arg=over)
    page.wait_for_selector("#stay, #next")
    cards = page.locator(".seat.you .cards").inner_html()
    page.reload()
    page.wait_for_selector("#stay, #next")
    assert page.locator(".seat.you .cards").inner_html() == cards
    play_the_hand(page)
    page.wait_for_function("() => document.querySelectorAll('#hands button').length === 2")


def test_a_decision_is_played_again_with_the_same_cards(page, play_the_hand):
    play_the_hand(page)
    cards = page.locator(".seat.you .cards").inner_html()
    page.locator(".why[aria-label*='You']").first.click()
    page.click("#same-cards")
    page.wait_for_selector("#leave:has-text('Leave the repeated hand')")
    page.wait_for_selector("#stay")
    assert page.locator(".seat.you .cards").inner_html() == cards
    assert page.locator(".seat:not(.you) svg:not([aria-label='hidden card'])").count() == 0
    play_the_hand(page)
    page.locator("#hands button").first.click()
    page.wait_for_selector("#again")
    page.keyboard.press("ArrowRight")
    page.click("#again")
    page.wait_for_function("() => document.querySelectorAll('#hands button').length === 0")
    page.click("#leave")
    page.wait_for_selector("#next")
    page.wait_for_function("() => document.querySelectorAll('#hands button').length === 1")
