"""A program of commands: one module a command, each with ``add`` (its options) and ``run``."""

import argparse
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from signal import SIGTERM, signal
from types import FrameType
from typing import NoReturn

from baycarp.cli.printable import make_printable
from baycarp.cli.unread import status_of
from baycarp.errors import BaycarpError, JournalError

__all__ = ["STATUS", "Commands", "run_program"]

STATUS = (
    "Exit status: 0 = done; 1 = refused input or arguments, with the reason; 3 = a goal was "
    "missed; 130 = interrupted; 141 = the output's reader was gone; 143 = terminated."
)


@dataclass(frozen=True, slots=True)
class Commands:
    """The commands of a program.

    Parameters
    ----------
    prog
        The words that start it.
    about
        What it does, in one line.
    modules
        By name of the command its module.
    options
        Adds the options of the program itself.
    """

    prog: str
    about: str
    modules: Mapping[str, str]
    options: Callable[[argparse.ArgumentParser], object] = lambda parser: None


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


def run_program(commands: Commands, argv: Sequence[str]) -> int:
    """Run one command, and return its exit status; see ``STATUS``."""
    make_printable()
    return status_of(lambda: _run(commands, argv))


def _run(commands: Commands, argv: Sequence[str]) -> int:
    try:
        parser = _parser(commands, argv[:1])
    except BaycarpError as error:  # of the environment, such as BAYCARP_SIMD
        print(f"{commands.prog}: {error}", file=sys.stderr)
        return 1
    args = parser.parse_args(argv)
    try:
        with _terminable():
            return int(args.run(args) or 0)
    except BrokenPipeError:  # of the output: those of programs and sockets end before
        raise
    except (BaycarpError, OSError, ImportError) as error:
        print(f"{commands.prog} {args.command}: {error}{_hint(error, args)}", file=sys.stderr)
        return 1
    except Terminated:
        print("terminated", file=sys.stderr)
        return 143
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


def _parser(commands: Commands, named: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of the named command, or of all: no other command is worth its import."""
    parser = _Parser(commands.prog, description=commands.about, epilog=STATUS)
    commands.options(parser)
    chosen = [name for name in named if name in commands.modules]
    if chosen:  # an unknown option of a command is refused here
        parser.about = f"{commands.prog} {chosen[0]}"
    parsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in chosen or commands.modules:
        module = import_module(commands.modules[name])
        summary = str(module.__doc__).splitlines()[0]
        command = parsers.add_parser(name, help=summary, description=summary)
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
