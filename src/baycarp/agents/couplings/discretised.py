"""The features of cases as states, and a network of the action over them, learned from the same cases.

The network is a tree-augmented naive Bayes (Friedman, Geiger and Goldszmidt 1997): every feature depends on
the action and one other feature at most, along the tree of the greatest mutual information given the action.
Features are cut at the quantiles of the cases; this is the loss that Unger expects of a network that decides
(2011, section 4.2.5).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from baycarp.bn import Inference, Network, Structure
from baycarp.bn.learn import fit
from baycarp.cases import CaseBase, Schema, Situation
from baycarp.cases.similarity import NONE

__all__ = ["ACTION", "ActionNetwork", "Discretised", "action_network", "discretised", "network_of"]

Codes = NDArray[np.int64]

ACTION = "next action"
"""The node of the solution."""

BINS = 8
"""Quantiles that a number is cut at; our choice, as is the prior."""

PSEUDO = 10.0
"""Pseudo-counts of a table (BDeu)."""


@dataclass(frozen=True, eq=False)
class Discretised:
    """A schema whose numbers are cut.

    Parameters
    ----------
    schema
        Of the cases.
    cuts
        By number, the values at which it is cut, rising.
    """

    schema: Schema
    cuts: tuple[NDArray[np.float32], ...]

    @property
    def states(self) -> dict[str, tuple[str, ...]]:
        """The states of the action and of each column."""
        bins = [tuple(map(str, range(len(cuts) + 1))) for cuts in self.cuts]
        slots = [(*states, "none") for states in self.schema.states]
        return {ACTION: self.schema.solutions, **dict(zip(self.schema.columns, bins + slots, strict=True))}

    def columns(self, numbers: NDArray[np.float32], codes: NDArray[np.uint8]) -> dict[str, Codes]:
        """The codes of situations, shapes (numbers, n) and (slots, n), by column: int64, shape (n,)."""
        cut = [np.searchsorted(cuts, row, side="right") for cuts, row in zip(self.cuts, numbers, strict=True)]
        slots = [
            np.where(row == NONE, len(states), row)
            for states, row in zip(self.schema.states, codes, strict=True)
        ]
        both = zip(self.schema.columns, [*cut, *slots], strict=True)
        return {name: np.asarray(column, np.int64) for name, column in both}

    def of(self, situation: Situation) -> dict[str, int]:
        """The code of each column of one situation."""
        found = self.columns(situation.numbers[:, None], situation.codes[: len(self.schema.states), None])
        return {name: int(column[0]) for name, column in found.items()}


@lru_cache(maxsize=32)
def discretised(casebase: CaseBase) -> tuple[Discretised, Mapping[str, Codes]]:
    """The cuts of a case-base, and all its cases as codes, the action's too."""
    columns = casebase.columns()
    shares = np.arange(1, BINS) / BINS
    some = len(casebase) > 0
    cuts = tuple(np.unique(np.quantile(row, shares)) if some else shares[:0] for row in columns["numbers"])
    cut = Discretised(casebase.schema, tuple(np.asarray(each, np.float32) for each in cuts))
    found = cut.columns(columns["numbers"], columns["codes"])
    return cut, {ACTION: columns["solutions"].astype(np.int64), **found}


class ActionNetwork:
    """A network that gives the action's probabilities in a situation.

    Parameters
    ----------
    cut
        The features as states.
    network
        With ``ACTION`` and every column of the schema.
    """

    def __init__(self, cut: Discretised, network: Network) -> None:
        self.cut, self.network = cut, network
        self.inference = Inference(network)

    def evidence(self, situation: Situation) -> dict[str, str]:
        """The state of each column in a situation."""
        states = self.network.structure.states
        return {name: states[name][code] for name, code in self.cut.of(situation).items()}

    def chances(self, situation: Situation) -> dict[str, float]:
        """The probability of each solution of the schema."""
        found = self.inference.posterior(self.evidence(situation), (ACTION,))[ACTION]
        return dict(zip(self.cut.schema.solutions, found.tolist(), strict=True))


@lru_cache(maxsize=32)
def action_network(casebase: CaseBase) -> ActionNetwork:
    """The network of all cases of a case-base."""
    cut, columns = discretised(casebase)
    return ActionNetwork(cut, fit(_tree(cut, columns), columns, PSEUDO))


def network_of(casebase: CaseBase, rows: NDArray[np.integer] | NDArray[np.bool_]) -> ActionNetwork:
    """The network of some cases: tables of these ``rows``, arcs of all cases."""
    cut, columns = discretised(casebase)
    structure = action_network(casebase).network.structure
    return ActionNetwork(cut, fit(structure, {name: each[rows] for name, each in columns.items()}, PSEUDO))


def _tree(cut: Discretised, columns: Mapping[str, Codes]) -> Structure:
    """The tree of the greatest mutual information given the action, from the first column on (Prim 1957)."""
    names, states = list(cut.schema.columns), cut.states
    count = len(names)
    worth = np.zeros((count, count))
    for one in range(count):
        for other in range(one):
            pair = names[one], names[other]
            shape = tuple(len(states[name]) for name in (ACTION, *pair))
            flat = np.ravel_multi_index(tuple(columns[name] for name in (ACTION, *pair)), shape)
            joint = np.bincount(flat, minlength=int(np.prod(shape))).reshape(shape).astype(np.float64)
            worth[one, other] = worth[other, one] = _information(joint)
    parents: dict[str, tuple[str, ...]] = dict.fromkeys(names, (ACTION,))
    reached = [0]
    while len(reached) < count:
        left = [place for place in range(count) if place not in reached]
        at = np.unravel_index(int(worth[np.ix_(reached, left)].argmax()), (len(reached), len(left)))
        above, below = reached[int(at[0])], left[int(at[1])]
        parents[names[below]] = (ACTION, names[above])
        reached.append(below)
    return Structure(states, parents)


def _information(joint: NDArray[np.float64]) -> float:
    """The mutual information of the last two axes given the first, times the number of rows, in nats."""
    apart = joint.sum(axis=2, keepdims=True) * joint.sum(axis=1, keepdims=True)
    met = joint > 0
    whole = np.broadcast_to(joint.sum(axis=(1, 2), keepdims=True), joint.shape)
    return float((joint[met] * np.log(joint[met] * whole[met] / apart[met])).sum())
