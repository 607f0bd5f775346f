"""Lines over a connection: each is at most 4 KB long, and waited for no longer than was agreed."""

import contextlib
import socket
import time
from typing import Self

from baycarp.game.notation.hand import LONGEST, Refused

__all__ = ["VERSION", "Wire", "connect"]

VERSION = "VERSION:2.0.0"
"""A client's first line."""

_PATIENCE = 86_400.0
"""A wait that has no other end, in seconds."""


class Wire:
    """One end of a connection.

    Lines end in CR LF; LF alone is read too. What is not ASCII is read as ``?``, which no line of the
    protocol holds.

    Parameters
    ----------
    connection
        A connected socket; it is the wire's to close.
    """

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._unread = bytearray()
        if connection.family != getattr(socket, "AF_UNIX", None):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # lines are short, and awaited
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the connection."""
        self._connection.close()

    def finish(self, seconds: float = 1.0) -> None:
        """Announce the end of our output, and close when the peer has, or after ``seconds``.

        To close at once would, where something of the peer's is unread, take back what it has not read yet.
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
            It has gone.
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
            It was not complete after ``seconds``, however many of its bytes came.
        ConnectionError
            The peer has gone.
        NotationError
            The line is too long.
        """
        until = time.monotonic() + min(seconds, _PATIENCE)
        while (end := self._unread.find(b"\n", 0, LONGEST + 1)) < 0:
            if len(self._unread) > LONGEST:
                raise Refused("line too long", f"expected at most {LONGEST} characters")
            left = until - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"no line in {seconds:g} s")
            self._connection.settimeout(left)
            try:
                chunk = self._connection.recv(LONGEST)
            except TimeoutError:
                continue
            if not chunk:
                raise ConnectionError("connection closed")
            self._unread += chunk
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
