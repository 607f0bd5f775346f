"""Training in one command: watch, fit the network on showdowns, make the cases with the fitted network."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import repeat
from pathlib import Path

from baycarp.agents.baycarp import TOP_FOUR
from baycarp.agents.model import Model, save_model
from baycarp.agents.schemas import SCHEMAS, WITHOUT_NETWORK
from baycarp.arena.decks import HELD_OUT, LEARNED, numbers
from baycarp.arena.session import Table, split
from baycarp.arena.workers import processes
from baycarp.bn.learn import counts
from baycarp.bn.network import Network, Structure
from baycarp.cases import CaseBase
from baycarp.cases.columns import Columns, stack
from baycarp.opponents.belief import RangeRule
from baycarp.opponents.styles import Styles
from baycarp.opponents.topology import STRUCTURE
from baycarp.train.casebases import cases_of_session
from baycarp.train.networks import Measured, Prior, fit_network, measure
from baycarp.train.rows import Row, rows_of_session
from baycarp.train.watch import hands_of, watch

__all__ = ["Lesson", "Trained", "train"]

Progress = Callable[[str, int, int | None], None]
"""Told of (what is being done, how much of it is done, of how much; None = nobody knows)."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """What kind of network is fitted, and on whom; by default the one that was built, on showdowns.

    Parameters
    ----------
    structure
        Of ``opponents.topology``.
    prior
        What its tables fall back on.
    active
        Whether everybody still in teaches, whose cards a trainer sees, or showdowns alone.
    """

    structure: Structure = STRUCTURE
    prior: Prior = "bdeu"
    active: bool = False

    def fit(self, rows: Sequence[Row]) -> Network:
        """The network of this kind."""
        return fit_network(rows, not self.active, self.structure, self.prior)

    def measure(self, network: Network, rows: Sequence[Row], held_out: Sequence[Row]) -> tuple[Measured, int]:
        """What it is worth on rows that it was not fitted on, and how many rows it was."""
        taught = [row.states for row in rows if row.showdown or self.active]
        return measure(network, counts(self.structure, taught), held_out), len(taught)


@dataclass(frozen=True, slots=True)
class Trained:
    """A model, and what its network, if it has one, is worth on hands that it has not seen."""

    model: Model
    measured: Measured | None
    showdowns: int


def train(
    table: Table,
    hands: int,
    folder: Path,
    command: str,
    workers: int = 1,
    rule: RangeRule = TOP_FOUR,
    network: bool = True,
    sessions: Path | None = None,
    lesson: Lesson = Lesson(),
    revise: str = "cost",
    styles: Styles | None = None,
    progress: Progress = lambda what, done, of: None,
) -> Trained:
    """Make a model.

    The unit of work is a session with fresh statistics; everything is merged in the sessions' order, so the
    model depends on the table and the number of hands alone, bit for bit.

    Parameters
    ----------
    table
        Who is watched.
    hands
        How many, rounded up to sessions of one length; a tenth as many more are held out to measure the
        network.
    folder
        Where the model goes.
    command
        What made the model, for its manifest.
    workers
        Processes.
    rule
        How hand groups become a range.
    network
        Whether to fit a network; without one everybody may hold anything, and cases tell no hand types.
    sessions
        Where what is watched is kept, and found again after an interruption; None = in the folder.
    lesson
        What kind of network.
    revise
        What the outcome of a case is, one of ``rules.worth.REVISIONS``.
    styles
        What cases are told with: beliefs by hand -> action; None = the network's.
    progress
        See ``Progress``.
    """
    count, session = split(hands)
    learned, held_out = numbers(LEARNED, count), numbers(HELD_OUT, max(1, count // 10) * network)
    wanted = [*learned, *held_out]
    total = len(wanted) * session
    logs = watch(
        table,
        wanted,
        session,
        sessions or folder / "sessions",
        workers,
        lambda done: progress("hands watched", done, total),
    )
    casebases = {schema.name: CaseBase(schema) for schema in (SCHEMAS if network else WITHOUT_NETWORK)}
    with processes(workers) as pool:
        rows = []
        read = partial(_rows, table=table, structure=lesson.structure)
        for done, found in enumerate(pool.map(read, logs if network else []), start=1):
            rows.append(found)
            progress("sessions read", done, len(logs))
        trained = [row for found in rows[:count] for row in found]
        fitted = lesson.fit(trained) if network else None
        agreed = (fitted, rule, revise, styles)
        described = pool.map(_cases, logs[:count], repeat(table), learned, *map(repeat, agreed))
        for done, columns in enumerate(described, start=1):
            for name, casebase in casebases.items():
                casebase.extend_columns(columns[name])
            progress("sessions described", done, count)
    model = Model(fitted, casebases, {"revise": revise})
    save_model(folder, model, command, table.seed)
    if fitted is None:
        return Trained(model, None, 0)
    fresh = [row for found in rows[count:] for row in found]
    return Trained(model, *lesson.measure(fitted, trained, fresh))


def _rows(log: Path, table: Table, structure: Structure) -> list[Row]:
    return list(rows_of_session(hands_of(log, table), (structure,)))


def _cases(
    log: Path,
    table: Table,
    number: int,
    network: Network | None,
    rule: RangeRule,
    revise: str,
    styles: Styles | None,
) -> dict[str, Columns]:
    steps = list(cases_of_session(hands_of(log, table), number, network, rule, None, revise, styles=styles))
    return {
        schema.name: stack(schema, (step.case for step in steps if step.base == schema.name))
        for schema in (SCHEMAS if network else WITHOUT_NETWORK)
    }
