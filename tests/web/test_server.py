"""The server: a session is played, resumed after a kill, and what does not belong there is refused."""

import asyncio
import json
import os
import subprocess
import sys

import pytest

pytest.importorskip("starlette")
websockets = pytest.importorskip("websockets")
from starlette.testclient import TestClient  # noqa: E402
from starlette.websockets import WebSocketDisconnect  # noqa: E402

from baycarp.arena.journal import Journal, Recorded  # noqa: E402
from baycarp.coach.hands import read, read_hands  # noqa: E402
from baycarp.errors import IllegalAction, JournalError, TableError  # noqa: E402
from baycarp.game import Variant  # noqa: E402
from baycarp.web.again import opening  # noqa: E402
from baycarp.web.review import parse, steps  # noqa: E402
from baycarp.web.server import LONGEST, application  # noqa: E402
from baycarp.web.sitting import Seating, Sitting  # noqa: E402
from baycarp.web.table import BrowserTable  # noqa: E402

TOKEN, PORT = "secret", 8123
BASE, WS = f"http://127.0.0.1:{PORT}", f"ws://127.0.0.1:{PORT}/{TOKEN}/ws"
ORIGIN = {"origin": BASE}


def seated(game="holdem.limit.3p", specs=("rule", "call"), adviser="rule"):
    return Seating(Variant.load(game), tuple(f"p{i}" for i in range(len(specs))), specs, adviser, seed=5)


@pytest.fixture
def client():
    table = BrowserTable(Sitting(seated()), pace=0)
    with TestClient(application({"index": table}, TOKEN, PORT), base_url=BASE) as client:
        yield client


def until(socket, wanted):
    while True:
        message = socket.receive_json()
        if wanted(message):
            return message


def my_turn(message):
    return message["type"] == "table" and (message["frame"]["choices"] or message["frame"]["over"])


def play_on(socket, message, hands):
    """Check or call until that many hands are finished."""
    while message["results"]["hands"] < hands:
        frame = message["frame"]
        if frame["over"] and message["results"]["hands"] == frame["hand"]:
            message = until(socket, lambda each: each["type"] == "table")  # the results follow the last act
        elif frame["over"]:
            socket.send_json({"type": "next", "hand": frame["hand"]})
            message = until(
                socket,
                lambda each, hand=frame["hand"]: each["type"] == "table" and each["frame"]["hand"] > hand,
            )
        elif frame["choices"]:
            at = len(frame["acts"])
            socket.send_json(
                {"type": "act", "action": frame["choices"]["stay"], "hand": frame["hand"], "at": at}
            )
            message = until(
                socket, lambda each, at=at: each["type"] == "table" and len(each["frame"]["acts"]) > at
            )
        else:
            message = until(socket, my_turn)
    return message


def test_a_session_is_played_opened_and_replayed(client):
    with client.websocket_connect(WS, headers=ORIGIN) as socket:
        message = play_on(socket, socket.receive_json(), 4)
        results, frame = message["results"], message["frame"]
        assert results["hands"] == 4
        assert sum(frame["payoffs"]) == 0
        own = next(i for i, act in enumerate(frame["acts"]) if act["seat"] == frame["seat"])
        for act in {0, own}:
            socket.send_json({"type": "panel", "hand": 3, "act": act})
            panel = until(socket, lambda each: each["type"] in ("panel", "error"))
            assert panel["advice"] == (act == own)
            assert panel["reason"] == panel["reason"].strip() != ""
            assert panel["details"]
        socket.send_json({"type": "hands", "from": 1})
        hands = until(socket, lambda each: each["type"] == "hands")
        assert (hands["from"], hands["count"], len(hands["hands"])) == (1, 4, 3)
        assert [round(10 * won) for won in hands["hands"][-1]["won"]] == frame["payoffs"]
        socket.send_json({"type": "replay", "hand": 3})
        hand = until(socket, lambda each: each["type"] == "replay")
        assert len(hand["frames"]) == len(frame["acts"]) + 1
        socket.send_json({"type": "replay", "line": hand["line"], "game": hand["game"]})
        again = until(socket, lambda each: each["type"] == "replay")
        assert [each["acts"] for each in again["frames"]] == [each["acts"] for each in hand["frames"]]


