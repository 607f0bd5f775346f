"""Screenshots, with Chromium: ``python docs/screenshots.py [table] [coach] [study]``, or ``screens FOLDER``.

The first are the pictures of the pages: a table, a belief and a replay; a review's first remark and a spot of
its drill; a study. ``first.png`` is that of the README. ``screens`` takes eight
screens at three widths, light and dark, into a folder, and fails where one scrolls sideways at 320.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

PICTURES = Path(__file__).parent / "pictures"

PATIENCE = 300_000
"""Milliseconds that a screen may take: a review values hands, a study solves."""

SIZES = {1440: 900, 1024: 640, 390: 844, 320: 700}
"""The windows: heights by widths; at the narrowest it is only verified that nothing scrolls sideways."""

COLOURS = 256
"""Of a picture in the repository."""

TURN = "() => { const due = document.querySelector('#stay, #next'); return due && due.id; }"
STATE = "() => document.getElementById('table').dataset.at"


@contextmanager
def served(folder: Path, *words: str) -> Iterator[str]:
    """The address of ``baycarp play``, with these words; what the user keeps is not touched."""
    command = [sys.executable, "-m", "baycarp", "play", *words, "--no-open"]
    own = os.environ | {"BAYCARP_HOME": str(folder)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder, env=own) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


@contextmanager
def seated(*agents: str) -> Iterator[str]:
    """The address of a new table."""
    with TemporaryDirectory() as folder, served(Path(folder), *agents, "--seed", "4") as address:
        yield address


@contextmanager
def recorded() -> Iterator[str]:
    """The address of a log in which one player calls every bet."""
    played = "table You=call baycarp rule --game holdem.limit.3p --hands 20 --seed 5 --workers 1 --out ."
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "baycarp", *played.split()]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        with served(Path(folder), "--replay", "hands.log", "--game", "holdem.limit.3p") as address:
            yield address


def opened(browser: Browser, address: str, width: int, height: int, scheme: str = "light") -> Page:
    """A page in a window, without motion."""
    settings = {"viewport": {"width": width, "height": height}, "color_scheme": scheme}
    page = browser.new_context(**settings, reduced_motion="reduce").new_page()  # type: ignore[arg-type]
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    return page


def due(page: Page) -> str:
    """Wait for the person's turn, or the end of the hand: ``stay`` or ``next``."""
    return str(page.wait_for_function(TURN).json_value())


def press(page: Page, key: str) -> None:
    """Press a key at the table, and wait until the table has another state."""
    before = page.evaluate(STATE)
    page.keyboard.press(key)
    page.wait_for_function(f"before => ({STATE})() !== before", arg=before)


def to_flop(page: Page) -> None:
    """Play on by checks and calls to a decision of the person after the flop."""
    page.select_option("#pace", "0")
    page.locator("h1").click()
    while due(page) == "next" or page.locator("#board .card").count() < 3:
        press(page, "Enter" if due(page) == "next" else "c")


def to_end(page: Page) -> None:
    """Play the hand by checks and calls."""
    while due(page) != "next":
        press(page, "c")


def screens_of_table(page: Page) -> Iterator[str]:
    """Table, hint, why, replay, setup and summary: each is on the page when its name comes."""
    to_flop(page)
    yield "table"
    page.keyboard.press("h")
    page.wait_for_selector("#panel .values, #panel .bars")
    yield "hint"
    page.keyboard.press("Escape")
    to_end(page)
    page.locator(".why[aria-label*='You']").last.click()
    page.wait_for_selector("#panel .verdict")
    yield "why"
    page.keyboard.press("Escape")
    page.click("#views a.hands")
    page.locator("#hands .line").first.click()
    page.wait_for_selector("#forward")
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    yield "replay"
    page.click("#views a.setup")
    page.wait_for_selector("#begin")
    yield "setup"
    page.evaluate("location.hash = '#summary'")
    page.click("#play-on")


