"""The study of a spot: its messages, what is refused in words, solves, walks, locks, and hands that open."""

import asyncio
import json
import subprocess
import sys
from random import Random

import numpy as np
import pytest

pytest.importorskip("starlette")
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

import baycarp
from baycarp import errors
from baycarp.card import CLASS_OF, CLASSES
from baycarp.errors import TableError
from baycarp.game import Action, State, Variant
from baycarp.game.notation.hand import Hand
from baycarp.kernels.game import deal
from baycarp.ranges import Range
from baycarp.web.served import ServedFile
from baycarp.web.server import LONGEST, _answer, application
from baycarp.web.spots.fields import PRESETS, USUAL, measured
from baycarp.web.spots.locks import AGENTS, AVERAGE, LIMIT_AGENTS, FollowedPlayers, read_locks
from baycarp.web.spots.opened import fields_of, open_decision
from baycarp.web.spots.study import Study
from baycarp.web.table import BrowserTable

TOKEN, PORT = "secret", 8124
BASE, WS = f"http://127.0.0.1:{PORT}", f"ws://127.0.0.1:{PORT}/{TOKEN}/study/ws"
ORIGIN = {"origin": BASE}
RIVER = {
    **USUAL,
    "board": "Td9d6hQc2s",
    "oop": "QQ,JTs,AJo,54s",
    "ip": "TT,KJs,A9s,87s",
    "sizes": "60%, a",
    "raises": "a",
}
KNOWN = {name for name in errors.__all__ if isinstance(getattr(errors, name), type)}


def served(study=None, **more):
    return TestClient(application({"study": study or Study()}, TOKEN, PORT, **more), base_url=BASE)


def until(socket, wanted):
    while True:
        message = socket.receive_json()
        if wanted(message):
            return message


def answer(socket, kind, **message):
    """The answer to a message: its own, or an error."""
    socket.send_json({"type": kind, **message})
    return until(socket, lambda each: each["type"] in (kind, "error"))


def solved(socket, fields, **more):
    """The state after a solve."""
    socket.send_json({"type": "solve", "target": 0.5, **fields, **more})
    begun = until(socket, lambda each: each["type"] == "error" or each.get("solving"))
    if begun["type"] == "error":
        return begun
    return until(socket, lambda each: each["type"] == "study" and not each["solving"])


@pytest.fixture
def socket():
    with served() as client, client.websocket_connect(WS, headers=ORIGIN) as socket:
        assert socket.receive_json()["type"] == "study"
        yield socket


def test_a_solve_is_what_python_solves(socket):
    state = solved(socket, RIVER)
    assert state["exploitability"] <= 0.5
    found = answer(socket, "view", line="")
    spot = baycarp.Spot("Td9d6hQc2s", 200, 900, oop=RIVER["oop"], ip=RIVER["ip"], sizes="60%, a", raises="a")
    solution = baycarp.solve(spot, target=0.5)
    view = solution.at("")
    assert found["frequencies"] == pytest.approx(list(view.frequencies().values()), abs=1e-3)
    assert [each["name"] for each in found["actions"]] == list(view.actions)
    assert [each["ev"] for each in found["players"]] == pytest.approx(solution.values, abs=1e-2)
    line = f"{view.actions[0]}, {solution.at(view.actions[0]).actions[1]}"
    deeper, own = answer(socket, "view", line=line), solution.at(line)
    assert deeper["board"] == ["Td", "9d", "6h", "Qc", "2s"]
    assert deeper["pot"] == own.pot
    assert [step["chosen"] for step in deeper["way"]] == [0, 1]
    equity = answer(socket, "equity", line=line)["players"]
    for player, each in zip(("oop", "ip"), equity, strict=True):
        assert each["equity"] == pytest.approx(own.mean(own.equity(player), player), abs=1e-3)


