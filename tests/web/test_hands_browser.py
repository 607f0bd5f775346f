"""The hands of a log in a browser: a list in pages, filters against counts of our own, keys, a decision."""

import subprocess
import sys
from random import Random

import pytest

from baycarp.game import State, Variant
from baycarp.game.notation.acpc import format_state
from baycarp.game.notation.hand import Hand

EVE = "<h6>Eve</h6>"
GAME, COUNT = "holdem.limit.3p", 230
"""More hands than a page of the list has."""

STREETS = ("preflop", "flop", "turn", "river")


def finished():
    """Hands of random actions among changing players; their last states and names."""
    random, variant = Random(5), Variant.load(GAME)
    for number in range(COUNT):
        state = State(variant, None, bytes(random.sample(range(52), 11)))
        while not state.is_over:
            state.apply(random.choice(state.legal_actions()))
        names = random.sample(("Ann", "Bob", "Cid", EVE), 3)
        yield state, tuple(names), number


@pytest.fixture
def served(browser, tmp_path):
    """The page of the log, and its hands."""
    pytest.importorskip("starlette")
    hands = list(finished())
    log = tmp_path / "hands.log"
    log.write_text("".join(f"{format_state(Hand.of(*each))}\n" for each in hands))
    command = [sys.executable, "-m", "baycarp", "play", "--replay", str(log), "--game", GAME]
    faults = []
    with subprocess.Popen(
        [*command, "--adviser", "rule", "--no-open"], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            page = browser.new_context(viewport={"width": 1024, "height": 640}).new_page()
            page.set_default_timeout(180_000)
            page.on("pageerror", lambda error: faults.append(str(error)))
            page.goto(process.stdout.readline().strip())
            yield page, hands
        finally:
            process.kill()
    assert not faults


def first(page):
    """The columns of the first line in view."""
    return page.locator("#hands .line").first.locator("> *").all_inner_texts()


def counted(page, shown):
    page.wait_for_selector(f".count:has-text('{shown} of {COUNT} hands')")


def test_hands_are_listed_filtered_opened_and_replayed(served, faults):
    page, hands = served
    unit = Variant.load(GAME).big_blind
    page.wait_for_selector(f".count:has-text('{COUNT} hands')")
    assert page.locator("#hands .line").count() < 60
    assert first(page)[0] == str(COUNT - 1)
    assert page.locator("h6").count() == 0

    page.select_option("[aria-label=order]", "pots")
    assert float(first(page)[2]) == max(state.pot for state, _, _ in hands) / unit
    page.select_option("[aria-label='whose results']", "Ann")
    counted(page, sum("Ann" in names for _, names, _ in hands))
    page.select_option("[aria-label=order]", "lost")
    least = min(state.payoffs()[names.index("Ann")] for state, names, _ in hands if "Ann" in names)
    assert first(page)[1] == f"−{abs(least) / unit:.1f}"
    page.select_option("[aria-label=street]", "3")
    counted(page, sum("Ann" in names and state.street == 3 for state, names, _ in hands))
    page.select_option("[aria-label=opponent]", EVE)
    both = [each for each in hands if {"Ann", EVE} <= {*each[1]} and each[0].street == 3]
    counted(page, len(both))
    page.select_option("[aria-label='whose results']", "")
    page.select_option("[aria-label=opponent]", "")
    page.select_option("[aria-label=street]", "")
    page.fill("[aria-label='search hands']", "22")
    numbers = [number for _, _, number in hands if "22" in str(number)]
    counted(page, len(numbers))
    page.fill("[aria-label='search hands']", "")

    page.select_option("[aria-label=order]", "oldest")
    page.locator("#hands .line").first.click()
    for number in (1, 2):
        page.keyboard.press("ArrowDown")
        page.wait_for_selector(f"#hand-{number}[aria-selected=true]")
    page.keyboard.press("ArrowUp")
    page.wait_for_selector("#hand-1[aria-selected=true]")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.getElementById('table').dataset.at === 'replay/1'")
    assert page.evaluate("location.hash") == "#hands/1/1"
    page.keyboard.press("w")
    page.wait_for_selector("#panel .reason")
    assert faults(page) == []
    page.keyboard.press("Escape")
    page.wait_for_selector("#panel", state="hidden")
    keys = page.locator("#keys").bounding_box()
    assert keys["y"] + keys["height"] <= 640
    assert page.locator("h6").count() == 0
