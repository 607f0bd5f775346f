"""Sessions of many tables, each in a folder of its own, played by all workers together."""

from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from baycarp.arena.session import Table, play_session
from baycarp.arena.workers import THIS_PROCESS, Workers, in_order
from baycarp.files import write_whole
from baycarp.training.curriculum import single
from baycarp.training.watch import begin, log_path, log_text

__all__ = ["Session", "watch_each"]


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
            path = log_path(each.folder, each.number)
            if log is not None:
                write_whole(path, log)
            yield path


def _begun(session: Session) -> tuple[Session, bool]:
    """The session, in a folder of its own, and whether its log is there."""
    session.table.verify_players()
    begin(session.folder, single(session.table), session.hands)
    return session, log_path(session.folder, session.number).exists()


def _log_of(unit: tuple[Session, bool]) -> str | None:
    session, played = unit
    return None if played else log_text(play_session(session.table, session.number, session.hands))