def test_a_second_connection_goes_on_where_the_first_was_cut(client):
    with client.websocket_connect(WS, headers=ORIGIN) as socket:
        before = play_on(socket, socket.receive_json(), 2)
    with client.websocket_connect(WS, headers=ORIGIN) as socket:
        assert socket.receive_json()["frame"] == before["frame"]


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/wrong/", {}),
        (f"/{TOKEN}x/app.js", {}),
        (f"/{TOKEN}/", {"host": "evil.example"}),
        (f"/{TOKEN}/", {"host": "127.0.0.1:1"}),
    ],
)
def test_a_wrong_token_or_host_is_refused(client, path, headers):
    assert client.get(path, headers=headers).status_code == 403


@pytest.mark.parametrize("path", ["/", "/abc", f"/{TOKEN}", f"/{TOKEN}/none", "//abc"])
@pytest.mark.parametrize("method", ["GET", "POST", "HEAD"])
def test_a_foreign_host_learns_of_no_address(client, method, path):
    answer = client.request(method, path, headers={"host": "evil.example"}, follow_redirects=False)
    assert answer.status_code == 403
    assert "location" not in answer.headers


def test_the_address_is_found_without_its_last_slash(client):
    answer = client.get(f"/{TOKEN}", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (307, f"/{TOKEN}/")
    assert client.get("/abc", follow_redirects=False).status_code == 403


@pytest.mark.parametrize(
    ("token", "headers"),
    [
        ("wrong", ORIGIN),
        (TOKEN, {}),
        (TOKEN, {"origin": "http://evil.example"}),
        (TOKEN, {"origin": f"https://127.0.0.1:{PORT}"}),
        (TOKEN, {"origin": f"127.0.0.1:{PORT}"}),
        (TOKEN, {"origin": "null"}),
        (TOKEN, ORIGIN | {"host": "evil.example"}),
    ],
)
def test_a_wrong_token_origin_or_host_gets_no_connection(client, token, headers):
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(f"ws://127.0.0.1:{PORT}/{token}/ws", headers=headers),
    ):
        pass


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("{", "NotationError"),
        ("[]", "NotationError"),
        ("null", "NotationError"),
        ('{"type": 3}', "NotationError"),
        ('{"type": "cheat"}', "NotationError"),
        ("x" * (LONGEST + 1), "NotationError"),
        ('{"type": "act", "action": "fly", "hand": 0, "at": 99}', "IllegalAction"),
        ('{"type": "act", "action": "call 1", "hand": true, "at": 0}', "NotationError"),
        ('{"type": "pace", "milliseconds": 1e99}', "NotationError"),
        ('{"type": "panel", "hand": 0, "act": 0}', "TableError"),
        ('{"type": "hint", "hand": 0, "at": 99}', "TableError"),
        ('{"type": "hint", "hand": 0}', "NotationError"),
        ('{"type": "hands", "from": -1}', "NotationError"),
        ('{"type": "open"}', "TableError"),
        ('{"type": "panel", "hand": 999999, "act": 0}', "TableError"),
        ('{"type": "replay", "hand": 0}', "TableError"),
        ('{"type": "replay", "line": "STATE:0:q:|:0|0:a|b", "game": "holdem.limit.3p"}', "NotationError"),
        ('{"type": "replay", "line": "", "game": "../../etc/passwd"}', "NotationError"),
    ],
)  # fmt: skip
def test_a_bad_message_is_refused_by_name_and_the_session_goes_on(client, text, kind):
    with client.websocket_connect(WS, headers=ORIGIN) as socket:
        socket.send_text(text)
        assert until(socket, lambda each: each["type"] == "error")["error"] == kind
        socket.send_json({"type": "pause", "on": 1})
        assert until(socket, lambda each: each.get("paused"))


def test_too_many_bad_messages_end_the_connection(client):
    with client.websocket_connect(WS, headers=ORIGIN) as socket:
        for _ in range(40):
            socket.send_text("{")
        with pytest.raises(WebSocketDisconnect):
            until(socket, lambda each: False)


def opened(table):
    return TestClient(application({"index": table}, TOKEN, PORT), base_url=BASE)


