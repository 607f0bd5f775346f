"""The second topology: hand -> action (van der Kleij 2010, 5.2); evidence from folds, too.

In the thesis' network a player's acts are parents of its hand, so that a hand that is not shown adds
no evidence. Here the holding comes first, as it does at the table, and each act depends on it:

    holding --> bucket of its strength on each street's board --> choice <-- betting situation

``P(choice | bucket, situation)`` is one table a street. By Bayes it gives a weight to each of the 1,326
holdings after every act, and with these the probability of the next choice.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.card import Cards, as_cards, blocked_by
from baycarp.errors import EvidenceError, SchemaError
from baycarp.opponents.actions.buckets import BLOCKED, BUCKETS, STRENGTH, buckets
from baycarp.opponents.actions.situations import LEGAL, PRICE_OF, SITUATIONS, CodedAct
from baycarp.rules.income import IncomeGroup

__all__ = ["SHAPES", "ActionModel", "normalized", "sensible"]

Array = NDArray[np.float64]

SHAPES = tuple((situations, count, 3) for situations, count in zip(SITUATIONS, BUCKETS, strict=True))
"""The table of each street: situation, bucket, choice."""


@dataclass(frozen=True, slots=True, eq=False)
class ActionModel:
    """The action probabilities of a player type, by holding.

    Parameters
    ----------
    tables
        By street: float64, of ``SHAPES``; the probabilities of fold, check or call, bet or raise, 0 where
        the situation forbids them.

    Raises
    ------
    SchemaError
        Tables of another shape, or that are no probabilities.
    """

    tables: tuple[Array, ...]

    def __post_init__(self) -> None:
        for table, shape in zip(self.tables, SHAPES, strict=True):
            if table.shape != shape:
                raise SchemaError(f"table of shape {table.shape}: expected {shape}")
            if not (np.all(table >= 0) and np.allclose(table.sum(axis=2), 1)):
                raise SchemaError("table: expected probabilities that sum to 1")

    def posterior(
        self, moves: Iterable[CodedAct], board: Cards, income_group: IncomeGroup, known: Cards = ()
    ) -> Array:
        """The probability of each holding of a player, given its actions.

        Parameters
        ----------
        moves
            The player's own, in order, on the streets that the board shows.
        board
            As much as was dealt by now.
        income_group
            Which income rates order its holdings before the flop (``situations.HandMoves``).
        known
            Cards that it cannot hold, besides the board.

        Returns
        -------
        float64 array, shape (1326,)
            Sums to 1; 0 where a known card is needed.

        Raises
        ------
        EvidenceError
            No holding acts so.

        Examples
        --------
        >>> int((sensible().posterior((), "Ks7d2c", IncomeGroup.IR2) > 0).sum())
        1176
        """
        return normalized(self.likelihood(moves, board, income_group, known))

    def likelihood(
        self, moves: Iterable[CodedAct], board: Cards, income_group: IncomeGroup, known: Cards = ()
    ) -> Array:
        """The probability of a player's moves, given each holding; float64, shape (1326,).

        Parameters are those of ``posterior``; 0 where a known card is needed.
        """
        shown = tuple(as_cards(board, "board", (0, 3, 4, 5)).tolist())
        weights = np.where(blocked_by([*as_cards(known, "known cards").tolist(), *shown]), 0.0, 1.0)
        for move in moves:
            codes = buckets(shown[: move.street + 2] if move.street else (), income_group)
            act = np.append(self.tables[move.street][move.situation, :, move.choice], 0.0)
            weights *= act[np.where(codes == BLOCKED, len(act) - 1, codes)]
        return weights


def normalized(weights: Array) -> Array:
    """A likelihood as the posterior of holdings that are dealt alike; or several, a row each.

    Raises
    ------
    EvidenceError
        No holding acts so.
    """
    total = weights.sum(axis=-1, keepdims=True)
    if not (total > 0).all():
        raise EvidenceError("no holding acts so: expected moves that the model holds possible")
    return np.asarray(weights / total)


def sensible() -> ActionModel:
    """The start of learning: stronger hands fold less and raise more, and the very best do not fold.

    Unger's EM, begun with what showdowns leave over for all players alike, ended where strong hands fold
    (van der Kleij 2010, section 5.7.2); section 7.2.1 proposes a start from expertise. The slopes are our
    choice.
    """
    tables = []
    for street, strength in enumerate(STRENGTH):
        logits = np.stack([2.0 - 6.0 * strength, np.zeros_like(strength), -3.0 + 4.0 * strength], axis=1)
        by_price = np.exp(logits) * LEGAL[:, None, :]
        by_price /= by_price.sum(axis=2, keepdims=True)
        tables.append(by_price[PRICE_OF[street]])
    return ActionModel(tuple(tables))
