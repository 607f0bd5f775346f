"""An engine at two descriptors: one thread reads, another computes."""

import os
from collections.abc import Iterator
from contextlib import suppress
from queue import Queue
from threading import Event as Flag
from threading import Lock, Thread

from baycarp.arena.engine import Engine, refusal
from baycarp.errors import NotationError
from baycarp.game.notation.wire import Lines, Message, parse, write

__all__ = ["serve"]

WAITING = 256
"""Messages that may wait while the agent computes; more are left unread."""


def serve(engine: Engine, source: int, target: int) -> None:
    """Answer the lines of one descriptor on another until ``quit`` or the end of the input.

    A second thread reads, so that ``stop`` reaches a decision that is being computed.
    """
    _Conversation(engine, source, target).run()


class _Conversation:
    """A reading thread queues messages; this thread computes their answers, one after the other."""

    def __init__(self, engine: Engine, source: int, target: int) -> None:
        self._engine, self._source, self._target = engine, source, target
        self._inbox: Queue[tuple[Iterator[Message], Flag] | None] = Queue(WAITING)
        self._pending: list[Flag] = []  # one flag for each go without an answer
        self._writing = Lock()

    def run(self) -> None:
        Thread(target=self._read, daemon=True).start()
        try:
            while (item := self._inbox.get()) is not None:
                answers, stopped = item
                for answer in answers:
                    self._send(answer)
                if stopped in self._pending:
                    self._pending.remove(stopped)
        except BrokenPipeError:
            pass  # the reader has closed

    def _read(self) -> None:
        lines, going = Lines(), True
        try:
            while going and (data := os.read(self._source, 1 << 16)):
                going = all(self._take(line) for line in lines.feed(data))
            if going:
                for line in lines.end():
                    self._take(line)
        except OSError:
            pass  # the input or the reader is gone
        finally:
            self._inbox.put(None)

    def _take(self, line: bytes | None) -> bool:
        """Answer a line or queue its answers; False at ``quit``."""
        if line is not None and not line.strip():
            return True
        try:
            message = parse(line)
        except NotationError as error:
            self._inbox.put((iter([refusal({}, error)]), Flag()))
            return True
        kind, stopped = message.get("type"), Flag()
        if kind in ("stop", "quit"):
            for flag in list(self._pending):
                flag.set()
        elif kind == "ready" and self._pending:
            for answer in self._engine.ready(message):
                self._send(answer)
        else:
            if kind == "go":
                self._pending.append(stopped)
            self._inbox.put((self._engine.answer(message, stopped, self._report), stopped))
        return kind != "quit"

    def _report(self, message: Message) -> None:
        """Send an intermediate result; the final answer detects a closed reader."""
        with suppress(BrokenPipeError):
            self._send(message)

    def _send(self, message: Message) -> None:
        with self._writing:
            line = write(message)
            while line:
                line = line[os.write(self._target, line) :]