def screens_of_coach(page: Page) -> Iterator[str]:
    """Review and drill."""
    page.click("#views a.review")
    if not page.locator(".remark").count():
        page.locator("#review-session:enabled").click()
    page.wait_for_selector(".remark")
    yield "review"
    page.click("#views a.drill")
    page.wait_for_selector("#spot-head")
    yield "drill"


def screens_of_study(page: Page) -> Iterator[str]:
    """The turn that the study begins with, at its second decision."""
    page.click("#views a.study")
    page.wait_for_selector("#size:has-text('of memory')")
    if page.locator("#node").is_hidden():
        page.click("#solve")
        page.wait_for_selector("#status:has-text('Solved')")
    page.locator("#way .here .step").first.click()
    page.wait_for_selector("#way li:nth-child(2).here")
    page.wait_for_selector("#node[aria-busy=false]")
    page.wait_for_selector("#situation td:has-text('%')")
    yield "study"


def take_screens(browser: Browser, folder: Path) -> list[str]:
    """Take all screens; the names of those that scroll sideways."""
    wide = []
    folder.mkdir(parents=True, exist_ok=True)
    with seated() as table, recorded() as log:
        rows = ((table, screens_of_table), (log, screens_of_coach), (table, screens_of_study))
        for scheme in ("light", "dark"):
            for width, height in SIZES.items():
                for address, screens in rows:
                    page = opened(browser, address, width, height, scheme)
                    for name in screens(page):
                        page.evaluate("window.scrollTo(0, 0)")
                        if page.evaluate("document.documentElement.scrollWidth") > width:
                            wide.append(f"{name}-{width}-{scheme}")
                        if width > min(SIZES):
                            page.screenshot(path=folder / f"{name}-{width}-{scheme}.png")
                    page.context.close()
    return wide


def shrink(*names: str) -> None:
    """Fewer colours: a picture of the pages is small."""
    for name in names:
        picture = Image.open(PICTURES / name).convert("RGB")
        drawn = picture.convert("P", palette=Image.Palette.ADAPTIVE, colors=COLOURS)
        drawn.save(PICTURES / name, optimize=True)


def take_table(browser: Browser) -> None:
    """The table, a belief, both beside each other, and a replay."""
    with seated("baycarp", "karma", "jake", "rule") as address:
        page = opened(browser, address, 1200, 700)
        for name in screens_of_table(page):
            if name in ("table", "replay"):
                page.screenshot(path=PICTURES / f"{name}.png")
            if name == "why":
                page.screenshot(path=PICTURES / "first.png")
                page.locator("#panel .range-of").first.screenshot(path=PICTURES / "belief.png")
    shrink("table.png", "replay.png", "first.png", "belief.png")


def take_coach(browser: Browser) -> None:
    """The first remark of a review, and a spot of its drill."""
    with recorded() as address:
        page = opened(browser, address, 900, 900)
        for name in screens_of_coach(page):
            place = ".remark" if name == "review" else "#spot"
            page.locator(place).first.screenshot(path=PICTURES / f"{name}.png")
    shrink("review.png", "drill.png")


def take_study(browser: Browser) -> None:
    """The study."""
    with seated("rule") as address:
        page = opened(browser, address, 1200, 800)
        for name in screens_of_study(page):
            page.screenshot(path=PICTURES / f"{name}.png")
    shrink("study.png")


TAKES: dict[str, Callable[[Browser], None]] = {
    "table": take_table,
    "coach": take_coach,
    "study": take_study,
}


def main() -> int:
    """Take the pictures that are named, without a name all; or the screens."""
    PICTURES.mkdir(exist_ok=True)
    browser_path = os.environ.get("BAYCARP_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        if sys.argv[1:2] == ["screens"]:
            wide = take_screens(browser, Path(sys.argv[2]))
            print("\n".join(f"scrolls sideways: {name}" for name in wide) or "nothing scrolls sideways")
            return int(bool(wide))
        for name in sys.argv[1:] or TAKES:
            TAKES[name](browser)
    return 0


if __name__ == "__main__":
    sys.exit(main())
