"""The drill of a review in a browser, from the disk: keys answer, the answer is revealed; else it skips."""

import os
import shutil

import numpy as np
import pytest

from baycarp.coach.choose import Judged, ReviewSelection
from baycarp.coach.page import Source, page
from baycarp.coach.rollouts import Difference
from baycarp.coach.spots import OpponentRange, Review, ReviewSpot
from baycarp.game import Action, Variant
from baycarp.game.notation.acpc import parse_state

sync_api = pytest.importorskip("playwright.sync_api")
CHROMIUM = os.environ.get("BAYCARP_CHROMIUM") or shutil.which("chromium")
pytestmark = pytest.mark.skipif(not CHROMIUM, reason="no Chromium: set BAYCARP_CHROMIUM or install chromium")

GAME = "holdem.limit.2p.reverse_blinds"
LINE = "STATE:0:rc/cc/cc/rf:9h8h|AdKd/Ks7s2c/3s/Tc:20|-20:Ann|Bob"
PATIENCE = 180_000
LIGHT, DARK = "rgb(245, 243, 238)", "rgb(20, 24, 29)"


@pytest.fixture
def address(tmp_path):
    hand = parse_state(LINE, Variant.load(GAME))
    spot = ReviewSpot(
        hand,
        1,
        0,
        7,
        1,
        Action("fold"),
        Action("call", 20),
        (OpponentRange(0, np.ones(1326), "<i>bets</i>"),),
    )
    judged = Judged(spot, Difference(1.5, 0.1, 100))
    text = page(
        Review("Bob", 5, 9, (spot,)),
        ReviewSelection((judged,), (judged, judged), 1),
        Source("a.log", GAME, "rule", "rule"),
    )
    (tmp_path / "review.html").write_text(text, "utf-8")
    return (tmp_path / "review.html").as_uri()


@pytest.mark.parametrize(("scheme", "ground"), [("light", LIGHT), ("dark", DARK)])
def test_the_drill_by_keys_alone(address, scheme, ground):
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        sync_api.expect.set_options(timeout=PATIENCE)
        expect = sync_api.expect
        page = browser.new_page(viewport={"width": 320, "height": 700}, color_scheme=scheme)
        faults, requests = [], []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        page.on("request", lambda request: requests.append(request.url))
        page.goto(address)
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == ground
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        first, second = page.locator(".spot").all()
        expect(first).to_be_visible()
        expect(second).to_be_hidden()
        page.keyboard.press("n")  # not before an answer
        expect(first).to_be_visible()
        expect(first.locator(".answer")).to_be_hidden()
        page.keyboard.press("f")
        expect(first.locator(".verdict")).to_have_text("Another action is better.")
        expect(first.locator(".answer")).to_contain_text("1.50 big blinds")
        page.keyboard.press("c")  # an answer is final
        page.keyboard.press("Enter")  # the focus is on the next spot's button
        expect(second).to_be_visible()
        page.keyboard.press("C")
        expect(second.locator(".verdict")).to_have_text("Right.")
        expect(page.locator("#score")).to_have_text("1 of 2 right")
        page.keyboard.press("n")
        expect(page.locator("#score")).to_contain_text("done")
        assert page.locator("svg[role=img]:not([aria-label])").count() == 0
        browser.close()
    assert requests == [address]
    assert not faults
