"""The table in the browser, from outside: ``python -m benchmarks web``.

The command is started as a person starts it, and played through its own connection: seconds from the command
to the first decision of the person, with the pace that a person gets; then milliseconds from an action to the
table that has it, and from a question to its hint. The player calls or checks, and bets every fourth time. At
last others send half requests and empty fragments, and the table is asked again.
"""

import json
import os
import socket
import subprocess
import sys
import threading
from argparse import Namespace
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import cycle, islice
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any
from urllib.request import urlopen

import numpy as np

from baycarp.agents.table import TABLE
from baycarp.cli.options import JSON, count, option, options
from baycarp.errors import ArgumentError
from benchmarks.parts.goal import Goal, at_most, printing

__all__ = ["add", "goals"]

FIRST = 2.5
"""Seconds from the command to the first decision, median, at most."""

TRIP = 50.0
"""Milliseconds of an action's round trip, 99th percentile, at most."""

HINT = 700.0
"""Milliseconds of a hint, 99th percentile, at most."""

HALVES, HALF = 1500, 1000.0
"""Half requests, and milliseconds of an answer beside them, at most."""

FRAGMENTS, FRAGMENT = 50_000, 100.0
"""Empty fragments of a message, and milliseconds by which an answer is later beside them, at most."""

STATIC = files("baycarp.web") / "static"
"""What a browser loads."""

add = options(
    JSON,
    option("--beside", nargs="+", default=TABLE, metavar="AGENT", help="agents at the table of the person"),
    option("--actions", type=count, default=1000, help="of the person, each with its round trip"),
    option("--started", type=count, default=10, help="times that the command is started"),
    option("--hints", type=count, default=100, help="for the person, each with its wait"),
)


def goals(args: Namespace) -> Iterator[Goal]:
    """Start the command so many times; play on after the last one."""
    try:
        from websockets.sync.client import connect
        from websockets.typing import Origin
    except ImportError as error:
        raise ArgumentError(
            f"{error.name} is missing: pip install 'baycarp[web]' (in a clone '.[web]')"
        ) from error
    first: list[float] = []
    trips: list[float] = []
    hints: list[float] = []
    beside: list[float] = []
    seats = len(args.beside) + 1
    names = ["", *_files(STATIC)]
    for start in range(args.started):
        began = perf_counter()
        with _served(args.beside) as address:
            for name in names:
                urlopen(address + name).read()
            place = address.replace("http", "ws", 1) + "ws"
            origin = Origin(address[: address.index("/", 8)])
            with connect(place, origin=origin, max_size=None) as line:
                table = _turn(line)
                first.append(perf_counter() - began)
                if start == args.started - 1:
                    line.send('{"type": "pace", "milliseconds": 0}')
                    trips += islice(_trips(line, table), args.actions)
                    line.send('{"type": "pause", "on": 0}')
                    hints += islice(_hints(line, _turn(line)), args.hints)
                    beside += _beside_others(line, address)
    started = f"{seats} seats: from the command to the first decision"
    yield at_most(f"{started}, median of {len(first)}", FIRST, float(np.median(first)), "s")
    yield Goal(f"{started}, worst", max(first), "s")
    for share, must in ((50, None), (99, TRIP), (100, None)):
        which = "worst" if share == 100 else f"p{share}"
        name = f"{seats} seats: round trip of an action, {which} of {len(trips)}"
        measured = 1000 * float(np.percentile(trips, share))
        yield Goal(name, measured, "ms") if must is None else at_most(name, must, measured, "ms")

    asked = 1000 * float(np.percentile(hints, 99))
    yield at_most(f"{seats} seats: a hint, p99 of {len(hints)}", HINT, asked, "ms")
    alone, halves, fragments = (1000 * each for each in beside)
    yield at_most(f"an answer beside {HALVES} half requests", HALF, halves, "ms")
    yield at_most(f"an answer beside {FRAGMENTS} empty fragments, later", FRAGMENT, fragments - alone, "ms")


def _files(folder: Traversable, above: str = "") -> Iterator[str]:
    """The names of the files of the page, but the page itself."""
    for each in folder.iterdir():
        if each.is_dir():
            yield from _files(each, f"{above}{each.name}/")
        elif not each.name.endswith(".html"):
            yield above + each.name


