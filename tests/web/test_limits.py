"""Limits of the server: an open table is answered whatever others send, and those end."""

import json
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from argparse import Namespace
from contextlib import ExitStack, contextmanager, suppress

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
websockets = pytest.importorskip("websockets.sync.client")

from baycarp.cli.page import serve_pages  # noqa: E402
from baycarp.game import Variant  # noqa: E402
from baycarp.web import limits  # noqa: E402
from baycarp.web.faults import LINES, LOG  # noqa: E402
from baycarp.web.limits import CONNECTIONS, FRAGMENTS, server  # noqa: E402
from baycarp.web.server import application  # noqa: E402
from baycarp.web.sitting import Seating, Sitting  # noqa: E402
from baycarp.web.table import BrowserTable  # noqa: E402

TOKEN = "secret"


@pytest.fixture
def loggers():
    """Those of the server, which are as before at the end."""
    loggers = [logging.getLogger(name) for name in ("uvicorn", "asyncio", LOG.name)]
    before = [(each.handlers, each.propagate, each.level) for each in loggers]
    yield
    for each, (handlers, propagate, level) in zip(loggers, before, strict=True):
        each.handlers, each.propagate = handlers, propagate
        each.setLevel(level)


@pytest.fixture
def served(loggers):
    """A table behind the server of the command, in a thread; with its port."""
    table = BrowserTable(
        Sitting(Seating(Variant.load("holdem.limit.3p"), ("a", "b"), ("rule", "call"), "rule", seed=5)),
        pace=0,
    )
    with socket.create_server(("127.0.0.1", 0)) as door:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)  # what is not read waits in the server
        number = door.getsockname()[1]
        running = server(application({"index": table}, TOKEN, number))
        thread = threading.Thread(target=running.run, args=([door],))
        thread.start()
        try:
            yield running, number
        finally:
            running.should_exit = True
            thread.join()


@pytest.fixture
def port(served):
    return served[1]


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


COMMAND = """
import socket, sys
from baycarp.__main__ import main

def create(*given, made=socket.create_server):
    door = made(*given)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)  # what is not read waits in the server
    return door

socket.create_server = create
sys.exit(main())
"""


