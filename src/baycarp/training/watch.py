"""Play sessions and write them as logs with all hole cards; an interruption loses no finished session."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from baycarp.arena.journal import Unit, differences
from baycarp.arena.run import play_units
from baycarp.arena.session import Played, Table, play_session
from baycarp.arena.workers import THIS_PROCESS, Workers
from baycarp.errors import ModelError
from baycarp.files import write_whole
from baycarp.game.notation.acpc import parse_state
from baycarp.game.notation.hand import Hand
from baycarp.training.curriculum import Curriculum, single

__all__ = ["begin", "claim", "hands_in", "hands_of", "log_path", "log_text", "watch"]


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
    begin(folder, curriculum, hands)
    paths = {number: log_path(folder, number) for number in numbers}
    units = [(number, 0) for number in numbers if not paths[number].exists()]
    found = (len(numbers) - len(units)) * hands
    tick(found)
    play = partial(_play, curriculum, hands)
    with closing(play_units(play, units, workers, lambda done: tick(found + done))) as finished:
        for (number, _), played in finished:
            write_whole(paths[int(number)], log_text(played))
    return list(paths.values())


def _play(curriculum: Curriculum, hands: int, unit: Unit, tick: Callable[[int], None]) -> Played:
    number = int(unit[0])
    return play_session(curriculum.table(number), number, hands, tick)


def begin(folder: Path, curriculum: Curriculum, hands: int) -> None:
    """Make the folder of some tables' sessions, or verify that it is theirs."""
    folder.mkdir(parents=True, exist_ok=True)
    claim(folder / "table.json", curriculum.about() | {"hands": hands})


def log_path(folder: Path, number: int) -> Path:
    """The file of a session."""
    return folder / f"session-{number:05}.log"


def log_text(played: Played) -> str:
    """What the file holds."""
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
