"""The server of the page: loopback only, every address behind a random token, messages checked one by one."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from baycarp.errors import BaycarpError, NotationError
from baycarp.game.notation.wire import parse, string, whole
from baycarp.web.table import BrowserTable

__all__ = ["LONGEST", "POLICY", "application"]

LONGEST = 8192
"""Greatest length of a message, in bytes; a longer one ends the connection."""

FAULTS = 20
"""Refused messages after which a connection is ended."""

UNREAD = 100
"""Messages that wait to be sent, after which a connection is ended: its other side reads nothing."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self' ws://{host}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The content policy of the page."""

TYPES = {"html": "text/html", "js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}


def application(table: BrowserTable, token: str, port: int) -> Starlette:
    """The application of one table.

    Parameters
    ----------
    table
        What is served.
    token
        The first part of every address; without it all is refused.
    port
        Of the server: requests must name it and a loopback host.
    """
    hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}

    def refusal(connection: HTTPConnection) -> str:
        if connection.headers.get("host") not in hosts:
            return "host: expected 127.0.0.1 or localhost with the port of the table"
        if connection.path_params["token"] != token:
            return "token: not the one of this table; use the address that the command printed"
        return ""

    async def page(request: Request) -> Response:
        if why := refusal(request):
            return PlainTextResponse(why, 403)
        name = request.path_params.get("name") or "index.html"
        static = files("baycarp.web") / "static"
        if name not in {each.name for each in static.iterdir()}:
            return PlainTextResponse("no such file", 404)
        headers = {
            "Content-Security-Policy": POLICY.format(host=request.headers["host"]),
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cache-Control": "no-store",
        }
        content = (static / name).read_text("utf-8")
        return Response(content, media_type=TYPES[name.rpartition(".")[2]], headers=headers)

    async def serve_socket(socket: WebSocket) -> None:
        origin = socket.headers.get("origin", "")
        if refusal(socket) or origin.removeprefix("http://") not in hosts:
            await socket.close(1008)
            return
        await socket.accept()
        await _converse(table, socket)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        dealer = asyncio.create_task(table.run())
        yield
        dealer.cancel()
        with suppress(asyncio.CancelledError):
            await dealer

    routes = [
        Route("/{token}/", page),
        Route("/{token}/{name}", page),
        WebSocketRoute("/{token}/ws", serve_socket),
    ]
    return Starlette(routes=routes[::-1], lifespan=lifespan)


class _Line:
    """What waits to be sent on a connection: answers in their order, of the table its last state alone."""

    def __init__(self) -> None:
        self.waiting: list[dict[str, Any]] = []
        self._more = asyncio.Event()

    def put(self, message: dict[str, Any]) -> None:
        if message["type"] == "table":
            self.waiting = [each for each in self.waiting if each["type"] != "table"]
        self.waiting.append(message)
        self._more.set()

    async def deliver(self, socket: WebSocket) -> None:
        while True:
            await self._more.wait()
            self._more.clear()
            while self.waiting:
                await socket.send_text(json.dumps(self.waiting.pop(0)))


async def _converse(table: BrowserTable, socket: WebSocket) -> None:
    """Send changes and answer messages, until the connection ends or too much was refused."""
    faults, line = 0, _Line()
    line.put(table.greeting())
    table.listeners.add(line.put)
    sender = asyncio.create_task(line.deliver(socket))
    try:
        while faults < FAULTS and len(line.waiting) < UNREAD:
            received = await socket.receive()
            if received["type"] == "websocket.disconnect":
                return
            faults += await _answer(table, received, line.put)
        await socket.close(1008)
    except (WebSocketDisconnect, RuntimeError):
        return  # the line was cut; the table goes on
    finally:
        table.listeners.discard(line.put)
        sender.cancel()
        with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
            await sender


async def _answer(table: BrowserTable, received: Any, send: Callable[[dict[str, Any]], None]) -> bool:
    """Answer one message; whether it was refused."""
    try:
        given = received.get("text")
        if given is None:
            raise NotationError("message: expected text, got bytes")
        if len(given) > LONGEST:
            raise NotationError(f"message of {len(given)} characters: expected at most {LONGEST}")
        message = parse(given.encode())
        kind = string(message, "type")
        if kind == "act":
            await table.act(
                string(message, "action"), whole(message, "hand", None), whole(message, "at", None)
            )
        elif kind == "next":
            await table.next_hand(whole(message, "hand", None))
        elif kind == "pause":
            table.pause(bool(whole(message, "on", None, most=1)))
        elif kind == "pace":
            table.set_pace(whole(message, "milliseconds", None, most=10_000) / 1000)
        elif kind == "panel":
            send(await table.panel(message))
        elif kind == "replay":
            send(await table.replay(message))
        elif kind == "again":
            await table.again(message)
        elif kind == "leave":
            await table.leave()
        else:
            expected = "act, next, pause, pace, panel, replay, again or leave"
            raise NotationError(f"type {kind[:40]!r}: expected {expected}")
    except BaycarpError as error:
        names = [each.__name__ for each in type(error).__mro__ if each.__module__ == "baycarp.errors"]
        send({"type": "error", "error": names[0], "reason": str(error)[:500]})
        return isinstance(error, NotationError)
    return False
