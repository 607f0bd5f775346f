"""A table served by the command, and a Chromium; without one the tests of the page skip with the reason."""

import os
import shutil
import subprocess
import sys

import pytest

CHROMIUM = os.environ.get("BAYCARP_CHROMIUM") or shutil.which("chromium")


@pytest.fixture
def browser():
    playwright = pytest.importorskip("playwright.sync_api")
    if not CHROMIUM:
        pytest.skip("no Chromium: set BAYCARP_CHROMIUM or install chromium")
    with playwright.sync_playwright() as running:
        chromium = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def address(tmp_path):
    pytest.importorskip("starlette")
    command = [sys.executable, "-m", "baycarp", "play", "baycarp2", "rule", "--no-open", "--seed", "4"]
    process = subprocess.Popen([*command, "--out", str(tmp_path)], stdout=subprocess.PIPE, text=True)
    with process:
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


@pytest.fixture
def visit(browser, address):
    """Open the table with settings of ``new_page``; the page logs no error until the end."""
    faults = []

    def opened(**settings):
        page = browser.new_page(**settings)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        page.goto(address)
        page.select_option("#pace", "0")
        page.locator("h1").click()  # the focus leaves the list
        return page

    yield opened
    assert not faults


@pytest.fixture
def play_the_hand():
    """Check or call by keyboard until the hand is over."""

    def played(page):
        while True:
            page.wait_for_selector("#stay, #next")
            if page.query_selector("#next"):
                return
            held = page.query_selector("#stay")
            page.keyboard.press("c")
            page.wait_for_function("button => !button.isConnected", arg=held)

    return played
