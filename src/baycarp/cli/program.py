"""A program of commands: one module a command, each with ``add`` (its options) and ``run``."""

import argparse
import codecs
import os
import sys
import threading
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from io import TextIOWrapper
from signal import SIGTERM, signal
from types import FrameType, ModuleType
from typing import Any, NoReturn, cast

from baycarp.errors import BaycarpError, JournalError

__all__ = ["STATUS", "UNREAD", "Commands", "Parts", "make_printable", "run_program"]

STATUS = (
    "Exit status: 0 = done; 1 = refused input or arguments, with the reason; 3 = a goal was "
    "missed; 130 = interrupted; 141 = the output's reader was gone; 143 = terminated."
)

UNREAD = 141
"""The exit status where nobody reads the output any more: that of a program which SIGPIPE ends."""

IN_ASCII = {"±": "+-", "µ": "u", "≠": "!=", "─": "-", "└": "+", "┤": "+", "•": "*"}
"""What is printed for a character; others lose their accents, blocks are ``#``, the rest ``?``."""


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
    elsewhere
        By name of a command that a clone of the repository has, the words that start it there.
    """

    prog: str
    about: str
    modules: Mapping[str, str]
    options: Callable[[argparse.ArgumentParser], object] = lambda parser: None
    elsewhere: Mapping[str, str] = field(default_factory=dict)


class Parts:
    """Commands within a command, by name their modules; that of the command has this ``add`` and ``run``."""

    def __init__(self, **modules: ModuleType) -> None:
        self._modules = modules

    def add(self, parser: argparse.ArgumentParser) -> None:
        """Add a parser for each part."""
        parts = parser.add_subparsers(dest="part", required=True, metavar="PART")
        for name, module in self._modules.items():
            _add_command(parts, name, module)

    def run(self, args: argparse.Namespace) -> int:
        """Run the named part."""
        return int(self._modules[args.part].run(args))


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
    try:
        try:
            return _run(commands, argv)
        finally:
            sys.stdout.flush()  # here, where an error is seen; at the end of the process it would be printed
    except SystemExit as ending:
        if isinstance(ending.__context__, BrokenPipeError):  # so rich ends a program
            return UNREAD
        raise
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREAD


def _run(commands: Commands, argv: Sequence[str]) -> int:
    if argv and argv[0] in commands.elsewhere:
        words = commands.elsewhere[argv[0]]
        print(f"{commands.prog} {argv[0]}: {words}, in a clone of the repository", file=sys.stderr)
        return 1
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
        words = " ".join([commands.prog, args.command, *([args.part] if "part" in args else [])])
        print(f"{words}: {error}{_hint(error, args)}", file=sys.stderr)
        return 1
    except Terminated:
        print("terminated", file=sys.stderr)
        return 143
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


def _parser(commands: Commands, named: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The parser of the named command, or of all: no other command is worth its import."""
    parser = _Parser(commands.prog, description=commands.about, epilog=STATUS)
    commands.options(parser)
    chosen = [name for name in named if name in commands.modules]
    if chosen:  # an unknown option of a command is refused here
        parser.about = f"{commands.prog} {chosen[0]}"
    parsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in chosen or commands.modules:
        module = import_module(commands.modules[name])
        _add_command(parsers, name, module).set_defaults(run=module.run)
    return parser


def _add_command(
    parsers: "argparse._SubParsersAction[Any]", name: str, module: ModuleType
) -> argparse.ArgumentParser:
    summary = str(module.__doc__).splitlines()[0]
    command = parsers.add_parser(name, help=summary, description=summary)
    module.add(command)
    return cast(argparse.ArgumentParser, command)


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


def make_printable() -> None:
    """Let standard output and standard error print every text: what their encoding lacks, in ASCII."""
    codecs.register_error(__name__, _in_ascii)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=__name__)


def _in_ascii(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_plain, error.object[error.start : error.end])), error.end


def _plain(character: str) -> str:
    if character in IN_ASCII:
        return IN_ASCII[character]
    if "▀" <= character <= "▟":
        return "#"
    return unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode() or "?"
