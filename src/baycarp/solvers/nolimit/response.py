"""Responders to a no-limit strategy inside its abstraction: players that learn against it alone.

A responder learns by the same walks as a solver, against the fixed strategy, and then plays its best actions.
It is no exact best response, so that it wins less than one. Source of the idea: approximate best responses by
learning, Timbers et al. (2022).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from baycarp.kernels.mccfr import Sampling
from baycarp.solvers.loss import Loss
from baycarp.solvers.nolimit.solver import BATCH, Cells, Deals, NoLimitSettings

__all__ = ["Responses", "best_actions", "loss"]


@dataclass(frozen=True, slots=True)
class Responses:
    """How responders learn and are valued.

    Parameters
    ----------
    seed
        Of their deals, other than the solver's.
    iterations
        That each responder learns.
    deals
        That they are valued on, at least 2.
    """

    seed: int
    iterations: int
    deals: int


def loss(
    sampling: Sampling,
    policy: Cells,
    deals: Deals,
    how: Responses,
    tick: Callable[[int], None] = lambda done: None,
) -> Loss:
    """What a strategy loses to responders, in big blinds a hand.

    Parameters
    ----------
    sampling, deals
        The game: its walks and its deals.
    policy
        The strategy of both players.
    how
        How they learn and are valued.
    tick
        Called with the number of iterations done.
    """
    iterations = how.iterations
    settings = NoLimitSettings(how.seed, max(iterations // 100, 1))
    responders = []
    for hero in (0, 1):
        regret = np.zeros_like(policy)
        for first in range(0, iterations, BATCH):
            dealt = deals(how.seed, first, min(BATCH, iterations - first))
            sampling.learn(dealt, first, regret, None, settings, policy, hero)
            tick(hero * iterations + first)
        responders.append(best_actions(sampling, regret))
    dealt = deals(how.seed, iterations, how.deals)
    own = sampling.values(dealt, policy, policy)
    gained = sampling.values(dealt, responders[0], policy) - own
    lost = own - sampling.values(dealt, policy, responders[1])
    gains = (gained + lost) / 2
    error = gains.std(ddof=1) / how.deals**0.5
    return Loss(float(gains.mean()), float(error), None, how.deals)


def best_actions(sampling: Sampling, regret: Cells) -> Cells:
    """The policy of the actions with the greatest regret of each row; of equals each the same share."""
    widths = np.diff(sampling.rows, append=sampling.cells)
    best = np.repeat(np.maximum.reduceat(regret, sampling.rows), widths)
    made: Cells = sampling.policy((regret == best).astype(np.float32))
    return made
