"""A strategy of both players: the probability of each action in each information set."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ArgumentError
from baycarp.search.tree import Tree

__all__ = ["Strategy", "Table"]

WITHIN = 1e-9
"""The largest error of the sum of an information set's probabilities."""

Table: TypeAlias = Mapping[str, Mapping[str, float]]
"""By information set and action, a probability."""


@dataclass(frozen=True, slots=True, eq=False)
class Strategy:
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
    >>> from baycarp.search import Kuhn, Strategy, flatten
    >>> Strategy.uniform(flatten(Kuhn())).at(1, "Q:r")
    {'fold': 0.5, 'call': 0.5}
    """

    tree: Tree
    probabilities: tuple[NDArray[np.float64], NDArray[np.float64]]

    def __post_init__(self) -> None:
        if len(self.probabilities) != 2:
            raise ArgumentError(f"{len(self.probabilities)} players: expected 2")
        for player, (side, given) in enumerate(zip(self.tree.sides, self.probabilities, strict=True)):
            if not isinstance(given, np.ndarray) or given.dtype != np.float64:
                raise ArgumentError(f"player {player}: {given!r:.60}: expected an array of float64")
            if given.shape != (side.sequences,):
                raise ArgumentError(f"player {player}: shape {given.shape}, expected ({side.sequences},)")
            sums = side.sums(given)
            if given[0] != 1 or not np.all(given >= 0) or not np.all(np.abs(sums - 1) <= WITHIN):
                raise ArgumentError(f"player {player}: expected probabilities that sum to 1 in each set")

    @classmethod
    def uniform(cls, tree: Tree) -> "Strategy":
        """Each action of an information set has the same probability."""
        return cls(tree, (tree.sides[0].uniform.copy(), tree.sides[1].uniform.copy()))

    @classmethod
    def of(cls, tree: Tree, tables: tuple[Table, Table]) -> "Strategy":
        """From tables by player.

        Raises
        ------
        ArgumentError
            An information set or action of the game is missing, one is too many, or the numbers are no
            probabilities.
        """
        arrays = []
        for player, (side, table) in enumerate(zip(tree.sides, tables, strict=True)):
            rows: list[Any] = [1.0]
            if table.keys() != side.numbers.keys():
                wrong = sorted(table.keys() ^ side.numbers.keys())[:3]
                raise ArgumentError(f"player {player}: information sets {wrong}: missing or not of the game")
            for key, actions in zip(side.informations, side.actions, strict=True):
                if table[key].keys() != set(actions):
                    raise ArgumentError(f"player {player}, {key}: {[*table[key]]}, expected {[*actions]}")
                rows += (table[key][action] for action in actions)
            arrays.append(np.array(rows, np.float64))
        return cls(tree, (arrays[0], arrays[1]))

    def at(self, player: int, information: str) -> dict[str, float]:
        """The probability of each action in an information set.

        Raises
        ------
        ArgumentError
            The player has no such information set.
        """
        side = self.tree.sides[player]
        if information not in side.numbers:
            raise ArgumentError(f"{information!r}: expected an information set of player {player}")
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
