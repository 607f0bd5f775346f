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
        Over logarithms; the result of its last step is one number.
    variables
        By step, the number of the hidden variable of each loop; -1 = no variable.
    lengths
        Number of states of each hidden variable.

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

        ``soft`` holds logarithms, shape (n, soft). The log-probability of impossible evidence is -inf.

        Raises
        ------
        EvidenceError
            Codes or likelihoods that do not fit the program.
        """
