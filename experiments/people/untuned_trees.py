"""scikit-learn's boosted trees as a rival; the only module that imports it (the extra ``train``)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["UntunedTrees"]

Array = NDArray[np.float64]

ROUNDS = 300
"""At most: a tenth of the rows ends them early."""


@dataclass(frozen=True, slots=True)
class UntunedTrees:
    """scikit-learn's boosted trees of three choices: 300 rounds, the other settings left alone.

    Parameters
    ----------
    model
        The fitted classifier; None where only one choice was made.
    known
        The choices that were made.
    """

    model: Any
    known: NDArray[np.integer]

    @classmethod
    def of(cls, features: Array, choice: NDArray[np.integer], seed: int) -> "UntunedTrees":
        """Fit them.

        Raises
        ------
        ImportError
            scikit-learn is not installed.
        """
        try:
            from sklearn.ensemble import HistGradientBoostingClassifier
            from threadpoolctl import threadpool_limits
        except ImportError as error:
            raise ImportError(
                "predicting needs scikit-learn: pip install '.[experiments]' in a clone"
            ) from error
        known = np.unique(choice)
        if len(known) == 1:
            return cls(None, known)
        with threadpool_limits(1):  # a small job, for which threads wait longer than they work
            trees = HistGradientBoostingClassifier(max_iter=ROUNDS, random_state=seed)
            return cls(trees.fit(features, choice), known)

    def __call__(self, rows: Array) -> Array:
        """The probability of each choice, shape (rows, 3)."""
        from threadpoolctl import threadpool_limits

        found = np.zeros((len(rows), 3))
        with threadpool_limits(1):
            found[:, self.known] = 1.0 if self.model is None else self.model.predict_proba(rows)
        return found

    def legal(self, rows: Array, owed: NDArray[np.bool_]) -> Array:
        """The same of legal choices: a decision that owes no chips has no fold."""
        found = np.maximum(self(rows), 1e-9)
        found[~owed, 0] = 0
        return np.asarray(found / found.sum(axis=1, keepdims=True))
