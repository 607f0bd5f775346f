"""A program of commands: one module a command, each with ``add`` (its options) and ``run``."""

import argparse
import codecs
import os
import sys
import threading
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import TextIOWrapper
from signal import SIG_DFL, SIG_IGN, SIGINT, SIGTERM, Signals, getsignal, signal
from types import FrameType, ModuleType
from typing import Any, NoReturn, TextIO, cast

from baycarp.errors import BaycarpError, JournalError, nearest, one_of, reason
from baycarp.files import plain_text
from baycarp.files.modules import named_module
from baycarp.files.standard import open_standard

__all__ = ["STATUS", "UNREAD", "Commands", "Parts", "PlainStream", "printable", "run_program"]

STATUS = (
    "Exit status: 0 = done; 1 = refused input or arguments, with the reason; 3 = a goal was "
    "missed; 130 = interrupted; 141 = the output's reader was gone; 143 = terminated."
)

UNREAD = 141
"""The exit status where nobody reads the output any more: that of a program which SIGPIPE ends."""

HANGUP = next((each for each in Signals if each.name == "SIGHUP"), None)
"""The signal of a terminal that is closed, where the system has one."""

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
    groups
        The names of the commands by title, in the order of the help; none = all under one title.
    examples
        Commands to begin with, and what each does.
    """

    prog: str
    about: str
    modules: Mapping[str, str]
    options: Callable[[argparse.ArgumentParser], object] = lambda parser: None
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)
    examples: Mapping[str, str] = field(default_factory=dict)


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
    """Refuses arguments as a command refuses other input: one line, exit status 1."""

    def error(self, message: str) -> NoReturn:
        end = "" if message.endswith("?") else ";"
        self.exit(1, f"{self.prog}: {message}{end} {self.prog} --help lists what there is\n")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """As the base, but unknown options are refused here, beside those that the command has."""
        found, foreign = super().parse_known_args(args, namespace)
        if foreign:
            name = foreign[0].partition("=")[0]
            meant = nearest(name, self._option_string_actions) if name.startswith("--") else ""
            self.error(f"unrecognized arguments: {' '.join(foreign)}{meant and f'; {meant}'}")
        return found, foreign

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            expected = one_of(str(value), map(str, action.choices))
            raise argparse.ArgumentError(action, f"invalid choice: {str(value)[:80]!r}: {expected}")


class _Program(_Parser):
    """The parser of the program: its help has the commands by group, and examples."""

    def __init__(self, commands: Commands) -> None:
        super().__init__(
            commands.prog, f"{commands.prog} COMMAND ...", description=commands.about, epilog=STATUS
        )
        commands.options(self)
        self._commands = commands
        self.parsers = self.add_subparsers(
            dest="command", metavar="COMMAND", prog=commands.prog, parser_class=_Parser
        )

    def format_help(self) -> str:
        """The usage, the examples, the commands by group, and the options."""
        own, listed = self._commands, {each.dest: each for each in self.parsers._get_subactions()}
        page = self._get_formatter()
        page.add_usage(self.usage, self._actions, self._mutually_exclusive_groups)
        page.add_text(self.description)
        for title, names in (own.groups or {"commands": [*own.modules]}).items():
            page.start_section(title)
            page.add_arguments([listed[name] for name in names if name in listed])
            page.end_section()
        examples = "".join(f"  {words:<36}  {does}\n" for words, does in own.examples.items())
        options = self._get_formatter()
        options.start_section("options")
        options.add_arguments([each for each in self._actions if each.option_strings])
        options.end_section()
        options.add_text(self.epilog)
        parts = (page.format_help(), f"examples:\n{examples}" * bool(examples), options.format_help())
        return "\n".join(filter(None, parts))


class Terminated(KeyboardInterrupt):
    """SIGTERM, or SIGHUP: an interruption like any other, but for its exit status."""


def run_program(commands: Commands, argv: Sequence[str] | None = None) -> int:
    """Run one command, and return its exit status; see ``STATUS``.

    ``argv`` has its words; None = those of the process, which ends after it.
    """
    open_standard()
    try:
        with _terminable():
            return _written(commands, sys.argv[1:] if argv is None else argv)
    except KeyboardInterrupt as interruption:
        if argv is None:  # a second Ctrl-C would show where the process ends
            signal(SIGINT, SIG_IGN)
        terminated = isinstance(interruption, Terminated)
        print("terminated" if terminated else "interrupted", file=sys.stderr)
        return 143 if terminated else 130


def _written(commands: Commands, argv: Sequence[str]) -> int:
    """The same, once its output is written."""
    try:
        try:
            with printable():
                return _run(commands, argv)
        finally:
            sys.stdout.flush()  # here, where an error is seen; at the end of the process it would be printed
    except SystemExit as ending:
        if isinstance(ending.__context__, BrokenPipeError):  # so rich ends a program
            return UNREAD
        raise
    except BrokenPipeError:
        _drop(sys.stdout)
        return UNREAD
    except OSError as error:  # of the output alone: those of a command end before
        print(f"{commands.prog}: {_sentence(error)}", file=sys.stderr)
        _drop(sys.stdout)
        return 1


def _drop(stream: TextIO) -> None:
    """What is still to be printed goes nowhere: the interpreter would print its error at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _run(commands: Commands, argv: Sequence[str]) -> int:
    if argv and argv[0] in commands.elsewhere:
        words = commands.elsewhere[argv[0]]
        print(f"{commands.prog} {argv[0]}: {words}, in a clone of the repository", file=sys.stderr)
        return 1
    if argv and argv[0] == "help":
        argv = [*argv[1:2], "--help"]
    try:
        parser = _parser(commands, argv[:1])
    except BaycarpError as error:  # of the environment, such as BAYCARP_SIMD
        print(f"{commands.prog}: {error}", file=sys.stderr)
        return 1
    args = parser.parse_args(argv)
    if args.command is None:
        parser.print_help()
        return 0
    try:
        return int(args.run(args) or 0)
    except BrokenPipeError:  # of the output: those of programs and sockets end before
        raise
    except (BaycarpError, OSError, ImportError, MemoryError) as error:
        words = " ".join([commands.prog, args.command, *([args.part] if "part" in args else [])])
        print(f"{words}: {_sentence(error)}{_hint(error, args)}", file=sys.stderr)
        return 1


