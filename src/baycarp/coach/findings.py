"""What is certain of each theme: its counts, what it costs, and whether it is named.

The cost of a decision is counted beside the agent's own policy: a mistake that the agent makes with the same
probability costs nothing in the mean, so the agent itself has no theme but by chance. A mistake against these
opponents alone is no habit to leave: it counts where the agent, against unknown ones, hardly makes it, and
mostly does what the theme holds right.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import erfc, sqrt

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.measure import Rate, margin
from baycarp.coach.themes import THEMES, Occasion, Theme
from baycarp.coach.valuation import JudgedDecision

__all__ = ["FEWEST", "ThemeFinding", "find_themes", "holm"]

FEWEST = 30
"""Occasions from which on a theme is judged."""

LEAST = 1.0
"""Big blinds in a hundred hands that a theme certainly costs more than, to be named; our choice."""

LEVEL = 0.025
"""One-sided level of all themes together: their joint counterpart of 95 % intervals that exclude 0."""


@dataclass(frozen=True, slots=True)
class ThemeFinding:
    """A theme in a player's hands.

    Parameters
    ----------
    theme
        The theme.
    occasions, faults
        Decisions at which the mistake can be made, and those at which it was, against any opponent.
    rate
        What it costs more than the agent's own play, in big blinds per 100 hands.
    chance
        The one-sided p-value of a cost above ``LEAST``, 0..1; 1 where the theme is not judged.
    named
        Whether it is certain after Holm's correction over all themes.
    """

    theme: Theme
    occasions: int
    faults: int
    rate: Rate
    chance: float
    named: bool = False

    @property
    def name(self) -> str:
        """The theme in words."""
        return self.theme.name

    @property
    def is_judged(self) -> bool:
        """Whether there are enough occasions."""
        return self.occasions >= FEWEST

    def __str__(self) -> str:
        return f"{self.name}: {self.in_words()}"

    def in_words(self) -> str:
        """Counts and cost; too few occasions are said to be so."""
        if not self.is_judged:
            return f"not enough hands yet ({self.occasions} of {FEWEST} occasions)"
        cost, times = self.rate.mean, f"{self.faults} of {self.occasions} times"
        return f"{times}, costs {cost:.1f} ± {self.rate.margin:.1f} bb/100"


def find_themes(decisions: Iterable[tuple[JudgedDecision, Occasion]], hands: int) -> tuple[ThemeFinding, ...]:
    """Judge all themes.

    Parameters
    ----------
    decisions
        Of the player, with their occasions.
    hands
        Of the player, those without a mistake included.

    Returns
    -------
    tuple of ThemeFinding
        Every theme once: the named ones first, then by cost.
    """
    rows = [*decisions]
    found = [_judged(theme, rows, hands) for theme in THEMES]
    certain = holm([each.chance for each in found], LEVEL)
    named = [replace(each, named=kept) for each, kept in zip(found, certain, strict=True)]
    return tuple(sorted(named, key=lambda each: (not each.named, not each.is_judged, -each.rate.mean)))


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


def _judged(theme: Theme, rows: Sequence[tuple[JudgedDecision, Occasion]], hands: int) -> ThemeFinding:
    occasions = faults = 0
    by_hand: dict[int, float] = defaultdict(float)
    for decision, occasion in rows:
        if not theme.occasion(occasion):
            continue
        occasions += 1
        if decision.best.action.name in theme.right:
            faults += _is_fault(theme, decision)
            by_hand[decision.hand] += _excess(theme, decision)
    costs = np.zeros(max(hands, 1))
    costs[: len(by_hand)] = [*by_hand.values()]
    rate = bb_per_100(costs)
    return ThemeFinding(theme, occasions, faults, rate, _chance(costs) if occasions >= FEWEST else 1.0)


def bb_per_100(costs: NDArray[np.float64]) -> Rate:
    """Big blinds in a hundred hands, from those of each hand, with the 95 % interval over hands."""
    n = len(costs)
    deviation = float(costs.std(ddof=1)) if n > 1 else 0.0
    return Rate(100 * float(costs.mean()), 100 * margin(deviation, n), n, "bb/100")


def _excess(theme: Theme, decision: JudgedDecision) -> float:
    """What the mistake cost, less what it costs the agent by its own probability of it."""
    own = sum(
        share * decision.cost(action)
        for action, share in decision.policy.items()
        if action.name in theme.wrong
    )
    return (decision.cost(decision.taken) if _is_fault(theme, decision) else 0.0) - own


def _is_fault(theme: Theme, decision: JudgedDecision) -> bool:
    """Whether the action is the mistake, against unknown opponents too."""
    is_wrong = decision.taken.name in theme.wrong and not decision.is_right(decision.taken)
    return is_wrong and decision.is_general(theme.right)


def _chance(costs: NDArray[np.float64]) -> float:
    """The one-sided p-value of a mean cost above ``LEAST``, by the normal approximation."""
    error = float(costs.std(ddof=1)) / sqrt(len(costs))
    return 0.5 * erfc((float(costs.mean()) - LEAST / 100) / error / sqrt(2)) if error else 1.0
