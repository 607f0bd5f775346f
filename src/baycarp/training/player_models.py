"""Models of players for the tree-search player: members of the population are watched, and models fitted.

The hole cards that the models learn from are all of them, or those of showdowns: by themselves, or with EM
over the hidden ones.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from baycarp.arena.decks import LEARNED, numbers
from baycarp.arena.workers import THIS_PROCESS, Workers
from baycarp.game.notation.hand import Hand
from baycarp.opponents.moves.players import save_players
from baycarp.training.curriculum import shares_text
from baycarp.training.hidden_trees import fit_shown, fit_spectated, spectated
from baycarp.training.player_trees import CLUSTERS, FittedPlayers, fit_players, known_of
from baycarp.training.sizers import PROBE, Sizers
from baycarp.training.watch import folder_of, hands_of, watch

__all__ = ["FILES", "SEATS", "Holdings", "PlayerTraining", "train_players", "watched"]

Holdings: TypeAlias = Literal["known", "learned", "shown"]
"""All hole cards; those of showdowns, and EM over the hidden ones; those of showdowns alone."""

FILES: dict[Holdings, str] = {"known": "players.npz", "learned": "learned.npz", "shown": "shown.npz"}
"""The names of the models in the folder of a training, by the holdings that they learned from."""

SEATS = {2: 4, 3: 1, 4: 1, 6: 2, 9: 1}
"""The shares of the hands by number of seats, where none are chosen."""


@dataclass(frozen=True, slots=True)
class PlayerTraining:
    """What models of players are trained on.

    Parameters
    ----------
    tables
        The tables that are watched.
    hands
        Their number at least: sessions are in whole periods of the sizes.
    clusters
        Of players.
    holdings
        Those that the models learn from.
    """

    tables: Sizers
    hands: int
    clusters: int = CLUSTERS
    holdings: Holdings = "known"

    @property
    def file(self) -> str:
        """The name of the models in the folder of the training."""
        return FILES[self.holdings]

    @property
    def command(self) -> str:
        """The command that makes the models."""
        words = f"baycarp train FOLDER --agent mcts --hands {self.hands}"
        words += f" --seats {shares_text(self.tables.seats)} --clusters {self.clusters}"
        return words + self._holdings + f" --seed {self.tables.seed}"

    @property
    def _holdings(self) -> str:
        return "" if self.holdings == "known" else f" --holdings {self.holdings}"


def train_players(
    training: PlayerTraining,
    folder: Path,
    workers: Workers = THIS_PROCESS,
    tick: Callable[[int], None] = lambda played: None,
) -> FittedPlayers:
    """Watch members of the population, fit the models, and write them to ``folder``.

    Sessions that the folder has are not played again. The file is the same for any number of workers.

    Parameters
    ----------
    training
        The tables, and how the models learn.
    folder
        Receives the file of the training and the sessions.
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
    hands = watched(training.tables, training.hands, folder / "sessions", workers, tick)
    fitted = _fitted(hands, training)
    save_players(fitted.players, folder / training.file, training.command)
    return fitted


def _fitted(hands: Iterable[Hand], training: PlayerTraining) -> FittedPlayers:
    clusters, seed = training.clusters, training.tables.seed
    if training.holdings == "known":
        return fit_players(known_of(hands, without=PROBE), clusters, seed)
    fit = fit_shown if training.holdings == "shown" else fit_spectated
    return fit(spectated(hands, without=PROBE), clusters, seed)


def watched(
    tables: Sizers,
    hands: int,
    folder: Path,
    workers: Workers = THIS_PROCESS,
    tick: Callable[[int], None] = lambda played: None,
) -> Iterator[Hand]:
    """Hands of members of the population; sessions that the folder has are not played again.

    Parameters
    ----------
    hands
        Their number at least.
    tables, folder, workers, tick
        As in ``train_players``.

    Raises
    ------
    ModelError
        The folder has sessions of other tables.
    """
    count, each = tables.split(hands)
    sessions = numbers(LEARNED, count)
    logs = watch(tables, sessions, each, folder_of(folder, tables, each), workers, tick)
    for number, log in zip(sessions, logs, strict=True):
        yield from hands_of(log, tables.table(number))
