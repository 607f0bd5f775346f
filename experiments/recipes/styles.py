"""Make ``data/models/styles.npz``, the playing styles: ``python -m experiments.recipes.styles FILE``.

``experiments.populations.styles`` fits them.
"""

import argparse
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from baycarp.agents.table import EIGHTH, TABLE
from baycarp.arena.decks import LEARNED, numbers
from baycarp.arena.session import HANDS, Table, split
from baycarp.arena.workers import Workers
from baycarp.errors import ModelError
from baycarp.game.variant import Variant
from baycarp.opponents.actions.styles import save_styles
from baycarp.training.watch import hands_of, watch
from benchmarks.records import sessions_of
from experiments.populations.action_cells import HandRow, hand_rows
from experiments.populations.kinds import POPULATIONS, members, tables
from experiments.populations.styles import fit_styles

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> None:
    """Watch the default table and the populations, read the archives, fit the styles, and write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--hands", type=int, default=5000, help="of the default table")
    parser.add_argument("--sessions", type=int, default=18, help="of 500 hands, of each other population")
    parser.add_argument("--people", type=Path, action="append", default=[], help="a record of people's hands")
    parser.add_argument("--people-hands", type=int, default=20_000, help="read of each record, at most")
    parser.add_argument("--game", help="of the records that are ACPC logs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path("sessions"), help="where sessions are kept")
    given = parser.parse_args(argv)
    bots = ("table", *(name for name in POPULATIONS if name != "blind"))
    names = [*bots, *(path.name for path in given.people)]
    if len(set(names)) < len(names):
        raise ModelError(f"populations {', '.join(names)}: expected different names of files")
    rows = {"table": list(_default_table(given))}
    rows |= {name: list(_population(name, given)) for name in bots[1:]}
    game = Variant.load(given.game) if given.game else None
    for path in given.people:
        hands = chain.from_iterable(
            sessions_of(path, None if ".tar" in path.suffixes else game, given.people_hands)
        )
        rows[path.name] = list(hand_rows(hands))
    options = f"--hands {given.hands} --sessions {given.sessions} --seed {given.seed}"
    people = "".join(f" --people {path.name}" for path in given.people)
    if people:
        people += f" --people-hands {given.people_hands}" + (f" --game {given.game}" if given.game else "")
    save_styles(
        fit_styles(rows, everything=bots, people=[path.name for path in given.people]),
        given.file,
        f"python -m experiments.recipes.styles {given.file.name} {options}{people}",
    )


def _default_table(given: argparse.Namespace) -> Iterator[HandRow]:
    specs = (*TABLE, EIGHTH)
    table = Table(Variant.ring(len(specs)), tuple(spec.capitalize() for spec in specs), specs, given.seed)
    count, hands = split(given.hands)
    for log in watch(table, numbers(LEARNED, count), hands, given.folder / "table", Workers(given.workers)):
        yield from hand_rows(hands_of(log, table))


def _population(name: str, given: argparse.Namespace) -> Iterator[HandRow]:
    """The hands of the population's players; those of their company are left out."""
    for number, table in enumerate(tables(name, given.sessions, given.seed)):
        log = watch(table, [LEARNED + number], HANDS, given.folder / name / str(number))[0]
        own = members(name, table)
        yield from (row for row in hand_rows(hands_of(log, table)) if row.player in own)


if __name__ == "__main__":
    main()
