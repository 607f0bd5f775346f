"""Pages served to the browser of the same machine, until they are interrupted."""

import secrets
import socket
import sys
import webbrowser
from argparse import Namespace
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any

from baycarp.cli.options import flag, option, options, port
from baycarp.errors import ArgumentError

__all__ = ["PAGE", "serve_pages"]

PAGE = options(
    option("--port", type=port, default=0, help="of the page; 0 = any free one"),
    flag("--no-open", "print the address only"),
)


def serve_pages(
    args: Namespace,
    made: Callable[[ExitStack], Mapping[str, Any]],
    name: str = "",
    review: Any = None,
    hint: str = "",
) -> int:
    """Serve pages, print the address, and open it.

    Parameters
    ----------
    args
        With the options of ``PAGE``.
    made
        Makes the pages once the port is open.
    name
        The end of the address: a file, or a view after #; "" = the table.
    review
        As of ``application``.
    hint
        Added where the extra is missing.
    """
    try:
        from baycarp.web.faults import LOG
        from baycarp.web.limits import server
        from baycarp.web.server import application
    except ImportError as error:
        raise ArgumentError(
            f"{error.name} is missing: pip install 'baycarp[web]' (in a clone '.[web]'){hint}"
        ) from error
    with ExitStack() as stack:
        door = stack.enter_context(socket.create_server(("127.0.0.1", args.port)))
        pages = made(stack)
        token, number = secrets.token_urlsafe(24), door.getsockname()[1]
        address = f"http://127.0.0.1:{number}/{token}/{name}"
        print(address, flush=True)
        print("Ctrl-C ends it", file=sys.stderr, flush=True)
        if not args.no_open:
            webbrowser.open_new_tab(address)
        running = server(application(pages, token, number, review))
        try:
            running.run([door])
        except Exception as error:  # of the server
            LOG.error("the server of the page ended", exc_info=error)
            return 1
    return 0
