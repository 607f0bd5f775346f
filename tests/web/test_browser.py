"""The page in a browser: a hand by keyboard, an opened decision, a replay, a cut line; else it skips."""

import os
import shutil
import subprocess
import sys

import pytest

sync_api = pytest.importorskip("playwright.sync_api")
pytest.importorskip("starlette")
CHROMIUM = os.environ.get("BAYCARP_CHROMIUM") or shutil.which("chromium")
pytestmark = pytest.mark.skipif(not CHROMIUM, reason="no Chromium: set BAYCARP_CHROMIUM or install chromium")


@pytest.fixture
def address(tmp_path):
    command = [sys.executable, "-m", "baycarp", "play", "baycarp2", "rule", "--no-open", "--seed", "4"]
    process = subprocess.Popen([*command, "--out", str(tmp_path)], stdout=subprocess.PIPE, text=True)
    with process:
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


@pytest.fixture
def page(address):
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 320, "height": 700})
        faults = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        page.goto(address)
        page.select_option("#pace", "0")
        page.locator("h1").click()  # the focus leaves the list
        yield page
        browser.close()
        assert not faults


def play_the_hand(page):
    """Check or call by keyboard until the hand is over."""
    while True:
        page.wait_for_selector("#stay, #next")
        if page.query_selector("#next"):
            return
        held = page.query_selector("#stay")
        page.keyboard.press("c")
        page.wait_for_function("button => !button.isConnected", arg=held)


def test_a_hand_by_keyboard_a_decision_a_replay_and_a_cut_line(page):
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
    page.wait_for_function("document.getElementById('note').textContent.startsWith('Replay: 1 of')")
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
    page.wait_for_function("document.querySelectorAll('#hands button').length === 2")
