"""The table in a browser: a no-limit hand by keyboard, seats of every number, motion, names from logs."""

import re
from random import Random

import pytest

from baycarp.game import Action, State, Variant
from baycarp.kernels.game import deal
from baycarp.web.frames import frame

NOLIMIT = ("sizer", "call", "--game", "holdem.nolimit.3p.100bb", "--adviser", "", "--out", ".")

LINES = "#log li:not(.street)"
"""Blinds, actions and results in the list."""


def said(page):
    """The texts of the live region, in order."""
    return page.locator("#live p").all_inner_texts()


@pytest.fixture
def nolimit(serve, visit):
    """A table of three at no-limit, in a small window."""
    return visit(serve(*NOLIMIT), viewport={"width": 1024, "height": 640})


@pytest.fixture(scope="module")
def drawn_on(serve_module):
    """The address of such a table, for frames that a test draws."""
    return serve_module(*NOLIMIT)


def bet_button(page):
    return page.locator("#bet span").inner_text()


def test_a_bet_is_sized_by_button_slider_and_number_and_all_in_is_confirmed(nolimit, turn, changed):
    page = nolimit
    _, at = turn(page)
    bottom = page.locator("#actions").evaluate("place => place.getBoundingClientRect().bottom")
    assert bottom <= 640
    assert page.evaluate("document.documentElement.scrollWidth") <= 1024
    assert bet_button(page) == "Raise to 200"
    page.keyboard.press("ArrowRight")
    assert bet_button(page) == "Raise to 225"
    assert page.locator("#size-words").inner_text() == "2.3 bb"
    page.get_by_role("button", name="3 bb", exact=True).click()
    assert page.input_value("#amount") == "300"
    page.fill("#amount", "777")
    assert bet_button(page) == "Raise to 777"
    page.fill("#amount", "99")  # below the least
    assert bet_button(page) == "Raise to 777"
    page.locator("#amount").blur()
    assert page.input_value("#amount") == "777"

    page.keyboard.press("o")
    assert page.locator("#note").inner_text() == "Call 100 to win 150: it must win 40 % of the time"
    page.get_by_role("button", name="all-in", exact=True).click()
    assert bet_button(page) == "All-in 10000"
    page.locator("h1").click()
    page.keyboard.press("r")
    assert bet_button(page) == "Confirm: all-in 10000"
    page.keyboard.press("ArrowLeft")  # another size is not confirmed
    assert bet_button(page).startswith("Raise to")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("r")
    assert page.evaluate("document.getElementById('table').dataset.at") == at
    page.keyboard.press("r")
    changed(page, at)
    assert "You raise to 10000, all-in" in [line.strip() for line in page.locator(LINES).all_inner_texts()]


HELD = """() => {
  for (const on of [document, document.getElementById("stay")]) {
    const key = on === document ? "c" : "Enter";
    const held = new KeyboardEvent("keydown", { key, repeat: true, bubbles: true, cancelable: true });
    (on === document ? document.body : on).dispatchEvent(held);
    if (!held.defaultPrevented) return `${key} is not stopped`;
  }
  return document.getElementById("table").dataset.at;
}"""
"""Press keys as a keyboard repeats them: the letter of a call, and Enter on its button."""


@pytest.mark.slow
def test_a_held_key_acts_once_and_every_action_is_read_out_once_in_order(nolimit, turn, play_the_hand):
    page = nolimit
    _, at = turn(page)
    assert page.evaluate(HELD) == at
    page.locator("#stay").focus()
    play_the_hand(page)
    assert page.evaluate("document.activeElement.closest('#actions') !== null")  # the focus is not lost
    listed = [re.sub(r" why\?.*| study.*", "", line) for line in page.locator(LINES).all_inner_texts()]
    posts = [line for line in listed if "blind" in line]
    assert len(posts) == 2
    spoken = [line for line in said(page) if line in listed]
    assert spoken == [line for line in listed if line not in posts]
    assert sum("posts the" in line for line in said(page)) == 2
    result = page.locator("#note").inner_text()
    assert said(page)[-1] == result
    assert page.locator("#pot").inner_text() == ""
    winners = page.locator(".seat.winner").count()
    raised = page.locator("#board .raised, .seat.winner .raised").count()
    if "with" in result and winners == 1:
        assert raised == 5
        assert page.locator(".seat.winner .holding").inner_text() in result


@pytest.mark.slow
def test_an_action_chosen_ahead_is_taken_at_its_turn(nolimit, turn):
    page = nolimit
    turn(page)
    page.keyboard.press("p")
    page.wait_for_selector("#pause[aria-pressed='true']")
    page.keyboard.press("c")
    page.wait_for_selector("#ahead-0")
    page.keyboard.press("y")
    page.wait_for_selector("#ahead-0[aria-pressed='true']")
    page.keyboard.press("p")
    page.wait_for_selector("#log li:has-text('You check')")


