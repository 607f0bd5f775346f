"""What the engine is given: the holdings of both players with their weights, the tree, the suits."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.card import HOLDINGS
from baycarp.solvers.spots.spot import Spot
from baycarp.solvers.spots.suits import interchangeable
from baycarp.solvers.spots.tree import TreeArrays

__all__ = ["EngineInput", "engine_input"]


@dataclass(frozen=True, slots=True, eq=False)
class EngineInput:
    """The arguments of ``kernels.spots.Engine``.

    Parameters
    ----------
    board
        The cards of the start.
    holdings, weights
        Of both players: uint8, shape (n, 2); float32, shape (n,).
    arrays
        The tree.
    suits
        Equal numbers, equal suits.
    """

    board: bytes
    holdings: tuple[NDArray[np.uint8], NDArray[np.uint8]]
    weights: tuple[NDArray[np.float32], NDArray[np.float32]]
    arrays: TreeArrays
    suits: tuple[int, int, int, int]

    @property
    def arguments(self) -> tuple[Any, ...]:
        """Those that are given by place."""
        tree = self.arrays
        return (
            self.board,
            self.holdings,
            self.weights,
            tree.kind,
            tree.player,
            tree.first,
            tree.count,
            tree.payoff,
        )


def engine_input(spot: Spot) -> EngineInput:
    """A spot without locks, for the engine."""
    weights = [spot.weights(player) for player in (0, 1)]
    held = [np.flatnonzero(each) for each in weights]
    board = bytes(np.array(spot.board, np.uint8))
    return EngineInput(
        board,
        (HOLDINGS[held[0]], HOLDINGS[held[1]]),
        (weights[0][held[0]].astype(np.float32), weights[1][held[1]].astype(np.float32)),
        spot.build_tree().arrays(),
        interchangeable([*board], weights),
    )