def test_a_class_has_the_mean_of_its_holdings(socket):
    solved(socket, RIVER)
    view = answer(socket, "view", line="")
    rows = answer(socket, "holdings", line="", player="oop", **{"class": "AJo"})["rows"]
    at = CLASSES.index("AJo")
    assert len(rows) == np.count_nonzero(at == CLASS_OF)
    shares = np.array([row["shares"] for row in rows])
    np.testing.assert_allclose(shares.sum(axis=1), 1, atol=1e-3)
    cell = [row[CLASSES.index("AJo")] for row in view["shares"]]
    assert min(shares[:, 0]) - 1e-3 <= cell[0] <= max(shares[:, 0]) + 1e-3
    assert view["shares"][0][CLASSES.index("AA")] is None
    assert view["players"][0]["weights"][CLASSES.index("AA")] == 0


def test_cards_to_come_are_compared(socket):
    solved(socket, {**RIVER, "board": "Td9d6hQc"})
    found = answer(socket, "cards", line="check, check")
    assert found["street"] == "river"
    assert len(found["rows"]) == 48
    assert sum(row["chance"] for row in found["rows"]) == pytest.approx(1, abs=1e-2)
    one = next(row for row in found["rows"] if row["card"] == "2s")
    after = answer(socket, "view", line="check, check, 2s")
    assert [each["ev"] for each in after["players"]] == pytest.approx(one["ev"], abs=1e-2)
    assert after["way"][-1] == {"line": "check, check", "street": "river", "card": "2s"}
    assert "deal" in answer(socket, "cards", line="")["reason"]


def test_a_lock_holds_and_two_solutions_are_compared(socket):
    solved(socket, RIVER)
    lock = {"kind": "shares", "line": "", "holdings": "AJo", "shares": {"check": 0.25}}
    state = solved(socket, RIVER, locks=[lock], keep=1)
    assert (state["locks"], state["kept"]) == ([lock], "solution 1")
    assert state["free"] >= state["exploitability"] - 1e-6
    at = CLASSES.index("AJo")
    now, kept = (answer(socket, "view", line="", which=which) for which in ("now", "kept"))
    assert now["shares"][0][at] == pytest.approx(0.25, abs=1e-4)
    assert kept["shares"][0][at] != pytest.approx(0.25, abs=1e-2)
    socket.send_json({"type": "keep", "on": 0})
    until(socket, lambda each: each["type"] == "study" and each["kept"] is None)
    assert answer(socket, "view", line="", which="kept")["error"] == "TableError"


def test_a_later_lock_has_its_holdings():
    spot = baycarp.Spot("Td9d6hQc2s", 200, 900, sizes="60%", raises="")
    given = [
        {"kind": "shares", "line": "", "holdings": "", "shares": {"check": 1.0, "bet 120": 0}},
        {"kind": "shares", "line": "", "holdings": "AKs", "shares": {"bet 60%": 0.5}},
    ]
    (lock,) = read_locks(given, spot, FollowedPlayers(), lambda: False)
    (table,) = lock.tables(spot, spot.build_tree())
    own = Range("AKs").weights > 0
    np.testing.assert_array_equal(table.shares[:, own], np.array([[np.nan], [0.5]]) * np.ones(own.sum()))
    np.testing.assert_array_equal(table.shares[0, ~own], 1)


def test_a_frequency_over_the_range_is_reached(socket):
    lock = {"kind": "frequency", "line": "", "action": "check", "share": 0.8}
    solved(socket, RIVER, locks=[lock])
    assert answer(socket, "view", line="")["frequencies"][0] == pytest.approx(0.8, abs=0.006)


