"""A river spot in plain NumPy: matrices of pairs of holdings, regrets by node, linear weights."""

import numpy as np
from numpy.typing import NDArray

from baycarp.card import HOLDINGS
from baycarp.kernels.sweeps import rank_holdings
from baycarp.solvers.spots.betting import Kind
from baycarp.solvers.spots.given import EngineInput

__all__ = ["NumpyRiver"]

Array = NDArray[np.float64]


class NumpyRiver:
    """Regret minimisation as the engine does it, with weights t / (t + 1) for regrets and averages."""

    def __init__(self, given: EngineInput) -> None:
        one, other = (HOLDINGS[rows.holdings] for rows in given.rows)
        apart = ~(one[:, None, :, None] == other[None, :, None, :]).any(axis=(2, 3))
        ranks = rank_holdings(np.frombuffer(given.board, np.uint8)).astype(np.int64)
        first, second = (ranks[rows.holdings] for rows in given.rows)
        self.apart = apart.astype(np.float64)
        self.ahead = self.apart * np.sign(first[:, None] - second[None, :])
        self.weights = [rows.weights.astype(np.float64) for rows in given.rows]
        self.tree, self.iterations = given.arrays, 0
        nodes = np.flatnonzero(self.tree.kind == Kind.DECISION).tolist()
        shapes = {n: (int(self.tree.count[n]), len(self.weights[self.tree.player[n]])) for n in nodes}
        self.regret = {node: np.zeros(shape) for node, shape in shapes.items()}
        self.sums = {node: np.zeros(shape) for node, shape in shapes.items()}

    def run(self, iterations: int) -> None:
        """Iterate: both players in turn."""
        for _ in range(iterations):
            for hero in (0, 1):
                self._walk(0, hero, self.weights[1 - hero])
            self.iterations += 1

    def value(self) -> float:
        """What the first player has with both average strategies, in chips."""
        mass = self.weights[0] @ self.apart @ self.weights[1]
        values = self._walk(0, 0, self.weights[1], is_average=True)
        return float(self.weights[0] @ values / mass)

    def _walk(self, node: int, hero: int, reach: Array, is_average: bool = False) -> Array:
        tree = self.tree
        if tree.kind[node] == Kind.FOLD:
            return self._sum(self.apart, hero, reach) * float(tree.payoff[node, hero, 0])
        if tree.kind[node] == Kind.SHOWDOWN:
            win, tie, lose = tree.payoff[node, hero]
            lead = self._sum(self.ahead if not hero else -self.ahead, hero, reach)
            level = self._sum(np.abs(self.ahead), hero, reach)
            met = self._sum(self.apart, hero, reach)
            return np.asarray((lead * (win - lose) + level * (win + lose)) / 2 + (met - level) * tie)
        shares = _shares(self.sums[node] if is_average else self.regret[node])
        keep = self.iterations / (self.iterations + 1)
        children = range(tree.first[node], tree.first[node] + tree.count[node])
        if tree.player[node] != hero:
            if not is_average:
                self.sums[node] = keep * self.sums[node] + reach * shares
            parts = [
                self._walk(child, hero, reach * share, is_average)
                for child, share in zip(children, shares, strict=True)
            ]
            return np.asarray(sum(parts))
        values = np.array([self._walk(child, hero, reach, is_average) for child in children])
        mean = (shares * values).sum(axis=0)
        if not is_average:
            self.regret[node] = keep * self.regret[node] + values - mean
        return np.asarray(mean)

    @staticmethod
    def _sum(matrix: Array, hero: int, reach: Array) -> Array:
        return np.asarray(reach @ matrix if hero else matrix @ reach)


def _shares(table: Array) -> Array:
    positive = np.maximum(table, 0)
    total = positive.sum(axis=0)
    return np.where(total > 0, positive / np.where(total > 0, total, 1.0), 1 / len(table))
