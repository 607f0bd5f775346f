"""BN-CBR-2, cases as nodes: P(case on | evidence) is the similarity (Aamodt and Langseth)."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.couplings.discretised import ACTION, discretised
from baycarp.agents.couplings.player import Features
from baycarp.cases import CaseBase, Retrieved, Situation

__all__ = ["ByPosterior", "log_lift"]

Array = NDArray[np.float64]

NEAR = 0.4
"""Of a number's states, how much less likely each further one is if a case is on; our choice."""

SAME = 0.6
"""The probability of a slot's own state if a case is on; else a state is as frequent as usual. Our choice."""

THRESHOLD = 1 / 30
"""Cases are retrieved whose probability is at least this share of the greatest; our choice."""


class ByPosterior(Features):
    """BN-CBR-2: every case is a node that is on or off, linked to its features; its posterior is compared.

    Tight, vertical: the network takes I and the reader's D, and works inside the retrieve step; the cases
    above a threshold give C. The network over a case's features is naive: an observed state is likely near
    the case's own, and as frequent as in all cases if the case is off.
    """

    def similar(self, casebase: CaseBase, situation: Situation) -> Retrieved:
        """All cases whose probability of being on reaches the threshold, most probable first."""
        lift = log_lift(casebase, situation)
        chances = np.exp(lift - lift.max(initial=-np.inf))
        ids = np.flatnonzero(chances >= THRESHOLD)
        order = ids[np.argsort(-chances[ids], kind="stable")]
        now = casebase.snapshot()
        return Retrieved(now.ids[: now.count][order], chances[order], False, len(lift), len(lift))


def log_lift(casebase: CaseBase, situation: Situation) -> Array:
    """The log of P(evidence | case on) / P(evidence) of each case, in nats; float64, shape (cases,)."""
    cut, columns = discretised(casebase)
    total = np.zeros(len(casebase))
    for name, code in cut.of(situation).items():
        total += _rows(casebase, name)[code][columns[name]]
    return total


@lru_cache(maxsize=512)
def _rows(casebase: CaseBase, name: str) -> Array:
    """By observed state and state of the case, the log of how much likelier it is if the case is on."""
    cut, columns = discretised(casebase)
    states = len(cut.states[name])
    often = np.bincount(columns[name], minlength=states) + 1.0
    often /= often.sum()
    if name in [feature.name for feature in cut.schema.numbers]:
        places = np.arange(states)
        likely = NEAR ** np.abs(places[:, None] - places)
        likely /= likely.sum(axis=0)
    else:
        likely = SAME * np.eye(states) + (1 - SAME) * often[:, None]
    assert name != ACTION
    return np.asarray(np.log(likely / often[:, None]))