def test_a_changed_pace_holds_for_the_action_that_is_waited_for():
    table = BrowserTable(Sitting(seated(specs=("call", "call"))), pace=10)
    with opened(table) as client, client.websocket_connect(WS, headers=ORIGIN) as socket:
        message = until(socket, my_turn)  # on the button, the person acts first
        act = {"type": "act", "action": message["frame"]["choices"]["stay"], "hand": 0, "at": 0}
        socket.send_json(act)
        socket.send_json({"type": "pace", "milliseconds": 10_000})
        assert until(socket, lambda each: each.get("pace") == 10)["frame"]["choices"] is None
        socket.send_json({"type": "pace", "milliseconds": 0})
        assert until(socket, my_turn)["frame"]["street"] == "flop"


def test_an_agent_that_fails_pauses_the_table_which_says_so(monkeypatch):
    def fail(_):
        raise ZeroDivisionError("by an agent")

    monkeypatch.setattr(Sitting, "step", fail)
    table = BrowserTable(Sitting(seated(specs=("call", "call"))), pace=0)
    with opened(table) as client, client.websocket_connect(WS, headers=ORIGIN) as socket:
        message = until(socket, my_turn)
        act = {"type": "act", "action": message["frame"]["choices"]["stay"], "hand": 0, "at": 0}
        socket.send_json(act)
        error = until(socket, lambda each: each["type"] == "error")
        assert (error["error"], error["reason"]) == ("ZeroDivisionError", "by an agent")
        assert until(socket, lambda each: each.get("paused"))["frame"]["toAct"] == 0


@pytest.mark.parametrize("what", ["next", "panel", "replay"])
def test_what_follows_an_action_is_done_before_anything_that_needs_it(what):
    agents, sitting = [], Sitting(seated(specs=("call", "call")))
    table = BrowserTable(sitting, pace=0)

    async def at_once():
        while not sitting.over:
            if sitting.waits:
                before, number = len(agents), len(sitting.observe().acts)
                await table.act(sitting.frame()["choices"]["stay"], 0, number)
                assert (len(sitting.observe().acts), len(agents)) == (number + 1, before)
                assert sitting.behind
            else:
                sitting.step()
        assert not sitting.finished
        if what == "next":
            await table.next_hand(0)
        elif what == "panel":
            assert (await table.panel({"hand": 0, "act": 0}))["advice"]
        else:
            assert (await table.replay({"hand": 0}))["frames"]

    for agent in sitting._agents.values():
        agent.learn = agents.append
    asyncio.run(at_once())
    assert (len(sitting.finished), sitting.behind) == (1, False)


def test_the_page_has_a_strict_policy_and_names_no_other_host(client):
    for name in ("", "app.js", "views/table.js", "cards.js", "panel.js", "seats.js", "style.css"):
        answer = client.get(f"/{TOKEN}/{name}")
        assert answer.status_code == 200
        assert answer.headers["content-security-policy"].startswith("default-src 'none'; script-src 'self';")
        assert not [word for word in answer.text.split() if "https://" in word]
    assert client.get(f"/{TOKEN}/../server.py").status_code in (403, 404)


def test_an_action_for_another_decision_changes_nothing():
    sitting = Sitting(seated())
    while not sitting.waits:
        sitting.step()
    before = sitting.frame()
    with pytest.raises(IllegalAction, match="the table is at"):
        sitting.act("fold", sitting.hand, len(before["acts"]) + 1)
    with pytest.raises(IllegalAction):
        sitting.act("raise 9999", sitting.hand, len(before["acts"]))
    assert sitting.frame() == before


def test_a_decision_is_closed_until_the_hand_is_over_or_cards_are_open():
    sitting = Sitting(seated(specs=("call", "call")))  # the person, on the button, acts first
    sitting.act(sitting.frame()["choices"]["stay"], 0, 0)
    sitting.step()
    for act in (0, 1):
        with pytest.raises(TableError, match="once it is over"):
            sitting.panel(0, act)
        assert sitting.panel(0, act, open_cards=True)["advice"] == (act == 0)


def play_hand(sitting):
    """Check or call until the hand is over."""
    while not sitting.over:
        if sitting.waits:
            sitting.act(sitting.frame()["choices"]["stay"], sitting.hand, len(sitting.frame()["acts"]))
        else:
            sitting.step()


