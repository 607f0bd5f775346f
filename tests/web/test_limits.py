"""Limits of the server: an open table is answered whatever others send, and those end."""

import json
import logging
import os
import socket
import subprocess
import sys
import threading
from contextlib import ExitStack, contextmanager, suppress

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
websockets = pytest.importorskip("websockets.sync.client")

from baycarp.game import Variant  # noqa: E402
from baycarp.web import limits  # noqa: E402
from baycarp.web.faults import LINES, LOG  # noqa: E402
from baycarp.web.limits import CONNECTIONS, FRAGMENTS, server  # noqa: E402
from baycarp.web.server import application  # noqa: E402
from baycarp.web.sitting import Seating, Sitting  # noqa: E402
from baycarp.web.table import BrowserTable  # noqa: E402

TOKEN = "secret"


@pytest.fixture
def port(monkeypatch):
    """A table behind the server of the command, in a thread."""
    loggers = [logging.getLogger(name) for name in ("uvicorn", "asyncio", LOG.name)]
    before = [(each.handlers, each.propagate, each.level) for each in loggers]
    table = BrowserTable(
        Sitting(Seating(Variant.load("holdem.limit.3p"), ("a", "b"), ("rule", "call"), "rule", seed=5)),
        pace=0,
    )
    with socket.create_server(("127.0.0.1", 0)) as door:
        number = door.getsockname()[1]
        running = server(application({"index": table}, TOKEN, number))
        thread = threading.Thread(target=running.run, args=([door],))
        thread.start()
        try:
            yield number
        finally:
            running.should_exit = True
            thread.join()
    for each, (handlers, propagate, level) in zip(loggers, before, strict=True):
        each.handlers, each.propagate = handlers, propagate
        each.setLevel(level)


@contextmanager
def opened(port):
    with websockets.connect(
        f"ws://127.0.0.1:{port}/{TOKEN}/ws", origin=f"http://127.0.0.1:{port}", ping_interval=None
    ) as line:
        yield line


def answered(line):
    """Whether the table answers: each pause is sent back."""
    for on in (1, 0):
        line.send(json.dumps({"type": "pause", "on": on}))
        while json.loads(line.recv(60)).get("paused") != bool(on):
            pass
    return True


def raw(port, data=b""):
    line = socket.create_connection(("127.0.0.1", port), timeout=60)
    line.sendall(data)
    return line


def ended(line):
    try:
        while line.recv(65536):
            pass
    except ConnectionResetError:
        pass
    return True


HALF = b"GET /secret/ HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "


def test_half_requests_leave_an_open_table_and_make_room_for_whole_ones(port):
    with opened(port) as line, ExitStack() as stack:
        lines = [stack.enter_context(raw(port, HALF)) for _ in range(3 * CONNECTIONS)]
        assert answered(line)
        assert ended(lines[0])  # the oldest made room
        page = stack.enter_context(
            raw(port, b"GET /secret/ HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n\r\n" % port)
        )
        assert page.recv(12) == b"HTTP/1.1 200"
        assert answered(line)


def test_open_tables_are_not_ended_for_one_more(port):
    with ExitStack() as stack:
        lines = [stack.enter_context(opened(port)) for _ in range(CONNECTIONS)]
        assert ended(stack.enter_context(raw(port, HALF)))
        assert answered(lines[0])
        assert answered(lines[-1])


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        HALF,
        b"POST /secret/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n1",
        # a whole request, then a half one
        b"GET /x/ HTTP/1.1\r\nHost: a\r\n\r\n" + HALF,
    ],
)
def test_a_request_that_is_not_whole_in_time_is_ended(port, monkeypatch, sent):
    monkeypatch.setattr(limits, "REQUEST", 0.2)
    with opened(port) as line, raw(port, sent) as half:
        assert ended(half)
        assert answered(line)


def test_trickled_bytes_win_no_time(port, monkeypatch):
    monkeypatch.setattr(limits, "REQUEST", 0.2)
    with raw(port, HALF) as half:
        half.settimeout(0.05)
        sent = 0
        while sent < 1000:  # 50 seconds
            try:
                half.sendall(b"x")
                sent += 1
                if half.recv(1) == b"":
                    break
            except TimeoutError:
                continue
            except (ConnectionResetError, BrokenPipeError):
                break
        assert sent < 1000


def handshaken(port, token=TOKEN):
    line = raw(port, (
        f"GET /{token}/ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
        f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {'A' * 22}==\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n"
    ).encode())  # fmt: skip
    assert line.recv(12) == b"HTTP/1.1 101"
    return line


def frame(payload, opcode, final):
    return bytes([final << 7 | opcode, 0x80 | len(payload)]) + b"\0\0\0\0" + payload


def parts(text, count):
    """A message in so many fragments."""
    cut = [text] + [b""] * (count - 1)
    return b"".join(frame(each, 1 if at == 0 else 0, at == count - 1) for at, each in enumerate(cut))


PAUSE = b'{"type": "pause", "on": 1}'


def test_a_message_has_so_many_fragments_at_most(port):
    with opened(port) as line:
        with handshaken(port) as whole:
            whole.sendall(parts(PAUSE, FRAGMENTS))
            while not json.loads(line.recv(60)).get("paused"):
                pass
            whole.sendall(parts(PAUSE.replace(b"1", b"0"), FRAGMENTS))  # the count begins anew
            while json.loads(line.recv(60)).get("paused"):
                pass
        with handshaken(port) as cut:
            cut.sendall(parts(PAUSE, FRAGMENTS + 1))
            assert ended(cut)
        assert answered(line)


FLOODS = {
    "empty fragments": frame(b"", 1, False) + frame(b"", 0, False) * 50_000,
    "empty messages": frame(b"", 1, True) * 50_000,
    "pings": frame(b"x" * 100, 9, True) * 50_000,
}


@pytest.mark.parametrize("flood", FLOODS)
def test_a_flood_ends_or_is_read_beside_the_others(port, flood):
    def send(line):
        with suppress(OSError):
            line.sendall(FLOODS[flood])

    with opened(port) as line, handshaken(port) as other:
        thread = threading.Thread(target=send, args=(other,))
        thread.start()
        assert answered(line)
        assert flood == "pings" or ended(other)  # a ping may always come
    thread.join()


def test_no_traceback_reaches_the_terminal(tmp_path):
    command = [sys.executable, "-m", "baycarp", "play", "rule", "--adviser", "rule", "--no-open"]
    command += ["--out", str(tmp_path)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    own = os.environ | {"BAYCARP_HOME": str(tmp_path)}
    with subprocess.Popen(command, env=own, **pipes) as process:
        try:
            address = process.stdout.readline().strip()
            port = int(address.split(":")[2].split("/")[0])
            token = address.split("/")[3]
            with raw(port, b"\x00nonsense\r\n\r\n") as line:
                assert ended(line)
            with raw(
                port, b"GET / HTTP/1.1\r\nUpgrade: nothing\r\nConnection: upgrade\r\nHost: a\r\n\r\n"
            ) as line:
                line.recv(100)
            with handshaken(port, token) as line:
                line.sendall(frame(b"\xff\xfe", 1, True))
                assert ended(line)
        finally:
            process.terminate()
        errors = process.stderr.read()
    assert "Traceback" not in errors
    assert errors.count("\n") <= 2 + LINES
