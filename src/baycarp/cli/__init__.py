"""The command line ``baycarp``."""

import argparse
from collections.abc import Sequence
from itertools import chain

from baycarp.cli.program import Commands, run_program

__all__ = ["COMMANDS", "main"]

GROUPS = {
    "play and learn": ("play", "review", "study", "decide", "equity", "stats"),
    "compare": ("agents", "match", "tournament", "table", "exploit"),
    "train and research": ("train", "inspect", "memory", "solve", "watch"),
    "other programs": ("convert", "serve", "doctor"),
}
COMMANDS = tuple(chain.from_iterable(GROUPS.values()))

EXAMPLES = {
    "baycarp play --tour": "a guided session of ten minutes",
    "baycarp decide AhKd --board Qs7d2c": "a decision, with its reasons",
    "baycarp match baycarp rule": "which of two plays better",
}

EXPERIMENTS = (
    "reproduce",
    "ablate",
    "experiment",
    "learning",
    "imitation",
    "predict",
    "beliefs",
)
"""Names that one may look for here: experiments are not in the package, but in its repository."""


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
        try:
            from shtab import complete
        except ImportError:
            parser.error("--completion needs shtab: pip install 'baycarp[completion]'")
        _offer(parser)
        print(complete(parser, str(values)), end="")
        parser.exit()


def _offer(parser: argparse.ArgumentParser) -> None:
    """Have agents and games be completed, of all commands."""
    from baycarp.agents.catalogue import LINES  # needs every agent
    from baycarp.game.variant import shipped

    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in {*action.choices.values()}:
                _offer(command)
        elif action.metavar == "AGENT" or "--agent" in action.option_strings:
            action.choices = tuple(LINES)
        elif "--game" in action.option_strings:
            action.choices = tuple(shipped())


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version, and exit")
    parser.add_argument(
        "--completion", action=_Completion, choices=("bash", "zsh", "fish"), help="print a completion script"
    )


PROGRAM = Commands(
    "baycarp",
    "Poker decisions with their reasons.",
    {name: f"baycarp.cli.{name}" for name in COMMANDS},
    _options,
    {name: f"python -m experiments {name}" for name in EXPERIMENTS} | {"bench": "python -m benchmarks"},
    GROUPS,
    EXAMPLES,
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command, and return its exit status."""
    return run_program(PROGRAM, argv)
