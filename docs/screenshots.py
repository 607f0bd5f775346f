"""Screenshots, with Chromium: ``python docs/screenshots.py [table] [review] [study]``.

Of a table, a belief grid and a replay; of a review's first remark and of a spot of its drill; and of a study.
The picture of the README, ``first.png``, joins table and grid.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

PICTURES = Path(__file__).parent / "pictures"


def serve(folder: str, agents: list[str]) -> "subprocess.Popen[str]":
    """A table of these agents, on any free port."""
    command = [sys.executable, "-m", "baycarp", "play", *agents, "--seed", "4", "--no-open", "--out", folder]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def take(page: Page, last: Path) -> None:
    """Play one hand by checks and calls, and take the pictures on the way; ``last``, at the last decision."""
    page.select_option("#pace", "0")
    page.wait_for_selector("#stay")
    page.screenshot(path=PICTURES / "table.png")
    while not page.query_selector("#next"):
        held = page.wait_for_selector("#stay")
        page.screenshot(path=last)
        page.click("#stay")
        page.wait_for_function("button => !button.isConnected", arg=held)
        page.wait_for_selector("#stay, #next")
    page.locator(".why[aria-label*='You']").last.click()
    page.locator("#panel .beliefs").screenshot(path=PICTURES / "belief.png")
    page.click("#close")
    page.locator("#hands button").first.click()
    page.wait_for_selector("#forward")
    for _ in range(5):
        page.click("#forward")
    page.evaluate("window.scrollTo(0, 0)")
    page.screenshot(path=PICTURES / "replay.png")


def join(last: Path) -> None:
    """Lay the table at a decision beside the belief about the opponent there: the picture of the README."""
    table = Image.open(last).convert("RGB").crop((0, 55, 670, 620))
    grid = Image.open(PICTURES / "belief.png").convert("RGB").crop((0, 10, 370, 515))
    ground = table.getpixel((2, 2))
    joined = Image.new("RGB", (table.width + grid.width + 60, table.height + 15), ground)
    joined.paste("white", (table.width + 10, 15, joined.width - 20, joined.height - 15))
    joined.paste(grid, (table.width + 25, (joined.height - grid.height) // 2))
    joined.paste(table, (0, 0))
    joined.save(PICTURES / "first.png", optimize=True)


def take_review(browser: Browser) -> None:
    """Review a player that calls every bet, and take the pictures."""
    baycarp = [sys.executable, "-m", "baycarp"]
    played = "call baycarp rule --game holdem.limit.3p --hands 30 --seed 5 --workers 1 --out ."
    reviewed = "review hands.log --player call --game holdem.limit.3p --workers 1"
    with TemporaryDirectory() as folder:
        for words in (f"table {played}", reviewed):
            subprocess.run([*baycarp, *words.split()], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        page = browser.new_page(viewport={"width": 760, "height": 900})
        page.goto((Path(folder) / "review.html").as_uri())
        page.locator(".remark").first.screenshot(path=PICTURES / "review.png")
        page.locator(".spot").first.screenshot(path=PICTURES / "drill.png")


def take_study(browser: Browser) -> None:
    """Solve the turn that the study begins with, and take its second decision."""
    command = [sys.executable, "-m", "baycarp", "study", "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            page = browser.new_page(viewport={"width": 1200, "height": 800})
            page.goto(process.stdout.readline().strip())
            page.wait_for_selector("#size:has-text('of memory')")
            page.click("#solve")
            page.wait_for_selector("#status:has-text('Solved')")
            page.locator("#way .here .step").first.click()
            page.wait_for_selector("#way li:nth-child(2).here")
            page.wait_for_selector("#situation td:has-text('%')")
            page.screenshot(path=PICTURES / "study.png")
        finally:
            process.kill()
    Image.open(PICTURES / "study.png").convert("P", palette=Image.Palette.ADAPTIVE, colors=64).save(
        PICTURES / "study.png", optimize=True
    )


def take_table(browser: Browser) -> None:
    """Serve a table, and take its pictures."""
    with TemporaryDirectory() as folder, serve(folder, ["baycarp", "karma", "jake", "rule"]) as process:
        assert process.stdout is not None
        try:
            page = browser.new_page(viewport={"width": 1000, "height": 620})
            page.goto(process.stdout.readline().strip())
            last = Path(folder) / "last.png"
            take(page, last)
            join(last)
        finally:
            process.kill()


def main() -> None:
    """Take the pictures that are named; without a name, all."""
    PICTURES.mkdir(exist_ok=True)
    browser_path = os.environ.get("BAYCARP_CHROMIUM") or shutil.which("chromium")
    pictures = {"table": take_table, "review": take_review, "study": take_study}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        for name in sys.argv[1:] or pictures:
            pictures[name](browser)


if __name__ == "__main__":
    main()
