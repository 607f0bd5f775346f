from collections.abc import Mapping, Sequence
from typing import Self, TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["CONSTANTS", "FACTORS", "LOOPS", "MESSAGES", "SOFT", "TABLES", "Factor", "Program", "Step"]

LOOPS: int
"""The most variables that a step may join."""

FACTORS: int
"""The most factors that a step may multiply."""

TABLES: int
"""The memory of the network's tables."""

CONSTANTS: int
"""The memory of messages that no evidence touches."""

MESSAGES: int
"""The memory of what earlier steps left."""

SOFT: int
"""The memory of the likelihoods in a row of evidence."""

Factor: TypeAlias = tuple[int, int, Sequence[int], Sequence[tuple[int, int]]]
"""Memory, first value, a stride a loop, and (observed, stride) slices."""

Step: TypeAlias = tuple[Sequence[int], Sequence[int], int, int, Sequence[Factor]]
"""Length and message stride of each loop (stride 0 = summed out), the message's place and size, factors."""

@final
class Program:
    """A compiled elimination plan (``csrc/include/baycarp/eliminate.h`` defines it).

    Parameters
    ----------
    tables
        float64, C-contiguous: the network's tables, one after the other. Kept, never written.
    constants
        float64, C-contiguous: the `messages` of another program; may be empty. Kept, never written.
    observed
        The observed nodes with their states, in the order of an evidence row.
    steps
        In the order in which they run; each message lies where the one before it ends.
    answers
        (first, size) of each marginal among the messages.
    soft
        How many likelihoods a row of evidence has.

    Raises
    ------
    ValueError
        A step that would read or write outside its memory.
    """

    width: int
    """How many numbers the marginals take together."""

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
        """What the steps of a program that observes nothing leave, message after message."""

    def run(
        self, evidence: Mapping[str, str], soft: NDArray[np.float64] | None = None
    ) -> tuple[NDArray[np.float64], float]:
        """Marginals, float64 of shape (width,), and the probability of the evidence; all 0 where that is 0.

        ``soft`` is float64 of shape (soft,), C-contiguous; None where the program takes none.

        Raises
        ------
        EvidenceError
            An unknown state, a node too many or too few, or another number of likelihoods.
        """

    def run_batch(
        self, codes: ArrayLike, soft: ArrayLike | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The same for codes of shape (n, observed): float64 of shapes (n, width) and (n,).

        ``soft`` has shape (n, soft).

        Raises
        ------
        EvidenceError
            Codes of another shape or type, or out of their node's range; likelihoods of another shape.
        """

    def checked(self, codes: ArrayLike) -> NDArray[np.int32]:
        """The codes as the kernel reads them; errors as in `run_batch`."""

    def checked_soft(self, soft: ArrayLike | None, n: int) -> NDArray[np.float64]:
        """The likelihoods of ``n`` rows as the kernel reads them; errors as in `run_batch`."""
