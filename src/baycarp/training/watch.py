"""Play sessions and write them as logs with all hole cards; an interruption loses no finished session."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from baycarp.arena.journal import Unit, differences
from baycarp.arena.run import play_units
from baycarp.arena.session import Played, Table, play_session
from baycarp.arena.workers import THIS_PROCESS, Workers
from baycarp.errors import ModelError
from baycarp.files import AnyForm, as_plain, claimed, parse_json, read_json, read_text, write_whole
from baycarp.game.notation.acpc import parse_state
from baycarp.game.notation.hand import Hand
from baycarp.training.curriculum import Curriculum, single

__all__ = [
    "LARGEST",
    "alone",
    "begin",
    "claim",
    "folder_of",
    "hands_in",
    "hands_of",
    "log_path",
    "log_text",
    "watch",
]


LARGEST = 1 << 28
"""Bytes of a session's log, at most."""

LONGEST = 1 << 20
"""Bytes of a folder's card, at most."""

CARD = AnyForm()
"""Of a folder's card: what its sessions were played with."""


def watch(
    tables: Table | Curriculum,
    numbers: Sequence[int],
    hands: int,
    folder: Path,
    workers: Workers = THIS_PROCESS,
    tick: Callable[[int], None] = lambda played: None,
) -> list[Path]:
    """Play the sessions that the folder lacks, and return the logs of all, in order.

    Parameters
    ----------
    tables
        The players: one table, or a curriculum. A folder belongs to one of them: another one is refused.
    numbers
        The numbers of the sessions.
    hands
        The hands of each.
    folder
        The folder of the ``session-NNNNN.log`` files; made if missing. Each is written whole or not at all.
    workers
        Where sessions are played.
    tick
        Receives the number of hands played, including those of existing sessions.

    Raises
    ------
    ModelError
        The folder has sessions of another table, another process writes to it, or there is no such agent.
    TableError
        An agent that does not play the game.
    """
    curriculum = single(tables) if isinstance(tables, Table) else tables
    for table in {table.variant.seats: table for table in map(curriculum.table, numbers)}.values():
        table.verify_players()
    begin(folder, curriculum, hands)
    paths = {number: log_path(folder, number) for number in numbers}
    units = [(number, 0) for number in numbers if not paths[number].exists()]
    found = (len(numbers) - len(units)) * hands
    tick(found)
    play = partial(_play, curriculum, hands)
    if units:
        with (
            alone(folder),
            closing(play_units(play, units, workers, lambda done: tick(found + done))) as finished,
        ):
            for (number, _), played in finished:
                write_whole(paths[int(number)], log_text(played))
    return list(paths.values())


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Write sessions into a folder that no other process writes to.

    Raises
    ------
    ModelError
        Another one does.
    """
    with claimed(folder) as own:
        if not own:
            raise ModelError(f"{folder}: in use by another process")
        yield


def _play(curriculum: Curriculum, hands: int, unit: Unit, tick: Callable[[int], None]) -> Played:
    number = int(unit[0])
    return play_session(curriculum.table(number), number, hands, tick)


def begin(folder: Path, curriculum: Curriculum, hands: int) -> None:
    """Make the folder of some tables' sessions, or verify that it is theirs."""
    folder.mkdir(parents=True, exist_ok=True)
    claim(folder / "table.json", curriculum.about() | {"hands": hands})


def folder_of(folder: Path, curriculum: Curriculum, hands: int) -> Path:
    """The folder of some tables' sessions; where it has those of another length, one beside it.

    A longer training may have sessions of another length: nothing of the shorter one is lost, or in its way.
    """
    try:
        found = read_json(folder / "table.json", LONGEST, CARD)
    except (OSError, ValueError):  # no sessions yet; a damaged card is refused when it is claimed
        return folder
    about = as_plain(curriculum.about())
    longer = isinstance(found, dict) and found != about | {"hands": hands} and found | about == found
    return folder.with_name(f"{folder.name}-of-{hands}") if longer else folder


def log_path(folder: Path, number: int) -> Path:
    """The file of a session."""
    return folder / f"session-{number:05}.log"


def log_text(played: Played) -> str:
    """What the file holds."""
    return "".join(line + "\n" for line in played.log)


def hands_of(log: Path, table: Table) -> Iterator[Hand]:
    """The hands of one session, in order."""
    return hands_in(read_text(log, LARGEST), table)


def hands_in(log: str, table: Table) -> Iterator[Hand]:
    """The hands of a log's text."""
    return (parse_state(line, table.variant) for line in log.splitlines())


def claim(card: Path, about: Mapping[str, Any]) -> None:
    """Record the origin of a folder's sessions; refuse another one.

    Raises
    ------
    ModelError
        The folder's card differs.
    """
    text = json.dumps(about, indent=2) + "\n"
    if not card.exists():
        write_whole(card, text)
    elif (found := read_text(card, LONGEST, errors="replace")) != text:
        try:
            what = differences(parse_json(found, CARD), parse_json(text))
        except ValueError:
            what = "not readable"
        raise ModelError(
            f"{card}: another {card.stem}'s sessions: {what}; expected the same, or another folder"
        )
