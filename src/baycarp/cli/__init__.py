"""The command line: one module a command, each with ``add`` (its options) and ``run``."""

import argparse
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from signal import SIGTERM, signal
from types import FrameType
from typing import NoReturn

from baycarp.cli.printable import make_printable
from baycarp.cli.unread import status_of
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
    "imitation",
    "coverage",
    "tune",
    "exploit",
    "predict",
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
    "Exit status: 0 = done; 1 = refused input or arguments, with the reason; 3 = a goal of a benchmark was "
    "missed; 130 = interrupted; 141 = the output's reader was gone; 143 = terminated."
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


class _Parser(argparse.ArgumentParser):
    """Refuses arguments as a command refuses other input: one line, exit status 1.

    Attributes
    ----------
    about : str
        The command whose help is named.
    """

    about = ""

    def error(self, message: str) -> NoReturn:
        self.exit(1, f"{self.prog}: {message}; {self.about or self.prog} --help lists what there is\n")


class Terminated(KeyboardInterrupt):
    """SIGTERM: an interruption like any other, but for its exit status."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command, and return its exit status; see ``STATUS``."""
    make_printable()
    return status_of(lambda: _run(sys.argv[1:] if argv is None else argv))


def _run(argv: Sequence[str]) -> int:
    try:
        parser = _parser(argv[:1])
    except BaycarpError as error:  # of the environment, such as BAYCARP_SIMD
        print(f"baycarp: {error}", file=sys.stderr)
        return 1
    args = parser.parse_args(argv)
    try:
        with _terminable():
            return int(args.run(args) or 0)
    except BrokenPipeError:  # of the output: those of programs and sockets end before
        raise
    except (BaycarpError, OSError, ImportError) as error:
        print(f"baycarp {args.command}: {error}{_hint(error, args)}", file=sys.stderr)
        return 1
    except Terminated:
        print("terminated", file=sys.stderr)
        return 143
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


def _parser(named: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of the named command, or of all: no other command is worth its import."""
    parser = _Parser("baycarp", description="Poker decisions with their reasons.", epilog=STATUS)
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version, and exit")
    parser.add_argument(
        "--completion", action=_Completion, choices=("bash", "zsh", "fish"), help="print a completion script"
    )
    if named and named[0] in COMMANDS:  # an unknown option of a command is refused here
        parser.about = f"baycarp {named[0]}"
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in named if named and named[0] in COMMANDS else COMMANDS:
        module = import_module(f"baycarp.cli.{name}")
        summary = str(module.__doc__).splitlines()[0]
        command = commands.add_parser(name, help=summary, description=summary)
        module.add(command)
        command.set_defaults(run=module.run)
    return parser


def _hint(error: Exception, args: argparse.Namespace) -> str:
    """The option that names another folder, where a journal refuses this one."""
    refused = isinstance(error, JournalError) and "out" in args and str(error).startswith(str(args.out))
    return ": --out FOLDER" if refused else ""


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
