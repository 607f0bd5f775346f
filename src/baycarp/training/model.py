"""Training in one command: watch players, fit the network on showdowns, describe the cases with it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from baycarp.arena.decks import HELD_OUT, LEARNED, numbers
from baycarp.arena.session import Table
from baycarp.arena.workers import THIS_PROCESS, Workers, in_order, opened
from baycarp.bn import Network, Structure, counts
from baycarp.cases import CaseBase
from baycarp.cases.columns import Columns
from baycarp.errors import ModelError
from baycarp.files import read_text
from baycarp.opponents.network.topology import STRUCTURE
from baycarp.rules.outcome import OUTCOMES
from baycarp.strategies.model import MANIFEST, Model, load_model, save_model
from baycarp.strategies.spec import Strategy
from baycarp.training.casebases import columns_of_session
from baycarp.training.curriculum import Curriculum, single
from baycarp.training.networks import Measured, Prior, fit_network, measure
from baycarp.training.rows import NetworkRow, rows_of_session
from baycarp.training.watch import LARGEST, folder_of, hands_in, watch

__all__ = ["NetworkConfig", "Trained", "Training", "Watched", "train", "train_once"]

Progress = Callable[[str, int, int | None], None]
"""Called with (the step, the work done, all of the work; None = unknown)."""


@dataclass(frozen=True, slots=True)
class NetworkConfig:
    """The network that is fitted, and its rows; by default the thesis' network, on showdowns.

    Parameters
    ----------
    structure
        Of ``opponents.network.topology``.
    prior
        The prior of its tables.
    active
        Whether it is trained on all players still in, whose cards a trainer has, or on showdowns only.
    """

    structure: Structure = STRUCTURE
    prior: Prior = "bdeu"
    active: bool = False

    def fit(self, rows: Sequence[NetworkRow]) -> Network:
        """The fitted network."""
        return fit_network(rows, not self.active, self.structure, self.prior)

    def measure(
        self, network: Network, rows: Sequence[NetworkRow], held_out: Sequence[NetworkRow]
    ) -> tuple[Measured, int]:
        """Its scores on held-out rows, and the number of rows of the fit."""
        used = [row.states for row in rows if row.showdown or self.active]
        return measure(network, counts(self.structure, used), held_out), len(used)


@dataclass(frozen=True, slots=True)
class Training:
    """The strategy, network and outcome rule of a model.

    Parameters
    ----------
    strategy
        The strategy of the model; a network is fitted if it needs one.
    network
        The network's structure and rows.
    outcome
        The name of an outcome rule instead of the strategy's own, one of ``rules.outcome.OUTCOMES``.
    two
        Models whose cases are added for tables of two (``Model.with_heads_up``).

    Raises
    ------
    ModelError
        One of ``two`` is of another strategy or of other beliefs.
    """

    strategy: Strategy
    network: NetworkConfig = NetworkConfig()
    outcome: str = ""
    two: tuple[Model, ...] = ()

    def __post_init__(self) -> None:
        if self.two:  # refused before a hand is watched where they do not fit
            Model(self.strategy, None, {}).with_heads_up(*self.two)


@dataclass(frozen=True, slots=True)
class Watched:
    """The hands that a model is trained on.

    Parameters
    ----------
    tables
        The players that are watched: one table, or a curriculum.
    hands
        Their number, rounded up to sessions of one length; a tenth as many more are held out to measure the
        network.
    sessions
        The folder of the watched sessions, which are used again after an interruption, and by a longer
        training; None = in the model's folder.
    """

    tables: Table | Curriculum
    hands: int
    sessions: Path | None = None

    @property
    def curriculum(self) -> Curriculum:
        """The table of each session."""
        return single(self.tables) if isinstance(self.tables, Table) else self.tables


@dataclass(frozen=True, slots=True)
class Trained:
    """A model, and the scores of its network, if it has one, on held-out hands."""

    model: Model
    measured: Measured | None
    showdowns: int


def train(
    training: Training,
    watched: Watched,
    folder: Path,
    command: str,
    workers: Workers = THIS_PROCESS,
    progress: Progress = lambda what, done, of: None,
) -> Trained:
    """Make a model.

    The unit of work is a session with fresh statistics; everything is merged in the sessions' order, so the
    model depends on the table and the number of hands only, bit for bit.

    Parameters
    ----------
    training
        The strategy, the network and the outcome rule.
    watched
        The hands that it is trained on.
    folder
        The folder of the model.
    command
        The command line, for the manifest.
    workers
        Where the work is done.
    progress
        See ``Progress``.
    """
    strategy = training.strategy
    curriculum = watched.curriculum
    network = strategy.needs_network
    count, session = curriculum.split(watched.hands)
    learned = numbers(LEARNED, count)
    held_out = numbers(HELD_OUT, max(1, count // 10) * network)
    every = [*learned, *held_out]
    total = len(every) * session
    logs = watch(
        curriculum,
        every,
        session,
        folder_of(watched.sessions or folder / "sessions", curriculum, session),
        workers,
        lambda done: progress("hands watched", done, total),
    )
    casebases = {name: CaseBase(schema) for name, schema in strategy.bases.items()}
    with opened(workers) as ready:
        trained: list[NetworkRow] = []
        fresh: list[NetworkRow] = []
        read = partial(_rows, curriculum=curriculum, structure=training.network.structure)
        with closing(in_order(read, _texts(every, logs) if network else (), ready)) as found:
            for done, (_, rows) in enumerate(found, start=1):
                (trained if done <= count else fresh).extend(rows)
                progress("sessions read", done, len(logs))
        fitted = training.network.fit(trained) if network else None
        outcome = training.outcome
        describing = replace(strategy, outcome=OUTCOMES[outcome]) if outcome else strategy
        describe = partial(_cases, curriculum=curriculum, strategy=describing, network=fitted)
        with closing(in_order(describe, _texts(learned, logs), ready)) as described:
            for done, (_, columns) in enumerate(described, start=1):
                for name, casebase in casebases.items():
                    casebase.extend_columns(columns[name])
                progress("sessions described", done, count)
    manifest = {"game": curriculum.game} | ({"outcome": outcome} if outcome else {})
    model = Model(strategy, fitted, casebases, manifest)
    if training.two:
        model = model.with_heads_up(*training.two)
    save_model(folder, model, command, curriculum.seed)
    return Trained(model, *(training.network.measure(fitted, trained, fresh) if fitted else (None, 0)))


def train_once(
    training: Training,
    watched: Watched,
    folder: Path,
    command: str,
    workers: Workers = THIS_PROCESS,
    progress: Progress = lambda what, done, of: None,
) -> None:
    """Make a model where its folder has none; parameters as of ``train``, progress under the folder's name.

    Raises
    ------
    ModelError
        A model that another command has made.
    """
    if not (folder / MANIFEST).exists():

        def named(what: str, done: int, of: int | None) -> None:
            progress(f"{folder.name}: {what}", done, of)

        train(training, watched, folder, command, workers, named)
    if (found := load_model(folder).manifest["command"]) != command:
        raise ModelError(f"{folder}: made by {found!r}: expected {command!r}")


def _texts(sessions: Iterable[int], logs: Iterable[Path]) -> Iterator[tuple[int, str]]:
    """The numbers of sessions and their logs, read as workers become idle: they may have no such file."""
    return ((number, read_text(log, LARGEST)) for number, log in zip(sessions, logs, strict=False))


def _rows(session: tuple[int, str], curriculum: Curriculum, structure: Structure) -> list[NetworkRow]:
    number, log = session
    return list(rows_of_session(hands_in(log, curriculum.table(number)), (structure,)))


def _cases(
    session: tuple[int, str], curriculum: Curriculum, strategy: Strategy, network: Network | None
) -> dict[str, Columns]:
    number, log = session
    hands = hands_in(log, curriculum.table(number))
    return columns_of_session(hands, number, strategy, network, curriculum.teachers(number))
