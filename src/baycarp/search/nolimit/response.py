"""What a strategy loses inside the abstraction, at least: players that learn against it alone.

A responder learns by the same walks as a solver, against the fixed strategy, and then plays its best actions.
It is no exact best response, so that it wins less than one. Source of the idea: approximate best responses by
learning, Timbers et al. (2022).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from baycarp.kernels.mccfr import Sampling
from baycarp.search.nolimit.solver import BATCH, Cells, Deals, Settings

__all__ = ["Loss", "best_actions", "loss"]


@dataclass(frozen=True, slots=True)
class Loss:
    """What the responders win, the mean of both positions.

    Parameters
    ----------
    mean
        Big blinds a hand; an estimate of a lower bound of the exploitability inside the abstraction.
    half_width
        Of its 95 % interval.
    iterations
        That each responder learned.
    deals
        That the responders are valued on, other than those that they learned on.
    """

    mean: float
    half_width: float
    iterations: int
    deals: int


def loss(
    sampling: Sampling,
    policy: Cells,
    deals: Deals,
    seed: int,
    iterations: int,
    valued: int,
    tick: Callable[[int], None] = lambda done: None,
) -> Loss:
    """What a strategy loses to responders.

    Parameters
    ----------
    sampling, deals
        The game: its walks and its deals.
    policy
        The strategy of both players.
    seed
        Of the responders' deals, other than the solver's.
    iterations
        That each responder learns.
    valued
        Deals that they are valued on, at least 2.
    tick
        Called with the number of iterations done.
    """
    settings = Settings(seed, max(iterations // 100, 1))
    responders = []
    for hero in (0, 1):
        regret = np.zeros_like(policy)
        for first in range(0, iterations, BATCH):
            dealt = deals(seed, first, min(BATCH, iterations - first))
            sampling.learn(dealt, first, regret, None, settings, policy, hero)
            tick(hero * iterations + first)
        responders.append(best_actions(sampling, regret))
    dealt = deals(seed, iterations, valued)
    own = sampling.values(dealt, policy, policy)
    gained = sampling.values(dealt, responders[0], policy) - own
    lost = own - sampling.values(dealt, policy, responders[1])
    gains = (gained + lost) / 2
    return Loss(float(gains.mean()), float(1.96 * gains.std(ddof=1) / valued**0.5), iterations, valued)


def best_actions(sampling: Sampling, regret: Cells) -> Cells:
    """The policy of the actions with the greatest regret of each row; of equals each the same share."""
    widths = np.diff(sampling.rows, append=sampling.cells)
    best = np.repeat(np.maximum.reduceat(regret, sampling.rows), widths)
    made: Cells = sampling.policy((regret == best).astype(np.float32))
    return made
