"""The models of the couplings: three readers of opponents, taught by the same watched hands.

none/, network/, cases/   a model each: the cases of all watched decisions, in one order, as a reader has them
shown/                    the showdowns of these hands, as cases of the opponents
sessions/                 the watched hands
"""

from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

from baycarp.arena.decks import LEARNED, numbers
from baycarp.arena.workers import THIS_PROCESS, Workers, in_order, opened
from baycarp.files import read_text
from baycarp.opponents.shown.model import ByShown
from baycarp.opponents.shown.situations import ShownRow, save_shown, shown_cases
from baycarp.strategies.coupled import READ_BY_NETWORK, READ_BY_NONE, read_by
from baycarp.training.curriculum import Curriculum
from baycarp.training.model import Progress, Training, Watched, train_once
from baycarp.training.rows import rows_of_session
from baycarp.training.watch import LARGEST, folder_of, hands_in, log_path

__all__ = ["train_coupled"]


def train_coupled(
    watched: Watched,
    folder: Path,
    command: str,
    workers: Workers = THIS_PROCESS,
    progress: Progress = lambda what, done, of: None,
) -> None:
    """Make what a folder lacks of the models of the couplings.

    Parameters
    ----------
    watched
        The hands that all of them learn from.
    folder
        Of the models.
    command
        The command line, for the manifests.
    workers
        Where the work is done.
    progress
        See ``Progress``.

    Raises
    ------
    ModelError
        A model that another command has made.
    """
    watched = Watched(watched.tables, watched.hands, watched.sessions or folder / "sessions")
    shown = folder / "shown"
    for name, strategy in (
        ("network", READ_BY_NETWORK),
        ("none", READ_BY_NONE),
        ("cases", read_by("cases", ByShown(str(shown)))),
    ):
        if name == "cases" and not (shown / "players.json").exists():
            save_shown(shown, shown_cases(_shown(watched, workers, progress)))
        train_once(Training(strategy), watched, folder / name, f"{command}: {name}", workers, progress)


def _shown(watched: Watched, workers: Workers, progress: Progress) -> Iterator[ShownRow]:
    """The showdowns of the hands that the cases are of, in their order."""
    curriculum = watched.curriculum
    count, session = curriculum.split(watched.hands)
    assert watched.sessions is not None
    logs = folder_of(watched.sessions, curriculum, session)
    texts = ((number, read_text(log_path(logs, number), LARGEST)) for number in numbers(LEARNED, count))
    with opened(workers) as ready:
        rows = partial(_rows, curriculum=curriculum)
        with closing(in_order(rows, texts, ready)) as found:
            for done, (_, several) in enumerate(found, start=1):
                yield from several
                progress("shown: sessions read", done, count)


def _rows(session: tuple[int, str], curriculum: Curriculum) -> list[ShownRow]:
    number, log = session
    return [
        ShownRow(row.states, row.player, row.habits)
        for row in rows_of_session(hands_in(log, curriculum.table(number)))
        if row.showdown
    ]
