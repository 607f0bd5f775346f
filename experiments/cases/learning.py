"""The learning rate of an agent: its win rate by hands played since it had no experience, over sessions."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.measure import Rate, interval

__all__ = ["PAR", "Learned", "learned", "needed", "on_par", "rising", "spans"]

Array = NDArray[np.float64]

FIRST = 25
"""The least number of hands in the first block."""

SHARE = 0.9
"""The share of the rise from the first block's win rate to the last one's."""

RESAMPLES = 1000

PAR = -0.05
"""Small bets a hand that the lower end of the interval of a player on a par exceeds; our choice."""


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """A learning curve, and the number of hands in which most of it was learned.

    Parameters
    ----------
    spans
        The blocks: the hands played before each and at its end.
    won
        float64, shape (sessions, blocks): the win rate.
    rates
        By block the mean over sessions, with its interval over sessions, which are independent.
    gain
        The last block less the first.
    hands
        See ``needed``; None if the gain is not significant.
    within
        Its 95 % interval by the bootstrap over sessions; infinite if 2.5 % of the draws have no gain.
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
    """Divide a session into blocks, each as long as all before it, since most is learned early.

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
        float64, shape (sessions, hands): chips won by hand, in ``unit``.
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
    each = sorted(needed(blocks, means[sessions].mean(axis=0)) for sessions in drawn)
    within = each[RESAMPLES // 40], each[-1 - RESAMPLES // 40]
    return Learned(blocks, means, tuple(rates), gain, needed(blocks, means.mean(axis=0)), within)


def needed(blocks: tuple[tuple[int, int], ...], rates: Array) -> float:
    """Hands until 90 % of the rise from the first block's win rate to the last one's.

    The rates are smoothed to a non-decreasing sequence (``rising``), against lucky blocks; between the
    middles of blocks they are interpolated.

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
    target = first + SHARE * (last - first)
    smooth = rising(rates, np.diff(blocks, axis=1).ravel())
    after = int(np.argmax(smooth >= target))
    around = slice(after - 1, after + 1)
    return float(np.interp(target, smooth[around], np.mean(blocks, axis=1)[around]))


def on_par(rates: Sequence[Rate], blocks: Sequence[tuple[int, int]]) -> int | None:
    """Hands to par: the first number of hands after which every trailing win rate is above ``PAR``.

    A trailing win rate is that of a block, the later half of all hands so far; it is above ``PAR`` where its
    interval is. A lucky block does not count, since the rates of all later blocks have to be above it too.

    Returns
    -------
    int or None
        The end of a block; None if the last one is not above ``PAR``.

    Examples
    --------
    >>> rates = [Rate(mean, 0.1, 20) for mean in (0.1, -0.2, 0.1, 0.2)]
    >>> on_par(rates, spans(200))
    100
    """
    found = None
    for rate, (_, end) in reversed(list(zip(rates, blocks, strict=True))):
        if not rate.mean - rate.margin > PAR:
            break
        found = end
    return found


def rising(values: Array, weights: NDArray[np.int64]) -> Array:
    """The non-decreasing sequence nearest to ``values`` by weighted squares.

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
