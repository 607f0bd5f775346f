"""The table in the browser, from outside: ``python -m benchmarks web``.

The command is started as a person starts it, and played through its own connection: seconds from the command
to the first decision of the person, with the pace that a person gets; then milliseconds from an action to the
table that has it. The player calls or checks, and bets every fourth time.
"""

import json
import subprocess
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
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

FIRST = 3.0
"""Seconds from the command to the first decision, at most."""

TRIP = 50.0
"""Milliseconds of an action's round trip, 99th percentile, at most."""

FILES = ("", "app.js", "cards.js", "panel.js", "seats.js", "style.css")
"""What a browser loads."""

add = options(
    JSON,
    option("--beside", nargs="+", default=TABLE, metavar="AGENT", help="agents at the table of the person"),
    option("--actions", type=count, default=1000, help="of the person, each with its round trip"),
    option("--started", type=count, default=5, help="times that the command is started"),
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
    seats = len(args.beside) + 1
    for start in range(args.started):
        began = perf_counter()
        with _served(args.beside) as address:
            for name in FILES:
                urlopen(address + name).read()
            place = address.replace("http", "ws", 1) + "ws"
            origin = Origin(address[: address.index("/", 8)])
            with connect(place, origin=origin, max_size=None) as line:
                table = _turn(line)
                first.append(perf_counter() - began)
                if start == args.started - 1:
                    line.send('{"type": "pace", "milliseconds": 0}')
                    trips += islice(_trips(line, table), args.actions)
    yield Goal(
        f"{seats} seats: from the command to the first decision, median of {len(first)}",
        float(np.median(first)),
        "s",
    )
    yield at_most(f"{seats} seats: from the command to the first decision, worst", FIRST, max(first), "s")
    for share, must in ((50, None), (99, TRIP), (100, None)):
        which = "worst" if share == 100 else f"p{share}"
        name = f"{seats} seats: round trip of an action, {which} of {len(trips)}"
        measured = 1000 * float(np.percentile(trips, share))
        yield Goal(name, measured, "ms") if must is None else at_most(name, must, measured, "ms")


@contextmanager
def _served(agents: list[str]) -> Iterator[str]:
    """The address that the command prints."""
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "baycarp", "play", *agents, "--no-open", "--out", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
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


run = printing(goals)
