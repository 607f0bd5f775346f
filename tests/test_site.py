"""The built site in Chromium: nothing is cut at the width of a desk or a phone; sections have navigation."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SECTIONS = ("tutorials", "guides", "howto", "results", "reference")
CHROMIUM = os.environ.get("BAYCARP_CHROMIUM") or shutil.which("chromium")

CUT = """() => {
  const article = document.querySelector("article"), edge = article.getBoundingClientRect();
  const hides = (element) => getComputedStyle(element).overflowX !== "visible";
  const wide = [...article.querySelectorAll("*")].filter((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    if (!width || element.closest("svg, .headerlink, .visually-hidden, pre *")) return false;
    return right > edge.right + 1 || left < edge.left - 1 ||
      (hides(element) && element.scrollWidth > element.clientWidth + 1);
  });
  return wide.map(({ tagName, textContent }) => `${tagName} ${textContent.slice(0, 60)}`);
}"""
"""Elements that reach out of the text, or whose content does not fit into them; of code the whole block."""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    pytest.importorskip("sphinx", reason="the site is built with the extra docs")
    built = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", str(ROOT / "docs"), str(built)]
    subprocess.run(command, check=True)
    return built


@pytest.fixture(scope="module")
def chromium():
    playwright = pytest.importorskip("playwright.sync_api")
    if not CHROMIUM:
        pytest.skip("no Chromium: set BAYCARP_CHROMIUM or install chromium")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


def pages(site):
    """The pages that people write; those of the reference are made from docstrings."""
    made = (path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md"))
    return sorted(site / path for path in made)


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_is_cut(site, chromium, width):
    page = chromium.new_page(viewport={"width": width, "height": 900})
    found = {}
    for path in pages(site):
        page.goto(path.as_uri())
        cut = page.evaluate(CUT)
        if page.evaluate("document.documentElement.scrollWidth") > width:
            cut.append("the page")
        if cut:
            found[path.relative_to(site).as_posix()] = cut
    assert not found


@pytest.mark.slow
def test_a_section_lists_its_pages_and_the_top_leads_to_each(site, chromium):
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    for section in SECTIONS:
        page.goto((site / section / "index.html").as_uri())
        listed = page.locator("article .toctree-wrapper a").count()
        assert listed >= 7
        assert page.locator(".bd-sidebar-primary nav.bd-links a").count() == listed
        tops = page.locator(".bd-header .navbar-nav a.nav-link").all_inner_texts()
        assert tops[:6] == ["Tutorials", "Guides", "How to", "Results", "Reference", "Gallery"]


@pytest.mark.slow
def test_the_diagram_of_the_method_can_be_read_in_dark_mode(site, chromium):
    """Its words and its boxes keep a contrast of 7 to 1, by the formula of WCAG 2, in both modes."""
    for scheme in ("light", "dark"):
        page = chromium.new_context(color_scheme=scheme).new_page()
        page.goto((site / "index.html").as_uri())
        words, box = (
            page.evaluate("name => getComputedStyle(document.querySelector(name)).fill", name)
            for name in (".method-ink", ".method-box")
        )
        light, dark = sorted(map(luminance, (words, box)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 7


def luminance(colour):
    parts = [int(part) / 255 for part in colour[4:-1].split(",")]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.slow
def test_the_cheat_sheet_is_printed_on_one_sheet(site, chromium):
    page = chromium.new_page()
    page.goto((site / "reference" / "cheat-sheet.html").as_uri())
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) == 1
