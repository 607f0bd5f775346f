"""The model of one opponent: the probability of each hypothesis, given its hands so far.

A new player may have any style, its actions may depend on its cards or not (``hypotheses``). Every hand
moves the probabilities: its actions, with all holdings that it may have been, to a power below 1, and a shown
holding, given the actions, by Bayes (``Confidence.actions``). Between hands a small part of the probability
returns to the prior, so that the model follows a change of style: the more the old hypotheses are surprised,
the sooner (Unger 2011, section 9.1, proposes a network for each style; the hierarchical prior is our choice).
The prior itself follows the other players of the table (``table_prior``).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from baycarp.card import HOLDINGS, Cards, as_cards
from baycarp.errors import EvidenceError
from baycarp.kernels import evidence
from baycarp.opponents.actions.hand_actions import ActionModel
from baycarp.opponents.actions.hypotheses import USUAL, Confidence, hypotheses
from baycarp.opponents.actions.situations import PRICE_OF, CodedAct
from baycarp.opponents.actions.styles import Styles
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
        self.hands = 0
        self.confidence = confidence
        self._hypotheses = hypotheses(styles, confidence)
        self._by_own_hands: Array = self._hypotheses.prior.copy()
        self.adjust(np.ones_like(self._by_own_hands))

    def adjust(self, factor: Array) -> None:
        """Change the prior of every hypothesis by a factor; float64, shape (hypotheses,)."""
        self._factor = factor
        weights = self._by_own_hands * factor
        self.weights: Array = weights / weights.sum()

    @property
    def blind(self) -> float:
        """The probability that the player's actions carry no information about its cards."""
        return float(self.weights[self._hypotheses.informed :].sum())

    @property
    def model(self) -> ActionModel:
        """The mean of the hypotheses' tables: the next action of a player that has not acted in the hand."""
        informed = self._hypotheses.informed
        tables = []
        for street, table in enumerate(self._hypotheses.tables):
            blind = (self._hypotheses.blind @ self.weights[informed:])[PRICE_OF[street]]
            mean = np.einsum("pcbk,k->pbc", table, self.weights[:informed]) + blind[:, None, :]
            tables.append(mean / mean.sum(axis=2, keepdims=True))
        return ActionModel(tuple(tables))

    def likelihood(
        self, moves: Sequence[CodedAct], board: Cards, income_group: IncomeGroup, known: Cards = ()
    ) -> Array:
        """The probability of the player's moves, given each holding; float64, shape (1326,).

        Parameters are those of ``ActionModel.posterior``; 0 where a known card is needed.
        """
        shown = tuple(as_cards(board, "board", (0, 3, 4, 5)).tolist())
        cards = dict.fromkeys([*as_cards(known, "known cards").tolist(), *shown])
        found: Array = evidence.by_holding([self.seen(moves, shown, income_group)], list(cards))[0]
        return found

    def seen(
        self, moves: Sequence[CodedAct], board: tuple[int, ...], income_group: IncomeGroup
    ) -> tuple[list[tuple[NDArray[np.uint8], NDArray[np.float32]]], Array, float]:
        """The player's moves in a hand and the weights of its hypotheses, for ``evidence.by_holding``."""
        known, informed = self._hypotheses, self._hypotheses.informed
        blind = float(self.weights[informed:] @ known.blindly(moves))
        return known.acts(moves, board, income_group), self.weights[:informed], blind

    def learn(
        self, moves: Sequence[CodedAct], board: tuple[int, ...], income_group: IncomeGroup, holding: int = -1
    ) -> None:
        """Update the model with a finished hand of the player; one without any explanation gives the prior.

        Parameters
        ----------
        moves
            All its moves.
        board
            The board at its last action.
        income_group
            Which income rates order its holdings before the flop (``situations.HandMoves``).
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
        if holding >= 0 and set(HOLDINGS[holding].tolist()) & set(board):
            raise EvidenceError(f"holding {holding}: expected one without a card of the board {board}")
        known = self._hypotheses
        weights = self._by_own_hands * self._evidence(moves, board, income_group, holding)
        change, total = self.confidence.change, weights.sum()
        if total:
            self._by_own_hands = (1 - change) * weights / total + change * known.prior
        else:
            self._by_own_hands = known.prior.copy()
        self.adjust(self._factor)

    def _evidence(
        self, moves: Sequence[CodedAct], board: tuple[int, ...], income_group: IncomeGroup, holding: int
    ) -> Array:
        """By hypothesis: P(moves) to the power ``actions``, times P(holding | moves) of a shown holding."""
        informed = self._hypotheses.informed
        blind = self._hypotheses.blindly(moves)
        acts = self._hypotheses.acts(moves, board, income_group)
        hidden = np.concatenate([evidence.by_hypothesis(acts, informed, board), blind])
        tempered: Array = hidden**self.confidence.actions
        if holding >= 0:
            shown = np.concatenate([evidence.by_hypothesis(acts, informed, board, holding), blind])
            tempered *= np.divide(shown, hidden, out=np.zeros_like(hidden), where=hidden > 0)
        return tempered
