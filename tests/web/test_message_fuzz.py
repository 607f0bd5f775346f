"""Every kind of message with values of every kind: refused by name or carried out, and the table goes on."""

import asyncio
import json
from functools import partial

import pytest

pytest.importorskip("starlette")
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from baycarp import errors
from baycarp.coach.coach import Coach
from baycarp.coach.valuation import Judge
from baycarp.game import Variant
from baycarp.web.lobby import Lobby
from baycarp.web.server import _answer
from baycarp.web.sitting import Seating, Sitting
from baycarp.web.spots.fields import USUAL
from baycarp.web.spots.study import Study
from baycarp.web.table import TYPES, BrowserTable

KNOWN = {name for name in errors.__all__ if isinstance(getattr(errors, name), type)}
GAME = "holdem.limit.3p"
LINE = "STATE:0:fcc/crc/cc/cc:AhKd|9c9h|2s2d/Qs7d3c/Jd/5c:20|-20|0:Ann|You|Bob"
AT = {"hand": 0, "at": 0}
HAND = {"line": LINE, "game": GAME}
RIVER = USUAL | {"board": "Td9d6hQc2s", "oop": "QQ,JTs", "ip": "TT,KJs", "sizes": "60%", "raises": "a"}
LOCK = {"kind": "shares", "line": "", "shares": {"check": 1.0}}

TABLE = {
    "act": {"action": "call 10", **AT},
    "next": {"hand": 0},
    "pause": {"on": 0},
    "pace": {"milliseconds": 0},
    "settings": {"goesOn": 0, "skips": 1, "clock": 0},
    "ahead": {"choice": "check/fold", **AT},
    "skip": {"hand": 0},
    "summary": {},
    "lobby": {},
    "sit": {"game": "limit", "players": ["rule", "caller"], "adviser": "rule"},
    "panel": {"act": 1, **HAND},
    "hint": AT,
    "open": {},
    "hands": {"from": 0},
    "replay": HAND,
    "again": {"act": 1, **HAND},
    "leave": {},
}
STUDY = {
    "check": {"id": 1, **RIVER},
    "open": {"act": 3, **HAND},
    "solve": {"target": 5, "locks": [LOCK], "keep": 0, **RIVER},
    "stop": {},
    "more": {"target": 5},
    "keep": {"on": 1},
    "view": {"line": "", "which": "now"},
    "equity": {"line": ""},
    "cards": {"line": ""},
    "holdings": {"line": "", "player": "oop", "class": "QQ"},
}
COACH = {
    "review": {"scope": "session"},
    "stop": {},
    "reviewed": {},
    "drill": {},
    "answer": {"key": "a/0/1", "action": "call 10", "first": 1},
    "read": {"key": "a/0/1", "levels": [1, 2, 3]},
    "export": {},
    "delete": {"confirm": "delete my sessions"},
}
"""By page a sound message of each kind."""

DEEP, LONG = "\0deep\0", "\0long\0"
"""In the text of a message: 20,000 lists in each other, and a number of 5,000 digits."""

SOUND = [value for page in (TABLE, STUDY, COACH) for message in page.values() for value in message.values()]
PLAIN = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from((2**31, 2**53, 2**63, -(2**63) - 1, 10**30, 10**400, 1e308, 5e-324, -0.0, DEEP, LONG))
    | st.floats()
    | st.text(st.characters(codec=None), max_size=20)
    | st.sampled_from(("\ud800", "\udfff\ud800", "../../etc/passwd", "program(command='id')", "x.py:C"))
    | st.sampled_from(SOUND)
)
VALUES = st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
)


@st.composite
def messages(draw, page):
    """The text of a message of a page: fields of another value, missing, or of another kind."""
    kind = draw(st.sampled_from(sorted(page)))
    message = {"type": kind, **page[kind]}
    for name in draw(st.lists(st.sampled_from([*message, "extra"]), max_size=3)):
        if draw(st.integers(0, 4)):
            message[name] = draw(VALUES)
        else:
            message.pop(name, None)
    text = json.dumps(message)
    return text.replace(json.dumps(DEEP), "[" * 20_000 + "]" * 20_000).replace(json.dumps(LONG), "9" * 5_000)


