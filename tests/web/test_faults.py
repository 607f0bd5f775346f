"""A fault of the server itself: stated on the page in a sentence, written to a file, and the hand goes on."""

import logging

import pytest

pytest.importorskip("starlette")
from starlette.testclient import TestClient

from baycarp.game import Variant
from baycarp.web.faults import LINES, LOG, PageLog, fault_path
from baycarp.web.server import application
from baycarp.web.sitting import Seating, Sitting
from baycarp.web.table import BrowserTable

TOKEN, PORT = "secret", 8123
BASE = f"http://127.0.0.1:{PORT}"


@pytest.fixture
def log(tmp_path, monkeypatch):
    """The file of the faults, which the server's handler writes."""
    monkeypatch.setenv("BAYCARP_HOME", str(tmp_path / "own"))
    handler = PageLog()
    monkeypatch.setattr(LOG, "handlers", [handler])
    monkeypatch.setattr(LOG, "propagate", False)
    return fault_path()


@pytest.fixture
def line(log):
    """A connection to a table."""
    seating = Seating(Variant.load("holdem.limit.3p"), ("a", "b"), ("call", "call"), "rule", seed=5)
    table = BrowserTable(Sitting(seating), pace=0)
    with (
        TestClient(application({"index": table}, TOKEN, PORT), base_url=BASE) as client,
        client.websocket_connect(f"ws://127.0.0.1:{PORT}/{TOKEN}/ws", headers={"origin": BASE}) as opened,
    ):
        yield opened


def until(line, wanted):
    while not wanted(message := line.receive_json()):
        pass
    return message


def my_turn(message):
    return message["type"] == "table" and message["frame"]["choices"]


def fault(message):
    return message.get("error") == "fault"


def planted(*_):
    raise ZeroDivisionError("planted\x1b[2J\u202e")


def play_a_turn(line, frame):
    """Check or call: the acts of the hand afterwards."""
    line.send_json(
        {"type": "act", "action": frame["choices"]["stay"], "hand": frame["hand"], "at": len(frame["acts"])}
    )
    after = until(
        line, lambda each: each["type"] == "table" and len(each["frame"]["acts"]) > len(frame["acts"])
    )
    return after["frame"]["acts"]


def test_a_fault_is_stated_and_the_hand_goes_on(line, log, monkeypatch, capsys):
    frame = until(line, my_turn)["frame"]
    with monkeypatch.context() as broken:
        broken.setattr(Sitting, "summary", planted)
        line.send_json({"type": "summary"})
        stated = until(line, fault)["reason"]
    assert stated == f"The server met a fault (ZeroDivisionError): it is written to {log}; the hand goes on."
    written = log.read_text("utf-8")
    assert "Traceback" in written
    assert "ZeroDivisionError: planted" in written
    terminal = capsys.readouterr().err
    assert terminal.count("\n") == 1
    assert f"(in {log})" in terminal
    assert not {"\x1b", "\u202e"} & {*written, *terminal}
    assert play_a_turn(line, frame)[len(frame["acts"])]["seat"] == frame["seat"]


def test_a_fault_of_what_goes_on_by_itself_is_stated_and_the_agents_go_on(line, log, monkeypatch):
    frame = until(line, my_turn)["frame"]
    monkeypatch.setattr("baycarp.web.server.AFTER", 0.01)
    with monkeypatch.context() as broken:
        broken.setattr(BrowserTable, "_due", planted)
        line.send_json({"type": "pause", "on": 0})
        assert until(line, fault)["reason"].endswith("the hand goes on.")
    acts = play_a_turn(line, frame)
    if acts[-1]["seat"] == frame["seat"]:
        until(line, lambda each: each["type"] == "table" and (my_turn(each) or each["frame"]["over"]))
    assert log.exists()


def test_what_cannot_be_sent_is_a_fault_too(line, log, monkeypatch):
    until(line, my_turn)
    with monkeypatch.context() as broken:
        broken.setattr(Sitting, "summary", lambda _: {"hands": object()})
        line.send_json({"type": "summary"})
        assert "TypeError" in until(line, fault)["reason"]
    line.send_json({"type": "summary"})
    assert until(line, lambda each: each["type"] == "summary")["hands"] == 0


def test_the_first_faults_of_a_run_are_written(log, capsys):
    for number in range(LINES + 5):
        LOG.error("again", exc_info=ValueError(f"number {number}"))
    assert log.read_text("utf-8").count("ValueError: number") == LINES
    assert capsys.readouterr().err.count("\n") == LINES


def test_a_fault_is_stated_where_no_file_can_be_written(log, capsys):
    log.parent.parent.mkdir(exist_ok=True)
    log.parent.write_text("a file in place of the folder")
    LOG.error("again", exc_info=ValueError("planted"))
    assert capsys.readouterr().err == "page: ValueError: planted\n"


def test_a_message_that_is_no_text_is_no_fault_of_the_server(log, capsys):
    """The server's library logs it where it ends the connection."""
    line = logging.getLogger("uvicorn.error")
    handler = next(each for each in LOG.handlers if isinstance(each, PageLog))
    for _ in range(LINES):
        record = line.makeRecord(line.name, logging.ERROR, "", 0, "", (), None)
        record.exc_info = (None, UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid"), None)
        handler.handle(record)
    assert capsys.readouterr().err == ""
    LOG.error("again", exc_info=ValueError("planted"))
    assert "ValueError: planted" in capsys.readouterr().err
    assert "UnicodeDecodeError" not in log.read_text("utf-8")
