"""Predicted sizes of bets and raises by the actual ones: van der Kleij (2010), appendix C."""

from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.measure import mean_by_hand
from baycarp.game import Variant
from baycarp.rules.betting.sizes import KLEIJ
from baycarp.rules.features import MOVES
from baycarp.training.kmodels import k_models
from experiments.papers.entry import Entry
from experiments.papers.run import Maker, Run
from experiments.papers.verdict import Estimate, Made
from experiments.players.hidden_cards import population_hands
from experiments.players.move_accuracy import PartedMoves

__all__ = ["MAKERS", "SizedMoves", "confusion", "sized_moves"]

FIRST = len(MOVES) - len(KLEIJ.letters)
"""The first move that is a bet or raise; those from there on are in the order of the tables."""

BETS, RAISES = 0, 1
"""Whether something is owed."""


@dataclass(frozen=True, slots=True, eq=False)
class SizedMoves:
    """The held-out bets and raises.

    Parameters
    ----------
    predicted, actual
        The place of each size in the tables.
    owed
        ``BETS`` or ``RAISES``.
    hands
        The hand of each.
    """

    predicted: NDArray[np.int64]
    actual: NDArray[np.int64]
    owed: NDArray[np.int64]
    hands: NDArray[np.int64]


@lru_cache(maxsize=4)
def sized_moves(seats: int, run: Run) -> SizedMoves:
    """The bets and raises in the last fifth of each player's hands, predicted from the others.

    Parameters
    ----------
    seats
        Of the game whose population plays.
    run
        How many hands.
    """
    game = Variant.load(f"holdem.nolimit.{seats}p.100bb")
    moves = PartedMoves.of(population_hands(game, run.hands, run.seed), run.seed)
    clusters = k_models(moves.train, moves.players, moves.settings)
    test = moves.test[moves.test.moves >= FIRST]
    predicted = np.zeros(len(test), np.int64)
    for number, policy in enumerate(clusters.policies):
        rows = clusters.assigned[test.players] == number
        predicted[rows] = policy(test[rows])[:, FIRST:].argmax(axis=1)
    actual, situations = test.moves.astype(np.int64), test.situations.astype(np.int64)
    return SizedMoves(predicted, actual - FIRST, situations % 2, test.hands)


def confusion(moves: SizedMoves, owed: int) -> list[list[Estimate]]:
    """Percent of all bets, or of all raises, by the predicted size and the actual one."""
    own = moves.owed == owed
    predicted, actual, hands = moves.predicted[own], moves.actual[own], moves.hands[own]

    def share(row: int, column: int) -> Estimate:
        mean, margin = mean_by_hand(((predicted == row) & (actual == column)).astype(float), hands)
        return Estimate(100 * mean, 100 * (mean - margin), 100 * (mean + margin))

    sizes = range(len(KLEIJ.letters))
    return [[share(row, column) for column in sizes] for row in sizes]


def _sizes(seats: int, owed: int, entry: Entry, run: Run) -> Made:
    found = confusion(sized_moves(seats, run), owed)
    names = [column.name for column in entry.columns]
    return Made.of(entry, lambda row: found[names.index(row.removeprefix("predicted "))], run.hands)


MAKERS: dict[str, Maker] = {
    f"004-C.{number}": partial(_sizes, seats, owed)
    for number, (seats, owed) in enumerate(((s, o) for s in (2, 6, 9) for o in (BETS, RAISES)), start=1)
}
