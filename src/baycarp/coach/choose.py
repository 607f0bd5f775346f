"""The choice of remarks and of drill spots; the deals that choose a spot never value it."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial

from baycarp.arena.workers import Workers, in_order
from baycarp.coach.rollouts import Difference, Rollouts, compare
from baycarp.coach.spots import Review, ReviewSpot

__all__ = ["BLOCK", "Judged", "ReviewSelection", "choose", "holm"]

BLOCK = 5
"""Hands of the player for which there is at most one remark."""

LEAST = 0.1
"""Big blinds that a decision must cost by the choosing deals, to be a candidate; our choice."""

DRILL = 20
"""Spots of the drill."""

LEVEL = 0.025
"""One-sided level of all remarks together: their joint counterpart of 95 % intervals that exclude 0."""


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """A spot with its cost, estimated on deals that did not choose it."""

    spot: ReviewSpot
    cost: Difference


@dataclass(frozen=True, slots=True, eq=False)
class ReviewSelection:
    """The remarks in the order of the log, the drill from the costliest on, and the number of candidates."""

    remarks: tuple[Judged, ...]
    drill: tuple[Judged, ...]
    tested: int


def choose(review: Review, rollouts: Rollouts, workers: Workers) -> ReviewSelection:
    """Choose the costliest spot of each five hands, value it on new deals, and keep the certain ones.

    Of a log with many candidates some would pass a 95 % interval by chance: the remarks are those that
    Holm's procedure rejects at ``LEVEL`` over all candidates.

    Parameters
    ----------
    review
        The spots of the log.
    rollouts
        Of the values; a fourth as many deals choose.
    workers
        Processes; the result does not depend on their number.
    """
    choosing = replace(rollouts, deals=max(50, rollouts.deals // 4), stream=1)
    rough = _compared(choosing, review.spots, workers)
    costly = [at for at, cost in enumerate(rough) if cost.mean >= LEAST]
    costly.sort(key=lambda at: -rough[at].mean)
    blocks: dict[int, int] = {}
    for at in costly:
        blocks.setdefault(review.spots[at].turn // BLOCK, at)
    candidates = sorted(blocks.values())
    wanted = sorted({*candidates, *costly[:DRILL]})
    costs = _compared(rollouts, [review.spots[at] for at in wanted], workers)
    judged = {at: Judged(review.spots[at], cost) for at, cost in zip(wanted, costs, strict=True)}
    certain = holm([judged[at].cost.chance for at in candidates], LEVEL)
    remarks = tuple(judged[at] for at, kept in zip(candidates, certain, strict=True) if kept)
    drill = [judged[at] for at in costly[:DRILL] if judged[at].cost.mean > 0]
    drill.sort(key=lambda each: -each.cost.mean)
    return ReviewSelection(remarks, tuple(drill), len(candidates))


def holm(chances: Sequence[float], level: float) -> list[bool]:
    """Which hypotheses Holm's step-down procedure rejects (Holm 1979).

    Parameters
    ----------
    chances
        p-values, 0..1.
    level
        Bound of the probability of any false rejection.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03, 0.005], 0.05)
    [True, False, False, True]
    """
    kept = [False] * len(chances)
    for rank, at in enumerate(sorted(range(len(chances)), key=lambda at: chances[at])):
        if chances[at] > level / (len(chances) - rank):
            break
        kept[at] = True
    return kept


def _compared(rollouts: Rollouts, spots: Sequence[ReviewSpot], workers: Workers) -> list[Difference]:
    with closing(in_order(partial(compare, rollouts), spots, workers)) as results:
        return [cost for _, cost in results]
