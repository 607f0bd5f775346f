"""The tools over the Model Context Protocol, by its official SDK."""

from collections.abc import Sequence
from functools import wraps
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from baycarp.errors import BaycarpError
from baycarp.tools.hands import HandTools
from baycarp.tools.toolbox import Tool, toolbox
from baycarp.tools.worker import ToolProcess

if TYPE_CHECKING:
    from mcp.server import MCPServer

__all__ = ["serve_tools", "tool_server"]

INSTRUCTIONS = """\
Exact figures of Texas hold'em, and decisions with their reasons, for study and for play money: the tools
reach no table, no money and no network. Before you name a hand, call 'strength'; before you name pot odds,
read 'to call' and 'equity to call' of 'decide' or 'read_hand'. Cards are written 'AhKd', amounts are chips.
Call one tool at once; each answers within ten seconds."""


def tool_server(process: ToolProcess, recorded: HandTools) -> "MCPServer[Any]":
    """The server of the protocol; ``process`` computes, ``recorded`` gives the signatures alone."""
    from mcp.server import MCPServer
    from mcp.types import ToolAnnotations

    server = MCPServer("baycarp", instructions=INSTRUCTIONS, version=version("baycarp"), log_level="WARNING")
    harmless = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
    for name, tool in toolbox(recorded).items():
        about = " ".join(str(tool.__doc__).split())
        computed = _in_process(process, name, tool)
        server.add_tool(computed, name, description=about, annotations=harmless, structured_output=False)
    return server


def _in_process(process: ToolProcess, name: str, tool: Tool) -> Any:
    """The tool with its signature, computed by the process; refusals are answers that say why."""
    from mcp.server.mcpserver.exceptions import ToolError

    @wraps(tool)
    def computed(**arguments: Any) -> str:
        try:
            return process.call(name, arguments)
        except BaycarpError as error:
            raise ToolError(str(error)) from error

    return computed


def serve_tools(paths: Sequence[Path], game: str) -> None:
    """Serve on standard input and output until the input ends; standard output carries the protocol alone.

    Parameters
    ----------
    paths
        Files of recorded hands that the tools may read: .phh and .phhs, else ACPC logs.
    game
        Of the ACPC logs.

    Raises
    ------
    ImportError
        The SDK is not installed.
    """
    process = ToolProcess(paths, game)
    try:
        tool_server(process, HandTools(paths, game)).run("stdio")
    finally:
        process.close()
