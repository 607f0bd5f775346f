"""Influence: which of the retrieved cases decided, and what is retrieved without some of them."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.cases.casebase import CaseBase
from baycarp.cases.retrieve import Retrieved, retrieve
from baycarp.cases.reuse import Array, Majority, Policy, Repair, Weighing, read_as, tally
from baycarp.cases.schema import Situation

__all__ = ["influences", "without"]


def influences(
    policy: Policy,
    retrieved: Retrieved,
    casebase: CaseBase,
    chosen: str,
    allowed: Iterable[str],
    repair: Repair | None = None,
) -> Array:
    """How much each retrieved case speaks for a solution: what of its lead falls if the case is forgotten.

    The lead is the worth of the solution, as the policy weighs it, less that of the best other one; a case of
    that other one speaks against where it adds to its worth, and for where it takes from it (a loss). All
    else counts 0. A policy that does not weigh sums is taken to count votes.

    Parameters
    ----------
    policy, retrieved, casebase, allowed, repair
        As a policy is called.
    chosen
        One of the allowed solutions.

    Returns
    -------
    float64 array, shape (found,)
        In votes, outcomes or similarities, as the policy weighs; inf for the only case of the solution where
        means are weighed.

    Examples
    --------
    >>> from baycarp.cases import BestOutcome, Case, Feature, Linear, Schema
    >>> schema = Schema("toy", (Feature("x", 1, Linear(max=1)),), ("fold", "call"), threshold=0.0)
    >>> casebase, here = CaseBase(schema), schema.situation({"x": 0.5})
    >>> for solution, outcome in (("call", 3.0), ("call", -1.0), ("fold", -2.0)):
    ...     _ = casebase.append(Case(here, solution, outcome))
    >>> influences(BestOutcome(), retrieve(casebase, here), casebase, "call", ("fold", "call"))
    array([ 3., -1.,  2.])
    """
    weighing = policy if isinstance(policy, Weighing) else Majority()
    legal = set(allowed)
    found, told = tally(retrieved, casebase, legal, repair), np.zeros(len(retrieved))
    others = weighing.worth(found)
    others.pop(chosen, None)
    rival = max(others, key=lambda name: (others[name], found.similarities[name]), default=None)
    now, solutions = casebase.snapshot(), casebase.schema.solutions
    rows = now.rows(retrieved.ids)
    held = now.solutions[rows]
    for name, sign in ((chosen, 1.0), (rival, -1.0)):
        codes = [code for code, held_by in enumerate(solutions) if read_as(held_by, legal, repair) == name]
        mine = np.isin(held, codes)
        if name is not None and mine.any():
            sums = np.array([found.votes[name], found.outcomes[name], found.similarities[name]])[:, None]
            own = np.stack([np.ones(mine.sum()), now.outcomes[rows[mine]], retrieved.similarities[mine]])
            with np.errstate(invalid="ignore"):  # the mean of no outcome, where nobody else holds it
                lost = weighing.weigh(*sums) - weighing.weigh(*(sums - own))
            told[mine] = sign * np.where(np.isnan(lost), np.inf, lost)
    return told


def without(
    casebase: CaseBase, query: Situation | Mapping[str, Any], retrieved: Retrieved, ids: NDArray[np.int64]
) -> Retrieved:
    """What would have been retrieved, had these cases never been stored.

    Parameters
    ----------
    casebase, query
        What was asked, by the schema's threshold and fall-back.
    retrieved
        The answer.
    ids
        The cases to forget.
    """
    schema = casebase.schema
    fell_back = retrieved.fell_back or bool(np.isin(retrieved.ids, ids).all())
    if fell_back:
        retrieved = retrieve(casebase, query, 0.0, schema.fallback + len(ids))
    left = np.flatnonzero(~np.isin(retrieved.ids, ids))[: schema.fallback if fell_back else None]
    return replace(
        retrieved, ids=retrieved.ids[left], similarities=retrieved.similarities[left], fell_back=fell_back
    )
