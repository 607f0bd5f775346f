"""Commands that are killed, or whose disk fills, at sizes that take seconds; and what each of them leaves.

python -m experiments.gates.victims FOLDER          plays hands at the terminal, as the command play does
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from io import StringIO
from pathlib import Path

from baycarp.arena.session import Table, play_session
from baycarp.cli import main
from baycarp.game.variant import Variant
from experiments.gates.clone import clone, from_tests

__all__ = ["VICTIMS", "Victim"]

GAME = "holdem.limit.2p.reverse_blinds"
HANDS = "hands.log"
"""The hands that a command reads, beside its folder."""

LINES = 1000
"""Of the person at the terminal."""


def _nothing(_folder: Path) -> None:
    """Nothing is there before."""


def _of_hands(folder: Path) -> None:
    folder.mkdir()
    table = Table(Variant.load(GAME), ("Ann", "Bob"), ("rule", "jag"), seed=9)
    lines = play_session(table, 0, hands=400).log
    folder.with_name(HANDS).write_text("\n".join(lines), "utf-8")


def _with_buckets(folder: Path) -> None:
    from_tests("reference.cheap_solving").begin(folder)


@dataclass(frozen=True, slots=True)
class Victim:
    """A command that goes on where it was interrupted.

    Parameters
    ----------
    command
        Of (seed, folder).
    content
        What it leaves, of (standard output, folder): the same for the same seed, interrupted or not.
    begin
        Makes what is there before the command.
    claims
        Whether its folder is for one process alone; else the file that it leaves replaces another one whole.
    """

    command: Callable[[int, Path], Sequence[str]]
    content: Callable[[bytes, Path], object]
    begin: Callable[[Path], object] = _nothing
    claims: bool = True


def _files(_out: bytes, folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.*") if path.is_file()
    }


def _output(out: bytes, _folder: Path) -> bytes:
    return out


def _command(words: Sequence[str], seed: int, folder: Path) -> list[str]:
    return ["-m", "baycarp", *words, "--seed", str(seed), "--out", str(folder), "--workers", "1"]


def _cheap(name: str, words: Sequence[str], seed: int, folder: Path) -> list[str]:
    """A program of the tests that does the command's work without what takes long."""
    program = Path(str(clone()), "tests", "reference", f"{name}.py")
    return [str(program), str(folder), *words, "--seed", str(seed)]


def _reading(command: str, out: Sequence[str], _seed: int, folder: Path) -> list[str]:
    places = (word.format(folder) for word in out)
    return ["-m", "baycarp", command, str(folder.with_name(HANDS)), *places]


def _seated(_seed: int, folder: Path) -> list[str]:
    return ["-m", "experiments.gates.victims", str(folder)]


_MATCH = ("match", "rule", "call", "--deals", "500", "--json")
_TABLE = ("table", "rule", "call", "--hands", "1000", "--game", GAME)
_TOURNAMENT = ("tournament", "rule", "call", "jag", "--deals", "100", "--resamples", "20")

_EXPLOIT = ("exploit", "call", "--hands", "120", "--json")

VICTIMS: Mapping[str, Victim] = {
    "match": Victim(partial(_command, _MATCH), _output),
    "table": Victim(partial(_command, _TABLE), _files),
    "tournament": Victim(partial(_command, _TOURNAMENT), _files),
    "exploit": Victim(partial(_command, _EXPLOIT), _files),
    "play": Victim(_seated, _files),
    "train": Victim(partial(_cheap, "cheap_training", ("--hands", "60", "--workers", "1")), _files),
    "solve": Victim(partial(_cheap, "cheap_solving", ("--iterations", "3")), _files, _with_buckets),
    "convert": Victim(partial(_reading, "convert", ("{}/hands.phhs",)), _files, _of_hands, claims=False),
    "stats": Victim(partial(_reading, "stats", ("--out", "{}/stats.csv")), _files, _of_hands, claims=False),
}
"""By the name of the command."""


def seated(folder: str) -> int:
    """The command play at a terminal whose person calls, and takes the next hand."""
    sys.stdin = StringIO("c\n" * LINES + "q\n")
    # a fast adviser: the default one takes most of the time to load
    return main(["play", "call", "--terminal", "--game", GAME, "--adviser", "rule", "--out", folder])


if __name__ == "__main__":
    sys.exit(seated(sys.argv[1]))
