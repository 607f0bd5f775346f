"""Serve tools to language models: the Model Context Protocol on stdin and stdout."""

from argparse import Namespace

from baycarp.cli.options import option, options, path
from baycarp.errors import ArgumentError

__all__ = ["add", "run"]

add = options(
    option("log", nargs="*", type=path, help="recorded hands that the tools may read: .phh, .phhs, ACPC log"),
    option("--game", default="holdem.limit.2p.reverse_blinds", help="of ACPC logs: a shipped game or a file"),
)


def run(args: Namespace) -> int:
    """Answer until the input ends; the tools are described in ``baycarp.tools``."""
    try:
        import mcp  # noqa: F401

        from baycarp.tools.server import serve_tools  # needs the extra, and every agent
    except ImportError as error:
        raise ImportError("serve mcp needs the official SDK: pip install 'baycarp[mcp]'") from error
    for log in args.log:
        if not log.is_file():
            raise ArgumentError(f"{log}: expected a file of recorded hands")
    serve_tools(args.log, args.game)
    return 0
