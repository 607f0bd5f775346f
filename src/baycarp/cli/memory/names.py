"""Options of the commands of a memory."""

from baycarp.cli.options import option, path
from baycarp.strategies.model import DEFAULT_AGENT

__all__ = ["FOLDER", "MODEL", "NAME"]

NAME = option("name", help="of the memory, as in baycarp(memory='NAME')")
FOLDER = option("folder", type=path, help="holds a file for each street: preflop.csv, ...")
MODEL = option(
    "--model",
    type=path,
    default=DEFAULT_AGENT,
    help="initial cases of a new memory (default: the default agent's)",
)