def test_a_player_that_follows_another_is_answered_best(socket):
    plain = solved(socket, RIVER) and answer(socket, "view", line="")["players"][0]["ev"]
    state = solved(socket, RIVER, locks=[{"kind": "player", "player": "ip", "name": "call"}])
    assert state["exploitability"] == pytest.approx(0, abs=1e-3)
    found = answer(socket, "view", line="bet 120")
    assert found["frequencies"] == pytest.approx([0, 1, 0], abs=1e-6)
    assert answer(socket, "view", line="")["players"][0]["ev"] >= plain - 1
    street = {"kind": "player", "player": "ip", "name": AVERAGE, "street": 1}
    state = solved(socket, {**RIVER, "board": "Td9d6hQc"}, locks=[street])
    assert not state["note"]
    assert state["solved"]


@pytest.mark.parametrize(
    ("names", "game"), [(AGENTS, None), (LIMIT_AGENTS, "holdem.limit.2p.reverse_blinds")]
)
def test_every_listed_player_can_be_followed(names, game):
    more = {"betting": Variant.load(game)} if game else {}
    spot = baycarp.Spot("Td9d6hQc2s", 40, 300, oop="QQ", ip="TT", sizes="a", raises="", **more)
    players = FollowedPlayers()
    assert [*names] == [name for name in players.names(bool(game)) if name != AVERAGE]
    for name in names:
        assert players.follow(name, "ip", spot, lambda: False).player == "ip"


def test_a_stopped_solve_is_kept_and_goes_on(socket):
    fields = {**RIVER, "board": "Td9d6hQc", "oop": "22+,A2s+", "ip": "22+,K2s+", "sizes": "60%, e, a"}
    socket.send_json({"type": "solve", "target": 0.001, **fields})
    until(socket, lambda each: each["type"] == "study" and each["solved"] and each["iterations"])
    assert answer(socket, "view", line="check")["kind"] == "decision"  # while it is solved
    assert "stop it first" in answer(socket, "solve", target=1, **fields)["reason"]
    socket.send_json({"type": "stop"})
    state = until(socket, lambda each: each["type"] == "study" and not each["solving"])
    assert state["iterations"] > 0
    assert state["exploitability"] > 0.001
    socket.send_json({"type": "more", "target": state["exploitability"] / 2})
    until(socket, lambda each: each["type"] == "study" and each["solving"])
    after = until(socket, lambda each: each["type"] == "study" and not each["solving"])
    assert after["iterations"] > state["iterations"]
    assert after["exploitability"] <= state["exploitability"] / 2


@pytest.mark.parametrize(
    ("field", "text", "words"),
    [
        ("board", "Td9d", "3 or 4 or 5"),
        ("board", "TdTd6h", "Td"),
        ("board", "<b>", "<b>"),
        ("pot", "many", "number"),
        ("pot", "0", "above 0"),
        ("pot", "nan", "finite"),
        ("pot", "1e400", "finite"),
        ("stack", "-3", "above 0"),
        ("oop", "AKx", "expected"),
        ("oop", "AdTs", None),
        ("ip", "x" * 40_001, "at most"),
        ("oop", "random:0", "no holding"),
        ("sizes", "60, a", "60"),
        ("raises", "0.5x", "more than 1"),
        ("rake", "2", "share"),
        ("betting", "../../etc/passwd", "expected one of"),
        ("line", "fly", "fly"),
    ],
)
def test_what_is_wrong_is_in_words_beside_its_field(socket, field, text, words):
    found = answer(socket, "check", id=7, **{**RIVER, field: text})
    assert found["id"] == 7
    if words is None:
        assert not found["errors"]
        return
    assert words in found["errors"][field]
    assert answer(socket, "solve", target=1, **{**RIVER, field: text})["type"] == "error"


def test_a_range_is_a_grid(socket):
    found = answer(socket, "check", id=1, **{**RIVER, "oop": "AKs:0.5,QQ,random:0,AhKh"})
    ours = found["ranges"]["oop"]
    assert ours["grid"][CLASSES.index("AKs")] == 0.25
    assert (ours["total"], ours["text"]) == (1, "AhKh")
    assert answer(socket, "check", id=2, **{**RIVER, "oop": ""})["ranges"]["oop"]["total"] == 1326
    for text in PRESETS.values():
        Range(text)


