"""Scores of beliefs against the truth, of many beliefs at once; equally probable states share a rank.

The rank of the truth is a number of more probable states and a number of tied ones. Where states are tied,
every statement about the rank is its expectation under random tie-breaking, so that a belief without
information scores as a random guess.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from baycarp.card import HOLDS
from baycarp.rules.hand import BLOCKED, GROUP_OF, GROUPS, TYPES, hand_types

__all__ = [
    "FIELDS",
    "FLOOR",
    "among",
    "free_of",
    "reciprocal",
    "score",
    "score_types",
    "tenths",
    "type_masses",
]

Array = NDArray[np.float64]

FLOOR = 1e-9
"""The least probability of a holding, which bounds the loss."""

NEAR = 1e-9
"""Probabilities are tied if their relative difference is at most this: sums in another order differ so."""

FIELDS = (
    "loss", "entropy", "above", "tied", "below", "beside",
    "group_above", "group_tied", "sure", "brier",
    "type_above", "type_tied", "brier_type",
)  # fmt: skip
"""The fields of ``score``, and the last three of ``score_types``."""

_GROUP: Array = np.equal(GROUP_OF[:, None], np.arange(len(GROUPS))).astype(np.float64)
_BLOCKS: NDArray[np.bool_] = np.vstack([HOLDS, np.zeros(1326, np.bool_)])


def free_of(boards: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Whether a holding has no card of a board; bool, shape (boards, 1326).

    Parameters
    ----------
    boards
        uint8, shape (boards, 5): card ids; 255 = not dealt.
    """
    blocked = np.zeros((len(boards), 1326), np.bool_)
    for cards in np.minimum(boards, 52).T:
        blocked |= _BLOCKS[cards]
    return ~blocked


def score(beliefs: Array, holdings: NDArray[np.intp], boards: NDArray[np.uint8]) -> Mapping[str, Array]:
    """Score beliefs of players' holdings.

    Parameters
    ----------
    beliefs
        float64, shape (beliefs, 1326); each sums to 1.
    holdings
        The true holding of each.
    boards
        As for ``free_of``.

    Returns
    -------
    dict of float64 arrays, shape (beliefs,)
        ``loss``: minus the natural logarithm of the probability of the truth, nats. ``entropy`` of the
        belief, nats. ``above``, ``tied``: the number of possible holdings more probable than the truth, and
        as probable (itself included). ``below``, ``beside``: the probability of all less probable holdings,
        and of the tied ones. ``group_above``, ``group_tied``: as above, of the true hand group. ``sure``:
        the probability of the most probable group. ``brier``: of the group, 0..2.

    Raises
    ------
    ValueError
        Probabilities that are negative, do not sum to 1, or are not 1,326.

    Examples
    --------
    >>> belief = np.zeros((1, 1326))
    >>> belief[0, [0, 1]] = 0.5
    >>> round(float(score(belief, np.array([0]), np.full((1, 5), 255, np.uint8))["loss"][0]), 3)
    0.693
    """
    sums = beliefs.sum(axis=-1)
    if beliefs.shape[1:] != (1326,) or not (beliefs >= 0).all() or not (abs(sums - 1) < 1e-6).all():
        raise ValueError(f"beliefs of shape {beliefs.shape}: expected 1,326 probabilities that sum to 1")
    true = beliefs[np.arange(len(beliefs)), holdings]
    higher, lower = _bounds(true)
    above, below = beliefs > higher, beliefs < lower
    tied = free_of(boards) & ~above & ~below
    lost = np.where(below, beliefs, 0.0).sum(axis=1)
    groups = beliefs @ _GROUP
    group_above, group_tied, brier = _placed(groups, GROUP_OF[holdings].astype(np.intp))
    logs = np.log(beliefs, out=np.zeros_like(beliefs), where=beliefs > 0)
    return {
        "loss": -np.log(np.maximum(true, FLOOR)),
        "entropy": -np.einsum("nh,nh->n", beliefs, logs),
        "above": above.sum(axis=1, dtype=np.float64),
        "tied": np.maximum(tied.sum(axis=1, dtype=np.float64), 1.0),
        "below": lost,
        "beside": np.where(tied, beliefs, 0.0).sum(axis=1),
        "group_above": group_above,
        "group_tied": group_tied,
        "sure": groups.max(axis=1),
        "brier": brier,
    }


