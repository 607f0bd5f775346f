"""The command line: one module a command, each with ``add`` (its options) and ``run``."""

import argparse
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from signal import SIGTERM, signal
from types import FrameType

from baycarp.cli.printable import make_printable
from baycarp.errors import BaycarpError, JournalError

__all__ = ["main"]

COMMANDS = (
    "table",
    "match",
    "tournament",
    "ablate",
    "experiment",
    "reproduce",
    "merge",
    "play",
    "review",
    "watch",
    "train",
    "memory",
    "learning",
    "coverage",
    "tune",
    "exploit",
    "predictability",
    "decide",
    "acpc",
    "dealer",
    "engine",
    "beliefs",
    "solve",
    "oracle",
    "inspect",
    "agents",
    "games",
    "bench",
    "doctor",
)


STATUS = (
    "Exit status: 0 = done; 1 = refused input, with the reason; 2 = arguments that are not understood; "
    "3 = a goal of a benchmark was missed; 130 = interrupted; 143 = terminated."
)


class _Version(argparse.Action):
    """Prints the version; it is looked up only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_args: object, **_settings: object) -> None:
        from importlib.metadata import version  # slow to import

        print(f"baycarp {version('baycarp')}")
        parser.exit()


class _Completion(argparse.Action):
    """Prints a shell's completion script; the parser has all commands then."""

    def __call__(
        self, parser: argparse.ArgumentParser, _namespace: object, values: object, _option: object = None
    ) -> None:
        from baycarp.cli.completion import script  # needs every agent

        print(script(str(values), parser), end="")
        parser.exit()


class Terminated(KeyboardInterrupt):
    """SIGTERM: an interruption like any other, but for its exit status."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command, and return its exit status; see ``STATUS``."""
    make_printable()
    parser = argparse.ArgumentParser(
        "baycarp", description="Poker decisions with their reasons.", epilog=STATUS
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version, and exit")
    parser.add_argument(
        "--completion", action=_Completion, choices=("bash", "zsh", "fish"), help="print a completion script"
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    named = (sys.argv[1:] if argv is None else argv)[:1]
    for name in named if named and named[0] in COMMANDS else COMMANDS:  # no other command is worth its import
        module = import_module(f"baycarp.cli.{name}")
        summary = str(module.__doc__).splitlines()[0]
        command = commands.add_parser(name, help=summary, description=summary)
        module.add(command)
        command.set_defaults(run=module.run)
    args = parser.parse_args(argv)
    try:
        with _terminable():
            return int(args.run(args) or 0)
    except (BaycarpError, OSError, ImportError) as error:
        print(f"baycarp {args.command}: {error}{_hint(error, args)}", file=sys.stderr)
        return 1
    except Terminated:
        print("terminated", file=sys.stderr)
        return 143
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


def _hint(error: Exception, args: argparse.Namespace) -> str:
    """The option that names another folder, where a journal refuses this one."""
    return ": --out FOLDER" if isinstance(error, JournalError) and "out" in args else ""


@contextmanager
def _terminable() -> Iterator[None]:
    """Let SIGTERM interrupt, so that workers end and journals are closed; in a thread its handler stays."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal(SIGTERM, _terminate)
    try:
        yield
    finally:
        signal(SIGTERM, before)


def _terminate(_number: int, _frame: FrameType | None) -> None:
    raise Terminated
