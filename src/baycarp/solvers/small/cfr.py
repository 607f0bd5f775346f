"""Counterfactual regret minimisation by sweeps of the whole game: CFR and CFR+.

Both update the players in turn: the second player's regrets are against the first player's new strategy.
CFR (Zinkevich et al. 2007) sums regrets and averages all strategies alike. CFR+ (Tammelin et al. 2015)
keeps no sum below 0, and weighs the strategy of iteration t by t.

Sources: M. Zinkevich, M. Johanson, M. Bowling, C. Piccione, Regret minimization in games with incomplete
information, NIPS 2007; O. Tammelin, N. Burch, M. Johanson, M. Bowling, Solving heads-up limit Texas hold'em,
IJCAI 2015.
"""

import numpy as np
from numpy.typing import NDArray

from baycarp.kernels.arguments import instance
from baycarp.solvers.small.strategy import StrategyProfile
from baycarp.solvers.small.tree import GameTree

__all__ = ["CFR"]


class CFR:
    """A solver that sees every node of the game in every iteration.

    Parameters
    ----------
    tree
        The game.
    plus
        CFR+ instead of CFR.

    Attributes
    ----------
    iterations : int
        Iterations so far.
    regrets : tuple of float64 arrays
        By player, the sum of the counterfactual regrets of each sequence; the empty one has 0.

    Examples
    --------
    >>> from baycarp.solvers import Kuhn, exploitability, flatten
    >>> solver = CFR(flatten(Kuhn()), plus=True)
    >>> for _ in range(1000):
    ...     solver.step()
    >>> exploitability(solver.average()) < 1e-3
    True
    """

    def __init__(self, tree: GameTree, plus: bool = False) -> None:
        self.tree = instance(tree, GameTree, "tree")
        self.plus = plus
        self.iterations = 0
        self.regrets = tuple(np.zeros(side.sequences) for side in tree.sides)
        self._sums = tuple(np.zeros(side.sequences) for side in tree.sides)
        self._now = [side.uniform for side in tree.sides]
        self._plans = [side.plan(now) for side, now in zip(tree.sides, self._now, strict=True)]

    def step(self) -> None:
        """One iteration: both players once, in turn."""
        self.iterations += 1
        for player in (0, 1):
            self._update(player, self._plans[1 - player])

    def _update(self, player: int, opponent: NDArray[np.float64]) -> None:
        """Regrets, sums and next strategy of a player, against a plan of its opponent."""
        side, regrets = self.tree.sides[player], self.regrets[player]
        gains = self.tree.gains(player, opponent)
        values = side.mean(gains, self._now[player])
        regrets[1:] += gains[1:] - values[side.owner]
        positive = np.maximum(regrets, 0)
        if self.plus:
            regrets[:] = positive
        self._sums[player][:] += (self.iterations if self.plus else 1) * self._plans[player]
        self._now[player] = side.proportions(positive)
        self._plans[player] = side.plan(self._now[player])

    def average(self) -> StrategyProfile:
        """The average strategy, which converges to an equilibrium; uniform before the first iteration."""
        first, second = (
            side.proportions(sums) for side, sums in zip(self.tree.sides, self._sums, strict=True)
        )
        return StrategyProfile(self.tree, (first, second))
