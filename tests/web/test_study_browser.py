"""The study in a browser: a spot by clicks, a walk by keys, a lock, a hand of the table; and axe."""

import re
import subprocess
import sys

import pytest

PATIENCE = 180_000
"""Milliseconds that a condition may take, as in ``conftest``."""

SPOT = [
    *("--board", "Td9d6h", "--turn", "Qc", "--oop", "QQ,JTs,AJo,54s", "--ip", "TT,KJs,A9s,87s"),
    *("--sizes", "60%, a", "--raises", "a", "--target", "1"),
]


@pytest.fixture
def study(browser):
    """Open the study of a spot with settings of ``new_page``; the page logs no error until the end."""
    pytest.importorskip("starlette")
    command = [sys.executable, "-m", "baycarp", "study", *SPOT, "--no-open"]
    faults = []

    def opened(**settings):
        page = browser.new_context(**settings).new_page()
        watch(page, faults)
        page.goto(address)
        page.wait_for_selector("#size:has-text('of memory')")
        return page

    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            address = process.stdout.readline().strip()
            yield opened
        finally:
            process.kill()
    assert not faults


def watch(page, faults):
    page.set_default_timeout(PATIENCE)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)


def solve(page, button="#solve"):
    """Press a button that solves, and wait until the solution is shown."""
    page.evaluate("document.getElementById('status').textContent = ''")
    page.click(button)
    page.wait_for_selector("#status:has-text('Solved')")
    page.wait_for_selector("#node[aria-busy=false]")  # the solution, not a report on the way
    page.wait_for_selector("#situation td:has-text('%')")  # the equity is there


def shown(page, length):
    """Wait until the line has so many steps, and the solutions are drawn there."""
    page.wait_for_selector(f"#way li:nth-child({length + 1}).here")
    page.wait_for_selector("#node[aria-busy=false]")


