"""The levels of a CPT that backs off: the order of the parents and each level's strength, from the rows.

A strength is judged by the probabilities of left-out rows: of each row in turn, or of each block of rows, as
all rows of a player are if the table is meant for other players (empirical Bayes by cross-validation). Each
level costs half the logarithm of the number of rows, as a parameter does by the Bayesian information
criterion (Schwarz 1978), so that few rows support few levels.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["BackoffLevel", "Chain", "learn_levels", "learn_strengths", "moved"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

STRENGTHS = np.geomspace(1.0, 1e4, 17)
"""The strengths tried for each level, in rows; 1.8 times apart."""

FIRST = 10.0
"""The strength from which a single level's is searched; no result of it depends on this number alone."""

ROUNDS = 2
"""Of the search, which goes through the levels."""


@dataclass(frozen=True, slots=True)
class BackoffLevel:
    """A step of the back-off: ``kept``, the axes of the parents that it keeps, and its ``strength``.

    The strength, above 0, is the number of rows that the estimate of the level before is worth in each of its
    configurations.
    """

    kept: tuple[int, ...]
    strength: float


def moved(table: Array, observed: Array, total: Array, mean: Array, strength: float) -> Array:
    """The estimate of the next level (``bn.backoff``): the table unchanged where ``observed`` is 0."""
    following = table * ((observed + strength * mean) / ((total + strength) * mean))
    following /= following.sum(axis=-1, keepdims=True)
    return following


@dataclass(frozen=True, slots=True)
class _State:
    """The estimates after some levels.

    ``table``: of each configuration; ``left``: of each entry, without its left-out rows; ``kept``: all axes
    that some level kept.
    """

    table: Array
    left: Array
    kept: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class _Grouping:
    """The rows by the configuration of some parents.

    ``of``: the group of each configuration; ``observed`` and ``total``: the states of each group's rows, and
    their number; ``pair``: a number for the group and block of each entry; ``out``: the states of the rows of
    its group that are left out with each entry.
    """

    of: Ints
    observed: Array
    total: Array
    pair: Ints
    out: Array


class Chain:
    """The rows of a node and its parents, and the probabilities of left-out rows by given levels.

    While each level keeps all parents that earlier levels kept and the base depends on kept parents alone,
    they are those of a table made without the left-out rows. Otherwise a level's ``m`` (``bn.backoff``)
    without them is approximate: if the level keeps all parents of the earlier ones, ``m`` changes by the
    factor of the row's own estimate; if not, by the change of the configurations of the left-out rows.

    Parameters
    ----------
    codes
        int64, shape (rows, parents + 1): the states of the parents, then of the node.
    base
        float64, shape (rows, states): the row of the base table for each.
    blocks
        int64, shape (rows,): rows of one number are left out together; None = each row alone.
    """

    def __init__(self, codes: Ints, base: Array, blocks: Ints | None = None) -> None:
        self.rows, self.parents = len(codes), codes.shape[1] - 1
        outcome = np.eye(base.shape[1])[codes[:, -1]]
        _, first, config = np.unique(_keys(codes[:, :-1]), return_index=True, return_inverse=True)
        self._codes = codes[first, :-1]
        start = base[first]
        self._counts = _sums(config, outcome, len(first))
        left_out = codes[:, -1] if blocks is None else blocks
        _, first, self._entry = np.unique(_keys(config, left_out), return_index=True, return_inverse=True)
        self._config = config[first]
        self._truth = _sums(self._entry, outcome, len(first))
        self._block = None if blocks is None else blocks[first]
        self._out = self._truth if blocks is not None else (self._truth > 0).astype(np.float64)
        self._start = _State(start, start[self._config])
        self._groupings: dict[tuple[int, ...], _Grouping] = {}

    def left(self, levels: Iterable[BackoffLevel] = ()) -> Array:
        """The probability of each state at each row by a table without it; shape (rows, states)."""
        return np.asarray(self.run(None, levels).left[self._entry])

    def score(self, levels: Iterable[BackoffLevel] = ()) -> float:
        """The sum of the log probabilities of the left-out rows, nats."""
        return self.score_of(self.run(None, levels))

    def score_of(self, state: _State) -> float:
        """The same by a state."""
        return float((self._truth * np.log(state.left)).sum())

    def run(self, state: _State | None, levels: Iterable[BackoffLevel]) -> _State:
        """The state after further levels; None = the base."""
        state = state or self._start
        for level in levels:
            grouping = self._grouping(level.kept)
            of, at = grouping.of, grouping.of[self._config]
            observed = grouping.observed
            total = grouping.total
            rows = self._counts.sum(axis=1, keepdims=True)
            mean = _sums(of, rows * state.table, len(total)) / total
            rest = total[at] - grouping.out.sum(axis=1, keepdims=True)
            own = self._own_mean(state, grouping, mean, state.kept <= set(level.kept))
            left = moved(state.left, observed[at] - grouping.out, rest, own, level.strength)
            table = moved(state.table, observed[of], total[of], mean[of], level.strength)
            state = _State(table, left, state.kept | set(level.kept))
        return state

    def _own_mean(self, state: _State, grouping: _Grouping, mean: Array, nested: bool) -> Array:
        """The mean estimate in the group of each entry, without the left-out rows."""
        at, table = grouping.of[self._config], state.table[self._config]
        if nested:
            own = mean[at] * state.left / table
            return np.asarray(own / own.sum(axis=1, keepdims=True))
        rows = self._counts.sum(axis=1, keepdims=True)[self._config]
        change = rows * table - (rows - self._out.sum(axis=1, keepdims=True)) * state.left
        rest = grouping.total[at] - grouping.out.sum(axis=1, keepdims=True)
        sums = grouping.total[at] * mean[at] - _sums(grouping.pair, change, len(at))[grouping.pair]
        return np.where((rest > 0) & (sums > 0), sums / np.maximum(rest, 1.0), state.left)

    def _grouping(self, kept: tuple[int, ...]) -> _Grouping:
        if kept not in self._groupings:
            _, of = np.unique(_keys(self._codes[:, list(kept)]), return_inverse=True)
            observed = _sums(of, self._counts, int(of.max(initial=-1)) + 1)
            pair = np.arange(len(self._config))
            if self._block is not None:
                _, pair = np.unique(_keys(of[self._config], self._block), return_inverse=True)
            out = _sums(pair, self._out, len(pair))[pair]
            total = observed.sum(axis=1, keepdims=True)
            self._groupings[kept] = _Grouping(of, observed, total, pair, out)
        return self._groupings[kept]


