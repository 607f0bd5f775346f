"""Limits of the server: connections, the time of each of their states, fragments of a message."""

import asyncio
import logging
from typing import Any

import h11
import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.protocol import State

from baycarp.web.faults import LOG, PageLog
from baycarp.web.server import LONGEST

__all__ = ["CONNECTIONS", "FRAGMENTS", "REQUEST", "TAKEN", "server"]

CONNECTIONS = 64
"""Connections at one time; one more ends the oldest that exchanges no messages, or else is refused."""

REQUEST = 5.0
"""Seconds in which a request has to be whole."""

TAKEN = 10.0
"""Seconds in which the other side takes what was sent to it."""

FRAGMENTS = 64
"""Fragments of a message; one more ends the connection."""

PIECE = 2048
"""Bytes of a connection that are read before others are served."""

UNSENT = 1 << 20
"""Bytes that a connection does not read, after which it is ended."""

CLOSING = 1.0
"""Seconds in which the other side answers the end of a connection."""


class _Timed:
    """A connection that is ended at a time, unless that is put off."""

    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    _ending: asyncio.TimerHandle | None = None

    def _end_after(self, seconds: float | None) -> None:
        """Put the end off; None = there is none."""
        if self._ending:
            self._ending.cancel()
        self._ending = None if seconds is None else self.loop.call_later(seconds, self.transport.abort)


class LimitedRequests(_Timed, H11Protocol):
    """A connection with one request: whole in time, its answer taken in time; so many connections at most."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request; make room for the connection."""
        super().connection_made(transport)
        self.since = self.loop.time()
        self._is_whole = False
        self._end_after(REQUEST)
        if len(self.connections) > CONNECTIONS:
            others: list[Any] = [each for each in self.connections if not getattr(each, "is_open", False)]
            oldest = min(others, key=lambda each: each.since)
            self.connections.discard(oldest)
            oldest.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Read on; no byte puts the end off but the last one of the request."""
        super().data_received(data)
        if not self._is_whole and self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._is_whole = True
            self._end_after(TAKEN)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the time."""
        self._end_after(None)
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """The connection is one of messages from now on."""
        self._is_whole = True
        self._end_after(None)
        super().handle_websocket_upgrade(event)

    def shutdown(self) -> None:
        """The server ends, and waits for nobody."""
        self.transport.abort()


class LimitedSocket(_Timed, WebSocketsSansIOProtocol):
    """A connection with messages: of so many fragments at most, read piece by piece beside the others."""

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for the handshake."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(0)  # writing pauses with the first byte that is not taken
        self.default_headers = []  # "Connection: close" is for requests
        self.close_timeout = CLOSING
        self.since = self.loop.time()
        self._unread = bytearray()
        self._next: asyncio.Handle | None = None
        self._fragments = 0
        self._end_after(REQUEST)

    @property
    def is_open(self) -> bool:
        """Whether messages are exchanged: its handshake is over, its end has not begun."""
        return self.handshake_complete and not self.transport.is_closing()

    def start_keepalive(self) -> None:
        """The handshake is over."""
        self._end_after(None)
        super().start_keepalive()

    def pause_writing(self) -> None:
        """Give the other side time to take what was sent."""
        self._end_after(TAKEN)
        super().pause_writing()

    def resume_writing(self) -> None:
        """All was taken."""
        self._end_after(None)
        super().resume_writing()

    def shutdown(self) -> None:
        """The server ends: say so where messages are exchanged, and wait for nobody."""
        if self.conn.state is State.OPEN:
            super().shutdown()
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Keep what came; read its first piece now and the others after those of other connections."""
        self._unread += data
        if self._next is None:
            self._read_piece()
        if self._unread:
            self.transport.pause_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        """Drop what was not read."""
        self._end_after(None)
        self._end()
        self.connections.add(self)  # the base removes it; it may have made room for another
        super().connection_lost(exc)

    def handle_cont(self, event: Frame) -> None:
        """Count the fragment."""
        self._fragments += 1
        if self._fragments >= FRAGMENTS:
            self._end()
            self.transport.abort()
            return
        super().handle_cont(event)
        if event.fin:
            self._fragments = 0

    def _read_piece(self) -> None:
        self._next = None
        piece = bytes(self._unread[:PIECE])
        del self._unread[:PIECE]
        super().data_received(piece)
        if self.conn.handshake_exc:  # the base answers only where the request could be read
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()
        if self.transport.get_write_buffer_size() > UNSENT:
            self.transport.abort()
        if self.transport.is_closing():
            self._end()
        elif self._unread:
            # a message that waits for the application goes first
            again = self.loop.call_later(0.001, self._read_piece)
            self._next = again
        elif not self.read_paused:
            self.transport.resume_reading()

    def _end(self) -> None:
        self._unread.clear()
        if self._next:
            self._next.cancel()
            self._next = None


def server(application: Starlette) -> uvicorn.Server:
    """The server of the pages, with all limits; it is run with a socket that listens already."""
    handler = PageLog()
    for name in ("uvicorn", "asyncio", LOG.name):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.ERROR)
    return uvicorn.Server(
        uvicorn.Config(
            application, http=LimitedRequests, ws=LimitedSocket, ws_max_size=2 * LONGEST,
            ws_per_message_deflate=False, lifespan="on", log_config=None, server_header=False,
            headers=[("Connection", "close")], access_log=False, backlog=CONNECTIONS,
            timeout_graceful_shutdown=1,
        )
    )  # fmt: skip
