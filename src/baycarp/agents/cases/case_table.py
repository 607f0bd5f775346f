"""A case player that answers as a table: its strategy describes the betting and a class of holdings alone.

The cases differ in few classes, so that each class is compared with each class that occurs, once a street; at
a decision point the betting alone is compared. The answer is that of a retrieval for every class.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import ClassPolicies
from baycarp.agents.cases.case_player import CasePlayer
from baycarp.cases import CaseBase, Distribution, Schema, Snapshot, Weighing, local_similarities
from baycarp.cases.columns import keys, same
from baycarp.errors import ModelError, TableError
from baycarp.game import State
from baycarp.rules.betting.context import FOLD_CALL_RAISE
from baycarp.strategies.spec import ClassDescription

__all__ = ["CaseTable"]

Array = NDArray[np.float64]


class CaseTable(CasePlayer, ClassPolicies):
    """A case player whose policies are a table (``agents.base.ClassPolicies``)."""

    def hand_classes(self, state: State) -> NDArray[np.uint16]:
        """The class of each holding on the board: uint16, shape (1326,); 0 for blocked holdings."""
        return self._description.classes(state.board)

    def class_policies(self, state: State) -> Array:
        """The probabilities of (fold, check or call, bet or raise) by class: float64, shape (classes, 3).

        Raises
        ------
        TableError
            Another game, or a player that explores.
        ModelError
            A case-base without a case.
        """
        self.plays.verify(state.variant)
        if self.reuse.explore:
            raise TableError(f"explore={self.reuse.explore}: expected 0 of a player that answers as a table")
        name = self.strategy.key(state.observe(state.to_act))
        memories = (self.casebases[name], *(expert.casebases[name] for expert in self.reuse.experts))
        policies = np.array([self._policies(memory, state) for memory in memories])
        return _voted(policies) if self.strategy.together == "vote" else np.asarray(policies.mean(axis=0))

    @property
    def _description(self) -> ClassDescription:
        assert isinstance(self.strategy.describe, ClassDescription)
        return self.strategy.describe

    def _policies(self, memory: CaseBase, state: State) -> Array:
        found = self._street(memory, state.street).retrieved(self._description.betting(state))
        observation = state.observe(state.to_act)
        choices = self.strategy.choices(observation, memory.schema)
        legal, solutions = list(choices.legal), memory.schema.solutions
        counted = np.zeros((len(legal), len(solutions)))
        for solution, name in choices.counted.items():
            counted[legal.index(name), solutions.index(solution)] = 1
        policy = self.strategy.policy
        assert isinstance(policy, Weighing)
        chances = policy.choose_all(*(counted @ sums for sums in found))
        none = dict.fromkeys(legal, 0.0)
        default = policy.choose(Distribution(dict.fromkeys(legal, 0), none, none)).probabilities
        chances[:, ~chances.any(axis=0)] = np.array([default.get(name, 0.0) for name in legal])[:, None]
        columns = np.zeros((chances.shape[1], 3))
        for name, row in zip(legal, chances, strict=True):
            columns[:, FOLD_CALL_RAISE[choices.legal[name].name]] += row
        return columns

    def _street(self, memory: CaseBase, street: int) -> "_Street":
        """The classes of a street compared; made anew when the memory has grown."""
        cache: dict[int, _Street] = self.__dict__.setdefault("_streets", {})
        if not len(memory):
            raise ModelError(f"case-base {memory.schema.name!r} holds no case: expected a trained model")
        made = cache.get(id(memory))
        if made is None or made.cases is not memory.snapshot():
            made = cache[id(memory)] = _Street.of(memory, self._description, street)
        return made


@dataclass(frozen=True, eq=False)
class _Street:
    """The classes of a street, compared with those of its cases.

    ``order`` has the cases sorted by class, ``starts`` the place of the first of each class. ``before`` and
    ``after`` have by class and class of the cases the weighted sum of the similarities of the features before
    and after the betting, whose place among the symbols is ``place``.
    """

    schema: Schema
    cases: Snapshot
    order: NDArray[np.int64]
    starts: NDArray[np.int64]
    before: Array
    after: Array
    place: int

    @staticmethod
    def of(memory: CaseBase, description: ClassDescription, street: int) -> "_Street":
        """Compare every class with every class of the cases."""
        schema, now = memory.schema, memory.snapshot()
        betting = next(name for name in _symbols(schema) if name not in description.features(0, street))
        place = _symbols(schema).index(betting)
        codes = None if now.symbols is None else np.delete(now.symbols[:, : now.count], place, axis=0)
        first, which = same(keys(now.numbers[:, : now.count], now.codes[:, : now.count], codes))
        order = np.argsort(which, kind="stable")
        starts = np.searchsorted(which[order], np.arange(len(first)))
        column = schema.columns.index(betting)
        any_betting = now.symbols_of(0)[place]
        weights = np.array(schema.weights)[:, None]
        before, after = np.empty((2, description.count(street), len(first)))
        for number in range(description.count(street)):
            values = {**description.features(number, street), betting: any_betting}
            each = weights * local_similarities(memory, schema.situation(values), now.named(first))
            before[number], after[number] = _sum(each[:column]), _sum(each[column + 1 :])
        return _Street(schema, now, order, starts, before, after, place)

    def retrieved(self, betting: Mapping[str, Any]) -> tuple[Array, Array, Array]:
        """Sums over the cases that each class retrieves after a betting: counts, outcomes, similarities.

        Returns
        -------
        Three float64 arrays, shape (solutions, classes)
        """
        (name, value), schema, now = next(iter(betting.items())), self.schema, self.cases
        vocabulary = now.vocabularies[self.place]
        alike = vocabulary.similarities(vocabulary.comparison.text(value))
        weight = schema.weights[schema.columns.index(name)]
        best, (counts, sums) = self._most_alike(alike)
        of, at = self.pairs
        if schema.most:  # the most similar ones, ties together
            near = self.before + weight * best
            near += self.after
            near /= sum(schema.weights)
            of, at = np.nonzero(near == near.max(axis=1, keepdims=True))
            near = near[of, at]
        else:
            near = ((self.before[of, at] + weight * best[at]) + self.after[of, at]) / sum(schema.weights)
            reached = near >= schema.threshold
            of, at, near = of[reached], at[reached], near[reached]
        added = np.zeros((3, len(self.before), len(counts)))
        for total, parts in zip(added, (counts[:, at], sums[:, at], counts[:, at] * near), strict=True):
            np.add.at(total, of, parts.T)
        return added[0].T, added[1].T, added[2].T

    def _most_alike(self, alike: Array) -> tuple[Array, Array]:
        """By class of the cases: the best similarity of a betting, and the sums over the cases with it.

        ``alike`` is the similarity of each symbol; few are above 0. The sums are counts and outcomes, shape
        (2, solutions, classes).
        """
        firsts = self.firsts
        found = np.flatnonzero(alike[: len(firsts) - 1]).tolist()  # the vocabulary may be newer
        rows = [self.by_betting[firsts[each] : firsts[each + 1]] for each in found]
        cases = np.concatenate([self.by_betting[:0], *rows])
        near, which = alike[self.symbols[cases]], self.which[cases]
        best = np.zeros(len(self.starts))
        np.maximum.at(best, which, near)
        nearest = near == best[which]
        cases, which = cases[nearest], which[nearest]
        sums = np.where(best > 0, 0.0, self.totals)  # without a similar betting all are equally similar
        for total, each in zip(sums, self.tried, strict=True):
            np.add.at(total.T, which, each[:, cases].T)
        return best, sums

    @cached_property
    def symbols(self) -> NDArray[np.int64]:
        """The betting of each case, in order."""
        assert self.cases.symbols is not None
        return np.asarray(self.cases.symbols[self.place, self.order], np.int64)

    @cached_property
    def which(self) -> NDArray[np.int64]:
        """The class of each case, in order."""
        return np.repeat(np.arange(len(self.starts)), np.diff(np.append(self.starts, len(self.order))))

    @cached_property
    def by_betting(self) -> NDArray[np.int64]:
        """Cases sorted by their betting."""
        return np.argsort(self.symbols, kind="stable")

    @cached_property
    def firsts(self) -> NDArray[np.int64]:
        """The place of the first case of each betting in ``by_betting``, and the number of cases."""
        symbols = np.arange(int(self.symbols.max()) + 2)
        return np.asarray(np.searchsorted(self.symbols[self.by_betting], symbols), np.int64)

    @cached_property
    def totals(self) -> Array:
        """Counts and outcomes of all cases of a class; shape (2, solutions, classes)."""
        return np.array([np.add.reduceat(each, self.starts, axis=1) for each in self.tried])

    @cached_property
    def pairs(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Classes, and those of cases, that reach the threshold with equal betting."""
        weights = self.schema.weights
        whole = weights[self.schema.columns.index(_symbols(self.schema)[self.place])]
        of, at = np.nonzero((self.before + whole + self.after) / sum(weights) >= self.schema.threshold)
        return of, at

    @cached_property
    def tried(self) -> tuple[Array, Array]:
        """Counts and outcomes by solution, of the cases in order; shape (solutions, cases)."""
        now = self.cases
        counts = now.chosen(len(self.schema.solutions))[:, self.order].astype(np.float64)
        return counts, counts * now.outcomes[self.order] if now.sums is None else now.sums[:, self.order]


def _voted(policies: Array) -> Array:
    """What ``cases.vote`` gives by class, of the policies of memories: shape (memories, classes, 3)."""
    voting = policies.any(axis=2, keepdims=True)
    cast = (np.eye(3)[policies.argmax(axis=2)] * voting).sum(axis=0)
    mean = np.where(cast == cast.max(axis=1, keepdims=True), policies.sum(axis=0), -1.0)
    return np.asarray(np.eye(3)[mean.argmax(axis=1)] * voting.any(axis=0))


def _symbols(schema: Schema) -> list[str]:
    return [feature.name for feature in schema.symbols]


def _sum(rows: Sequence[Array] | Array) -> Array | float:
    """One after the other, as the retrieval adds."""
    total: Array | float = 0.0
    for row in rows:
        total = total + row
    return total
