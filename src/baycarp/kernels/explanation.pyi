from collections.abc import Sequence
from typing import Self, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from baycarp.kernels.elimination import Program

__all__ = ["Explanation"]

@final
class Explanation:
    """A compiled search for the most probable states (``csrc/include/baycarp/explain.h``).

    Parameters
    ----------
    program
        Over logarithms; its last step leaves one number.
    variables
        Of each step, the number of the hidden variable of each loop; -1 = none.
    lengths
        How many states each hidden variable has.

    Raises
    ------
    ValueError
        Variables that do not fit the program.
    """

    def __new__(
        cls, program: Program, variables: Sequence[Sequence[int]], lengths: Sequence[int]
    ) -> Self: ...
    def run_batch(
        self, codes: ArrayLike, soft: ArrayLike | None = None
    ) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """The states of each row, shape (n, hidden), and the log-probability of states and evidence, (n,).

        ``soft`` holds logarithms, shape (n, soft). -inf where the evidence is impossible.

        Raises
        ------
        EvidenceError
            Codes or likelihoods that do not fit the program.
        """
