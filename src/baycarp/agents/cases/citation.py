"""Retrieved cases as records for the trace: the nearest, and those that had most influence on an action."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.cases.stages import RetrievedCase
from baycarp.cases import (
    CaseBase,
    Distribution,
    Policy,
    Repair,
    Retrieved,
    Situation,
    influences,
    local_similarities,
)

__all__ = ["CITED", "cite", "nearest", "retrieved_cases"]

CITED = 5
"""Cases that an explanation cites, at most."""


def cite(
    policy: Policy, retrieved: Retrieved, casebase: CaseBase, own: Distribution, name: str, repair: Repair
) -> NDArray[np.int64]:
    """The places of the ``CITED`` cases with the most influence on a solution; of equals the nearest.

    Parameters
    ----------
    policy, retrieved, casebase, repair
        As the policy was called.
    own
        The distribution that it gave.
    name
        The solution.
    """
    influence = influences(policy, retrieved, casebase, own, name, repair)
    first = np.argsort(-influence, kind="stable")[:CITED]
    return first[influence[first] > 0]


def retrieved_cases(
    retrieved: Retrieved, casebase: CaseBase, places: NDArray[np.int64] | slice
) -> list[RetrievedCase]:
    """Some of the retrieved cases."""
    now, ids = casebase.snapshot(), retrieved.ids[places]
    rows = now.rows(ids)
    columns = (ids, retrieved.similarities[places], now.solutions[rows], now.outcomes[rows])
    return [
        RetrievedCase(id, similarity, casebase.schema.solutions[code], outcome)
        for id, similarity, code, outcome in zip(*(column.tolist() for column in columns), strict=True)
    ]


def nearest(retrieved: Retrieved, casebase: CaseBase, situation: Situation) -> list[RetrievedCase]:
    """The five nearest of the retrieved cases, with their local similarities."""
    columns, five = casebase.schema.columns, slice(5)
    similarities = local_similarities(casebase, situation, retrieved.ids[five]).T.tolist()
    return [
        replace(case, columns=dict(zip(columns, line, strict=True)))
        for case, line in zip(retrieved_cases(retrieved, casebase, five), similarities, strict=True)
    ]
