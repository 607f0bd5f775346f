"""The sequences of one player, and the sweeps over them: down for a plan, up for values.

Arrays over sequences have the empty sequence at 0; the actions of an information set follow each other.
Information sets are in the order of the player's own decisions before them, so that each depth is a slice.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["SequenceLevel", "Side", "side_of"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class SequenceLevel:
    """The information sets of a player after the same number of own decisions.

    ``sets`` and ``sequences`` are their slices of the arrays over information sets and over sequences,
    ``starts`` the first action of each set within the latter. ``before`` has for each sequence the one that
    leads to its information set; ``into`` those that lead here, each once, and ``groups`` the first
    information set of each of these, within ``sets``.
    """

    sets: slice
    sequences: slice
    starts: NDArray[np.int64]
    before: NDArray[np.int64]
    into: NDArray[np.int64]
    groups: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """The information sets and sequences of one player.

    Parameters
    ----------
    informations
        The name of each information set.
    actions
        The names of its actions.
    first
        The sequence of its first action, int64.
    owner
        The information set of each sequence but the empty one, int64.
    levels
        The information sets by depth.
    uniform
        The strategy of equal probabilities in each information set, float64 over sequences.
    numbers
        The number of each information set by its name.
    """

    informations: tuple[str, ...]
    actions: tuple[tuple[str, ...], ...]
    first: NDArray[np.int64]
    owner: NDArray[np.int64]
    levels: tuple[SequenceLevel, ...]
    uniform: Array
    numbers: Mapping[str, int]

    @property
    def sequences(self) -> int:
        """The number of sequences, with the empty one."""
        return 1 + len(self.owner)

    def sequence(self, information: str, action: int) -> int:
        """The sequence that ends with an action; "" is the name before any of its decisions."""
        return int(self.first[self.numbers[information]]) + action if information else 0

    def plan(self, probabilities: Array) -> Array:
        """The probability of each sequence: the product of its actions' probabilities."""
        plan = np.empty(self.sequences)
        plan[0] = 1
        for level in self.levels:
            plan[level.sequences] = plan[level.before] * probabilities[level.sequences]
        return plan

    def sums(self, weights: Array) -> Array:
        """The sum over the actions of each information set."""
        return np.add.reduceat(weights, self.first) if len(self.first) else np.empty(0)

    def proportions(self, weights: Array) -> Array:
        """Weights of sequences, at least 0, as a strategy; uniform where all actions have weight 0."""
        totals = self.sums(weights)[self.owner]
        probabilities = self.uniform.copy()
        np.divide(weights[1:], totals, out=probabilities[1:], where=totals > 0)
        return probabilities

    def mean(self, gains: Array, probabilities: Array) -> Array:
        """Add up values from the ends, in place: an information set has the mean of its actions.

        Parameters
        ----------
        gains
            What is won at the ends of each sequence (``GameTree.gains``); afterwards the counterfactual
            value of each action, and at 0 that of the game.
        probabilities
            The strategy of the player.

        Returns
        -------
        float64, shape (information sets,)
            The counterfactual value of each.
        """
        return self._up(gains, lambda part: gains[part] * probabilities[part], np.add)

    def best(self, gains: Array) -> Array:
        """As ``mean``, with the largest value of the actions of each information set."""
        return self._up(gains, lambda part: gains[part], np.maximum)

    def _up(self, gains: Array, weighted: Callable[[slice], Array], combine: np.ufunc) -> Array:
        values = np.empty(len(self.first))
        for level in reversed(self.levels):
            values[level.sets] = combine.reduceat(weighted(level.sequences), level.starts)
            gains[level.into] += np.add.reduceat(values[level.sets], level.groups)
        return values


def side_of(sets: Mapping[str, tuple[tuple[str, ...], tuple[str, int]]]) -> Side:
    """The side of a player.

    Parameters
    ----------
    sets
        By information set: its actions, and the player's last own action before it, ("", 0) if there is none;
        an information set comes after those that lead to it.
    """
    depth: dict[str, int] = {"": 0}
    by_depth: list[list[str]] = []
    for key, (_, (before, _)) in sets.items():
        depth[key] = depth[before] + 1
        if depth[key] > len(by_depth):
            by_depth.append([])
        by_depth[depth[key] - 1].append(key)
    order: list[str] = []
    first: dict[str, int] = {}
    levels: list[SequenceLevel] = []
    end = 1
    for same in by_depth:
        lasts = {key: sets[key][1] for key in same}
        parents = {key: first[before] + action if before else 0 for key, (before, action) in lasts.items()}
        keys, begin = sorted(parents, key=parents.__getitem__), end
        for key in keys:
            first[key] = end
            end += len(sets[key][0])
        levels.append(
            _level(len(order), begin, [len(sets[key][0]) for key in keys], [parents[key] for key in keys])
        )
        order += keys
    counts = [len(sets[key][0]) for key in order]
    return Side(
        tuple(order),
        tuple(sets[key][0] for key in order),
        np.array([first[key] for key in order], np.int64),
        np.repeat(np.arange(len(order)), counts),
        tuple(levels),
        np.concatenate([[1.0], np.repeat(1 / np.array(counts, np.float64), counts)]),
        {key: number for number, key in enumerate(order)},
    )


def _level(set_: int, sequence: int, counts: list[int], parents: list[int]) -> SequenceLevel:
    """The level whose first information set and sequence are these."""
    into, groups = np.unique(np.array(parents, np.int64), return_index=True)
    return SequenceLevel(
        slice(set_, set_ + len(counts)),
        slice(sequence, sequence + sum(counts)),
        np.cumsum([0, *counts[:-1]]),
        np.repeat(np.array(parents, np.int64), counts),
        into,
        groups.astype(np.int64),
    )
