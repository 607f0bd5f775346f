"""How often a player chooses each action, beside how often its model expects it to.

The styles have the frequencies of other players. A shift is added to the logarithm of the probability of a
choice in every bucket of a situation, so that the order of the holdings stays: a player that raises less than
its styles, raises fewer of the weaker holdings. Shifts are learned as those of a logistic regression, one
action at a time (sequential Laplace approximation; Spiegelhalter and Lauritzen 1990).
"""

import numpy as np
from numpy.typing import NDArray

__all__ = ["Shifts"]

Array = NDArray[np.float64]


class Shifts:
    """Shifts of the three choices in a number of cells; all 0 before the first action.

    Parameters
    ----------
    cells
        Their number.
    worth
        The precision of the prior around 0, in actions of even chances by four; above 0.
    """

    def __init__(self, cells: int, worth: float) -> None:
        self.of: Array = np.zeros((cells, 3))
        self._precision: Array = np.full((cells, 3), worth)

    def add(self, cell: int, expected: Array, choice: int) -> None:
        """Count an action.

        Parameters
        ----------
        cell
            Where it was made.
        expected
            The probability of each choice before it, with the shifts; shape (3,). One of 0 is not legal.
        choice
            0 fold, 1 check or call, 2 bet or raise.
        """
        self._precision[cell] += expected * (1 - expected)
        surprise = np.where(expected > 0, -expected, 0.0)
        surprise[choice] += 1
        self.of[cell] += surprise / self._precision[cell]
