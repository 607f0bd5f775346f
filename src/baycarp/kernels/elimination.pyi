from collections.abc import Mapping, Sequence
from typing import Self, TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["CONSTANTS", "FACTORS", "LOOPS", "MESSAGES", "SOFT", "TABLES", "Factor", "Program", "Step"]

LOOPS: int
"""The largest number of variables of a step."""

FACTORS: int
"""The largest number of factors of a step."""

TABLES: int
"""The memory of the network's tables."""

CONSTANTS: int
"""The memory of messages that are independent of the evidence."""

MESSAGES: int
"""The memory of the messages of earlier steps."""

SOFT: int
"""The memory of the likelihoods in a row of evidence."""

Factor: TypeAlias = tuple[int, int, Sequence[int], Sequence[tuple[int, int]]]
"""Memory, first value, stride of each loop, and (observed, stride) slices."""

Step: TypeAlias = tuple[Sequence[int], Sequence[int], int, int, Sequence[Factor]]
"""Length and message stride of each loop (stride 0 = summed out), the message's place and size, factors."""

@final
class Program:
    """A compiled elimination plan (``csrc/include/baycarp/eliminate.h`` defines it).

    Parameters
    ----------
    tables
        float64, C-contiguous: the network's tables, one after the other. Referenced, not written.
    constants
        float64, C-contiguous: the `messages` of another program; may be empty. Referenced, not written.
    observed
        The observed nodes with their states, in the order of an evidence row.
    steps
        In the order of execution; each message begins at the end of the previous one.
    answers
        (first, size) of each marginal among the messages.
    soft
        Number of likelihoods in a row of evidence.

    Raises
    ------
    ValueError
        A step that would read or write outside its memory.
    """

    width: int
    """The number of values of all marginals."""

    def __new__(
        cls,
        tables: NDArray[np.float64],
        constants: NDArray[np.float64],
        observed: Sequence[tuple[str, Sequence[str]]],
        steps: Sequence[Step],
        answers: Sequence[tuple[int, int]],
        soft: int = 0,
    ) -> Self: ...
    def messages(self) -> NDArray[np.float64]:
        """All messages of a program without observed nodes, one after the other."""

    def run(
        self, evidence: Mapping[str, str], soft: NDArray[np.float64] | None = None
    ) -> tuple[NDArray[np.float64], float]:
        """Marginals, float64 of shape (width,), and the probability of the evidence.

        A marginal of weights below 2^-900, at which numbers are no longer exact, is all 0, and so is the
        probability: the evidence is impossible, or too unlikely.

        ``soft`` is float64 of shape (soft,), C-contiguous; None for a program without soft evidence.

        Raises
        ------
        EvidenceError
            An unknown state, an extra or missing node, or another number of likelihoods.
        """

    def run_batch(
        self, codes: ArrayLike, soft: ArrayLike | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Run rows of codes of shape (n, observed): float64 of shapes (n, width) and (n,).

        ``soft`` has shape (n, soft).

        Raises
        ------
        EvidenceError
            Codes of another shape or type, or out of their node's range; likelihoods of another shape.
        """

    def checked(self, codes: ArrayLike) -> NDArray[np.int32]:
        """The codes in the layout of the kernel; errors as in `run_batch`."""

    def checked_soft(self, soft: ArrayLike | None, n: int) -> NDArray[np.float64]:
        """The likelihoods of ``n`` rows in the layout of the kernel; errors as in `run_batch`."""