def seated(folder, adviser="rule"):
    """A table with a lobby, whose sessions are kept nowhere."""
    seating = Seating(Variant.load(GAME), ("Ann", "Bob"), ("rule", "call"), adviser, seed=5)

    def opened(seating, _):
        return Sitting(seating, folder=folder)

    return BrowserTable(Sitting(seating, folder=folder), pace=0, lobby=Lobby(opened, "rule"))


@pytest.fixture
def asked():
    """Send a text to a page, in a loop that lasts: what it answers, verified."""
    loop = asyncio.new_event_loop()

    def ask(place, text):
        answers = []
        loop.run_until_complete(_answer(place, {"text": text}, answers.append))
        assert len(answers) <= 1
        for each in answers:
            json.dumps(each)
            assert each["type"] != "error" or each["error"] in KNOWN, each
        return answers[0] if answers else None

    ask.until = loop.run_until_complete
    yield ask
    loop.run_until_complete(loop.shutdown_default_executor())
    loop.close()


def play_a_hand(table):
    """The table is playable: a hand is played to its end, by checks and calls."""
    sitting = table.practice or table.sitting
    sitting.catch_up()
    if sitting.over:
        sitting.next_hand(sitting.hand)
    hand = sitting.hand
    while not sitting.over:
        if sitting.waits:
            sitting.act(sitting.stay, hand, len(sitting.observe().acts))
        else:
            sitting.step()
    assert sum(sitting.finished[-1].state.payoffs()) == 0
    table._observe()


QUICK = partial(settings, deadline=None, suppress_health_check=[*HealthCheck], derandomize=True)


def test_every_kind_of_message_of_the_table_is_refused_by_name_or_carried_out(asked, tmp_path):
    assert {*TABLE} == {*TYPES}
    table = seated(tmp_path)

    @QUICK(max_examples=300)
    @given(messages(TABLE))
    @example(json.dumps({"type": "sit", **TABLE["sit"], "players": [["rule"], {"a": 1}]}))
    @example(json.dumps({"type": "sit", **TABLE["sit"], "game": "\ud800"}))
    def send(text):
        before = table.greeting() | {"left": None}
        found = asked(table, text)
        if found and found["type"] == "error":
            assert table.greeting() | {"left": None} == before
        play_a_hand(table)

    send()


@pytest.mark.slow
def test_every_kind_of_message_of_the_study_is_refused_by_name_or_carried_out(asked, tmp_path):
    study = Study(seated(tmp_path))

    async def rest():
        while study._is_solving:
            study._stop()
            await asyncio.sleep(0.001)

    @QUICK(max_examples=120)
    @given(messages(STUDY))
    def send(text):
        asked(study, text)
        asked.until(rest())
        assert asked(study, json.dumps({"type": "check", **RIVER}))["errors"] == {}

    send()


@pytest.mark.slow
def test_every_kind_of_message_of_the_coach_is_refused_by_name_or_carried_out(asked, tmp_path):
    table = seated(tmp_path)
    coach = Coach(table, tmp_path / "coach.jsonl", Judge(playouts=40))
    for _ in range(5):
        play_a_hand(table)
    asked(coach, json.dumps({"type": "review"}))

    async def rest():
        while coach._task:
            await asyncio.sleep(0.01)

    asked.until(rest())
    (spot, *_) = asked(coach, json.dumps({"type": "drill"}))["spots"]
    own = COACH | {kind: COACH[kind] | {"key": spot["key"]} for kind in ("answer", "read")}

    @QUICK(max_examples=60)
    @given(messages(own))
    def send(text):
        asked(coach, text)
        asked.until(rest())
        json.dumps(coach.greeting())

    send()
    play_a_hand(table)
    coach._file.close()


@pytest.mark.parametrize("page", ["table", "study", "coach"])
def test_the_messages_that_are_changed_are_sound_ones(asked, tmp_path, page):
    """Not refused as a message: what is refused is not due now, as a drill without a review."""
    table = seated(tmp_path)
    coach = Coach(table, tmp_path / "coach.jsonl")
    place, sound = {"table": (table, TABLE), "study": (Study(table), STUDY), "coach": (coach, COACH)}[page]
    for kind, message in sound.items():
        found = asked(place, json.dumps({"type": kind, **message}))
        assert not found or found.get("error") != "NotationError", (kind, found)
    coach._file.close()
