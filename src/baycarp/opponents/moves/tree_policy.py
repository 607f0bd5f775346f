"""Models of a player's next move from public features: a tree for each of eight situations.

Source: van der Kleij (2010), section 4.3.3. The nine moves are those of ``rules.features``.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ArgumentError
from baycarp.rules.features import MOVES, SITUATIONS, VALID
from baycarp.trees import DecisionTree, Growth, fit

__all__ = ["MoveRows", "TreePolicy", "fit_policy", "prior_policy"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class MoveRows:
    """Decisions of players: every array has a row a decision.

    Parameters
    ----------
    features
        Float64, shape (n, 41).
    situations, moves
        Int8: indices of ``rules.features.SITUATIONS`` and ``MOVES``.
    players, hands
        Int64: the player's number from 0, and the hand's, which ascends in time.
    """

    features: Array
    situations: NDArray[np.int8]
    moves: NDArray[np.int8]
    players: NDArray[np.int64]
    hands: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.moves)

    def __getitem__(self, chosen: NDArray[np.bool_]) -> "MoveRows":
        return MoveRows(*(column[chosen] for column in self._columns()))

    @classmethod
    def stacked(cls, parts: Iterable["MoveRows"]) -> "MoveRows":
        """All rows of at least one part, in order."""
        columns = zip(*(part._columns() for part in parts), strict=True)
        return cls(*map(np.concatenate, columns))

    def verify_folds(self) -> None:
        """Raise ``ArgumentError`` if a free check was folded."""
        if ((self.moves == 0) & (self.situations % 2 == 0)).any():
            raise ArgumentError("moves: expected no fold where a check is free")

    def _columns(self) -> tuple[NDArray[Any], ...]:
        return self.features, self.situations, self.moves, self.players, self.hands


@dataclass(frozen=True, slots=True)
class TreePolicy:
    """The probability of each move in each situation.

    Parameters
    ----------
    trees
        One for each situation.
    """

    trees: tuple[DecisionTree, ...]

    def __call__(self, choices: MoveRows) -> Array:
        """The probabilities of the moves of each decision, shape (n, 9); a free check leaves no fold."""
        found = np.empty((len(choices), len(MOVES)))
        for situation, tree in enumerate(self.trees):
            rows = choices.situations == situation
            found[rows] = tree(choices.features[rows])
        found[choices.situations % 2 == 0, 0] = 0
        found /= found.sum(axis=1, keepdims=True)
        return found

    def log_likelihoods(self, choices: MoveRows) -> Array:
        """The logarithm of the probability of each move that was made, shape (n,), in nats."""
        return np.asarray(np.log(self(choices)[np.arange(len(choices)), choices.moves]))


def prior_policy() -> TreePolicy:
    """The policy without an observation: every move with the same probability."""
    leaf = DecisionTree.leaf([1 / len(MOVES)] * len(MOVES))
    return TreePolicy((leaf,) * len(SITUATIONS))


def fit_policy(choices: MoveRows, growth: Growth, weights: Array | None = None) -> TreePolicy:
    """Grow the tree of every situation; one without a decision has equal probabilities.

    Parameters
    ----------
    choices
        The decisions of any players.
    growth
        The limits of every tree.
    weights
        Of the decisions, at least 0; None = 1 each.

    Raises
    ------
    ArgumentError
        A free check that was folded.
    """
    choices.verify_folds()
    trees = list(prior_policy().trees)
    for situation in range(len(SITUATIONS)):
        rows = choices.situations == situation
        if rows.any():
            x, moves = choices.features[rows], choices.moves[rows].astype(np.uint8)
            valid = x * VALID[:, situation]
            weighed = None if weights is None else weights[rows]
            trees[situation] = fit(valid, moves, len(MOVES), growth, weighed)
    return TreePolicy(tuple(trees))