def _parser(commands: Commands, named: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The parser of the named command, or of all: no other command is worth its import."""
    parser = _Program(commands)
    chosen = [name for name in named if name in commands.modules]
    for name in chosen or commands.modules:
        module = named_module(commands.modules[name])
        _add_command(parser.parsers, name, module).set_defaults(run=module.run)
    return parser


def _add_command(
    parsers: "argparse._SubParsersAction[Any]", name: str, module: ModuleType
) -> argparse.ArgumentParser:
    summary = str(module.__doc__).splitlines()[0]
    command = parsers.add_parser(name, help=summary, description=summary)
    module.add(command)
    return cast(argparse.ArgumentParser, command)


def _sentence(error: Exception) -> str:
    """An error in words, those of the system after the name of the file."""
    place = None
    if isinstance(error, OSError) and error.strerror:
        place = error.filename if error.filename2 is None else error.filename2
    return f"{os.fsdecode(place)}: {reason(error)}" if isinstance(place, str | bytes) else reason(error)


def _hint(error: Exception, args: argparse.Namespace) -> str:
    """The option that names another folder, where a journal refuses this one."""
    refused = isinstance(error, JournalError) and "out" in args and str(error).startswith(str(args.out))
    return ": --out FOLDER" if refused else ""


@contextmanager
def _terminable() -> Iterator[None]:
    """Let SIGTERM and SIGHUP interrupt, so that workers end and journals are closed.

    In a thread their handlers stay, and so does that of a SIGHUP which the caller ignores (``nohup``).
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {SIGTERM: signal(SIGTERM, _terminate)}
    if HANGUP and getsignal(HANGUP) is SIG_DFL:
        before[HANGUP] = signal(HANGUP, _terminate)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal(number, handler)


def _terminate(_number: int, _frame: FrameType | None) -> None:
    raise Terminated


@contextmanager
def printable() -> Iterator[None]:
    """Let standard output and standard error print every text.

    What could mislead is escaped (``files.plain_text``), and what the encoding lacks is in ASCII.
    """
    codecs.register_error(__name__, _in_ascii)
    before = sys.stdout, sys.stderr
    for stream in before:
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=__name__)
    if isinstance(sys.stdin, TextIOWrapper):  # what is no text there is an unknown word, and no fault
        sys.stdin.reconfigure(errors="replace")
    below = before[0], cast(TextIO, _Messages(before[1]))
    sys.stdout, sys.stderr = (cast(TextIO, PlainStream(stream)) for stream in below)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


class _Stream:
    """A stream over another: what it does not do itself, the stream below does."""

    def __init__(self, below: TextIO) -> None:
        self.below = below

    def __getattr__(self, name: str) -> Any:
        return getattr(self.below, name)


class PlainStream(_Stream):
    """A stream that escapes what is written to it."""

    def write(self, text: str) -> int:
        """Write a text, escaped."""
        self.below.write(plain_text(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write texts, escaped."""
        for line in lines:
            self.write(line)


class _Messages(_Stream):
    """Standard error: what cannot be written is dropped, since the work goes on without it."""

    def write(self, text: str) -> int:
        """Write a text."""
        try:
            return self.below.write(text)
        except OSError:
            _drop(self.below)
            return len(text)

    def flush(self) -> None:
        """Write what waits."""
        try:
            self.below.flush()
        except OSError:
            _drop(self.below)


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
