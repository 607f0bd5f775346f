"""A strategy of both players: the probability of each action in each information set."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ArgumentError, brief
from baycarp.kernels.arguments import instance, real, whole
from baycarp.solvers.small.sequences import Side
from baycarp.solvers.small.tree import GameTree

__all__ = ["StrategyProfile", "Table"]

WITHIN = 1e-9
"""The largest error of the sum of an information set's probabilities."""

Table: TypeAlias = Mapping[str, Mapping[str, float]]
"""By information set and action, a probability."""


@dataclass(frozen=True, slots=True, eq=False)
class StrategyProfile:
    """What both players do, in a game.

    Parameters
    ----------
    tree
        The game.
    probabilities
        By player, float64 over its sequences: the probability of the last action of each, in 0..1; they sum
        to 1 in each information set, within 1e-9. The empty sequence has 1.

    Raises
    ------
    ArgumentError
        Arrays of another shape, or other numbers.

    Examples
    --------
    >>> from baycarp.solvers import Kuhn, StrategyProfile, flatten
    >>> StrategyProfile.uniform(flatten(Kuhn())).at(1, "Q:r")
    {'fold': 0.5, 'call': 0.5}
    """

    tree: GameTree
    probabilities: tuple[NDArray[np.float64], NDArray[np.float64]]

    def __post_init__(self) -> None:
        instance(self.tree, GameTree, "tree")
        if len(self.probabilities) != 2:
            raise ArgumentError(f"{len(self.probabilities)} players: expected 2")
        for player, (side, given) in enumerate(zip(self.tree.sides, self.probabilities, strict=True)):
            if not isinstance(given, np.ndarray) or given.dtype != np.float64:
                raise ArgumentError(f"player {player}: {brief(given)}: expected an array of float64")
            if given.shape != (side.sequences,):
                raise ArgumentError(f"player {player}: shape {given.shape}, expected ({side.sequences},)")
            sums = side.sums(given)
            if given[0] != 1 or not np.all(given >= 0) or not np.all(np.abs(sums - 1) <= WITHIN):
                raise ArgumentError(f"player {player}: expected probabilities that sum to 1 in each set")

    @classmethod
    def uniform(cls, tree: GameTree) -> "StrategyProfile":
        """Each action of an information set has the same probability."""
        instance(tree, GameTree, "tree")
        return cls(tree, (tree.sides[0].uniform.copy(), tree.sides[1].uniform.copy()))

    @classmethod
    def of(cls, tree: GameTree, tables: tuple[Table, Table]) -> "StrategyProfile":
        """From tables by player.

        Raises
        ------
        ArgumentError
            An information set or action of the game is missing, one is too many, or the numbers are no
            probabilities.
        """
        instance(tree, GameTree, "tree")
        if len(tables) != 2:
            raise ArgumentError(f"{len(tables)} tables: expected one for each of 2 players")
        try:
            return cls(tree, (_array(tree.sides[0], tables[0]), _array(tree.sides[1], tables[1])))
        except OverflowError as error:
            raise ArgumentError(f"a probability: {error}") from error

    def at(self, player: int, information: str) -> dict[str, float]:
        """The probability of each action in an information set.

        Raises
        ------
        ArgumentError
            The player has no such information set, or is neither 0 nor 1.
        """
        side = self.tree.sides[whole(player, "player", 0, 1)]
        if information not in side.numbers:
            raise ArgumentError(f"{brief(information)}: expected an information set of player {player}")
        start, actions = side.sequence(information, 0), side.actions[side.numbers[information]]
        row = self.probabilities[player][start : start + len(actions)].tolist()
        return dict(zip(actions, row, strict=True))

    def tables(self) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
        """By player and information set, the probability of each action."""
        first, second = (
            {key: self.at(player, key) for key in side.informations}
            for player, side in enumerate(self.tree.sides)
        )
        return first, second


def _array(side: Side, table: Table) -> NDArray[np.float64]:
    rows: list[Any] = [1.0]
    if not isinstance(table, Mapping) or table.keys() != side.numbers.keys():
        wrong = side.numbers.keys() ^ set(table)
        raise ArgumentError(f"information sets {sorted(map(str, wrong))[:3]}: missing, or not of this player")
    for key, actions in zip(side.informations, side.actions, strict=True):
        row = table[key]
        if not isinstance(row, Mapping) or row.keys() != set(actions):
            raise ArgumentError(f"{key}: {brief(row, 80)}, expected a probability of {', '.join(actions)}")
        rows += (real(row[action], f"{key}: {action}") for action in actions)
    return np.array(rows, np.float64)
