"""Screenshots of a table, a belief grid and a replay: ``python docs/screenshots.py``, with Chromium."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, sync_playwright

PICTURES = Path(__file__).parent / "pictures"


def serve(folder: str, agents: list[str]) -> "subprocess.Popen[str]":
    """A table of these agents, on any free port."""
    command = [sys.executable, "-m", "baycarp", "play", *agents, "--seed", "4", "--no-open", "--out", folder]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def take(page: Page) -> None:
    """Play one hand by checks and calls, and take the pictures on the way."""
    page.select_option("#pace", "0")
    page.wait_for_selector("#stay")
    page.screenshot(path=PICTURES / "table.png")
    while not page.query_selector("#next"):
        held = page.wait_for_selector("#stay")
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


def main() -> None:
    """Take all pictures."""
    PICTURES.mkdir(exist_ok=True)
    browser_path = os.environ.get("BAYCARP_CHROMIUM") or shutil.which("chromium")
    with TemporaryDirectory() as folder, serve(folder, ["baycarp", "karma", "jake", "rule"]) as process:
        assert process.stdout is not None
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
                page = browser.new_page(viewport={"width": 1000, "height": 620})
                page.goto(process.stdout.readline().strip())
                take(page)
        finally:
            process.kill()


if __name__ == "__main__":
    main()