def test_a_spot_is_clicked_solved_and_walked_by_keys(study):
    page = study(viewport={"width": 320, "height": 700})
    page.click("#deck .key[aria-label='two of spades']")
    page.wait_for_function("() => document.getElementById('f-board').value === 'Td9d6hQc2s'")
    cell = page.locator("[data-player=oop] .hand[aria-label^='AA']")
    cell.click()
    page.wait_for_function("() => document.getElementById('f-oop').value.includes('AA')")
    assert cell.get_attribute("aria-label") == "AA: 100 %"
    page.wait_for_selector("#t-oop:has-text('32 of')")
    cell.press("ArrowRight")
    page.keyboard.press("Space")
    page.wait_for_selector("[data-player=oop] .hand[aria-label='AKs: 100 %']")
    page.wait_for_selector("#t-oop:has-text('36 of')")
    solve(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    cells = page.locator("#grids figure:first-child .hand")
    assert cells.count() == 169
    assert re.search(
        r"check \d", page.locator("#grids .hand[aria-label^='AJo']").first.get_attribute("aria-label")
    )
    page.locator("h1").click()
    page.keyboard.press("1")
    shown(page, 1)
    page.keyboard.press("2")
    shown(page, 2)
    assert page.locator("#way .here .step").all_text_contents()[0].startswith("fold")
    page.keyboard.press("ArrowLeft")
    shown(page, 1)
    page.keyboard.press("Home")
    shown(page, 0)
    page.locator("#grids figure:first-child .hand[aria-label^='AJo']").click()
    page.wait_for_selector("#holdings h2:has-text('AJo')")
    assert page.locator("#holdings tbody tr").count() == 12
    page.click("#modes [data-mode=equity]")
    page.wait_for_selector("#grids .hand[aria-label*='equity']")


def test_a_drag_paints_with_the_weight(study):
    page = study(viewport={"width": 1280, "height": 1600})
    page.locator("#w-ip").fill("50")
    first, last = (page.locator(f"[data-player=ip] .hand[data-at='{at}']").bounding_box() for at in (0, 3))
    page.mouse.move(first["x"] + 5, first["y"] + 5)
    page.mouse.down()
    page.mouse.move(last["x"] + 5, last["y"] + 5, steps=12)
    page.mouse.up()
    page.wait_for_function("() => document.getElementById('f-ip').value.includes('AA:0.5')")
    for name in ("AA", "AKs", "AQs", "AJs"):
        assert page.locator(f"[data-player=ip] .hand[aria-label='{name}: 50 %']").count() == 1


@pytest.mark.slow
def test_errors_stand_beside_their_fields(study):
    page = study(viewport={"width": 1024, "height": 900})
    for name, text, words in (
        ("oop", "AKx", "expected hands"),
        ("pot", "x", "expected a number"),
        ("sizes", "60", "such as 60%"),
    ):
        before = page.input_value(f"#f-{name}")
        page.fill(f"#f-{name}", text)
        page.wait_for_selector(f"#e-{name}:has-text('{words}')")
        assert page.get_attribute(f"#f-{name}", "aria-invalid") == "true"
        assert f"e-{name}" in page.get_attribute(f"#f-{name}", "aria-describedby")
        assert page.locator("#solve").is_disabled()
        page.fill(f"#f-{name}", before)
        page.wait_for_selector("#size:has-text('of memory')")
    page.fill("#f-oop", "<img id=evil src=x>")
    page.wait_for_selector("#e-oop:has-text('evil')")
    assert page.locator("#evil").count() == 0


@pytest.mark.slow
def test_a_locked_solution_stands_beside_the_free_one(study):
    page = study(viewport={"width": 1440, "height": 1000})
    solve(page)
    page.click("#locking summary")
    page.locator(".lock input[inputmode]").first.fill("50")
    page.click("#lock")
    page.wait_for_selector("#locks li:has-text('check 50 %')")
    solve(page, "#solve-locked")
    rows = page.locator("#compared tbody tr").all_text_contents()
    assert any(row.startswith("check50 %") for row in rows)
    page.keyboard.press("1")
    shown(page, 1)
    page.wait_for_selector("#compared td")
    page.click("#compared button:has-text('Give up')")
    page.wait_for_selector("#compared", state="hidden")
    page.reload()  # the server has the solution, and its lock
    page.wait_for_selector("#locks li:has-text('check 50 %')", state="attached")


@pytest.mark.slow
def test_a_hand_of_the_table_opens_and_its_names_are_no_markup(browser, play_the_hand, tmp_path):
    """Two clicks from a hand: study, Solve."""
    pytest.importorskip("starlette")
    evil = "<h6>evil</h6>"
    command = [sys.executable, "-m", "baycarp", "play", f"{evil}=call", "--no-open", "--seed", "4"]
    command += ["--game", "holdem.limit.2p.reverse_blinds", "--out", str(tmp_path)]
    faults = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            watch(page, faults)
            page.goto(process.stdout.readline().strip())
            page.select_option("#pace", "0")
            page.locator("h1").click()
            play_the_hand(page)
            page.locator("#log .spot.closed").first.click()
            page.wait_for_selector("#error:has-text('Before the flop')")
            assert page.locator("h6").count() == 0
            page.locator("#log a.spot").last.click()
            page.wait_for_selector("#opened:has-text('is locked to play like')")
            page.wait_for_selector("#size:has-text('of memory')")
            solve(page)
            assert "best response" in page.text_content("#status")
            assert evil in page.text_content("#opened")
            assert page.locator("h6").count() == 0
            page.click("#way-back")
            page.wait_for_selector("#hands .line[aria-selected=true]")
            assert page.locator("h6").count() == 0
            page.click("#study-spot")
            page.wait_for_selector("#opened:has-text('is locked to play like')")
        finally:
            process.kill()
    assert not faults


@pytest.mark.slow  # a page of 700 controls takes axe seconds
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
def test_no_rule_of_axe_is_broken(study, faults, scheme, width):
    page = study(viewport={"width": width, "height": 800}, color_scheme=scheme, reduced_motion="reduce")
    page.click("summary:has-text('More')")
    solve(page)
    page.locator("#grids figure:first-child .hand[aria-label^='AJo']").click()
    page.wait_for_selector("#holdings h2")
    page.click("#locking summary")
    page.locator(".lock input[inputmode]").first.fill("50")
    page.click("#lock")
    page.wait_for_selector("#locks li")
    solve(page, "#solve-locked")
    page.wait_for_selector("#compared td")
    page.fill("#f-pot", "x")
    page.wait_for_selector("#e-pot:has-text('number')")
    assert faults(page) == []
    page.locator("h1").click()
    page.keyboard.press("1")
    shown(page, 1)
    page.keyboard.press("1")
    page.wait_for_selector("#dealt #heat")
    page.click("#dealt summary")
    assert faults(page) == []


def test_names_have_contrast_on_every_colour(study, luminance):
    """Axe judges no text on gradients."""
    page = study()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert low_contrasts(page, luminance) == []


def low_contrasts(page, luminance):
    """The pairs of text and ground whose contrast is below that of WCAG."""
    names = [
        "ink",
        "fold",
        "stay",
        *(f"bet{number}" for number in range(1, 7)),
        "heat",
        "cell",
        "paper",
        "suit",
    ]
    found = page.evaluate(
        "names => names.map(name => getComputedStyle(document.body).getPropertyValue('--' + name).trim())",
        names,
    )
    light = {
        name: luminance([int(c.ljust(7, c[-1])[i : i + 2], 16) for i in (1, 3, 5)])
        for name, c in zip(names, found, strict=True)
    }
    low = []
    for text, ground in [("ink", name) for name in names[1:-1]] + [("suit", "heat"), ("suit", "paper")]:
        darker, lighter = sorted((light[text], light[ground]))
        if (lighter + 0.05) / (darker + 0.05) < 4.5:
            low.append((text, ground))
    return low
