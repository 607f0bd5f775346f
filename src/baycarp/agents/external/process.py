"""A process of an external program, under limits: lines are exchanged with it, every wait is bounded.

``launch`` supervises it. The program has a session of its own, no inherited descriptors but its two pipes,
and a short list of environment variables; it is killed with all its descendants. A supervisor that the
program stops (SIGSTOP) is continued with each message and at the end; one that stays stopped is killed, after
all descendants. No call blocks beyond its deadline.
"""

import os
import select
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from baycarp.errors import ArgumentError
from baycarp.files.processes import descendants_of
from baycarp.game.notation.wire import Lines, Message, write

__all__ = ["Fault", "Process", "ProcessLimits"]

FLOOD = 1 << 20
"""Limit of the bytes that a program writes between two calls of ``reset_count``, and of unsent bytes."""

ENVIRONMENT = ("HOME", "LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "PATH", "TMPDIR", "TZ", "USER")
"""The environment variables that a program gets; others are named in its settings."""

GRACE = 0.5
"""Seconds that a program has to end by itself after the message ``quit``."""

CONTINUED = 10
"""How often a supervisor that does not end is continued, before the program is killed from here."""

WAIT = 0.1
"""Seconds that the supervisor has each time to kill all descendants."""

LINGER = 5.0
"""Seconds until a process that does not die of SIGKILL is given up."""


class Fault(Exception):
    """A fault of an external program: a name for counting, and the details."""

    def __init__(self, name: str, detail: str) -> None:
        super().__init__(f"{name}: {detail}")
        self.name, self.detail = name, detail


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """ProcessLimits of each process of a program: seconds of CPU, MiB of address space, open files.

    ``processes`` limits their number, the program included.
    """

    cpu: int = 3600
    memory: int = 4096
    files: int = 64
    processes: int = 64

    def __post_init__(self) -> None:
        for name, least in (("cpu", 1), ("memory", 16), ("files", 8), ("processes", 1)):
            given = getattr(self, name)
            if not isinstance(given, int) or given < least:
                raise ArgumentError(f"{name} {given!r}: expected a whole number, at least {least}")


class Process:
    """A running program.

    Parameters
    ----------
    command
        The program and its arguments; no shell reads them.
    limits
        They are set before the program starts.
    log
        The file to which its standard error is added; "" = nowhere.
    environment
        Names of environment variables that the program gets besides ``ENVIRONMENT``.
    """

    def __init__(
        self, command: list[str], limits: ProcessLimits, log: str = "", environment: Sequence[str] = ()
    ) -> None:
        numbers = (os.getpid(), limits.cpu, limits.memory << 20, limits.files, limits.processes)
        launch = [sys.executable, "-I", "-S", str(Path(__file__).with_name("launch.py"))]
        with open(log or os.devnull, "ab") as errors:
            self._child = subprocess.Popen(
                [*launch, *map(str, numbers), *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                bufsize=0,
                start_new_session=True,
                env={name: os.environ[name] for name in (*ENVIRONMENT, *environment) if name in os.environ},
            )
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._to, self._from = self._child.stdin.fileno(), self._child.stdout.fileno()
        for pipe in (self._to, self._from):
            os.set_blocking(pipe, False)
        self._unsent, self._lines = b"", Lines()
        self._received: deque[bytes | None] = deque()
        self._bytes_received = 0

    @property
    def supervisor(self) -> int:
        """The number of the process whose descendants are the program and all that it starts."""
        return self._child.pid

    def send(self, message: Message) -> None:
        """Send the program a message, now or when it next reads.

        Raises
        ------
        Fault
            The program has died, or has not read for too long.
        """
        self._unsent += write(message)
        self._continue()
        self._write()
        if len(self._unsent) > FLOOD:
            raise Fault("deaf", f"{len(self._unsent)} bytes wait to be read")

    def reset_count(self) -> None:
        """Begin a new count of output: earlier output no longer counts as a flood."""
        self._bytes_received = 0

    def receive(self, until: float) -> bytes | None:
        """The next line of the program's output; None = a line that is too long.

        Parameters
        ----------
        until
            The deadline, by ``time.perf_counter``.

        Raises
        ------
        Fault
            The program writes nothing in time, writes too much, or has died.
        """
        while not self._received:
            self._exchange(until)
        if time.perf_counter() > until:
            raise Fault("late", "no answer in time")
        return self._received.popleft()

    def quit(self) -> None:
        """End the program: by the message ``quit``, then by killing it with its descendants."""
        with suppress(Fault):
            self.send({"type": "quit"})
        self._child.stdin.close()  # type: ignore[union-attr]
        self._unsent = b""
        until = time.perf_counter() + GRACE
        self.reset_count()
        with suppress(Fault):
            while True:
                self._received.clear()
                self._exchange(until)
        self.kill()

    def kill(self) -> None:
        """End the program and all its descendants at once."""
        self._child.terminate()
        for pipe in (self._child.stdin, self._child.stdout):
            pipe.close()  # type: ignore[union-attr]
        for _ in range(CONTINUED):
            self._continue()
            with suppress(subprocess.TimeoutExpired):
                self._child.wait(WAIT)
                return
        until = time.monotonic() + LINGER
        while (left := descendants_of(self.supervisor)) and time.monotonic() < until:
            for each in left:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(each, signal.SIGKILL)
        self._child.kill()
        self._child.wait()

    def _continue(self) -> None:
        """Let the supervisor go on: the program may have stopped it, now or again."""
        self._child.send_signal(signal.SIGCONT)

    def _exchange(self, until: float) -> None:
        """Write and read once, as soon as either is possible; wait until the deadline."""
        poll = select.poll()
        poll.register(self._from, select.POLLIN)
        if self._unsent:
            poll.register(self._to, select.POLLOUT)
        ready = dict(poll.poll(max(1000 * (until - time.perf_counter()), 0)))
        if not ready:
            raise Fault("late", "no answer in time")
        if self._from in ready:
            self._read()
        if self._to in ready:
            self._write()

    def _read(self) -> None:
        data = os.read(self._from, 1 << 16)
        if not data:
            raise Fault("died", "it ended before it answered")
        self._bytes_received += len(data)
        if self._bytes_received > FLOOD:
            raise Fault("flood", f"more than {FLOOD} bytes at a time")
        self._received.extend(self._lines.feed(data))

    def _write(self) -> None:
        try:
            while self._unsent:
                self._unsent = self._unsent[os.write(self._to, self._unsent) :]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            raise Fault("died", "it ended before it answered") from None
