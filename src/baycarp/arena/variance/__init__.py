"""Luck separated from play: the chips won by a finished hand, less those due to chance.

Each estimator subtracts from the payoffs, for some of the hand's draws, the value after the draw less its
mean over all draws: ``payoff - sum of (V(after) - E[V(after)])``. The average is taken with the
chances that the draw really had, so the difference has mean 0 whatever V is: the mean of an estimate is that
of the payoffs, by construction, and a good V only narrows it.
``all_in`` (``game.showdowns``) takes the board alone, once no player can bet.

``control``     every card, and the folds of players whose policies are known: AIVAT's manner
``divat``       heads-up limit: every card, with a baseline's betting in V: DIVAT's manner
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.variance import control, divat
from baycarp.arena.variance.control import Policies
from baycarp.game.plays import Plays
from baycarp.game.showdowns import all_in
from baycarp.game.state import State

__all__ = ["ESTIMATORS", "Estimator", "Policies", "stream"]

EVERYWHERE = Plays(frozenset({"limit", "no-limit"}))
_APART = 0x6C75636B
"""Sets the estimators' draws apart from the agents', which are seeded by (seed, session, seat)."""


@dataclass(frozen=True, slots=True)
class Estimator:
    """Chips by position of a finished hand, summing to 0, with the mean of the payoffs.

    Parameters
    ----------
    chips
        The function of hand, policies and seed; see ``control.control``.
    plays
        The games that it can judge.
    """

    chips: Callable[[State, Policies, int], NDArray[np.float64]]
    plays: Plays


ESTIMATORS: dict[str, Estimator] = {
    "all-in": Estimator(lambda over, policies, seed: all_in(over, seed), EVERYWHERE),
    "control": Estimator(control.control, EVERYWHERE),
    "divat": Estimator(lambda over, policies, seed: divat.divat(over, seed), divat.PLAYS),
}
"""By name; all need every hole card, ``control`` alone makes use of policies."""


def stream(seed: int, session: int, hand: int) -> int:
    """The seed of a hand's estimates: independent of its deck and of every agent's draws.

    Examples
    --------
    >>> stream(0, 0, 1) == stream(0, 0, 1) != stream(0, 1, 0)
    True
    """
    return int(np.random.SeedSequence((seed, session, hand, _APART)).generate_state(1, np.uint64)[0])