@contextmanager
def _served(agents: list[str]) -> Iterator[str]:
    """The address that the command prints."""
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "baycarp", "play", *agents, "--no-open", "--out", folder]
        own = os.environ | {"BAYCARP_HOME": folder}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=own) as process:
            assert process.stdout is not None
            try:
                yield process.stdout.readline().strip()
            finally:
                process.kill()


def _turn(line: Any) -> dict[str, Any]:
    """The next message in which the person is to do something."""
    while True:
        message: dict[str, Any] = json.loads(line.recv())
        if message["type"] == "table" and (message["frame"]["over"] or message["frame"]["choices"]):
            return message


def _trips(line: Any, message: dict[str, Any]) -> Iterator[float]:
    """Play on; seconds of each action until the table has it."""
    for bets in cycle((False, False, False, True)):
        while (frame := message["frame"])["over"]:
            line.send(json.dumps({"type": "next", "hand": frame["hand"]}))
            message = _turn(line)
            while message["frame"]["hand"] == frame["hand"]:
                message = _turn(line)
        bet, act = frame["choices"]["bet"], frame["choices"]["stay"]
        if bets and bet:
            act = f"{bet['kind']} {bet['least']}"
        at = {"hand": frame["hand"], "at": len(frame["acts"])}
        began = perf_counter()
        line.send(json.dumps({"type": "act", "action": act} | at))
        while True:
            message = json.loads(line.recv())
            if message["type"] == "error":
                raise AssertionError(message["reason"])
            if message["type"] == "table" and len(message["frame"]["acts"]) > at["at"]:
                break
        yield perf_counter() - began
        if not (message["frame"]["over"] or message["frame"]["choices"]):
            message = _turn(line)


def _hints(line: Any, message: dict[str, Any]) -> Iterator[float]:
    """Ask for a hint before each action, then act; seconds of each hint."""
    while True:
        while (frame := message["frame"])["over"]:
            line.send(json.dumps({"type": "next", "hand": frame["hand"]}))
            while message["frame"]["hand"] == frame["hand"]:
                message = _turn(line)
        at = {"hand": frame["hand"], "at": len(frame["acts"])}
        began = perf_counter()
        line.send(json.dumps({"type": "hint"} | at))
        while json.loads(line.recv())["type"] != "hint":
            pass
        yield perf_counter() - began
        line.send(json.dumps({"type": "act", "action": frame["choices"]["stay"]} | at))
        while (frame["hand"], len(frame["acts"])) == (at["hand"], at["at"]):
            message = _turn(line)
            frame = message["frame"]


def _beside_others(line: Any, address: str) -> tuple[float, float, float]:
    """The worst of ten answers: alone, beside half requests, and beside a message of empty fragments."""
    alone = _worst(line)
    place = address.split("/")[2]
    where = place.split(":")[0], int(place.split(":")[1])
    with ExitStack() as stack:
        for half in (b"G", b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nHost: x\r\nX: ") * (HALVES // 3):
            other = stack.enter_context(socket.create_connection(where))
            with suppress(OSError):  # the server ended it for a later one
                other.sendall(half)
        halves = _worst(line)
    path, origin = address[address.index("/", 8) :], address[: address.index("/", 8)]
    head = (
        f"GET {path}ws HTTP/1.1\r\nHost: {place}\r\nOrigin: {origin}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: {'A' * 22}==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    with socket.create_connection(where) as other:
        other.sendall(head.encode())
        other.recv(12)
        mask = b"\0\0\0\0"
        flood = b"\x01\x80" + mask + FRAGMENTS * (b"\x00\x80" + mask)
        thread = threading.Thread(target=_send, args=(other, flood))
        thread.start()
        fragments = _worst(line)
        thread.join()
    return alone, halves, fragments


def _send(other: socket.socket, data: bytes) -> None:
    with suppress(OSError):  # the server ends the connection
        other.sendall(data)


def _worst(line: Any) -> float:
    """Seconds of the slowest of ten answers, each to a message that is refused."""
    waits = []
    for _ in range(10):
        began = perf_counter()
        line.send('{"type": "replay", "hand": 100000000}')
        while json.loads(line.recv())["type"] != "error":
            pass
        waits.append(perf_counter() - began)
    return max(waits)


run = printing(goals)
