"""Monte Carlo counterfactual regret minimisation with external sampling.

An iteration walks the game once for each player: all its own actions are tried, and one move of chance and of
the opponent is drawn at each node. A walk visits a small part of a large game, and its counterfactual values
are in the mean those of a sweep of the whole game.

Source: M. Lanctot, K. Waugh, M. Zinkevich, M. Bowling, Monte Carlo sampling for regret minimization in
extensive games, NIPS 2009, section 3.2.
"""

from collections.abc import Callable
from random import Random
from typing import TypeAlias

import numpy as np

from baycarp.errors import VariantError
from baycarp.kernels.arguments import MOST_SEED, instance, whole
from baycarp.solvers.small.game import CHANCE, END
from baycarp.solvers.small.strategy import StrategyProfile
from baycarp.solvers.small.tree import GameTree

__all__ = ["ExternalSampling", "Sampler"]

Row: TypeAlias = list[float]
"""Over the actions of one information set."""

Play: TypeAlias = Callable[[int], Row]
"""The probabilities of the actions of an information set, by its number."""

Visit: TypeAlias = tuple[int, Row, float]
"""The number of an information set, the value of each action, and their mean."""

DEEPEST = 350
"""Moves of a game that is walked, at most: a walk calls itself at each, and Python limits such calls."""


class Sampler:
    """Walks a game; the lists of its nodes are read faster than arrays, one number at a time."""

    def __init__(self, tree: GameTree, seed: int) -> None:
        nodes = instance(tree, GameTree, "tree").nodes
        self._turn = nodes.turn.tolist()
        self._child = nodes.child.tolist()
        self._moves = nodes.moves.tolist()
        self._payoff = nodes.payoff.tolist()
        depth = [0] * len(self._turn)
        for node, (child, moves) in enumerate(zip(self._child, self._moves, strict=True)):
            depth[child : child + moves] = [depth[node] + 1] * moves
        if depth[-1] > DEEPEST:  # nodes are in order of depth
            raise VariantError(
                f"{tree.game.name}: {depth[-1]} moves: expected at most {DEEPEST} to sample it"
            )
        self._information = nodes.information.tolist()
        chance = nodes.chance.tolist()
        self._odds = {
            node: chance[self._child[node] : self._child[node] + self._moves[node]]
            for node, turn in enumerate(self._turn)
            if turn == CHANCE
        }
        self._draw = Random(whole(seed, "seed", 0, MOST_SEED)).random

    def walk(self, player: int, play: tuple[Play, Play]) -> tuple[float, list[Visit], list[tuple[int, Row]]]:
        """Sample the game once.

        Returns
        -------
        value
            What the player wins.
        own
            The player's information sets that were visited: the value of each action, and their mean.
        other
            Those of the opponent, with the probabilities that one action was drawn from.
        """
        own: list[Visit] = []
        other: list[tuple[int, Row]] = []
        sign = 1 - 2 * player

        def value(node: int) -> float:
            turn, child = self._turn[node], self._child[node]
            if turn == END:
                return float(sign * self._payoff[node])
            if turn == CHANCE:
                return value(child + self._drawn(self._odds[node]))
            number = self._information[node]
            row = play[turn](number)
            if turn != player:
                other.append((number, row))
                return value(child + self._drawn(row))
            values = [value(child + move) for move in range(len(row))]
            mean = sum(map(float.__mul__, row, values))
            own.append((number, values, mean))
            return mean

        return value(0), own, other

    def _drawn(self, row: Row) -> int:
        """A number with these probabilities, by inversion."""
        left = self._draw()
        for number, chance in enumerate(row):
            left -= chance
            if left < 0:
                return number
        return max(number for number, chance in enumerate(row) if chance > 0)  # they sum to a little below 1


class ExternalSampling:
    """A solver that samples chance and the opponent; sums of regrets as in CFR, average as in Lanctot et al.

    Parameters
    ----------
    tree
        The game.
    seed
        Fixes every draw, 0..2^64 - 1.

    Attributes
    ----------
    iterations : int
        Iterations so far.

    Raises
    ------
    ArgumentError
        A seed outside its range.
    VariantError
        A game of more than 350 moves.

    Examples
    --------
    >>> from baycarp.solvers import Kuhn, exploitability, flatten
    >>> solver = ExternalSampling(flatten(Kuhn()), seed=1)
    >>> for _ in range(5000):
    ...     solver.step()
    >>> exploitability(solver.average()) < 0.03
    True
    """

    def __init__(self, tree: GameTree, seed: int) -> None:
        self.tree = tree
        self.iterations = 0
        self._sampler = Sampler(tree, seed)
        self._regrets = _rows(tree)
        self._sums = _rows(tree)

    def step(self) -> None:
        """One iteration: a walk for each player, in turn."""
        self.iterations += 1
        play = self._play(0), self._play(1)
        for player in (0, 1):
            _, own, other = self._sampler.walk(player, play)
            for number, values, mean in own:
                regrets = self._regrets[player][number]
                for move, each in enumerate(values):
                    regrets[move] += each - mean
            for number, row in other:
                sums = self._sums[1 - player][number]
                for move, each in enumerate(row):
                    sums[move] += each

    def _play(self, player: int) -> Play:
        regrets = self._regrets[player]

        def matched(number: int) -> Row:
            positive = [each if each > 0 else 0.0 for each in regrets[number]]
            total = sum(positive)
            return [each / total for each in positive] if total > 0 else [1 / len(positive)] * len(positive)

        return matched

    def average(self) -> StrategyProfile:
        """The average strategy, which converges to an equilibrium; uniform where nothing was visited."""
        first, second = (
            side.proportions(np.array([0.0, *(each for row in rows for each in row)]))
            for side, rows in zip(self.tree.sides, self._sums, strict=True)
        )
        return StrategyProfile(self.tree, (first, second))


def _rows(tree: GameTree) -> tuple[list[Row], list[Row]]:
    first, second = ([[0.0] * len(each) for each in side.actions] for side in tree.sides)
    return first, second
