"""Cases of one street, to measure retrieval: ``python -m baycarp.train.retrieval_cases FOLDER``.

Eight formula players are watched who see many flops and cost little; no network is fitted (the cases are
described with the shipped model's), and no other street is described. Each session is kept when it is done:
an interruption loses only those under way, and the same command goes on.
"""

import argparse
import os
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from functools import partial
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
from baycarp.train.casebases import cases_of_session
from baycarp.train.watch import claim

__all__ = ["FORMULAS", "Sessions", "decisions", "gathered", "retrieval_cases", "table_of"]

FORMULAS = tuple(
    f"formula(model=0, level='loose', shift={-100 - 20 * seat}, "
    f"tightness=0.{20 + 5 * seat}, aggression=0.{30 + 6 * seat})"
    for seat in range(8)
)
"""Loose players, each of his own temper, who see many flops; they read nobody, which would cost most."""


def table_of(specs: tuple[str, ...], seed: int) -> Table:
    """A ring of agents who are named by their seats."""
    return Table(Variant.ring(len(specs)), tuple(f"seat {seat}" for seat in range(len(specs))), specs, seed)


def decisions(
    table: Table, number: int, hands: int, streets: Container[int] = range(4), model: Model | None = None
) -> list[Settled]:
    """Play a session, and describe every action as a settled case.

    Parameters
    ----------
    table, number, hands
        Who plays, the session's number, and how long.
    streets
        Of which actions, 0..3.
    model
        Whose strategy and network describe; None = the shipped one's.
    """
    played = play_session(table, number, hands)
    lines = (parse_state(line, table.variant) for line in played.log)
    model = model or load_model(SHIPPED)
    return list(cases_of_session(lines, number, model.strategy, model.network, streets=streets))


@dataclass(frozen=True, slots=True)
class Sessions:
    """Who is watched, in how many sessions, of how many hands each."""

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
    """Watch, describe, and gather the cases in the sessions' order.

    Parameters
    ----------
    sessions
        What is watched. A folder belongs to one table, length of a session and street: others are refused.
    street
        0..3.
    folder
        Where sessions are kept, and ``STREET.npz`` goes.
    workers
        Processes.
    tick
        Hears how many sessions are done.

    Raises
    ------
    ModelError
        The folder holds the cases of another table.
    """
    folder.mkdir(parents=True, exist_ok=True)
    table, count, hands = sessions.table, sessions.count, sessions.hands
    card = {"players": table.specs, "seed": table.seed, "street": STREETS[street], "hands": hands}
    claim(folder / "cases.json", card | {"network": load_model(SHIPPED).about()["digest"]})
    parts = [folder / f"cases-{number:05}.npz" for number in numbers(LEARNED, count)]
    missing = [number for number, part in enumerate(parts) if not part.exists()]
    tick(count - len(missing))
    with processes(workers) as pool:
        done = pool.map(partial(_keep, table, street, hands), missing, [parts[number] for number in missing])
        for finished, _ in enumerate(done, start=count - len(missing) + 1):
            tick(finished)
    casebase = gathered(parts, street)
    casebase.save(folder / f"{STREETS[street]}.npz")
    return casebase


def gathered(parts: Iterable[Path], street: int) -> CaseBase:
    """The cases of a street that sessions kept (``FOLDER/cases-*.npz``), in order."""
    casebase = CaseBase(SCHEMAS[street])
    for part in parts:
        casebase.extend_columns(read_arrays(part))
    return casebase


def _keep(table: Table, street: int, hands: int, number: int, part: Path) -> None:
    steps = decisions(table, number, hands, (street,))
    write_arrays(part, stack(SCHEMAS[street], (step.case for step in steps)))


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