def test_a_spot_that_is_too_large_is_refused_with_the_nearest_smaller_one(monkeypatch):
    monkeypatch.setattr("baycarp.web.spots.fields.memory_limit", lambda given: 5e5)
    with served() as client, client.websocket_connect(WS, headers=ORIGIN) as socket:
        fields = {**RIVER, "board": "Td9d6hQc", "oop": "22+", "ip": "22+", "sizes": "30%, 60%, e, a"}
        found = answer(socket, "check", id=1, **fields)
        assert not found["fits"]
        less = found["smaller"]
        assert answer(socket, "check", id=2, **{**fields, "sizes": less["sizes"], "raises": less["raises"]})[
            "fits"
        ]
        assert less["sizes"] in solved(socket, fields)["reason"]


SHARES = {"kind": "shares", "line": "", "shares": {"check": 1}}
FREQUENCY = {"kind": "frequency", "line": "", "action": "check", "share": 0.5}


@pytest.mark.parametrize(
    "message",
    [
        {"type": "fly"},
        {"type": "check", "board": 3},
        {"type": "solve", **RIVER},
        {"type": "solve", **RIVER, "target": 0},
        {"type": "solve", **RIVER, "target": 1, "locks": "all"},
        {"type": "solve", **RIVER, "target": 1, "locks": [{}] * 51},
        {"type": "solve", **RIVER, "target": 1, "locks": [3]},
        {"type": "solve", **RIVER, "target": 1, "locks": [{"kind": "oracle"}]},
        {"type": "solve", **RIVER, "target": 1, "locks": [{**SHARES, "shares": {"check": 2}}]},
        {"type": "solve", **RIVER, "target": 1, "locks": [{**SHARES, "line": "fly"}]},
        {"type": "solve", **RIVER, "target": 1, "locks": [{**FREQUENCY, "share": True}]},
        {"type": "solve", **RIVER, "target": 1, "locks": [{**FREQUENCY, "line": "check, check"}]},
        {"type": "view", "line": ""},
        {"type": "view", "line": "", "which": "other"},
        {"type": "holdings", "line": "", "player": "you", "class": "AA"},
        {"type": "more", "target": 1},
        {"type": "keep", "on": 1},
        {"type": "keep", "on": 2},
        {"type": "open", "hand": 0, "act": 0},
        {"type": "open", "line": "", "game": "../../etc/passwd", "act": 0},
    ],
)  # fmt: skip
def test_a_bad_message_is_refused_by_name_and_the_study_goes_on(socket, message):
    socket.send_json(message)
    refused = until(socket, lambda each: each["type"] == "error")
    assert refused["error"] in KNOWN
    assert refused["about"] == message["type"]
    assert not answer(socket, "check", id=1, **RIVER)["errors"]


def test_a_player_that_is_not_listed_is_refused(socket):
    for name in ("program(command='true')", "baycarp(memory='x')", "<img src=x>"):
        state = solved(socket, RIVER, locks=[{"kind": "player", "player": "ip", "name": name}])
        assert "expected a name of the list" in state["note"]
        assert not state["solved"]


def test_wrong_tokens_and_origins_get_no_connection():
    with served() as client:
        for path, headers in (
            (WS, {}),
            (WS, {"origin": "http://evil.example"}),
            (WS.replace(TOKEN, "x"), ORIGIN),
            (WS.replace("/study/", "/index/"), ORIGIN),
        ):
            with pytest.raises(WebSocketDisconnect), client.websocket_connect(path, headers=headers):
                pass
        for name in ("nothing.html", "review.html", "views", "views/nothing.js"):
            assert client.get(f"/{TOKEN}/{name}").status_code == 404
        page = client.get(f"/{TOKEN}/")
        assert 'data-pages="study"' in page.text  # the views of other pages are not shown
        assert page.headers["content-security-policy"].startswith("default-src 'none'; script-src 'self';")
        for name in ("views/study.js", "walk.js", "grid.js", "spotform.js", "lockform.js", "study.css"):
            text = client.get(f"/{TOKEN}/{name}").text
            assert "https://" not in text
            assert "innerHTML" not in text


