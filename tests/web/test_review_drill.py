"""Review and drill in a browser: from the disk, and beside a table; by keys, with the verdict in view."""

import pytest

from baycarp.coach.page import ReviewSource, page
from baycarp.coach.review import review
from baycarp.coach.valuation import Judge
from baycarp.game.notation import door

GAME = "holdem.limit.2p.reverse_blinds"
LINES = (
    "STATE:0:rc/cc/cc/rf:9h8h|AdKd/Ks7s2c/3s/Tc:20|-20:Ann|You\n"
    "STATE:1:rc/cc/cc/crf:AcAh|9h8h/As7s2c/3s/Tc:-20|20:You|Ann\n"
)
"""Two folds of good hands on the river, and the decisions before them."""
LIGHT, DARK = "rgb(245, 243, 238)", "rgb(20, 24, 29)"
SEEN = """() => {
  const box = document.getElementById("verdict").getBoundingClientRect();
  return box.top >= 0 && box.top < innerHeight - 60;
}"""
"""Whether the verdict is in view."""


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("review")
    hands = [*door.read(LINES, game=GAME)]
    found = review(hands, "You", Judge(playouts=50))
    assert [each.taken.name for each in found.spots][:2] == ["fold", "fold"]
    (folder / "review.html").write_text(page(found, hands, ReviewSource("a.log", GAME)), "utf-8")
    (folder / "a.log").write_text(LINES)
    return folder


@pytest.mark.parametrize(("scheme", "ground"), [("light", LIGHT), ("dark", DARK)])
def test_the_drill_from_the_disk_by_keys_alone(written, watched, faults, scheme, ground):
    address = (written / "review.html").as_uri()
    shown = watched(address, viewport={"width": 320, "height": 560}, color_scheme=scheme)
    requests = []
    shown.on("request", lambda request: requests.append(request.url))
    assert shown.evaluate("getComputedStyle(document.body).backgroundColor") == ground
    assert faults(shown) == []
    shown.click("#views a.drill")
    shown.wait_for_selector("#answer-f")
    before = shown.locator("#spot-head").inner_text()
    shown.keyboard.press("n")  # not before an answer
    assert shown.locator("#spot-head").inner_text() == before
    shown.keyboard.press("f")
    assert shown.locator("#verdict.wrong strong").inner_text().startswith("Wrong: fold loses")
    assert "You beat" in shown.locator("#verdict").inner_text()
    assert shown.evaluate(SEEN)
    for key in ("c", "r"):  # tries are not limited
        if not shown.locator("#next-spot").count():
            shown.keyboard.press(key)
    assert shown.locator("#verdict.right strong").inner_text().startswith("Right: ")
    assert shown.evaluate(SEEN)
    assert shown.locator(".ways code").first.inner_text().startswith("baycarp play --again a.log --hand")
    assert "0 of 1 right" in shown.locator("#score").inner_text()
    assert faults(shown) == []
    shown.keyboard.press("n")
    shown.keyboard.press("s")
    assert "is right" in shown.locator("#verdict strong").inner_text()
    assert shown.evaluate("document.documentElement.scrollWidth") <= 320
    assert not requests


@pytest.mark.slow
def test_review_and_drill_beside_a_table(written, serve, watched, faults):
    """The review is made while the page is open; a spot leads to its hand; a read is committed."""
    address = serve("--replay", str(written / "a.log"), "--game", GAME)
    shown = watched(f"{address}#review", viewport={"width": 1280, "height": 800})
    shown.click("#review-session")
    shown.wait_for_selector("#counts")
    assert shown.locator("#counts").inner_text().startswith("2 hands")
    assert "not enough hands yet" in shown.locator(".themes").last.text_content()
    assert faults(shown) == []
    shown.click("#to-drill")
    shown.wait_for_selector("#answer-f")
    shown.keyboard.press("s")
    shown.wait_for_selector("#verdict strong")
    shown.wait_for_function("() => document.getElementById('box').textContent.startsWith('Box 1 of 5')")
    link = shown.locator(".ways a").first.get_attribute("href")
    shown.select_option("#kind", "read")
    shown.wait_for_selector("#read")
    shown.locator("input[name=group-4][value='3']").check()
    assert shown.locator(".range-of").count() == 0  # the belief is not shown before
    assert faults(shown) == []
    shown.click("#commit")
    shown.wait_for_selector(".range-of")
    assert "of 100" in shown.locator("#verdict strong").inner_text()
    assert shown.evaluate(SEEN)
    assert faults(shown) == []
    shown.goto(f"{address}{link}")
    act = link.split("/")[2]
    shown.wait_for_function(f"() => document.getElementById('table')?.dataset.at === 'replay/{act}'")


SIZES = """async () => {
  const { view } = await import("./views/drill.js");
  const answer = (key, name, right) =>
    ({ key, name, right, action: name, lost: right ? 0 : 1, value: 0, error: 0, words: "0" });
  const spot = { key: "a/0/1", street: "flop", seat: "BB", hole: ["Ah", "Kd"], board: ["Qs", "7d", "2c"],
    acts: [], pot: 200, owed: 0, theme: "", sentence: "", best: "check", taken: "check", links: {}, box: null,
    read: null,
    answers: [answer("c", "check", true), answer("r", "bet 100", false), answer("r", "bet 200", false)] };
  const root = document.createElement("div");
  document.getElementById("view").replaceChildren(root);
  view.open(root, { send() {} });
  view.receive({ type: "coach", ready: true });
  view.receive({ type: "drill", day: "2026-01-01", spots: [spot] });
  document.getElementById("answer-2").click();
  return [...document.querySelectorAll(".tried")].map((each) => each.id);
}"""
"""A spot with bets of two sizes, of which the second is tried."""


def test_of_several_sizes_the_tried_one_is_crossed_out(serve, watched):
    page = watched(serve("rule", "--adviser", "rule"))
    page.wait_for_selector("#table")
    assert page.evaluate(SIZES) == ["answer-2"]
