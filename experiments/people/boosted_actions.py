"""Fold, check or call, bet or raise: two boosted ensembles, a fold and then a raise where no fold is made."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from experiments.people.boosting import Boosted, Boosting, boost

__all__ = ["ActionModel"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ActionModel:
    """The probabilities of fold, check or call, bet or raise.

    Parameters
    ----------
    folds
        The probability of a fold where chips are owed.
    raises
        That of a bet or raise where no fold is made.
    """

    folds: Boosted
    raises: Boosted

    def __call__(self, inputs: Array, owed: NDArray[np.bool_]) -> Array:
        """Shape (rows, 3); a decision that owes no chips has no fold."""
        fold, bold = np.zeros(len(inputs)), self.raises(inputs)
        fold[owed] = self.folds(inputs[owed])
        return np.column_stack([fold, (1 - fold) * (1 - bold), (1 - fold) * bold])

    @classmethod
    def of(
        cls, inputs: Array, choices: NDArray[np.uint8], owed: NDArray[np.bool_], settings: Boosting
    ) -> "ActionModel":
        """Grow both ensembles.

        Parameters
        ----------
        inputs
            Shape (rows, features).
        choices
            0 fold, 1 check or call, 2 bet or raise; shape (rows,).
        owed
            Whether chips were owed; shape (rows,).

        Raises
        ------
        ArgumentError
            No row that owes chips, or none without a fold.
        """
        stayed = choices > 0
        folds = boost(inputs[owed], choices[owed] == 0, settings)
        return cls(folds, boost(inputs[stayed], choices[stayed] == 2, settings))

    def first(self, rounds: int) -> "ActionModel":
        """The model of the first trees, as many of each."""
        return ActionModel(self.folds.first(rounds), self.raises.first(rounds))