def test_a_review_is_served_with_the_policy_of_its_own_scripts():
    with served(review=ServedFile("<p>a review</p>", "default-src 'none'")) as client:
        page = client.get(f"/{TOKEN}/review.html")
        assert (page.text, page.headers["content-security-policy"]) == (
            "<p>a review</p>",
            "default-src 'none'",
        )
        assert client.get("/wrong/review.html").status_code == 403


def spoilt(random, message):
    """A message with accidents in its fields."""
    message = dict(message)
    values = ("", "AA", 0, -1, 2**70, 1.5, True, None, [], {}, "\u0000", "\ud800", "a" * 300, "../x", [[]])
    for _ in range(random.randint(1, 2)):
        message[random.choice([*message, "line", "locks"])] = random.choice(values)
    return {"text": json.dumps(message)}


def test_mutated_messages_are_answered_or_refused():
    async def send(study, count):
        random, sound = Random(3), [
            {"type": "check", "id": 1, **RIVER},
            {"type": "view", "line": "check"},
            {"type": "equity", "line": "check"},
            {"type": "holdings", "line": "", "player": "oop", "class": "AJo"},
            {"type": "cards", "line": "check, check"},
            {"type": "keep", "on": 1},
            {"type": "open", "hand": 0, "act": 3},
            {"type": "stop"},
        ]  # fmt: skip
        refused = 0
        for _ in range(count):
            answers = []
            await _answer(study, spoilt(random, random.choice(sound)), answers.append)
            assert len(answers) <= 1
            for each in answers:
                json.loads(json.dumps(each, allow_nan=False))
                refused += each["type"] == "error"
                assert each["type"] != "error" or each["error"] in KNOWN
        return refused

    async def solve_and_send():
        study = Study()
        await study.answer({"type": "solve", "target": 5, **RIVER})
        await study._task
        return await send(study, 600)

    assert 100 < asyncio.run(solve_and_send()) < 600


def test_a_message_that_is_too_long_is_refused(socket):
    socket.send_text("x" * (LONGEST + 1))
    assert until(socket, lambda each: each["type"] == "error")["error"] == "NotationError"


def recorded(variant, words, number=0, names=("Ann", "Bob", "Cid")):
    """A hand of these actions, all cards known."""
    state = State(variant, None, deal(11, 1, number, 2 * variant.seats + 5))
    for word in words.split():
        name, _, amount = word.partition("=")
        state.apply(Action(name, int(amount)) if amount else state.named(name))
    return Hand.of(state, names[: variant.seats], number)


LIMIT = Variant.load("holdem.limit.3p")
HEADS_UP = "call fold check bet call check bet call check check"


def test_a_decision_of_a_hand_has_its_pot_line_and_the_ranges_of_both():
    hands = [recorded(LIMIT, HEADS_UP, number) for number in range(3)]
    opened = open_decision(hands, 6, "baycarp")
    texts = opened.fields
    assert (texts["pot"], texts["line"], texts["betting"]) == ("45", "check", LIMIT.name)
    assert opened.about["players"][opened.about["toAct"]] in hands[-1].players
    assert opened.about["lock"]["name"].endswith("as in hands before (2)")
    assert opened.record.state.pot == 45
    for name in ("oop", "ip"):
        weights = Range(texts[name]).weights
        assert weights.max() == 1
        assert len(np.unique(weights)) > 20  # it depends on the holding
        own = hands[-1].holes[opened.record.seats[("oop", "ip").index(name)]]
        assert weights[baycarp.card.holding_index(*own)] > 0  # nobody's cards are known