def frames_of(seats, number):
    """Frames of a hand with bets of many seats, until it is over; the person is in the middle."""
    random, variant = Random(number), Variant.ring(seats, 10, betting="no-limit", stacks=(1000,) * seats)
    state, you = State(variant, None, deal(9, seats, number, 2 * seats + 5)), seats // 2
    names = tuple("You" if seat == you else f"a player with a long name {seat}" for seat in range(seats))
    while True:
        yield frame(state.observe(you, names))
        if state.is_over:
            return
        legal = [each for each in state.legal_actions() if each.name != "fold"]
        bets = [each for each in legal if each.name in ("bet", "raise")]
        if bets and random.random() < 0.2 and state.bets_made < 3:
            state.apply(Action(bets[0].name, bets[0].amount))
        else:
            state.apply(legal[0])


DRAWN = """async (frames) => {
  const { drawTable } = await import("./seats.js");
  const faults = [];
  const box = (each) => each.getBoundingClientRect();
  const above = (a, b) => a.bottom <= b.top + 1, before = (a, b) => a.right <= b.left + 1;
  const meet = (a, b) => !above(a, b) && !above(b, a) && !before(a, b) && !before(b, a);
  for (const [n, frame] of frames.entries()) {
    drawTable(frame, n ? frames[n - 1] : null);
    const oval = box(document.getElementById("oval")), board = box(document.getElementById("board"));
    const plates = [...document.querySelectorAll(".plate")].map(box);
    plates.forEach((plate, n) => plates.slice(n + 1).forEach((other, m) => {
      if (meet(plate, other)) faults.push(`plates ${n} and ${n + m + 1}`);
    }));
    for (const plate of plates) {
      const { left, right, top, bottom } = plate;
      const isInside = left >= 0 && right <= innerWidth && top >= oval.top && bottom <= oval.bottom + 1;
      if (!isInside) faults.push("a plate outside");
      if (meet(plate, board)) faults.push("a plate on the board");
    }
    for (const card of document.querySelectorAll(".seat.you .card")) {
      if (meet(box(card), board)) faults.push("own cards on the board");
    }
    const centre = [oval.left + oval.width / 2, oval.top + oval.height / 2];
    const own = frame.seat, count = frame.players.length;
    const turns = plates.map((plate, seat) => {
      const x = plate.left + plate.width / 2 - centre[0], y = plate.top + plate.height / 2 - centre[1];
      return [(seat - own + count) % count, (Math.atan2(-x, y) + 2.01 * Math.PI) % (2 * Math.PI)];
    }).sort((a, b) => a[0] - b[0]).map((each) => each[1]);
    if (turns.some((turn, n) => n && turn <= turns[n - 1])) faults.push(`order ${turns}`);
  }
  return [...new Set(faults)];
}"""
"""Draw frames; what lies over what, or outside, or in another order than clockwise from the person."""


WINDOWS = ((1024, 640, 3), (390, 844, 6), (375, 667, 6), (320, 700, 2))
"""Width and height, and of how many frames one is drawn: of the narrowest and the lowest window more are."""


@pytest.mark.slow
def test_two_to_ten_seats_are_apart_and_in_their_order(drawn_on, visit, turn):
    page = visit(drawn_on, reduced_motion="reduce")
    turn(page)
    page.evaluate("document.getElementById('pause').click()")
    hands = {seats: list(frames_of(seats, 1)) for seats in range(2, 11)}
    for width, height, step in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        for seats, frames in hands.items():
            assert page.evaluate(DRAWN, frames[::-step][::-1]) == [], (width, seats)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


MOTIONS = """async (frames) => {
  const { drawTable } = await import("./seats.js");
  const found = [];
  frames.forEach((frame, n) => {
    drawTable(frame, n ? frames[n - 1] : null);
    for (const each of document.getAnimations()) {
      if (each instanceof CSSAnimation) found.push(each.effect.getTiming().duration);
    }
  });
  return found;
}"""


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_motion_is_short_and_ends_with_the_preference(drawn_on, visit, turn, motion):
    page = visit(drawn_on, reduced_motion=motion)
    turn(page)
    lengths = page.evaluate(MOTIONS, list(frames_of(4, 2)))
    if motion == "reduce":
        assert lengths == []
    else:
        assert lengths
        assert all(150 <= each <= 250 for each in lengths)


HOSTILE = ("<img src=x onerror=document.title='broken'>", "<script>document.title='broken'</script>")


def test_names_of_a_log_are_text(serve, watched, tmp_path):
    line = f"STATE:0:rc/cc/cc/cc:AhAd|KsKc/2s7h9d/3c/4c:20|-20:{'|'.join(HOSTILE)}\n"
    (tmp_path / "hands.log").write_text(line, "utf-8")
    page = watched(serve("--replay", "hands.log", "--game", "holdem.limit.2p.reverse_blinds"))
    page.wait_for_selector("#forward")
    for _ in range(8):
        page.click("#forward")
    page.wait_for_selector(".seat.winner")
    assert HOSTILE[0] in page.locator("#note").inner_text()
    assert page.locator(".name").all_inner_texts() == list(HOSTILE)
    assert HOSTILE[0] in page.locator("#log").inner_text()
    assert any(HOSTILE[0] in text for text in said(page))
    assert page.locator("img, main script").count() == 0
    assert page.title() != "broken"
