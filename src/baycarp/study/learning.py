"""How fast an agent learns: its win rate by hands played from no experience on, over several sessions."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.measure import Rate, interval

__all__ = ["Learned", "learned", "needed", "rising", "spans"]

Array = NDArray[np.float64]

FIRST = 25
"""The first block has so many hands at least."""

SHARE = 0.9
"""Of the way from the first block's win rate to the last one's."""

RESAMPLES = 1000


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """A learning curve, and how soon most of it was learned.

    Parameters
    ----------
    spans
        The blocks: of each the hands played before it and at its end.
    won
        float64, shape (sessions, blocks): what was won a hand.
    rates
        By block the mean over sessions; its interval too is over sessions, which alone are independent.
    gain
        The last block less the first.
    hands
        See ``needed``; None where the gain is not significant.
    within
        Its 95 % interval, over sessions that are drawn anew; infinite where in 2.5 % of the draws nothing
        is gained.
    """

    spans: tuple[tuple[int, int], ...]
    won: Array
    rates: tuple[Rate, ...]
    gain: Rate
    hands: float | None
    within: tuple[float, float] | None

    @property
    def at(self) -> Array:
        """The middle of each block, in hands."""
        return np.array([(start + end) / 2 for start, end in self.spans])


def spans(hands: int) -> tuple[tuple[int, int], ...]:
    """Cut a session into blocks, each as long as all before it: what is learned is learned early.

    Examples
    --------
    >>> spans(200)
    ((0, 25), (25, 50), (50, 100), (100, 200))
    """
    ends = [hands]
    while ends[-1] >= 2 * FIRST:
        ends.append(ends[-1] // 2)
    return tuple(pairwise([0, *reversed(ends)]))


def learned(won: Array, unit: str = "sb/h") -> Learned:
    """The curve of an agent.

    Parameters
    ----------
    won
        float64, shape (sessions, hands): what it won, in ``unit``, from hand to hand.
    unit
        As in ``Rate``.
    """
    blocks = spans(won.shape[1])
    means = np.stack([won[:, start:end].mean(axis=1) for start, end in blocks], axis=1)
    rates = [interval(means[:, n], end - start, unit) for n, (start, end) in enumerate(blocks)]
    gain = interval(means[:, -1] - means[:, 0], rates[-1].n // len(won), unit)
    if not gain.mean > gain.margin:
        return Learned(blocks, means, tuple(rates), gain, None, None)
    drawn = np.random.default_rng(0).integers(len(won), size=(RESAMPLES, len(won)))
    found = np.sort([needed(blocks, means[sessions].mean(axis=0)) for sessions in drawn])
    within = float(found[RESAMPLES // 40]), float(found[-1 - RESAMPLES // 40])
    return Learned(blocks, means, tuple(rates), gain, needed(blocks, means.mean(axis=0)), within)


def needed(blocks: tuple[tuple[int, int], ...], rates: Array) -> float:
    """Hands until 90 % of the way from the first block's win rate to the last one's was gone.

    The rates are smoothed to such as never fall (``rising``), lest a lucky block count; between the middles
    of blocks they rise evenly.

    Returns
    -------
    float
        Infinite if the last rate is not above the first.

    Examples
    --------
    >>> needed(((0, 2), (2, 4), (4, 8)), np.array([-1.0, 0.0, 1.0]))
    5.4
    """
    first, last = rates[0], rates[-1]
    if not last > first:
        return float("inf")
    target, middles = first + SHARE * (last - first), np.mean(blocks, axis=1)
    smooth = rising(rates, np.diff(blocks, axis=1).ravel())
    after = int(np.argmax(smooth >= target))
    rise = (target - smooth[after - 1]) / (smooth[after] - smooth[after - 1])
    return float(middles[after - 1] + rise * (middles[after] - middles[after - 1]))


def rising(values: Array, weights: NDArray[np.int64]) -> Array:
    """The sequence nearest to one, by weighted squares, that never falls.

    Notes
    -----
    Isotonic regression by its max-min formula (Barlow, Bartholomew, Bremner and Brunk 1972).

    Examples
    --------
    >>> rising(np.array([0.0, 3.0, 1.0, 4.0]), np.array([1, 1, 3, 1])).tolist()
    [0.0, 1.5, 1.5, 4.0]
    """
    sums, total = (np.concatenate([[0.0], np.cumsum(each)]) for each in (values * weights, weights))
    spanned, hands = (each[1:] - each[:-1, None] for each in (sums, total))  # from row to column
    forth = np.triu(np.ones(hands.shape, np.bool_))
    means = np.where(forth, spanned / np.where(forth, hands, 1), np.inf)
    least = np.minimum.accumulate(means[:, ::-1], axis=1)[:, ::-1]
    return np.maximum.accumulate(least, axis=0).diagonal()