def _bounds(true: Array) -> tuple[Array, Array]:
    """Probabilities between these are tied with the truth's; shape (beliefs, 1)."""
    return (true * (1 + NEAR) + 1e-300)[:, None], (true * (1 - NEAR))[:, None]


def _placed(masses: Array, truth: NDArray[np.intp]) -> tuple[Array, Array, Array]:
    """The number of states above the truth and tied with it, and the Brier score."""
    true = masses[np.arange(len(masses)), truth]
    higher, lower = _bounds(true)
    above, below = masses > higher, masses < lower
    brier = (masses**2).sum(axis=1) - 2 * true + 1
    return above.sum(axis=1, dtype=np.float64), (~above & ~below).sum(axis=1, dtype=np.float64), brier


def type_masses(belief: Array, board: tuple[int, ...]) -> Array:
    """The probability of each hand type by a belief; float64, shape (17,)."""
    masses = np.bincount(hand_types(list(board)), belief, BLOCKED + 1)
    return np.asarray(masses[: len(TYPES)], np.float64)


def score_types(masses: Array, truth: NDArray[np.intp]) -> Mapping[str, Array]:
    """Score beliefs of hand types.

    Parameters
    ----------
    masses
        float64, shape (beliefs, 17); nan before the flop.
    truth
        The true type of each; not read before the flop.

    Returns
    -------
    dict of float64 arrays, shape (beliefs,)
        ``type_above``, ``type_tied``, ``brier_type``; nan before the flop.
    """
    known = ~np.isnan(masses[:, 0])
    found = np.full((3, len(masses)), np.nan)
    found[:, known] = _placed(masses[known], truth[known])
    return dict(zip(FIELDS[-3:], found, strict=True))


def among(above: Array, tied: Array, k: int) -> Array:
    """The probability that the truth is among the first k states, under random tie-breaking.

    Examples
    --------
    >>> among(np.array([0.0, 1.0, 3.0]), np.array([10.0, 2.0, 1.0]), 2).tolist()
    [0.2, 0.5, 0.0]
    """
    return np.asarray(np.clip((k - above) / tied, 0.0, 1.0))


_HARMONIC: Array = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, 1327))])


def reciprocal(above: Array, tied: Array) -> Array:
    """The expectation of 1 / rank of the true holding, under random tie-breaking.

    Examples
    --------
    >>> reciprocal(np.array([0.0, 1.0]), np.array([1.0, 2.0])).round(4).tolist()
    [1.0, 0.4167]
    """
    first, last = above.astype(np.intp), (above + tied).astype(np.intp)
    return np.asarray((_HARMONIC[last] - _HARMONIC[first]) / tied)


def tenths(below: Array, beside: Array) -> Array:
    """The place of the truth in each belief, in tenths of its probability (PIT).

    Holdings are ordered by probability, the least probable first. The place of the truth lies between the
    probability of all less probable holdings and that plus the ties'; it is shared among tenths in
    proportion. The mean of a calibrated belief is a tenth in each. A truth that the belief excludes is at 0.

    Parameters
    ----------
    below, beside
        Of ``score``.

    Returns
    -------
    float64 array, shape (beliefs, 10)
        Each row sums to 1.

    Source: Czado, Gneiting and Held (2009), "Predictive model assessment for count data" (non-randomised
    PIT); the order by probability is our choice.

    Examples
    --------
    >>> tenths(np.array([0.15, 0.0]), np.array([0.1, 0.0])).round(2)[:, :3].tolist()
    [[0.0, 0.5, 0.5], [1.0, 0.0, 0.0]]
    """
    edges = np.linspace(0, 1, 11)
    low, wide = np.minimum(below, 1 - 1e-9)[:, None], np.maximum(beside, 1e-12)[:, None]
    reached = np.clip((edges - low) / wide, 0.0, 1.0)
    reached[:, 0], reached[:, -1] = 0.0, 1.0
    return np.diff(reached, axis=1)