@pytest.mark.parametrize(
    ("act", "words"), [(0, "flop on"), (2, "flop on"), (99, "no decision"), (-1, "no decision")]
)
def test_a_decision_that_is_no_spot_says_why(act, words):
    with pytest.raises(TableError, match=words):
        open_decision([recorded(LIMIT, HEADS_UP)], act, "baycarp")
    three = recorded(LIMIT, "call call check check check check bet fold call check check")
    with pytest.raises(TableError, match="3 players in"):
        open_decision([three], 4, "baycarp")


def test_a_hand_of_the_table_is_solved_against_its_player_in_two_messages():
    variant = Variant.load("holdem.nolimit.2p.100bb")
    hands = [recorded(variant, "call check bet=200 call check bet=400 call check check", n) for n in range(2)]
    study = Study(BrowserTable(log=hands, adviser="sizer"))
    with served(study) as client, client.websocket_connect(WS, headers=ORIGIN) as socket:
        socket.receive_json()
        socket.send_json({"type": "open", "hand": 1, "act": 8})
        state = until(socket, lambda each: each["type"] == "error" or each["opened"])
        lock, fields = state["opened"]["lock"], state["fields"]
        other = state["opened"]["players"][1 - state["opened"]["toAct"]]
        assert lock["name"] == f"{other}, as in hands before (1)"
        assert fields["line"] == "check"
        after = solved(socket, fields, locks=[lock])
        assert not after["note"]
        assert after["exploitability"] == pytest.approx(0, abs=0.01)  # the best answer
        assert answer(socket, "view", line="")["frequencies"]


def test_memory_is_known_before_it_is_taken():
    spot = baycarp.Spot("Td9d6hQc2s", 200, 900, oop="QQ", ip="TT")
    found = measured(spot, 0)
    solution = baycarp.solve(spot, target=5)
    assert found["bytes"] == solution.solver.bytes
    assert found["tree"]["decisions"] == spot.build_tree().counts()["decisions"]


def test_the_fields_of_a_decision_are_its_spot():
    state = State(LIMIT, None, deal(11, 1, 0, 11))
    for word in ("call", "fold", "check", "bet", "call", "check"):
        state.apply(state.named(word))
    observation = state.observe(None)
    fields = fields_of(observation, {seat: np.ones(1326) for seat in state.seats_in})
    spot = baycarp.Spot.of(observation)
    assert float(fields["pot"]) == spot.pot
    assert fields["board"] == baycarp.text(spot.cards)
    assert baycarp.Spot(
        fields["board"], float(fields["pot"]), float(fields["stack"]), betting=LIMIT, line=fields["line"]
    )


def test_a_solve_that_fails_before_it_begins_leaves_what_was_there(socket):
    state = solved(socket, RIVER)
    lock = {"kind": "player", "player": "ip", "name": "nobody"}
    after = solved(socket, RIVER, locks=[lock])
    assert "expected a name of the list" in after["note"]
    assert (after["solved"], after["exploitability"]) == (True, state["exploitability"])
    socket.send_json({"type": "more", "target": state["exploitability"] / 2})
    until(socket, lambda each: each["type"] == "study" and each["solving"])
    last = until(socket, lambda each: each["type"] == "study" and not each["solving"])
    assert last["exploitability"] <= state["exploitability"] / 2


def test_the_end_of_a_process_does_not_wait_for_a_solve():
    """An iteration of a flop takes seconds. A cancelled wait, as at the end of a server, prints nothing."""
    code = """
import asyncio, time
from baycarp.web.spots.work import aside
async def main():
    assert await aside(sum, (1, 2)) == 3
    try:
        await aside(int, "x")
    except ValueError:
        pass
    work = asyncio.create_task(aside(time.sleep, 600))
    short = asyncio.create_task(aside(time.sleep, 0.1))
    await asyncio.sleep(0.05)
    short.cancel()
asyncio.run(main())
time.sleep(0.2)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
