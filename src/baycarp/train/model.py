"""Training in one command: watch, fit the network on showdowns, make the cases with the fitted network."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from baycarp.arena.decks import HELD_OUT, LEARNED, numbers
from baycarp.arena.session import Table, split
from baycarp.arena.workers import processes
from baycarp.bn.learn import counts
from baycarp.bn.network import Network, Structure
from baycarp.cases import CaseBase
from baycarp.cases.columns import Columns, stack
from baycarp.opponents.topology import STRUCTURE
from baycarp.rules.outcome import OUTCOMES
from baycarp.strategies.model import Model, save_model
from baycarp.strategies.spec import Strategy
from baycarp.train.casebases import cases_of_session
from baycarp.train.networks import Measured, Prior, fit_network, measure
from baycarp.train.rows import Row, rows_of_session
from baycarp.train.watch import hands_of, watch

__all__ = ["NetworkConfig", "Trained", "Training", "Watched", "train"]

Progress = Callable[[str, int, int | None], None]
"""Called with (the step, how much of it is done, of how much; None = unknown)."""


@dataclass(frozen=True, slots=True)
class NetworkConfig:
    """What kind of network is fitted, and on which players; by default the one that was built, on showdowns.

    Parameters
    ----------
    structure
        Of ``opponents.topology``.
    prior
        What its tables fall back on.
    active
        Whether it is trained on all players still in, whose cards a trainer has, or on showdowns alone.
    """

    structure: Structure = STRUCTURE
    prior: Prior = "bdeu"
    active: bool = False

    def fit(self, rows: Sequence[Row]) -> Network:
        """The network of this kind."""
        return fit_network(rows, not self.active, self.structure, self.prior)

    def measure(self, network: Network, rows: Sequence[Row], held_out: Sequence[Row]) -> tuple[Measured, int]:
        """Its scores on held-out rows, and the number of rows of the fit."""
        taught = [row.states for row in rows if row.showdown or self.active]
        return measure(network, counts(self.structure, taught), held_out), len(taught)


@dataclass(frozen=True, slots=True)
class Training:
    """What is trained.

    Parameters
    ----------
    strategy
        What the model is for; a network is fitted if it needs one.
    network
        What kind of network.
    outcome
        The name of an outcome rule that stands for the strategy's own, one of ``rules.outcome.OUTCOMES``.
    """

    strategy: Strategy
    network: NetworkConfig = NetworkConfig()
    outcome: str = ""

    @property
    def describing(self) -> Strategy:
        """The strategy that describes the cases: with the outcome rule that is named."""
        return replace(self.strategy, outcome=OUTCOMES[self.outcome]) if self.outcome else self.strategy


@dataclass(frozen=True, slots=True)
class Watched:
    """What a model is trained on.

    Parameters
    ----------
    table
        The players that are watched.
    hands
        How many, rounded up to sessions of one length; a tenth as many more are held out to measure the
        network.
    sessions
        Where the watched sessions are kept, and found again after an interruption; None = in the model's
        folder.
    """

    table: Table
    hands: int
    sessions: Path | None = None


@dataclass(frozen=True, slots=True)
class Trained:
    """A model, and what its network, if it has one, scores on held-out hands."""

    model: Model
    measured: Measured | None
    showdowns: int


def train(
    training: Training,
    watched: Watched,
    folder: Path,
    command: str,
    workers: int = 1,
    progress: Progress = lambda what, done, of: None,
) -> Trained:
    """Make a model.

    The unit of work is a session with fresh statistics; everything is merged in the sessions' order, so the
    model depends on the table and the number of hands alone, bit for bit.

    Parameters
    ----------
    training
        What is trained.
    watched
        The hands that it is trained on.
    folder
        Where the model goes.
    command
        What made the model, for its manifest.
    workers
        Processes.
    progress
        See ``Progress``.
    """
    strategy, table, outcome = training.strategy, watched.table, training.outcome
    network = strategy.needs_network
    count, session = split(watched.hands)
    learned, held_out = numbers(LEARNED, count), numbers(HELD_OUT, max(1, count // 10) * network)
    wanted = [*learned, *held_out]
    total = len(wanted) * session
    logs = watch(
        table,
        wanted,
        session,
        watched.sessions or folder / "sessions",
        workers,
        lambda done: progress("hands watched", done, total),
    )
    casebases = {name: CaseBase(schema) for name, schema in strategy.bases.items()}
    with processes(workers) as pool:
        rows = []
        read = partial(_rows, table=table, structure=training.network.structure)
        for done, found in enumerate(pool.map(read, logs if network else []), start=1):
            rows.append(found)
            progress("sessions read", done, len(logs))
        trained = [row for found in rows[:count] for row in found]
        fitted = training.network.fit(trained) if network else None
        describe = partial(_cases, table=table, strategy=training.describing, network=fitted)
        described = pool.map(describe, logs[:count], learned)
        for done, columns in enumerate(described, start=1):
            for name, casebase in casebases.items():
                casebase.extend_columns(columns[name])
            progress("sessions described", done, count)
    manifest = {"game": table.variant.name} | ({"outcome": outcome} if outcome else {})
    model = Model(strategy, fitted, casebases, manifest)
    save_model(folder, model, command, table.seed)
    if fitted is None:
        return Trained(model, None, 0)
    fresh = [row for found in rows[count:] for row in found]
    return Trained(model, *training.network.measure(fitted, trained, fresh))


def _rows(log: Path, table: Table, structure: Structure) -> list[Row]:
    return list(rows_of_session(hands_of(log, table), (structure,)))


def _cases(
    log: Path, number: int, table: Table, strategy: Strategy, network: Network | None
) -> dict[str, Columns]:
    settled = list(cases_of_session(hands_of(log, table), number, strategy, network))
    return {
        name: stack(schema, (each.case for each in settled if each.base == name))
        for name, schema in strategy.bases.items()
    }
