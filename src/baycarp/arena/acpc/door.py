"""The ports of a match: one for each client; all connections are greeted side by side."""

import re
import selectors
import socket
import time
from collections.abc import Sequence

from baycarp.arena.acpc.wire import Wire
from baycarp.errors import NotationError

__all__ = ["accept", "listen"]

GREETING = 10.0
"""Seconds that a connection has for its version line."""

GUESTS = 64
"""Connections without a version line that are kept open; one more ends the oldest."""

_VERSION = re.compile(r"VERSION:2\.[0-9]{1,9}\.[0-9]{1,9}")


def listen(host: str, ports: Sequence[int]) -> list[socket.socket]:
    """Open a port for each client; 0 = any that is free.

    Raises
    ------
    OSError
        One is not free.
    """
    doors: list[socket.socket] = []
    try:
        for port in ports:
            doors.append(socket.create_server((host, port)))
    except OSError as error:
        for door in doors:
            door.close()
        raise OSError(f"{host}:{port}: {error.strerror or error}") from error
    return doors


def accept(doors: Sequence[socket.socket], patience: float) -> list[Wire]:
    """Await the client of each port, and close the ports.

    A port's client is the first connection that sends a version line. A connection that sends another line,
    or none in ``GREETING`` seconds, is closed; it does not delay the others.

    Parameters
    ----------
    doors
        Listening sockets, as of ``listen``.
    patience
        Seconds that the clients have to come.

    Returns
    -------
    list of Wire
        The connections, in the order of ``doors``.

    Raises
    ------
    TimeoutError
        Clients did not come in ``patience`` seconds; their ports are named.
    """
    until = time.monotonic() + patience
    lobby = _Lobby(doors)
    try:
        while lobby.waiting:
            if time.monotonic() >= until:
                ports = ", ".join(str(door.getsockname()[1]) for door in lobby.waiting)
                raise TimeoutError(f"port {ports}: no client came in {patience:g} s")
            lobby.serve(until)
    except BaseException:
        for wire in lobby.clients.values():
            wire.close()
        raise
    finally:
        lobby.close()
    return [lobby.clients[door] for door in doors]


class _Lobby:
    """The ports whose client has not come, and the connections that have not sent a line."""

    def __init__(self, doors: Sequence[socket.socket]) -> None:
        self.waiting = list(doors)
        self.clients: dict[socket.socket, Wire] = {}
        self._guests: dict[Wire, tuple[socket.socket, float]] = {}
        """Port and time limit by connection, the oldest first."""
        self._selector = selectors.DefaultSelector()
        for door in doors:
            door.setblocking(False)
            self._selector.register(door, selectors.EVENT_READ, door)

    def close(self) -> None:
        """Close all that is not a client's connection."""
        for wire in list(self._guests):
            self._refuse(wire)
        for door in self.waiting:
            door.close()
        self._selector.close()

    def serve(self, until: float) -> None:
        """Process what comes next; return at ``until`` at the latest."""
        now = time.monotonic()
        for wire in [wire for wire, (_, limit) in self._guests.items() if limit <= now]:
            self._refuse(wire)
        nearest = min([until, now + GREETING, *(limit for _, limit in self._guests.values())])
        for key, _ in self._selector.select(max(0.0, nearest - now)):
            if key.data in self.waiting:
                self._let_in(key.data)
            elif key.data in self._guests:  # not closed by an event before it
                self._read_version(key.data)

    def _let_in(self, door: socket.socket) -> None:
        try:
            wire = Wire(door.accept()[0])
        except OSError:  # closed by its peer already
            return
        if len(self._guests) == GUESTS:
            self._refuse(next(iter(self._guests)))
        self._guests[wire] = door, time.monotonic() + GREETING
        self._selector.register(wire, selectors.EVENT_READ, wire)

    def _read_version(self, wire: Wire) -> None:
        try:
            line = wire.poll()
        except (OSError, NotationError):
            line = ""
        if line is None:
            return
        if not _VERSION.fullmatch(line):
            self._refuse(wire)
            return
        door, _ = self._guests.pop(wire)
        self._selector.unregister(wire)
        self._selector.unregister(door)
        self.clients[door] = wire
        self.waiting.remove(door)
        door.close()
        for other in [other for other, (of, _) in self._guests.items() if of is door]:
            self._refuse(other)

    def _refuse(self, wire: Wire) -> None:
        del self._guests[wire]
        self._selector.unregister(wire)
        wire.close()
