"""The model of one opponent: the probability of each hypothesis, given its hands so far.

A new player may have any style, its actions may depend on its cards or not (``hypotheses``). Every hand
moves the probabilities by Bayes: a hidden holding counts with all that it may have been, a shown one as it
was. Between hands a small part of the probability returns to the prior, so that the model follows a change
of style: the more the old hypotheses are surprised, the sooner (Unger 2011, section 9.1, proposes a network
for each style; the hierarchical prior is our choice).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from baycarp.card import Cards, as_cards, blocked_by
from baycarp.errors import EvidenceError
from baycarp.opponents.actions import ActionModel, normalized
from baycarp.opponents.buckets import Partition, partition
from baycarp.opponents.hypotheses import USUAL, Confidence, hypotheses
from baycarp.opponents.moves import PRICE_OF, Move
from baycarp.opponents.styles import Styles
from baycarp.rules.income import IncomeGroup

__all__ = ["PlayerModel"]

Array = NDArray[np.float64]


class PlayerModel:
    """The action model of one opponent.

    Parameters
    ----------
    styles
        The styles.
    confidence
        The prior of a new player.
    """

    def __init__(self, styles: Styles, confidence: Confidence = USUAL) -> None:
        self.hands, self.confidence = 0, confidence
        self._hypotheses = hypotheses(styles, confidence)
        self.weights: Array = self._hypotheses.prior.copy()

    @property
    def blind(self) -> float:
        """The probability that the player's actions carry no information about its cards."""
        return float(self.weights[self._hypotheses.tables[0].shape[2] :].sum())

    @property
    def model(self) -> ActionModel:
        """The mean of the hypotheses' tables: the next action of a player that has not acted in the hand."""
        informed = self._hypotheses.tables[0].shape[2]
        tables = []
        for street, table in enumerate(self._hypotheses.tables):
            blind = (self._hypotheses.blind @ self.weights[informed:])[PRICE_OF[street]]
            mean = np.einsum("pckb,k->pbc", table, self.weights[:informed]) + blind[:, None, :]
            tables.append(mean / mean.sum(axis=2, keepdims=True))
        return ActionModel(tuple(tables))

    def posterior(
        self, moves: Sequence[Move], board: Cards, income_group: IncomeGroup, known: Cards = ()
    ) -> Array:
        """The probability of each holding, given the player's moves in this hand.

        Parameters
        ----------
        moves, board, income_group, known
            As for ``ActionModel.posterior``.

        Returns
        -------
        float64 array, shape (1326,)
            Sums to 1; 0 where a known card is needed.

        Raises
        ------
        EvidenceError
            No hypothesis acts so.
        """
        return normalized(self.likelihood(moves, board, income_group, known))

    def likelihood(
        self, moves: Sequence[Move], board: Cards, income_group: IncomeGroup, known: Cards = ()
    ) -> Array:
        """The probability of the player's moves, given each holding; float64, shape (1326,)."""
        shown = tuple(as_cards(board, "board", (0, 3, 4, 5)).tolist())
        cells = _cells(moves, shown, income_group)
        informed, blind = self._hypotheses.likelihood(moves, cells)
        split = len(informed)
        by_cell = self.weights[:split] @ informed + self.weights[split:] @ blind
        out: Array = by_cell[cells.cell]
        out[blocked_by([*as_cards(known, "known cards").tolist(), *shown])] = 0.0
        return out

    def learn(
        self, moves: Sequence[Move], board: tuple[int, ...], income_group: IncomeGroup, holding: int = -1
    ) -> None:
        """Update the model with a finished hand of the player; one without any explanation gives the prior.

        Parameters
        ----------
        moves
            All its moves.
        board
            The board at its last action.
        income_group
            Which income rates order its holdings before the flop (``moves.income_groups``).
        holding
            The holding that it showed; -1 = none.

        Raises
        ------
        EvidenceError
            A shown holding that the board blocks.
        """
        self.hands += 1
        if not moves:
            return
        cells = _cells(moves, board, income_group)
        cell = -1 if holding < 0 else int(cells.cell[holding])
        if holding >= 0 > cell:
            raise EvidenceError(f"holding {holding}: expected one without a card of the board {board}")
        weights = self.weights * self._hypotheses.evidence(moves, cells, cell)
        change, total = self.confidence.change, weights.sum()
        if not total:
            self.weights = self._hypotheses.prior.copy()
            return
        self.weights = (1 - change) * weights / total + change * self._hypotheses.prior


def _cells(moves: Sequence[Move], board: tuple[int, ...], income_group: IncomeGroup) -> Partition:
    return partition(board, tuple(sorted({move.street for move in moves})), income_group)
