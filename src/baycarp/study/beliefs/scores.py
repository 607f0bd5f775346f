"""Scores of beliefs with intervals: log loss, share of oracle information, calibration, ranks of the truth.

Queries of one hand are dependent, hands are not: every interval is over hands.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.measure import margin
from baycarp.rules.hand import BLOCKED, GROUP_OF, GROUPS, TYPES, hand_types

__all__ = ["FLOOR", "Figure", "Score", "calibration", "columns", "mean", "ratio", "score"]

Array = NDArray[np.float64]

BINS = 15
"""Of the calibration error (Guo et al. 2017)."""

FLOOR = 1e-9
"""The least probability of a holding, which bounds the loss."""


@dataclass(frozen=True, slots=True)
class Score:
    """One belief against the truth.

    Parameters
    ----------
    loss
        Minus the natural logarithm of the probability of the true holding, nats.
    group, type
        The rank of the true hand group and hand type by probability, 0 = most probable; -1 without a type,
        before the flop.
    sure
        The probability of the most probable group.
    brier
        Of the hand group: the squared differences from the truth, summed over groups; 0..2.
    brier_type
        The same of the hand type; nan before the flop.
    """

    loss: float
    group: int
    type: int
    sure: float
    brier: float
    brier_type: float


def score(belief: Array, holding: int, board: Sequence[int], types: Array | None = None) -> Score:
    """Score the belief of one player's holding.

    Parameters
    ----------
    belief
        float64, shape (1326,), summing to 1.
    holding
        The true holding.
    board
        The cards of the board at the query.
    types
        The probability of each hand type, if it does not follow from the belief; float64, shape (17,).

    Raises
    ------
    ValueError
        Probabilities that are negative, do not sum to 1, or are not 1,326.

    Examples
    --------
    >>> belief = np.zeros(1326)
    >>> belief[[0, 1]] = 0.5
    >>> round(score(belief, 0, ()).loss, 3)
    0.693
    """
    if belief.shape != (1326,) or not belief.min() >= 0 or not abs(belief.sum() - 1) < 1e-6:
        raise ValueError(f"belief of shape {belief.shape}: expected 1,326 probabilities that sum to 1")
    groups = np.bincount(GROUP_OF, belief, len(GROUPS))
    place, brier = _place_and_brier(groups, GROUP_OF[holding])
    type_place, brier_type = -1, np.nan
    if board:
        made = hand_types(list(board))
        masses = np.bincount(made, belief, BLOCKED + 1)[: len(TYPES)] if types is None else types
        type_place, brier_type = _place_and_brier(masses, made[holding])
    loss = -float(np.log(max(belief[holding], FLOOR)))
    return Score(loss, place, type_place, float(groups.max()), brier, brier_type)


def _place_and_brier(masses: NDArray[Any], truth: np.integer) -> tuple[int, float]:
    """The rank of the truth, in stable order as in ranges, and its Brier score."""
    place = np.flatnonzero(np.argsort(-masses, kind="stable") == truth)[0]
    return int(place), float((masses**2).sum() - 2 * masses[truth] + 1)


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with half of its 95 % interval."""

    value: float
    margin: float

    def __str__(self) -> str:
        return f"{self.value:.3f} ±{self.margin:.3f}"


def mean(values: Array, blocks: NDArray[np.intp]) -> Figure:
    """The mean of values, its interval over blocks; nan values are left out."""
    known = ~np.isnan(values)
    return ratio(np.where(known, values, 0.0), known.astype(np.float64), blocks)


def ratio(above: Array, below: Array, blocks: NDArray[np.intp]) -> Figure:
    """The quotient of two sums, its interval over blocks by linearisation (Cochran 1977, section 6.3).

    Parameters
    ----------
    above, below
        The terms of the two sums.
    blocks
        The number of the block of each row, from 0.

    Examples
    --------
    >>> print(ratio(np.array([1.0, 2.0, 3.0]), np.ones(3), np.arange(3)))
    2.000 ±2.484
    """
    a, b = np.bincount(blocks, above), np.bincount(blocks, below)
    if not b.sum():
        return Figure(np.nan, np.nan)
    value, n = a.sum() / b.sum(), len(np.unique(blocks))
    deviation = np.sqrt(((a - value * b) ** 2).sum() / max(n - 1, 1))
    return Figure(float(value), margin(float(deviation), n) * n / abs(float(b.sum())))


def calibration(sure: Array, right: NDArray[np.bool_]) -> float:
    """Expected calibration error: mean distance of confidence and accuracy, over bins of equal width.

    Source: Guo, Pleiss, Sun and Weinberger (2017), "On calibration of modern neural networks".

    Examples
    --------
    >>> calibration(np.array([0.75, 0.75, 0.75, 0.75]), np.array([True, True, True, False]))
    0.0
    """
    bins = np.minimum((sure * BINS).astype(np.intp), BINS - 1)
    gaps = np.abs(np.bincount(bins, sure) - np.bincount(bins, right.astype(np.float64)))
    return float(gaps.sum() / len(sure))


def columns(scores: Sequence[Score]) -> Mapping[str, Array]:
    """Each field of the scores as a float64 array."""
    return {name: np.array([getattr(one, name) for one in scores], np.float64) for name in Score.__slots__}
