"""BN-CBR-2, exemplars: cases summarised, chosen by prototypicality (Vadera et al.)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.anytime import Answer, Recorder
from baycarp.agents.couplings.discretised import ACTION, action_network, discretised
from baycarp.agents.couplings.player import Coupled, Features
from baycarp.agents.trace import Stage
from baycarp.cases import CaseBase, Situation
from baycarp.game import Action
from baycarp.strategies.episode import DecisionPoint

__all__ = ["ExemplarStage", "Exemplars", "Summary", "summary"]

Array = NDArray[np.float64]

EXEMPLARS = 30
"""Of a category, at most; our choice, as are the other numbers."""

SAMPLE = 1500
"""Cases of a category among which exemplars are chosen, evenly through the watched hands."""

PSEUDO = 1.0
"""Pseudo-counts of each state of a feature in a summary, of its frequency in all cases together."""


@dataclass(frozen=True, slots=True)
class ExemplarStage(Stage, name="exemplars"):
    """The categories by the index network, and the exemplar that was chosen in the one that acts.

    Parameters
    ----------
    chances
        The probability of each legal category with its best exemplar, up to a factor.
    legal
        By legal solution, its action.
    exemplar
        The case, by its id.
    cases
        How many it stands for.
    prototypicality
        Its mean similarity to its own category's cases less that to the others', -1..1.
    """

    chances: Mapping[str, float]
    legal: Mapping[str, Action]
    exemplar: int
    cases: int
    prototypicality: float


class Exemplars(Features):
    """BN-CBR-2: one network indexes categories, a second finds the exemplar; its category is the solution.

    Tight, vertical: the index network takes I and the reader's D and gives A, the probability of each
    category, an action; the exemplar network takes the same and gives the exemplar within it; exemplar and
    category together give C. An exemplar stands for the cases that it is most similar to, by the frequency of
    each state among them. Exemplars are chosen at once, by family resemblance; in the paper case by case.
    """

    def answer(self, player: Coupled, point: DecisionPoint, recorder: Recorder) -> Answer:
        """The category of the most probable exemplar."""
        base = player.model.casebases[point.schema.name]
        known, choices = summary(base), player.strategy.choices(point.observation, point.schema)
        within = known.within(point.situation)
        by_category = action_network(base).chances(point.situation)
        found: dict[str, tuple[float, int]] = {}
        for category, solution in enumerate(base.schema.solutions):
            of = np.flatnonzero(known.category == category)
            name = choices.counted.get(solution)
            if name is None or not len(of):
                continue
            share = np.exp(within[of] - within[of].max())
            best = int(share.argmax())
            worth = by_category[solution] * float(share[best] / share.sum())
            found[name] = max(found.get(name, (-1.0, -1)), (worth, int(of[best])))
        legal = choices.legal
        chances = {each: found[each][0] for each in legal if each in found}
        name = max(chances, key=chances.__getitem__)
        place = found[name][1]
        kept = int(known.ids[place]), int(known.cases[place]), float(known.prototypicality[place])
        recorder.add(ExemplarStage(chances, legal, *kept, seconds=recorder.lap()))
        policy = {action: float(each == name) for each, action in legal.items()}
        return Answer(legal[name], policy, f"like case {kept[0]}, which stands for {kept[1]:,} that did so")


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """The exemplars of a case-base.

    Parameters
    ----------
    casebase
        Of the cases.
    ids, category, cases, prototypicality
        Of each exemplar: the id of its case, the place of its solution, how many cases it stands for, and how
        typical it is.
    logs
        By column: the log frequency of each state among an exemplar's cases; shape (exemplars, states).
    """

    casebase: CaseBase
    ids: NDArray[np.int64]
    category: NDArray[np.int64]
    cases: NDArray[np.int64]
    prototypicality: Array
    logs: Mapping[str, Array]

    def within(self, situation: Situation) -> Array:
        """The log of P(exemplar, features), in nats, up to a constant; shape (exemplars,)."""
        codes = discretised(self.casebase)[0].of(situation)
        total = np.log(self.cases.astype(np.float64))
        return np.asarray(total + sum(self.logs[name][:, code] for name, code in codes.items()))


@lru_cache(maxsize=16)
def summary(casebase: CaseBase) -> Summary:
    """Choose the exemplars of each category, and summarise the cases that each stands for."""
    cut, columns = discretised(casebase)
    names = list(cut.schema.columns)
    flat = _indicators(np.stack([columns[name] for name in names]), [len(cut.states[n]) for n in names])
    action = columns[ACTION]
    means = {code: flat[action == code].mean(axis=0) for code in np.unique(action).tolist()}
    every = flat.mean(axis=0)
    chosen, typical, stands, own = [], [], [], []
    for code, mean in means.items():
        rows = np.flatnonzero(action == code)
        others = (every * len(flat) - mean * len(rows)) / max(1, len(flat) - len(rows))
        candidates = rows[:: max(1, len(rows) // SAMPLE)]
        worth = flat[candidates] @ (mean - others) / len(names)
        picked = _apart(flat[candidates], worth)
        of = (flat[rows] @ flat[candidates[picked]].T).argmax(axis=1)
        for place, each in enumerate(picked):
            chosen.append(int(candidates[each]))
            typical.append(float(worth[each]))
            stands.append(rows[of == place])
            own.append(code)
    counts = np.array([flat[rows].sum(axis=0) for rows in stands]) + PSEUDO * every
    logs, start = {}, 0
    for name in names:
        part = counts[:, start : (start := start + len(cut.states[name]))] + 1e-6
        logs[name] = np.log(part / part.sum(axis=1, keepdims=True))
    ids = casebase.snapshot().ids[np.array(chosen)]
    sizes = np.array([len(rows) for rows in stands])
    return Summary(casebase, ids, np.array(own), sizes, np.array(typical), logs)


def _indicators(codes: NDArray[np.int64], states: list[int]) -> NDArray[np.float32]:
    """One column for each state of each feature, 0 or 1; shape (cases, states of all)."""
    return np.concatenate([np.eye(n, dtype=np.float32)[row] for row, n in zip(codes, states, strict=True)], 1)


def _apart(candidates: NDArray[np.float32], worth: Array) -> list[int]:
    """The most typical candidates, one after the other, each the less so the more a chosen one is like it."""
    left, picked = worth.copy(), list[int]()
    features = candidates[0].sum() if len(candidates) else 1
    while len(picked) < EXEMPLARS and np.isfinite(left).any():
        best = int(left.argmax())
        picked.append(best)
        alike = candidates @ candidates[best] / features
        left = np.where(alike < 1 - 1e-6, left - alike**4, -np.inf)  # of equal candidates one
    return picked
