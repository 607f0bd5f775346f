"""Shown situations as cases: what was observed of a player that showed its cards, and what it held.

A case has the observations of the thesis' network (``opponents.network.topology``), so that cases and network
read from the same rows. Its solution is the hand group; the hand type and the player are its provenance.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from baycarp.cases import Case, CaseBase, Feature, Linear, Matrix, Schema
from baycarp.errors import ModelError, reason
from baycarp.files import ListForm, NumberForm, TupleForm, read_json, write_whole
from baycarp.game.action import STREETS
from baycarp.opponents.belief import short_digest
from baycarp.opponents.network.statistics import PlayerStats
from baycarp.opponents.network.topology import STRUCTURE, TYPE_NODES, observed
from baycarp.rules.hand import GROUPS, TYPES

__all__ = [
    "ORDERED",
    "SCHEMAS",
    "UNKNOWN",
    "Shown",
    "ShownRow",
    "habits",
    "load_shown",
    "save_shown",
    "shown_cases",
    "situation_of",
]

UNKNOWN = "unknown"
"""The state of a node that was not observed."""

ORDERED = frozenset({"Position", "VPIP", "PFR"})
"""Nodes whose states have an order: they are numbers, and similarity falls linearly with the distance; of
others only equal states are similar. Our choice, as are equal weights."""

NO_TYPE = 255
HABITS = 5
PROVENANCE = (("type", "<u1", 1), ("player", "<i2", 1))
PLAYERS = "players.json"
MOST_BYTES = 1 << 20


class ShownRow(NamedTuple):
    """A player that showed its cards: node -> state, the cards' nodes too; its name, and its habits then."""

    states: Mapping[str, str]
    player: str
    habits: PlayerStats | None


class Shown(NamedTuple):
    """Shown situations by street, and the players that showed them.

    Parameters
    ----------
    bases
        One case-base a street, each of all rows.
    players
        By number in the provenance: the habits at last, shares 0..1 (``habits``), and the number of rows.
    """

    bases: tuple[CaseBase, ...]
    players: tuple[tuple[tuple[float, ...], int], ...]

    @property
    def digest(self) -> str:
        """The first digits of a digest of all cases."""
        names = ("numbers", "symbols", "solutions", "provenance")
        columns = [base.columns() for base in self.bases]
        return short_digest("".join(str(each[name].tolist()) for each in columns for name in names))


def _schema(street: int) -> Schema:
    features = [_feature(node) for node in observed(STRUCTURE, street)]
    return Schema(f"shown on the {STREETS[street]}", tuple(features), GROUPS, 0.0, provenance=PROVENANCE)


def _feature(node: str) -> Feature:
    states = STRUCTURE.states[node]
    if node in ORDERED:
        return Feature(node, 1.0, Linear(len(states) - 1), (0.0, len(states) - 1.0))
    table = np.eye(len(states) + 1).tolist()
    return Feature(node, 1.0, Matrix((*states, UNKNOWN), tuple(map(tuple, table))))


SCHEMAS = tuple(_schema(street) for street in range(4))
"""One a street: what is observed by its end."""


def situation_of(evidence: Mapping[str, str], street: int) -> dict[str, str | float]:
    """The values of observations, node -> state, by the end of a street; the middle of an unknown number."""
    values: dict[str, str | float] = {}
    for node in observed(STRUCTURE, street):
        state, states = evidence.get(node), STRUCTURE.states[node]
        if node in ORDERED:
            values[node] = states.index(state) if state else (len(states) - 1) / 2
        else:
            values[node] = state or UNKNOWN
    return values


def habits(stats: PlayerStats | None) -> tuple[float, ...]:
    """VPIP, PFR and the aggression on flop, turn and river, 0..1; of an unknown player the half of each."""
    if stats is None:
        return (0.5,) * HABITS
    found = (stats.vpip, stats.pfr, *(stats.aggression(street) for street in (1, 2, 3)))
    return tuple(0.5 if share is None else share for share in found)


def shown_cases(rows: Iterable[ShownRow]) -> Shown:
    """The shown situations of some rows, in order.

    Parameters
    ----------
    rows
        Of showdowns: every observation of all streets, hand group and hand types.
    """
    rows = list(rows)
    numbers: dict[str, int] = {}
    for row in rows:
        numbers.setdefault(row.player, len(numbers))
    bases = []
    for street, schema in enumerate(SCHEMAS):
        base = CaseBase(schema)
        base.extend(_case(row, schema, street, numbers[row.player]) for row in rows)
        base.fold_in()
        bases.append(base)
    last = {row.player: habits(row.habits) for row in rows}
    counts = np.bincount([numbers[row.player] for row in rows], minlength=len(numbers)).tolist()
    return Shown(tuple(bases), tuple((last[name], counts[number]) for name, number in numbers.items()))


def _case(row: ShownRow, schema: Schema, street: int, player: int) -> Case:
    held = row.states[TYPE_NODES[street]] if street else ""
    made = TYPES.index(held) if street else NO_TYPE
    origin = {"type": made, "player": player}
    return Case(schema.situation(situation_of(row.states, street)), row.states["HandGroup"], 0.0, origin)


def save_shown(folder: Path, shown: Shown) -> None:
    """Write the situations: one file a street, and the players."""
    folder.mkdir(parents=True, exist_ok=True)
    for street, base in zip(STREETS, shown.bases, strict=False):
        base.save(folder / f"{street}.npz")
    players = [[*map(float, shares), rows] for shares, rows in shown.players]
    write_whole(folder / PLAYERS, f"{players}\n")


@lru_cache(maxsize=4)
def load_shown(folder: str) -> Shown:
    """Read what ``save_shown`` wrote; a process reads a folder once.

    Raises
    ------
    ModelError
        No such folder, or damaged files.
    """
    bases = tuple(
        CaseBase.load(Path(folder) / f"{street}.npz", schema)
        for street, schema in zip(STREETS, SCHEMAS, strict=False)
    )
    path = Path(folder) / PLAYERS
    form = ListForm(TupleForm((NumberForm(0, 1),) * HABITS + (NumberForm(0, 2**53, whole=True),)))
    try:
        players = read_json(path, MOST_BYTES, form)
    except (OSError, ValueError) as error:
        raise ModelError(f"{path}: {reason(error)}") from error
    return Shown(bases, tuple((tuple(row[:HABITS]), int(row[HABITS])) for row in players))
