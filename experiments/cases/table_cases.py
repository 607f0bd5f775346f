"""Cases of hands that table players have played, many at once: those that training from their log makes.

For curves over many hands and for measurements of descriptions: the strategy describes the betting and a
class of holdings alone, so that a class is computed once for a street of a hand, and a betting once in all.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import ClassPolicies
from baycarp.cases import CaseBase, Schema
from baycarp.game import State, Variant
from baycarp.game.action import STREETS
from baycarp.game.state import SHOWN
from baycarp.strategies.spec import ClassDescription, Strategy
from baycarp.training.holding_classes import HoldingClasses
from baycarp.training.table_play import BatchPlay, PlayedHands

__all__ = ["TableCases", "Watcher", "self_play", "watched"]

BATCH = 5_000
"""Hands that are played together."""


class Watcher(Protocol):
    """Takes hands that are over, many at once."""

    def add(self, decks: NDArray[np.uint8], played: PlayedHands, endings: Sequence[State]) -> None:
        """Take more hands; see ``TableCases.add``."""
        ...


@dataclass(frozen=True, slots=True)
class _Step:
    """A decision on the way to an ending: street, position, number of the betting before it, solution."""

    street: int
    position: int
    betting: int
    solution: int


@dataclass
class TableCases:
    """Case-bases that merge the decisions of hands; more hands may be added.

    Parameters
    ----------
    strategy
        Its description is one of classes. A schema with single cases is counted merged: the same sums.
    decisions
        How many were added, by street.
    """

    strategy: Strategy
    decisions: list[int] = field(default_factory=lambda: [0, 0, 0, 0])

    def __post_init__(self) -> None:
        assert isinstance(self.strategy.describe, ClassDescription)
        self._describe = self.strategy.describe
        bases = self.strategy.bases.items()
        self.casebases = {name: CaseBase(replace(schema, merged=True)) for name, schema in bases}
        self._states: list[State] = []
        self._numbers: dict[str, int] = {}
        self._steps: dict[str, tuple[_Step, ...]] = {}

    def add(self, decks: NDArray[np.uint8], played: PlayedHands, endings: Sequence[State]) -> None:
        """Add the decisions of both positions.

        Parameters
        ----------
        decks
            uint8, shape (hands, 9): two hole cards a position, then the board.
        played, endings
            Of ``training.table_play.BatchPlay``.
        """
        parts: list[list[NDArray[np.float64]]] = [[], [], [], []]
        classes = [self._classes(street, decks, played, endings) for street in range(4)]
        for place in np.unique(played.endings).tolist():
            state, rows = endings[place], np.flatnonzero(played.endings == place)
            won = self._won(state, played.outcomes[rows])
            for step in self._of(state):
                part = np.empty((4, len(rows)))
                part[:] = (
                    np.full(len(rows), step.betting),
                    classes[step.street][rows, step.position],
                    np.full(len(rows), step.solution),
                    won if step.position == 0 else -won,
                )
                parts[step.street].append(part)
        for street, found in enumerate(parts):
            if found:
                self._extend(street, np.concatenate(found, axis=1))

    def _classes(
        self, street: int, decks: NDArray[np.uint8], played: PlayedHands, endings: Sequence[State]
    ) -> NDArray[np.int64]:
        """The class of each position in each hand that has decisions on the street."""
        classes = np.zeros((len(decks), 2), np.int64)
        last = np.array([state.acts[-1].street for state in endings])
        for row in np.flatnonzero(last[played.endings] >= street).tolist():
            deck = decks[row].tolist()
            board = deck[4 : 4 + SHOWN[street]]
            for position in (0, 1):
                hole = deck[2 * position : 2 * position + 2]
                classes[row, position] = self._describe.class_of(hole, board)
        return classes

    def _won(self, state: State, outcomes: NDArray[np.int64]) -> NDArray[np.float64]:
        """Small bets that position 0 wins."""
        chips, winner = min(state.committed), state.seats_in[0]
        signs = outcomes if len(state.seats_in) == 2 else np.full(len(outcomes), 1 - 2 * winner)
        return np.asarray(signs * chips / state.variant.small_bet)

    def _of(self, ending: State) -> tuple[_Step, ...]:
        """The decisions on the way to an ending."""
        if ending.betting not in self._steps:
            state, steps = State(ending.variant), []
            for act in ending.acts:
                number = self._numbers.setdefault(state.betting, len(self._states))
                if number == len(self._states):
                    self._states.append(state.copy())
                solution = self.strategy.solution(act.action, state.observe(act.seat))
                places = self.strategy.bases[STREETS[act.street]].solutions
                steps.append(_Step(act.street, act.seat, number, places.index(solution)))
                state.apply(act.action)
            self._steps[ending.betting] = tuple(steps)
        return self._steps[ending.betting]

    def _extend(self, street: int, rows: NDArray[np.float64]) -> None:
        """Merge decisions (betting, class, solution, won) into the case-base of a street."""
        casebase = self.casebases[STREETS[street]]
        betting, number, solution = rows[:3].astype(np.int64)
        self.decisions[street] += len(betting)
        span = self._describe.count(street)
        cells, which = np.unique(betting * span + number, return_inverse=True)
        counts = np.zeros((len(casebase.schema.solutions), len(cells)), np.int64)
        sums = np.zeros(counts.shape)
        np.add.at(counts, (solution, which), 1)
        np.add.at(sums, (solution, which), rows[3])
        columns = self._situations(casebase.schema, street, cells)
        most = counts.argmax(axis=0)
        each = np.arange(len(cells))
        columns["solutions"] = most.astype(np.uint8)
        columns["outcomes"] = sums[most, each] / counts[most, each]
        columns["provenance"] = np.zeros(len(cells), casebase.schema.origin)
        casebase.extend_columns({**columns, "counts": counts, "sums": sums})

    def _situations(self, schema: Schema, street: int, cells: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        """The situations of cells (betting and class) as columns."""
        span = self._describe.count(street)
        bettings: dict[int, Mapping[str, Any]] = {}
        numbers = np.empty((len(schema.numbers), len(cells)), np.float32)
        symbols = []
        for place, cell in enumerate(cells.tolist()):
            betting, number = divmod(cell, span)
            if betting not in bettings:
                bettings[betting] = self._describe.betting(self._states[betting])
            values = {**self._describe.features(number, street), **bettings[betting]}
            numbers[:, place] = [values[feature.name] for feature in schema.numbers]
            pairs = zip(schema.symbols, schema.comparisons, strict=True)
            symbols.append([comparison.text(values[feature.name]) for feature, comparison in pairs])
        return {
            "numbers": numbers,
            "codes": np.empty((0, len(cells)), np.uint8),
            "symbols": np.array(symbols, np.str_).reshape(len(cells), len(schema.symbols)).T,
        }


def self_play(
    player: ClassPolicies,
    watchers: Sequence[Watcher],
    game: str,
    hands: int,
    seed: int,
    tick: Callable[[int], None] = lambda done: None,
) -> None:
    """Play hands between a player and itself, and add all of them to each of the watchers.

    Parameters
    ----------
    player
        Answers as a table.
    watchers
        Such as cases of strategies that play the game.
    game
        Heads-up fixed limit.
    hands, seed
        Their number, and what fixes every card and action; more hands begin alike.
    tick
        Called with the number of hands done.
    """
    for done in watched(player, watchers, game, (hands,), seed):
        tick(done)


def watched(
    player: ClassPolicies, watchers: Sequence[Watcher], game: str, stops: Sequence[int], seed: int
) -> Iterator[int]:
    """As ``self_play``, with a pause at some numbers of hands.

    Parameters
    ----------
    stops
        Ascending; the last one is the number of hands in all.

    Yields
    ------
    int
        The number of hands added so far: each of the stops is one of them.
    """
    variant = Variant.load(game)
    classes = HoldingClasses(player, variant)
    play, draw = BatchPlay((classes, classes), variant), np.random.default_rng(seed)
    hands = stops[-1]
    for done in range(0, hands, BATCH):
        decks = np.argsort(draw.random((BATCH, 52)), axis=1)[:, :9].astype(np.uint8)
        played = play.play(decks, draw)
        inside = {stop - done for stop in stops if done < stop <= done + BATCH}
        start = 0
        for stop in sorted(inside | {min(BATCH, hands - done)}):
            part = PlayedHands(played.endings[start:stop], played.outcomes[start:stop])
            for each in watchers:
                each.add(decks[start:stop], part, play.endings)
            yield done + stop
            start = stop