@contextmanager
def command(folder):
    """The command in a process: its port, its token, and what ends it and returns its status and errors."""
    words = [sys.executable, "-c", COMMAND, "play", "rule", "--adviser", "rule", "--no-open"]
    words += ["--out", str(folder)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    own = os.environ | {"BAYCARP_HOME": str(folder)}
    with subprocess.Popen(words, env=own, **pipes) as process:

        def end(number):
            process.send_signal(number)
            errors = process.stderr.read()
            return process.wait(60), errors

        try:
            address = process.stdout.readline().strip()
            yield int(address.split(":")[2].split("/")[0]), address.split("/")[3], end
        finally:
            process.kill()


def test_no_traceback_reaches_the_terminal(tmp_path):
    with command(tmp_path) as (port, token, end):
        with raw(port, b"\x00nonsense\r\n\r\n") as line:
            assert ended(line)
        with raw(
            port, b"GET / HTTP/1.1\r\nUpgrade: nothing\r\nConnection: upgrade\r\nHost: a\r\n\r\n"
        ) as line:
            line.recv(100)
        with handshaken(port, token) as line:
            line.sendall(frame(b"\xff\xfe", 1, True))
            assert ended(line)
        _, errors = end(signal.SIGTERM)
    assert "Traceback" not in errors
    assert errors.count("\n") <= 2 + LINES


def test_a_fault_of_the_server_is_a_sentence(tmp_path, monkeypatch, capsys, loggers):
    class Faulty:
        def run(self, sockets):
            raise AssertionError("of its own")

    def faulty(application):
        server(application)  # what is logged
        return Faulty()

    monkeypatch.setenv("BAYCARP_HOME", str(tmp_path))
    monkeypatch.setattr(limits, "server", faulty)
    assert serve_pages(Namespace(port=0, no_open=True), lambda _: {}) == 1
    errors = capsys.readouterr().err
    assert "page: AssertionError: of its own" in errors
    assert "Traceback" not in errors


def upgrade(path="/x/ws", *more):
    lines = [f"GET {path} HTTP/1.1", "Host: evil", *more, "Upgrade: websocket", "Connection: Upgrade"]
    lines += ["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13", "", ""]
    return "\r\n".join(lines).encode()


ANSWERED = b"GET /x/y HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"

OUTSIDE = {
    "silent": b"",
    "half a request line": b"GET /sec",
    "half a header": HALF,
    "half a body": b"POST /x/ HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n1",
    "half a chunk": b"POST /x/ HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n1",
    "continue expected": b"POST /x/ HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n",
    "answered": ANSWERED,
    "answered, then half a header": ANSWERED + HALF,
    "many requests": ANSWERED * 20_000,
    "no request": b"\x00nonsense\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)) * 2,
    "half an upgrade": upgrade()[:-4],
    "upgrade refused": upgrade(),
    "upgrade of no version": upgrade().replace(b"13", b"12"),
    "upgrade by POST": upgrade().replace(b"GET", b"POST"),
    "upgrade with a body": upgrade("/x/ws", "Content-Length: 10"),
    "upgrade with chunks": upgrade("/x/ws", "Transfer-Encoding: chunked"),
    "upgrade with a long header": upgrade("/x/ws", "Cookie: " + 9000 * "a"),
    "upgrade with a long path": upgrade("/" + 9000 * "a", "Origin: http://evil.com"),
    "upgrade with many headers": upgrade("/x/ws", *(f"X-{i}: a" for i in range(300))),
}
"""States of a connection without the token, by what was sent; nothing is read."""

INSIDE = {
    "messages": b"",
    "half a message": frame(PAUSE, 1, True)[:9],
    "half of two fragments": frame(PAUSE, 1, False),
    "messages unread": frame(PAUSE, 1, True) * 5_000,
    "messages refused": frame(b"{}", 1, True) * 50,
    "the end begun": frame(PAUSE, 1, True) * 5_000 + frame(b"\x03\xe8", 8, True),
    "no message": b"\xff" * 100,
}
"""The same with the token, after the handshake."""


def begun(port, sent, token=None):
    """A connection that sends, as far as it is read, and reads nothing."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.connect(("127.0.0.1", port))
    line.settimeout(10)
    if token:
        with suppress(OSError):
            line.sendall(upgrade(f"/{token}/ws", f"Origin: http://127.0.0.1:{port}").replace(
                b"Host: evil", b"Host: 127.0.0.1:%d" % port
            ))  # fmt: skip
            line.recv(12)
    with suppress(OSError):
        line.sendall(sent)
    return line


def paged(port, token):
    """Whether who has the token gets the page, also where others take a connection's place at once."""
    for _ in range(5):
        with (
            suppress(ConnectionError),
            raw(port, f"GET /{token}/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()) as line,
        ):
            if line.recv(12) == b"HTTP/1.1 200":
                return True
    return False


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    with command(tmp_path_factory.mktemp("running")) as (port, token, _):
        yield port, token


@pytest.mark.parametrize("state", OUTSIDE)
def test_who_has_the_token_gets_the_page_whatever_others_hold(running, state):
    port, token = running
    with ExitStack() as stack:
        line = stack.enter_context(
            websockets.connect(f"ws://127.0.0.1:{port}/{token}/ws", origin=f"http://127.0.0.1:{port}")
        )
        for _ in range(CONNECTIONS + 6):
            stack.enter_context(begun(port, OUTSIDE[state]))
        time.sleep(0.5)  # until most was read
        assert paged(port, token)
        assert answered(line)


@pytest.mark.parametrize(
    "state", [*OUTSIDE, "messages unread", "messages refused", "the end begun", "no message"]
)
def test_a_connection_ends_in_every_state_but_that_of_messages(served, monkeypatch, state):
    monkeypatch.setattr(limits, "REQUEST", 0.2)
    monkeypatch.setattr(limits, "TAKEN", 0.2)
    running, port = served
    inside = state in INSIDE
    with begun(port, INSIDE[state] if inside else OUTSIDE[state], TOKEN if inside else None):
        assert paged(port, TOKEN)  # later than the connection: it is known to the server
        for _ in range(600):  # a minute; nothing is read
            if not running.server_state.connections:
                return
            time.sleep(0.1)
    raise AssertionError(running.server_state.connections)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_end_is_quiet_whatever_connections_there_are(tmp_path, number):
    with command(tmp_path) as (port, token, end), ExitStack() as stack:
        for sent in OUTSIDE.values():
            stack.enter_context(begun(port, sent))
        for sent in INSIDE.values():
            stack.enter_context(begun(port, sent, token))
        time.sleep(1)  # until most was read
        status, errors = end(number)
    assert status == 128 + number
    assert "page:" not in errors
    assert "Traceback" not in errors
