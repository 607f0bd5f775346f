"""The server of the pages: loopback only, a random token in every address, messages checked one by one."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping, Set
from contextlib import asynccontextmanager, suppress
from typing import Any

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketClose, WebSocketDisconnect

from baycarp.errors import BaycarpError, NotationError
from baycarp.files import packaged, packaged_names, plain_values
from baycarp.game.notation.wire import parse, string
from baycarp.web.faults import fault_message
from baycarp.web.served import Served, ServedFile

__all__ = ["LONGEST", "POLICY", "application"]

LONGEST = 65536
"""Greatest length of a message, in bytes; a longer one ends the connection."""

FAULTS = 20
"""Refused messages after which a connection is ended."""

AFTER = 1.0
"""Seconds from a fault of a page's own work to its next try."""

UNREAD = 100
"""Messages that wait to be sent, after which a connection is ended: its other side reads nothing."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self' ws://{host}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The content policy of the page."""

STATES = ("table", "study", "coach")
"""Types of messages that each take the place of the one before."""

PAGE = "index.html"
"""The one page, with every view."""

TYPES = {"html": "text/html", "js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}


def application(
    pages: Mapping[str, Served], token: str, port: int, review: ServedFile | None = None
) -> Starlette:
    """The application of one page and the servers of its views.

    Parameters
    ----------
    pages
        By name: ``index`` a table, ``study`` a study, ``coach`` a coach; views of others are not shown.
    token
        The first part of every address; without it all is refused.
    port
        Of the server: requests must name it and a loopback host.
    review
        Served beside them, as ``review.html``.
    """
    hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
    static = packaged_names("web", "static")

    async def page(request: Request) -> Response:
        if request.path_params["token"] != token:
            why = "token: not the one of this table; use the address that the command printed"
            return PlainTextResponse(why, 403)
        if "name" not in request.path_params:
            return RedirectResponse(f"/{token}/")
        name, policy = request.path_params["name"] or PAGE, POLICY.format(host=request.headers["host"])
        if name == "review.html" and review:
            content, policy = review.text, review.policy
        elif name in static:
            content = packaged("web", "static", name).decode()
        else:
            return PlainTextResponse("no such file", 404)
        if name == PAGE:
            content = content.replace('data-pages=""', f'data-pages="{" ".join(pages)}"')
        headers = {
            "Content-Security-Policy": policy,
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cache-Control": "no-store",
        }
        return Response(content, media_type=TYPES[name.rpartition(".")[2]], headers=headers)

    async def serve_socket(socket: WebSocket) -> None:
        origin = socket.headers.get("origin", "")
        if socket.path_params["token"] != token or origin not in {f"http://{host}" for host in hosts}:
            await socket.close(1008)
            return
        if (place := pages.get(socket.path_params.get("page", "index"))) is None:
            await socket.close(1008)
            return
        await socket.accept()
        await _converse(place, socket)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        running = [asyncio.create_task(_keep_running(page)) for page in pages.values()]
        yield
        for each in running:
            each.cancel()
            with suppress(asyncio.CancelledError):
                await each

    routes = [
        Route("/{token}/{name:path}", page),
        Route("/{token}", page),
        WebSocketRoute("/{token}/ws", serve_socket),
        WebSocketRoute("/{token}/{page}/ws", serve_socket),
    ]
    served = Starlette(routes=routes[::-1], lifespan=lifespan, middleware=[Middleware(_Hosts, hosts=hosts)])
    served.router.redirect_slashes = False
    return served


class _Hosts:
    """Refuses every request that names another host, also where nothing is found."""

    def __init__(self, within: ASGIApp, hosts: Set[str]) -> None:
        self._within, self._hosts = within, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or Headers(scope=scope).get("host") in self._hosts:
            await self._within(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocketClose(1008)(scope, receive, send)
        else:
            why = "host: expected 127.0.0.1 or localhost with the port of the table"
            await PlainTextResponse(why, 403)(scope, receive, send)


class _Line:
    """What waits to be sent on a connection: answers in their order, of a shared state its last one alone."""

    def __init__(self) -> None:
        self.waiting: list[dict[str, Any]] = []
        self._more = asyncio.Event()

    def put(self, message: dict[str, Any]) -> None:
        if message["type"] in STATES:
            self.waiting = [each for each in self.waiting if each["type"] != message["type"]]
        self.waiting.append(message)
        self._more.set()

    async def deliver(self, socket: WebSocket) -> None:
        while True:
            await self._more.wait()
            self._more.clear()
            while self.waiting:
                await socket.send_text(_as_text(self.waiting.pop(0)))


def _as_text(message: dict[str, Any]) -> str:
    try:
        return json.dumps(plain_values(message))
    except Exception as error:  # of the server: the connection goes on
        return json.dumps(fault_message(error))


async def _keep_running(place: Served) -> None:
    """Let a page go on by itself, also after a fault of its own."""
    while True:
        try:
            return await place.run()
        except Exception as error:  # of the server
            message = fault_message(error)
            for listener in place.listeners:
                listener(message)
            await asyncio.sleep(AFTER)


async def _converse(place: Served, socket: WebSocket) -> None:
    """Send changes and answer messages, until the connection ends or too much was refused."""
    refused, line = 0, _Line()
    line.put(place.greeting())
    place.listeners.add(line.put)
    sender = asyncio.create_task(line.deliver(socket))
    try:
        while refused < FAULTS and len(line.waiting) < UNREAD:
            received = await socket.receive()
            if received["type"] == "websocket.disconnect":
                return
            refused += await _answer(place, received, line.put)
        await socket.close(1008)
    except (WebSocketDisconnect, RuntimeError):
        return  # the line was cut; what is served goes on
    finally:
        place.listeners.discard(line.put)
        sender.cancel()
        with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
            await sender


async def _answer(place: Served, received: Any, send: Callable[[dict[str, Any]], None]) -> bool:
    """Answer one message; whether it was refused."""
    kind = ""
    try:
        given = received.get("text")
        if given is None:
            raise NotationError("message: expected text, got bytes")
        if len(given) > LONGEST:
            raise NotationError(f"message of {len(given)} characters: expected at most {LONGEST}")
        message = parse(given.encode())
        kind = string(message, "type")[:20]
        if (found := await place.answer(message)) is not None:
            send(found)
    except BaycarpError as error:
        names = [each.__name__ for each in type(error).__mro__ if each.__module__ == "baycarp.errors"]
        send({"type": "error", "error": names[0], "reason": str(error)[:500], "about": kind})
        return isinstance(error, NotationError)
    except Exception as error:  # of the server: the connection goes on, and the page states it
        send(fault_message(error))
    return False
