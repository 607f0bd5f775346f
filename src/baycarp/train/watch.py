"""Play sessions and write them as logs with all hole cards; an interruption loses no finished session."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from baycarp.arena.journal import Unit
from baycarp.arena.run import play_units
from baycarp.arena.session import Played, Table, play_session
from baycarp.arena.workers import Workers
from baycarp.errors import ModelError
from baycarp.files import write_whole
from baycarp.game.notation.acpc import parse_state
from baycarp.game.notation.hand import Hand
from baycarp.train.curriculum import Curriculum, single

__all__ = ["claim", "hands_of", "watch"]


def watch(
    tables: Table | Curriculum,
    numbers: Sequence[int],
    hands: int,
    folder: Path,
    workers: int = 1,
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
        Processes.
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
    folder.mkdir(parents=True, exist_ok=True)
    claim(folder / "table.json", curriculum.about() | {"hands": hands})
    paths = {number: folder / f"session-{number:05}.log" for number in numbers}
    units = [(number, 0) for number in numbers if not paths[number].exists()]
    found = (len(numbers) - len(units)) * hands
    tick(found)
    play = partial(_play, curriculum, hands)
    with closing(play_units(play, units, Workers(workers), lambda done: tick(found + done))) as finished:
        for (number, _), played in finished:
            write_whole(paths[int(number)], "".join(line + "\n" for line in played.log))
    return list(paths.values())


def _play(curriculum: Curriculum, hands: int, unit: Unit, tick: Callable[[int], None]) -> Played:
    number = int(unit[0])
    return play_session(curriculum.table(number), number, hands, tick)


def hands_of(log: Path, table: Table) -> Iterator[Hand]:
    """The hands of one session, in order."""
    with log.open(encoding="utf-8") as lines:
        for line in lines:
            yield parse_state(line, table.variant)


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
        raise ModelError(f"{card}: another {card.stem}'s sessions: expected {about}, or another folder")
