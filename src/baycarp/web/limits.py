"""Limits of the server: connections, the time to a whole request, fragments of a message."""

import asyncio
import logging
from typing import Any

import h11
import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from baycarp.web.faults import LOG, PageLog
from baycarp.web.server import LONGEST

__all__ = ["CONNECTIONS", "FRAGMENTS", "REQUEST", "server"]

CONNECTIONS = 64
"""Connections at one time; one more ends the oldest that has no whole request, or else is refused."""

REQUEST = 5.0
"""Seconds in which a request has to be whole."""

FRAGMENTS = 64
"""Fragments of a message; one more ends the connection."""

PIECE = 2048
"""Bytes of a connection that are read before others are served."""

UNSENT = 1 << 20
"""Bytes that a connection does not read, after which it is ended."""

CLOSING = 1.0
"""Seconds in which the other side answers the end of a connection."""


class LimitedRequests(H11Protocol):
    """A connection with requests: whole ones in time, and so many connections at most."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request; make room for the connection."""
        super().connection_made(transport)
        self.since = self.loop.time()
        self._is_upgraded = False
        self._late: asyncio.TimerHandle | None = self.loop.call_later(REQUEST, transport.abort)
        if len(self.connections) > CONNECTIONS:
            waiting = [
                each for each in self.connections if isinstance(each, LimitedRequests) and each.is_waiting
            ]
            others = [each for each in waiting if each is not self]
            least = min(others, key=lambda each: each.since, default=self)
            self.connections.discard(least)
            least.transport.abort()

    @property
    def is_waiting(self) -> bool:
        """Whether no request is answered now."""
        return self.cycle is None or self.cycle.response_complete

    def data_received(self, data: bytes) -> None:
        """Read on; the time runs from the first byte of a request to its last."""
        super().data_received(data)
        if self._is_whole():
            self._stop()
        elif self._late is None:
            self._late = self.loop.call_later(REQUEST, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the time."""
        self._stop()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """The connection is one of messages from now on."""
        self._is_upgraded = True
        super().handle_websocket_upgrade(event)

    def _is_whole(self) -> bool:
        """Whether nothing of a request is missing."""
        if self._is_upgraded:
            return True
        state = self.conn.their_state
        if state is h11.IDLE:
            return self.cycle is not None and not self.conn.trailing_data[0]
        return state is not h11.SEND_BODY

    def _stop(self) -> None:
        if self._late:
            self._late.cancel()
            self._late = None


class LimitedSocket(WebSocketsSansIOProtocol):
    """A connection with messages: of so many fragments at most, read piece by piece beside the others."""

    def connection_made(self, transport: Any) -> None:
        """Begin."""
        super().connection_made(transport)
        self._unread = bytearray()
        self._next: asyncio.Handle | None = None
        self._fragments = 0
        self.close_timeout = CLOSING

    def data_received(self, data: bytes) -> None:
        """Keep what came; read its first piece now and the others after those of other connections."""
        self._unread += data
        if self._next is None:
            self._read_piece()
        if self._unread:
            self.transport.pause_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        """Drop what was not read."""
        self._end()
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
            access_log=False, backlog=CONNECTIONS, timeout_graceful_shutdown=1,
        )
    )  # fmt: skip
