"""Exact values: of a strategy, of the best response to it, and how much it can lose."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.kernels.arguments import instance, whole
from baycarp.solvers.small.strategy import StrategyProfile

__all__ = ["Response", "best_response", "exploitability", "nash_conv", "value"]


@dataclass(frozen=True, slots=True, eq=False)
class Response:
    """The best response of a player.

    Parameters
    ----------
    value
        What it wins, in units of the game; no strategy wins more.
    probabilities
        A pure strategy that wins it, float64 over the player's sequences: the first of equal actions has 1.
    """

    value: float
    probabilities: NDArray[np.float64]


def value(strategy: StrategyProfile) -> float:
    """What player 0 wins when both play the strategy, in units of the game."""
    first, second = (
        side.plan(given)
        for side, given in zip(
            instance(strategy, StrategyProfile, "strategy").tree.sides, strategy.probabilities, strict=True
        )
    )
    return float(first @ strategy.tree.gains(0, second))


def best_response(strategy: StrategyProfile, player: int) -> Response:
    """The best response of a player to what its opponent plays in a strategy; exact.

    Raises
    ------
    ArgumentError
        Another player than 0 or 1.

    Examples
    --------
    >>> from baycarp.solvers import Kuhn, flatten
    >>> round(best_response(StrategyProfile.uniform(flatten(Kuhn())), 0).value, 6)
    0.5
    """
    sides = instance(strategy, StrategyProfile, "strategy").tree.sides
    other = 1 - whole(player, "player", 0, 1)
    gains = strategy.tree.gains(player, sides[other].plan(strategy.probabilities[other]))
    side = sides[player]
    values = side.best(gains)
    best = 1 + np.flatnonzero(gains[1:] == values[side.owner])
    _, first = np.unique(side.owner[best - 1], return_index=True)
    probabilities = np.zeros(side.sequences)
    probabilities[0] = probabilities[best[first]] = 1
    return Response(float(gains[0]), probabilities)


def nash_conv(strategy: StrategyProfile) -> float:
    """The sum over the players of what a best response wins more than the strategy; 0 in equilibrium."""
    return sum(best_response(strategy, player).value for player in (0, 1))


def exploitability(strategy: StrategyProfile) -> float:
    """What a best response wins of the strategy in the mean of both seats: half of ``nash_conv``.

    In units of the game. Where it is 0, the strategy is an equilibrium.

    Examples
    --------
    >>> from baycarp.solvers import Kuhn, flatten
    >>> from baycarp.solvers.small import kuhn
    >>> tree = flatten(Kuhn())
    >>> round(exploitability(StrategyProfile.uniform(tree)), 6)
    0.458333
    >>> abs(exploitability(StrategyProfile.of(tree, kuhn.equilibrium(0.2)))) < 1e-15
    True
    """
    return nash_conv(strategy) / 2
