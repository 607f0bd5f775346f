"""Cases of one street, to measure retrieval: ``python -m benchmarks.retrieval_cases FOLDER``.

Eight fast formula players that see many flops are watched; no network is fitted (the shipped one describes
the cases), and no other street is described. Each finished session is a file: an interruption loses only
unfinished sessions, and the same command continues.
"""

import argparse
import os
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

from baycarp.arena.decks import LEARNED, numbers
from baycarp.arena.session import HANDS, Table, play_session
from baycarp.arena.workers import processes
from baycarp.cases import CaseBase, Settled
from baycarp.cases.columns import stack
from baycarp.files import read_arrays, write_arrays
from baycarp.game.action import STREETS
from baycarp.game.notation.acpc import parse_state
from baycarp.game.variant import Variant
from baycarp.strategies.baycarp import SCHEMAS
from baycarp.strategies.model import SHIPPED, Model, load_model
from baycarp.training.casebases import cases_of_session
from baycarp.training.watch import claim

__all__ = ["FORMULAS", "Sessions", "decisions", "gathered", "retrieval_cases", "table_of"]

FORMULAS = tuple(
    f"formula(model=0, level='loose', shift={-100 - 20 * seat}, "
    f"tightness=0.{20 + 5 * seat}, aggression=0.{30 + 6 * seat})"
    for seat in range(8)
)
"""Loose players with different settings that see many flops; without opponent models, the slowest part."""


def table_of(specs: tuple[str, ...], seed: int) -> Table:
    """A ring of agents, named after their seats."""
    return Table(Variant.ring(len(specs)), tuple(f"seat {seat}" for seat in range(len(specs))), specs, seed)


def decisions(
    table: Table, number: int, hands: int, streets: Container[int] = range(4), model: Model | None = None
) -> list[Settled]:
    """Play a session, and describe every action as a settled case.

    Parameters
    ----------
    table, number, hands
        The players, the session's number, and its hands.
    streets
        The streets of the actions, 0..3.
    model
        The strategy and the network that describe; None = the shipped ones.
    """
    lines = (parse_state(line, table.variant) for line in play_session(table, number, hands).log)
    model = model or load_model(SHIPPED)
    return list(cases_of_session(lines, number, model.strategy, model.network, streets=streets))


@dataclass(frozen=True, slots=True)
class Sessions:
    """The players, the number of sessions, and the hands of each."""

    table: Table
    count: int
    hands: int = HANDS


def retrieval_cases(
    sessions: Sessions,
    street: int,
    folder: Path,
    workers: int = 1,
    tick: Callable[[int], None] = lambda done: None,
) -> CaseBase:
    """Watch, describe, and collect the cases in the sessions' order.

    Parameters
    ----------
    sessions
        The sessions. A folder belongs to one table, session length and street: others are refused.
    street
        0..3.
    folder
        The folder of the sessions' files and of ``STREET.npz``.
    workers
        Processes.
    tick
        Receives the number of finished sessions.

    Raises
    ------
    ModelError
        The folder has the cases of another table.
    """
    folder.mkdir(parents=True, exist_ok=True)
    table, count, hands = sessions.table, sessions.count, sessions.hands
    card = {"players": table.specs, "seed": table.seed, "street": STREETS[street], "hands": hands}
    claim(folder / "cases.json", card | {"network": load_model(SHIPPED).about()["digest"]})
    parts = {number: folder / f"cases-{number:05}.npz" for number in numbers(LEARNED, count)}
    missing = {number: part for number, part in parts.items() if not part.exists()}
    with processes(workers) as pool:
        done = pool.map(partial(_write, table, street, hands), missing, missing.values())
        for finished, _ in enumerate(chain([None], done), start=count - len(missing)):
            tick(finished)
    casebase = gathered(parts.values(), street)
    casebase.save(folder / f"{STREETS[street]}.npz")
    return casebase


def gathered(parts: Iterable[Path], street: int) -> CaseBase:
    """The cases of a street from the sessions' files (``FOLDER/cases-*.npz``), in order."""
    casebase = CaseBase(SCHEMAS[street])
    for part in parts:
        casebase.extend_columns(read_arrays(part))
    return casebase


def _write(table: Table, street: int, hands: int, number: int, part: Path) -> None:
    settled = (step.case for step in decisions(table, number, hands, (street,)))
    write_arrays(part, stack(SCHEMAS[street], settled))


def main() -> None:
    """Make a case-base of flop cases."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--street", choices=STREETS, default="flop")
    parser.add_argument("--sessions", type=int, default=480, help="of 500 hands, about 2,100 flop cases each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    casebase = retrieval_cases(
        Sessions(table_of(FORMULAS, given.seed), given.sessions),
        STREETS.index(given.street),
        given.folder,
        given.workers,
        lambda done: print(f"{done} of {given.sessions} sessions", end="\r", flush=True),
    )
    print(f"\n{len(casebase)} cases in {given.folder}")


if __name__ == "__main__":
    main()