def test_a_hand_with_help_is_marked_in_the_journal_and_in_no_win_rate(tmp_path):
    seating, path = seated(specs=("call", "call")), tmp_path / "play.journal"
    with Journal(path, seating.header()) as journal:
        sitting = Sitting(seating, journal)
        sitting.act(sitting.frame()["choices"]["stay"], 0, 0)
        sitting.panel(0, 0, open_cards=True)  # during the hand
        with pytest.raises(TableError, match="the table is at 0"):
            sitting.mark(1)
        for hand in range(3):
            play_hand(sitting)
            sitting.mark(hand)  # over: no help is left
            sitting.next_hand(hand)
        sitting.mark(3)
        chips = [each.chips for each in sitting.finished]
        assert [each.is_aided for each in sitting.finished] == [True, False, False]
        assert sitting.results()["hands"] == 3
        assert (sitting.results()["counted"], sitting.results()["chips"]) == (2, sum(chips[1:]))
        assert sitting.results()["won"]["mean"] == pytest.approx(100 * sum(chips[1:]) / 2 / 10)
        # while the session is open, and the mark of the present hand is on the disk
        again = Sitting(seating, Recorded.of(path, seating.header()))
        assert [each.is_aided for each in again.finished] == [True, False, False]
        assert (again.hand, again.is_aided) == (3, True)
        assert [hand.id for hand in read(tmp_path)] == [1, 2]
        assert [hand.id for hand in read_hands(tmp_path)] == [0, 1, 2]
    text = path.read_bytes()
    path.write_bytes(text[:-3])  # torn: the last record is dropped, the file is left as it is
    assert len(Recorded.of(path, seating.header()).records) == text.count(b"\n") - 2
    assert path.read_bytes() == text[:-3]


def test_a_hand_of_the_same_cards_is_marked():
    sitting = Sitting(seated(specs=("call", "call")))
    play_hand(sitting)
    start = opening(sitting.finished[0].record(), 0, 1)
    again = Sitting(seated(specs=("call", "call")), start=start)
    play_hand(again)
    again.next_hand(0)
    assert (again.finished[0].is_aided, again.is_aided) == (True, False)


def test_a_journal_of_other_actions_is_refused(tmp_path):
    seating = seated()
    with Journal(tmp_path / "a", seating.header()) as journal:
        journal.append((0, 1), {"action": "fold"})
        with pytest.raises(JournalError, match="does not follow"):
            Sitting(seating, journal)


def test_a_shared_line_is_the_same_hand():
    sitting = Sitting(seated(specs=("call", "call")))
    while not sitting.over:
        if sitting.waits:
            sitting.act(sitting.frame()["choices"]["stay"], 0, len(sitting.frame()["acts"]))
        else:
            sitting.step()
    hand = parse(sitting.finished[0].line(), "holdem.limit.3p")
    assert steps(hand)["frames"][-1]["payoffs"] == sitting.frame()["payoffs"]


async def some_acts(address, acts):
    """Do what the person is to do, that many times; the frame of the person's next turn."""
    async with websockets.connect(
        address.replace("http", "ws", 1) + "ws", origin=address[: address.index("/", 8)]
    ) as socket:
        await socket.send('{"type": "pace", "milliseconds": 0}')
        done = None
        while True:
            message = json.loads(await asyncio.wait_for(socket.recv(), 180))
            frame = message.get("frame")
            if not frame or not (frame["over"] or frame["choices"]):
                continue
            at = {"hand": frame["hand"], "at": len(frame["acts"])}
            finished = message["results"]["hands"] == frame["hand"] + frame["over"]
            if at == done or not finished:  # the table as it was, sent again; or the results not yet
                continue
            if not acts:
                return message
            acts, done = acts - 1, at
            act = {"type": "next"} if frame["over"] else {"type": "act", "action": frame["choices"]["stay"]}
            await socket.send(json.dumps(act | at))


def test_a_killed_server_goes_on_with_nothing_lost(tmp_path):
    command = [sys.executable, "-m", "baycarp", "play", "rule", "call", "--adviser", "rule"]
    command += ["--no-open", "--seed", "5", "--out", str(tmp_path)]

    def served():
        with (tmp_path / "errors.txt").open("a") as errors:
            process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=errors, text=True, env=os.environ
            )
        return process, process.stdout.readline().strip()

    frames = []
    for acts in (9, 0):
        process, address = served()
        with process:
            try:
                frames.append(asyncio.run(some_acts(address, acts)))
            finally:
                process.kill()
    for kept in ("frame", "results"):
        assert frames[0][kept] == frames[1][kept]
    assert (tmp_path / "errors.txt").read_text().count("Ctrl-C ends it\n") == 2
