"""Lines over a connection: each is at most 4 KB long, and awaited for a limited time."""

import contextlib
import socket
import time
from typing import Self

from baycarp.game.notation.hand import LONGEST, Refused

__all__ = ["VERSION", "Wire", "connect"]

VERSION = "VERSION:2.0.0"
"""A client's first line."""

_PATIENCE = 86_400.0
"""The longest wait for a line, in seconds."""


class Wire:
    """One end of a connection.

    Lines end in CR LF; LF alone is read too. Other bytes than ASCII are read as ``?``, which no line of the
    protocol contains.

    Parameters
    ----------
    connection
        A connected socket; ``close`` closes it.
    """

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._unread = bytearray()
        if connection.family != getattr(socket, "AF_UNIX", None):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # lines are short and urgent
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def fileno(self) -> int:
        """The socket's descriptor, for a selector."""
        return self._connection.fileno()

    def close(self) -> None:
        """End the connection."""
        self._connection.close()

    def finish(self, seconds: float = 1.0) -> None:
        """Announce the end of our output, and close when the peer has closed, or after ``seconds``.

        Closing at once with unread input resets the connection, and the peer loses the lines it has not read.
        """
        until = time.monotonic() + seconds
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_WR)
            while (left := until - time.monotonic()) > 0:
                self._connection.settimeout(left)
                if not self._connection.recv(LONGEST):
                    break
        self.close()

    def send(self, line: str, seconds: float = _PATIENCE) -> None:
        """Send a line.

        Raises
        ------
        TimeoutError
            The peer does not read.
        ConnectionError
            The peer has closed the connection.
        """
        if seconds <= 0:
            raise TimeoutError("no time left to send a line in")
        self._connection.settimeout(min(seconds, _PATIENCE))
        try:
            self._connection.sendall(f"{line}\r\n".encode("ascii"))
        except TimeoutError:
            raise TimeoutError(f"a line was not taken in {seconds:g} s") from None

    def receive(self, seconds: float = _PATIENCE) -> str:
        """The next line, without its end.

        Raises
        ------
        TimeoutError
            The line was not complete after ``seconds``.
        ConnectionError
            The peer has closed the connection.
        NotationError
            The line is too long.
        """
        until = time.monotonic() + min(seconds, _PATIENCE)
        while (line := self._line()) is None:
            left = until - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"no line in {seconds:g} s")
            self._read(left)
        return line

    def poll(self) -> str | None:
        """The next line, without its end, after one read that does not wait; None where it is not complete.

        Raises
        ------
        ConnectionError
            The peer has closed the connection.
        NotationError
            The line is too long.
        """
        self._read(0.0)
        return self._line()

    def _read(self, seconds: float) -> None:
        self._connection.settimeout(seconds)
        try:
            chunk = self._connection.recv(LONGEST)
        except (TimeoutError, BlockingIOError):
            return
        if not chunk:
            raise ConnectionError("connection closed")
        self._unread += chunk

    def _line(self) -> str | None:
        end = self._unread.find(b"\n", 0, LONGEST + 1)
        if end < 0:
            if len(self._unread) > LONGEST:
                raise Refused("line too long", f"expected at most {LONGEST} characters")
            return None
        line = self._unread[:end].decode("ascii", "replace").replace("\ufffd", "?")
        del self._unread[: end + 1]
        return line.removesuffix("\r")


def connect(host: str, port: int, patience: float = 0.0) -> Wire:
    """Connect, and try again for ``patience`` seconds while the connection is refused.

    Raises
    ------
    OSError
        It was refused until then; host and port are named.
    """
    until = time.monotonic() + patience
    while True:
        try:
            return Wire(socket.create_connection((host, port), timeout=10.0))
        except OSError as error:
            if time.monotonic() >= until:
                raise ConnectionError(f"{host}:{port}: {error.strerror or error}") from error
        time.sleep(min(0.2, patience))
