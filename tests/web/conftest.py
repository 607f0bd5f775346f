"""A table served by the command, and a Chromium; without one the tests of the page skip with the reason."""

import os
import shutil
import subprocess
import sys
from contextlib import ExitStack, contextmanager

import pytest

PATIENCE = 180_000
"""Milliseconds that a condition may take: far more than it does on a busy machine."""

CHROMIUM = os.environ.get("BAYCARP_CHROMIUM") or shutil.which("chromium")


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api")
    if not CHROMIUM:
        pytest.skip("no Chromium: set BAYCARP_CHROMIUM or install chromium")
    with playwright.sync_playwright() as running:
        chromium = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@contextmanager
def serving(folder):
    """A function that serves a table by arguments of ``baycarp play``, and returns its address."""
    pytest.importorskip("starlette")
    with ExitStack() as served:

        def started(*arguments):
            command = [sys.executable, "-m", "baycarp", "play", *arguments, "--no-open", "--seed", "4"]
            own = os.environ | {"BAYCARP_HOME": str(folder)}  # what the user keeps is not touched
            process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder, env=own)
            served.enter_context(process)
            served.callback(process.kill)
            return process.stdout.readline().strip()

        yield started


@pytest.fixture
def serve(tmp_path):
    """Serve a table by arguments of ``baycarp play``: its address."""
    with serving(tmp_path) as started:
        yield started


@pytest.fixture(scope="module")
def serve_module(tmp_path_factory):
    """The same for tests that draw what they look at: one table of a module does."""
    with serving(tmp_path_factory.mktemp("table")) as started:
        yield started


@pytest.fixture
def address(serve):
    return serve("baycarp2", "rule", "--out", ".")


@pytest.fixture
def watched(browser):
    """Open an address with settings of ``new_page``; the page logs no error until the end."""
    faults = []

    def opened(address, **settings):
        page = browser.new_context(**settings).new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        page.goto(address)
        return page

    yield opened
    assert not faults


@pytest.fixture
def visit(watched, request):
    """Open the table, or the one of another address, with settings of ``new_page``."""

    def opened(address="", **settings):
        page = watched(address or request.getfixturevalue("address"), **settings)
        page.select_option("#pace", "0")
        page.locator("h1").click()  # the focus leaves the list
        return page

    return opened


TURN = """() => {
  const due = document.querySelector("#stay, #next"), at = document.getElementById("table")?.dataset.at;
  return due && at && !at.startsWith("replay") ? [due.id, at] : null;
}"""
"""What the person is to do at the table, and at which state of it; null while agents act."""


@pytest.fixture
def turn():
    """Wait until the person is to do something: its button, and the state of the table."""
    return lambda page: page.wait_for_function(TURN).json_value()


@pytest.fixture
def changed():
    """Wait until the table is in another state than this one."""

    def wait(page, at):
        page.wait_for_function("at => document.getElementById('table').dataset.at !== at", arg=at)

    return wait


@pytest.fixture
def play_the_hand(turn, changed):
    """Check or call by keyboard until the hand is over."""

    def played(page):
        while True:
            due, at = turn(page)
            if due == "next":
                return
            page.keyboard.press("c")
            changed(page, at)

    return played


RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],  # of what passes one node a rule is described: a page has thousands
}


@pytest.fixture
def faults():
    """What of axe-core's rules a page breaks."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")

    def found(page):
        response = axe.Axe().run(page, options=RULES).response
        assert len(response["passes"]) > 15
        return [
            (rule["id"], node["html"][:160], node.get("failureSummary", "")[:200])
            for rule in response["violations"]
            for node in rule["nodes"]
        ]

    return found


@pytest.fixture
def luminance():
    """The relative luminance of WCAG 2, of sRGB channels 0..255."""

    def of(channels):
        linear = [
            c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (x / 255 for x in channels)
        ]
        return sum(part * share for part, share in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))

    return of
