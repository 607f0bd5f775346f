"""The work: every cell has a first block before any has a second; after that cells have about equal time.

A block is a session in all seatings. Nothing of the order depends on a result.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from baycarp.agents.registry import identity
from baycarp.api.settings import Plan
from baycarp.arena.decks import PLAYED, numbers
from baycarp.arena.journal import Journal, Recorded, Unit
from baycarp.arena.match import Match, play_unit
from baycarp.arena.run import Results, run
from baycarp.arena.session import Played
from baycarp.arena.workers import Workers
from baycarp.game import Variant
from experiments.field.lesson import CASEY, HANDS, taught
from experiments.field.plan import ESTIMATOR, FIELDS, Field

__all__ = ["FieldPlan"]


@dataclass(frozen=True)
class FieldPlan(Plan[Results]):
    """The cells that are played; a unit is field, cell, session, seating.

    Parameters
    ----------
    folder
        Of the journal, and of the models that lessons make.
    words
        Cells are played in whose name one of these is; none = all. Others have a journal of their own.
    share
        Of the deals of a session and of the sessions, 0..1: less is a first look, with a journal of its own.
    """

    folder: Path
    words: tuple[str, ...] = ()
    share: float = 1.0

    def session(self, field: Field) -> int:
        """Deals of a session."""
        return max(1, round(self.share * field.session))

    def sessions(self, field: Field) -> range:
        """The sessions of every cell."""
        return numbers(PLAYED, max(1, round(self.share * field.sessions)))

    @cached_property
    def taught(self) -> Mapping[str, Mapping[str, str]]:
        """By field, the specifications that lessons make, where the folder has none."""
        hands = max(10, round(self.share * HANDS))
        return {
            field.name: {
                CASEY: taught(self.folder / f"{CASEY}-{number}", Variant.load(field.game), field.seed, hands)
            }
            for number, field in enumerate(FIELDS)
            if CASEY in self._agents(field)
        }

    @cached_property
    def matches(self) -> Mapping[tuple[int, int], Match]:
        """By field and cell."""
        return {
            (number, cell): field.match(cell, self.taught.get(field.name, {}), self.session(field))
            for number, field in enumerate(FIELDS)
            for cell in self._cells(field)
        }

    def _cells(self, field: Field) -> list[int]:
        """The cells in whose name one of the words is."""
        names = [f"{field.name}: {' v '.join(field.players(cell))}" for cell in range(len(field.games))]
        return [
            cell
            for cell, name in enumerate(names)
            if not self.words or any(each in name for each in self.words)
        ]

    def _agents(self, field: Field) -> list[str]:
        """The agents of these cells."""
        playing = {name for cell in self._cells(field) for name in field.players(cell)}
        return [name for name in field.agents if name in playing]

    @cached_property
    def rounds(self) -> list[list[Unit]]:
        """The blocks in the order in which they are played."""
        blocks = [
            (
                block and block * self.session(field) * field.cost(cell),
                field.cost(cell),
                number,
                cell,
                session,
            )
            for number, field in enumerate(FIELDS)
            for cell in self._cells(field)
            for block, session in enumerate(self.sessions(field))
        ]
        return [
            [(number, cell, *unit) for unit in self.matches[number, cell].round(session)]
            for *_, number, cell, session in sorted(blocks)
        ]

    @property
    def units(self) -> tuple[str, int]:
        """The hands."""
        hands = [self.session(FIELDS[int(units[0][0])]) * len(units) for units in self.rounds]
        return "hands", sum(hands)

    @property
    def header(self) -> Mapping[str, Any]:
        """The plan, and every agent with the digests of its files."""
        return {"fields": [self._about(field) for field in FIELDS], "estimator": ESTIMATOR}

    def _about(self, field: Field) -> Mapping[str, Any]:
        game, lessons = Variant.load(field.game), self.taught.get(field.name, {})
        specs = {name: lessons.get(name, field.agents[name]) for name in self._agents(field)}
        agents = {name: identity(spec, game) for name, spec in specs.items()}
        return {
            "game": field.game,
            "agents": {name: text.replace(str(self.folder), "FOLDER") for name, text in agents.items()},
            "seed": field.seed,
            "session": self.session(field),
            "cells": [field.players(cell) for cell in self._cells(field)],
        }

    def run(self, folder: Path, workers: Workers, tick: Callable[[int], None]) -> Results:
        """Play what the journal lacks."""
        with Journal(folder / self.journal, self.header) as journal:
            return run(partial(play, self.matches), self.rounds, journal, workers, tick)

    def recorded(self) -> Results:
        """What the journal holds; another process may play meanwhile."""
        path = self.folder / self.journal
        if not path.exists():
            return {}
        records = Recorded.of(path, self.header).records
        return {unit: Played.from_dict(record) for unit, record in records.items()}


def play(
    matches: Mapping[tuple[int, int], Match], unit: Unit, tick: Callable[[int], None] = lambda hand: None
) -> Played:
    """Play one unit."""
    return play_unit(matches[int(unit[0]), int(unit[1])], unit[2:], tick)
