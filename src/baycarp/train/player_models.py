"""Models of players for the tree-search player: members of the population are watched, and models fitted.

The hole cards that the models learn from are all of them, or those of showdowns: by themselves, or with EM
over the hidden ones.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from baycarp.arena.decks import LEARNED, numbers
from baycarp.arena.workers import THIS_PROCESS, Workers
from baycarp.game.notation.hand import Hand
from baycarp.opponents.players import save_players
from baycarp.train.curriculum import shares_text
from baycarp.train.hidden_trees import fit_shown, fit_spectated, spectated
from baycarp.train.player_trees import CLUSTERS, Fitted, fit_players, known_of
from baycarp.train.sizers import PROBE, Sizers
from baycarp.train.watch import hands_of, watch

__all__ = ["FILES", "SEATS", "Holdings", "train_players"]

Holdings: TypeAlias = Literal["known", "learned", "shown"]
"""All hole cards; those of showdowns, and EM over the hidden ones; those of showdowns alone."""

FILES: dict[Holdings, str] = {"known": "players.npz", "learned": "learned.npz", "shown": "shown.npz"}
"""The names of the models in the folder of a training, by the holdings that they learned from."""

SEATS = {2: 4, 3: 1, 4: 1, 6: 2, 9: 1}
"""The shares of the hands by number of seats, where none are chosen."""


def train_players(
    tables: Sizers,
    hands: int,
    folder: Path,
    clusters: int = CLUSTERS,
    holdings: Holdings = "known",
    workers: Workers = THIS_PROCESS,
    tick: Callable[[int], None] = lambda played: None,
) -> Fitted:
    """Watch members of the population, fit the models, and write them to ``folder``.

    Sessions that the folder has are not played again. The file is the same for any number of workers.

    Parameters
    ----------
    tables
        The tables.
    hands
        Their number at least: sessions are in whole periods of the sizes.
    folder
        Receives the file of ``FILES`` and the sessions.
    clusters
        Of players.
    holdings
        Those that the models learn from.
    workers
        Where sessions are played.
    tick
        Receives the number of hands played.

    Raises
    ------
    ArgumentError
        Too few hands for the clusters.
    ModelError
        The folder has sessions of other tables.
    """
    count, each = tables.split(hands)
    sessions = numbers(LEARNED, count)
    logs = watch(tables, sessions, each, folder / "sessions", workers, tick)
    fitted = _fitted(_hands(tables, sessions, logs), holdings, clusters, tables.seed)
    command = f"baycarp train FOLDER --agent mcts --hands {hands} --seats {shares_text(tables.seats)}"
    command += f" --clusters {clusters}" + (f" --holdings {holdings}" if holdings != "known" else "")
    save_players(fitted.players, folder / FILES[holdings], f"{command} --seed {tables.seed}")
    return fitted


def _fitted(hands: Iterable[Hand], holdings: Holdings, clusters: int, seed: int) -> Fitted:
    if holdings == "known":
        return fit_players(known_of(hands, without=PROBE), clusters, seed)
    fit = fit_shown if holdings == "shown" else fit_spectated
    return fit(spectated(hands, without=PROBE), clusters, seed)


def _hands(tables: Sizers, sessions: Sequence[int], logs: Sequence[Path]) -> Iterator[Hand]:
    for number, log in zip(sessions, logs, strict=True):
        yield from hands_of(log, tables.table(number))