def _keys(*columns: NDArray[np.integer]) -> Ints:
    """One integer for each row of codes, equal for equal rows."""
    codes = np.column_stack(columns).astype(np.int64)
    if not codes.size:
        return np.zeros(len(codes), np.int64)
    return np.asarray(np.ravel_multi_index(tuple(codes.T), tuple(codes.max(axis=0) + 1)), np.int64)


def _sums(group: NDArray[np.integer], values: Array, groups: int) -> Array:
    sums = np.zeros((groups, values.shape[1]))
    np.add.at(sums, group, values)
    return sums


def learn_levels(chain: Chain) -> tuple[BackoffLevel, ...]:
    """The order and strengths of a table's levels.

    At each step the parent is added with which left-out rows are predicted best; read backwards, the least
    informative parents are dropped one after another, down to the base.
    """
    kept: tuple[int, ...] = ()
    rest = list(range(chain.parents))
    found = [_best(chain, None, ())]
    while rest:
        state = chain.run(None, found)
        tried = [_best(chain, state, tuple(sorted((*kept, parent)))) for parent in rest]
        scores = [chain.score_of(chain.run(state, [level])) for level in tried]
        best = int(np.argmax(scores))
        rest.pop(best)
        kept = tried[best].kept
        found.append(tried[best])
    single = [BackoffLevel(level.kept, np.inf) for level in found[:-1]] + [
        BackoffLevel(found[-1].kept, FIRST)
    ]
    return _searched(chain, (found, single))


def learn_strengths(
    chain: Chain, kept: Sequence[tuple[int, ...]], before: Sequence[BackoffLevel] = ()
) -> tuple[BackoffLevel, ...]:
    """The strengths of levels in a given order, which follow other levels.

    Parameters
    ----------
    chain
        The rows.
    kept
        The axes that each level keeps, in order.
    before
        Levels that stay.

    Returns
    -------
    tuple of BackoffLevel
        Those of ``kept`` that predict left-out rows better than without them.
    """
    start = chain.run(None, before)
    return _searched(chain, [[BackoffLevel(axes, np.inf) for axes in kept]], start)


def _best(chain: Chain, state: _State | None, kept: tuple[int, ...]) -> BackoffLevel:
    """A next level with its best strength."""
    levels = [BackoffLevel(kept, float(strength)) for strength in STRENGTHS]
    return levels[int(np.argmax([chain.score_of(chain.run(state, [level])) for level in levels]))]


def _searched(
    chain: Chain, starts: Iterable[Sequence[BackoffLevel]], state: _State | None = None
) -> tuple[BackoffLevel, ...]:
    """The best levels by search from each start; a level of infinite strength is left out."""
    found = [_climbed(chain, list(levels), state) for levels in starts]
    best = max(found, key=lambda levels: _worth(chain, chain.run(state, _finite(levels)), levels))
    return tuple(_finite(best))


def _climbed(chain: Chain, levels: list[BackoffLevel], state: _State | None) -> list[BackoffLevel]:
    highest = _worth(chain, chain.run(state, _finite(levels)), levels)
    for _ in range(ROUNDS):
        for place in reversed(range(len(levels))):
            before = chain.run(state, _finite(levels[:place]))
            for strength in (*STRENGTHS, np.inf):
                changed = [
                    *levels[:place],
                    BackoffLevel(levels[place].kept, float(strength)),
                    *levels[place + 1 :],
                ]
                worth = _worth(chain, chain.run(before, _finite(changed[place:])), changed)
                if worth > highest:
                    highest, levels = worth, changed
    return levels


def _finite(levels: Iterable[BackoffLevel]) -> list[BackoffLevel]:
    return [level for level in levels if level.strength < np.inf]


def _worth(chain: Chain, state: _State, levels: Sequence[BackoffLevel]) -> float:
    return chain.score_of(state) - 0.5 * math.log(max(chain.rows, 1)) * len(_finite(levels))
