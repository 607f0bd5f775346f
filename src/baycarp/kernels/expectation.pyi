from collections.abc import Sequence
from typing import Self, TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from baycarp.kernels.elimination import Program

__all__ = ["Deposit", "Expectation"]

Deposit: TypeAlias = tuple[int, int, Sequence[int], Sequence[int], Sequence[tuple[int, int]]]
"""The place of a family's joint distribution in the messages, its first count, length and stride of each
hidden member (the last fastest), and (observed, stride) slices."""

@final
class Expectation:
    """A compiled E-step: a program, and the places of its messages in the counts.

    Parameters
    ----------
    program
        Its first answer sums to the probability of the evidence.
    deposits
        One for each family with hidden members.

    Raises
    ------
    ValueError
        A deposit that would read or write outside its memory.
    """

    def __new__(cls, program: Program, deposits: Sequence[Deposit]) -> Self: ...
    def add(
        self,
        codes: ArrayLike,
        soft: NDArray[np.float64] | None,
        weights: NDArray[np.float64],
        counts: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """Add rows to the counts and return their probabilities.

        A row of probability below 2^-900, at which numbers are no longer exact, is not counted: it has
        probability 0.

        Parameters
        ----------
        codes
            Integers of shape (n, observed).
        soft
            Likelihoods of shape (n, soft); None for a program without soft evidence.
        weights
            float64 of shape (n,): the weight of each row.
        counts
            float64, of the length of the program's tables; modified in place.

        Raises
        ------
        EvidenceError
            Codes or likelihoods that do not fit the program.
        """
