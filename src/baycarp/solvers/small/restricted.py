"""A restricted Nash response: the best strategy against an opponent that may differ from its model.

The opponent follows a model with probability p, and plays freely with 1 - p; the player does not know which.
At p = 0 the response is an equilibrium, at p = 1 a best response to the model. Between them it is the most
that can be won from the model at the exploitability that it has.

Source: M. Johanson, M. Zinkevich, M. Bowling, Computing robust counter-strategies, NIPS 2007.
"""

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ArgumentError, brief
from baycarp.kernels.arguments import instance, whole
from baycarp.solvers.small.best_response import best_response
from baycarp.solvers.small.cfr import CFR
from baycarp.solvers.small.strategy import StrategyProfile

__all__ = ["RestrictedCFR"]


class RestrictedCFR(CFR):
    """CFR+ of a game in which the opponent of a player follows a model with some probability.

    Parameters
    ----------
    model
        The opponent's strategy; the other side of it is not used.
    player
        The player that responds, 0 or 1.
    trust
        The probability that the opponent follows the model, in 0..1.

    Raises
    ------
    ArgumentError
        Another player or probability.

    Examples
    --------
    >>> from baycarp.solvers import Kuhn, best_response, flatten
    >>> uniform = StrategyProfile.uniform(flatten(Kuhn()))
    >>> solver = RestrictedCFR(uniform, 0, trust=1.0)
    >>> for _ in range(100):
    ...     solver.step()
    >>> round(solver.won(), 3), round(best_response(uniform, 0).value, 3)
    (0.5, 0.5)
    """

    def __init__(self, model: StrategyProfile, player: int, trust: float) -> None:
        super().__init__(instance(model, StrategyProfile, "model").tree, plus=True)
        self.player = whole(player, "player", 0, 1)
        if not 0 <= trust <= 1:
            raise ArgumentError(f"trust {brief(trust)}: expected a probability, 0 to 1")
        self.trust = trust
        self.model = model
        other = 1 - self.player
        self._followed = self.tree.sides[other].plan(model.probabilities[other])

    def step(self) -> None:
        """One iteration: both players once, in turn."""
        self.iterations += 1
        for player in (0, 1):
            opponent = self._plans[1 - player]
            self._update(player, self._met(opponent) if player == self.player else opponent)

    def won(self) -> float:
        """What the response wins from the model, in units of the game."""
        return float(self._own() @ self.tree.gains(self.player, self._followed))

    def gap(self) -> float:
        """What the response could still win more, at most, in units of the game; 0 if it is optimal.

        The difference of a best response to the average opponent from what the response wins of the model
        and, at worst, of a free opponent, both weighted.
        """
        average, side = self.average(), self.tree.sides[1 - self.player]
        free = side.plan(average.probabilities[1 - self.player])
        gains = self.tree.gains(self.player, self._met(free))
        self.tree.sides[self.player].best(gains)
        worst = -best_response(average, 1 - self.player).value
        return float(gains[0]) - self.trust * self.won() - (1 - self.trust) * worst

    def _own(self) -> NDArray[np.float64]:
        return self.tree.sides[self.player].plan(self.average().probabilities[self.player])

    def _met(self, free: NDArray[np.float64]) -> NDArray[np.float64]:
        """The plan of the opponent as a whole: the model's and its free one, weighted."""
        return self.trust * self._followed + (1 - self.trust) * free
