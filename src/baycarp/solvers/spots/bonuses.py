"""Bonuses for actions, which steer their frequencies over a whole range.

A bonus is added to what the player has at every leaf after the action. It follows the error of the frequency
and the sum of its errors, so that it settles where the frequency is the one that is asked for.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ArgumentError, brief
from baycarp.kernels.spots import Engine
from baycarp.solvers.spots.equity import beside
from baycarp.solvers.spots.given import EngineInput
from baycarp.solvers.spots.locks import RangeFrequency
from baycarp.solvers.spots.spot import Spot
from baycarp.solvers.spots.tree import SpotNode, SpotTree

__all__ = ["EVERY", "MOST_STEERED", "NEAR", "Bonuses"]

EVERY = 2
"""Iterations between two changes of the bonuses."""

AT_ONCE, IN_TIME = 4.0, 0.1
"""Pots of bonus for an error of 1 in a frequency: while it lasts, and added for good at every change."""

MOST_STEERED = 5_000
"""Iterations after which a frequency that is not reached is refused."""

NEAR = 0.005
"""A frequency is reached within this."""


class Bonuses:
    """The bonuses of some frequencies.

    Parameters
    ----------
    frequencies
        What is asked for.
    spot, tree, given
        The spot in the engine.

    Attributes
    ----------
    values : float64 array
        The bonus of each, in chips.

    Raises
    ------
    ArgumentError
        No such decision or action, or one twice.
    """

    def __init__(
        self, frequencies: Sequence[RangeFrequency], spot: Spot, tree: SpotTree, given: EngineInput
    ) -> None:
        self.frequencies = tuple(frequencies)
        self.values = np.zeros(len(self.frequencies))
        self._given, self._pot = given, spot.root_pot
        self._ways = [each.way(spot, tree) for each in self.frequencies]
        ends = [way[-1] for way in self._ways]
        if len({*ends}) < len(ends):
            raise ArgumentError("locks: expected each frequency once")
        self._settled = np.zeros(len(self.frequencies))
        self._leaves = [_leaves(node.children[at], given) for node, at in ends]

    def __bool__(self) -> bool:
        return bool(self.frequencies)

    def pay(self, engine: Engine, are_paid: bool = True) -> None:
        """Let the bonuses count in the engine, or not."""
        if not self.frequencies:
            return
        payoff = self._given.arrays.payoff.copy()
        for bonus, leaves, way in zip(self.values, self._leaves, self._ways, strict=True):
            payoff[leaves, way[-1][0].now.player] += bonus * are_paid
        for leaf in {leaf for leaves in self._leaves for leaf in leaves}:
            engine.set_payoff(leaf, payoff[leaf])

    def reached(self, engine: Engine) -> tuple[float, ...]:
        """The frequencies of the actions over the ranges that reach their decisions."""
        return tuple(self._frequency(engine, way) for way in self._ways)

    def _frequency(self, engine: Engine, way: Sequence[tuple[SpotNode, int]]) -> float:
        reach = [rows.weights.astype(np.float64) for rows in self._given.rows]
        for node, at in way:
            shares = engine.strategy(self._given.arrays.index[node])[at]
            own = node.now.player
            before, reach[own] = reach[own], reach[own] * shares
        weights = before * self._met(own, reach)
        total = float(weights.sum())
        return float(shares @ weights) / total if total else float("nan")

    def _met(self, player: int, reach: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
        """The weight of the other's holdings that each row may meet."""
        other = self._given.rows[1 - player]
        weights = np.asarray(np.bincount(other.holdings, reach[1 - player], 1326), np.float64)
        return beside(weights)[self._given.rows[player].holdings]

    def steer(self, engine: Engine) -> None:
        """Change the bonuses so that frequencies come nearer to what is asked for."""
        wanted = np.array([each.share for each in self.frequencies])
        errors = wanted - np.nan_to_num(np.array(self.reached(engine)))
        self._settled += IN_TIME * self._pot * errors
        self.values = self._settled + AT_ONCE * self._pot * errors
        self.pay(engine)

    def most(self, iterations: int) -> float:
        """What no bonus exceeds after so many iterations: each changes it once, by an error of at most 1."""
        return 1.001 * (AT_ONCE + IN_TIME) * self._pot * iterations  # more than is lost by rounding

    def restore(self, values: NDArray[np.float64], engine: Engine, iterations: int) -> None:
        """Continue with the bonuses of a file, after so many iterations.

        Raises
        ------
        ArgumentError
            Not one bonus a frequency, or one that so many iterations cannot reach.
        """
        most = self.most(iterations)
        if values.shape != self.values.shape or not (np.abs(values) <= most).all():
            raise ArgumentError(f"bonuses {brief(values)}: expected {self.values.shape}, within {most:g}")
        self.values = np.array(values, np.float64)
        self._settled = self.values.copy()
        self.pay(engine)

    def errors(self, reached: Sequence[float]) -> list[float]:
        """What is reached less what is asked for."""
        return [got - each.share for got, each in zip(reached, self.frequencies, strict=True)]

    def verify(self, reached: Sequence[float], iterations: int) -> None:
        """Raise ``ArgumentError`` where a frequency is not reached."""
        for got, wanted in zip(reached, self.frequencies, strict=True):
            if not abs(got - wanted.share) <= NEAR:
                raise ArgumentError(
                    f"{wanted.step!r} at {wanted.line!r}: {100 * got:.1f} % after {iterations:,} iterations: "
                    f"expected {100 * wanted.share:.1f} % within {100 * NEAR} points, which other locks may "
                    "forbid"
                )


def _leaves(top: SpotNode, given: EngineInput) -> list[int]:
    """The numbers of the leaves from a node on."""
    found, waiting = list[int](), [top]
    while waiting:
        node = waiting.pop()
        if node.is_leaf:
            found.append(given.arrays.index[node])
        waiting += node.children
    return found
