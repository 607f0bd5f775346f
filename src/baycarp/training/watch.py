"""Play sessions and write them as logs with all hole cards; an interruption loses no finished session."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from baycarp.arena.journal import Unit, differences
from baycarp.arena.run import play_units
from baycarp.arena.session import Played, Table, play_session
from baycarp.arena.workers import THIS_PROCESS, Workers, in_order
from baycarp.errors import ModelError
from baycarp.files import write_whole
from baycarp.game.notation.acpc import parse_state
from baycarp.game.notation.hand import Hand
from baycarp.training.curriculum import Curriculum, single

__all__ = ["Session", "claim", "hands_in", "hands_of", "watch", "watch_each"]


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
        The folder has sessions of another table, or there is no such agent.
    TableError
        An agent that does not play the game.
    """
    curriculum = single(tables) if isinstance(tables, Table) else tables
    for table in {table.variant.seats: table for table in map(curriculum.table, numbers)}.values():
        table.verify_players()
    _begin(folder, curriculum, hands)
    paths = {number: _path(folder, number) for number in numbers}
    units = [(number, 0) for number in numbers if not paths[number].exists()]
    found = (len(numbers) - len(units)) * hands
    tick(found)
    play = partial(_play, curriculum, hands)
    with closing(play_units(play, units, workers, lambda done: tick(found + done))) as finished:
        for (number, _), played in finished:
            write_whole(paths[int(number)], _text(played))
    return list(paths.values())


def _play(curriculum: Curriculum, hands: int, unit: Unit, tick: Callable[[int], None]) -> Played:
    number = int(unit[0])
    return play_session(curriculum.table(number), number, hands, tick)


@dataclass(frozen=True, slots=True)
class Session:
    """One session of a table, and the folder of its log, which has sessions of no other table."""

    table: Table
    folder: Path
    hands: int
    number: int


def watch_each(sessions: Iterable[Session], workers: Workers = THIS_PROCESS) -> Iterator[Path]:
    """Play the sessions whose folders lack them, and yield the logs of all, in order.

    Raises
    ------
    ModelError
        A folder has sessions of another table, or there is no such agent.
    TableError
        An agent that does not play the game.
    """
    with closing(in_order(_log_of, map(_begun, sessions), workers)) as found:
        for (each, _), log in found:
            path = _path(each.folder, each.number)
            if log is not None:
                write_whole(path, log)
            yield path


def _begun(session: Session) -> tuple[Session, bool]:
    """The session, in a folder of its own, and whether its log is there."""
    session.table.verify_players()
    _begin(session.folder, single(session.table), session.hands)
    return session, _path(session.folder, session.number).exists()


def _log_of(unit: tuple[Session, bool]) -> str | None:
    session, played = unit
    return None if played else _text(play_session(session.table, session.number, session.hands))


def _begin(folder: Path, curriculum: Curriculum, hands: int) -> None:
    """Make the folder of some tables' sessions, or verify that it is theirs."""
    folder.mkdir(parents=True, exist_ok=True)
    claim(folder / "table.json", curriculum.about() | {"hands": hands})


def _path(folder: Path, number: int) -> Path:
    return folder / f"session-{number:05}.log"


def _text(played: Played) -> str:
    return "".join(line + "\n" for line in played.log)


def hands_of(log: Path, table: Table) -> Iterator[Hand]:
    """The hands of one session, in order."""
    return hands_in(log.read_text("utf-8"), table)


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
    elif card.read_text("utf-8", "replace") != text:
        try:
            what = differences(json.loads(card.read_text("utf-8", "replace")), json.loads(text))
        except ValueError:
            what = "not readable"
        raise ModelError(
            f"{card}: another {card.stem}'s sessions: {what}; expected the same, or another folder"
        )
