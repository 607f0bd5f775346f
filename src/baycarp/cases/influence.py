"""Influence: the retrieved cases that decided, and the retrieval without some of them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.cases.casebase import CaseBase
from baycarp.cases.retrieve import Retrieved, retrieve
from baycarp.cases.reuse import Array, Distribution, Majority, Policy, Repair, Weighing, read_as
from baycarp.cases.schema import Situation

__all__ = ["influences", "without"]


def influences(
    policy: Policy,
    retrieved: Retrieved,
    casebase: CaseBase,
    found: Distribution,
    chosen: str,
    repair: Repair | None = None,
) -> Array:
    """How much each retrieved case supports a solution: the loss of its lead if the case is forgotten.

    The lead is the worth of the solution, as the policy weighs it, less that of the best other one. A case of
    that other one has a negative value where it adds to the other's worth, a positive one where it reduces it
    (a loss). All other cases have 0. A policy that does not weigh sums is treated as one that counts votes.

    Parameters
    ----------
    policy, retrieved, casebase, repair
        As a policy is called.
    found
        The result of these cases: that of the policy, or ``tally``.
    chosen
        One of the solutions that are allowed.

    Returns
    -------
    float64 array, shape (found,)
        In votes, outcomes or similarities, as the policy weighs; inf for the only case of the solution, -inf
        for that of the other one, where means are weighed.

    Examples
    --------
    >>> from baycarp.cases import BestOutcome, Case, Feature, Linear, Schema, tally
    >>> schema = Schema("toy", (Feature("x", 1, Linear(max=1)),), ("fold", "call"), threshold=0.0)
    >>> casebase, here = CaseBase(schema), schema.situation({"x": 0.5})
    >>> for solution, outcome in (("call", 3.0), ("call", -1.0), ("fold", -2.0)):
    ...     _ = casebase.append(Case(here, solution, outcome))
    >>> near = retrieve(casebase, here)
    >>> influences(BestOutcome(), near, casebase, tally(near, casebase, schema.solutions), "call")
    array([ 3., -1.,  2.])
    """
    weighing = policy if isinstance(policy, Weighing) else Majority()
    others = weighing.worth(found)
    others.pop(chosen, None)
    rival = max(others, key=lambda name: (others[name], found.similarities[name]), default=None)
    counts, sums = casebase.tried(retrieved.ids)
    legal = set(found.votes)
    read = [read_as(each, legal, repair) for each in casebase.schema.solutions]

    def forgotten(name: str) -> tuple[NDArray[np.bool_], Array]:
        """Whether a case has tried a solution, and the loss of its worth without that case alone."""
        of_name = [each == name for each in read]
        if not any(of_name):
            return np.zeros(len(retrieved), np.bool_), np.zeros(len(retrieved))
        votes = counts[of_name].sum(axis=0)
        all_votes = np.full(len(retrieved), found.votes[name], np.float64)
        all_outcomes = np.full(len(retrieved), found.outcomes[name], np.float64)
        all_similarities = np.full(len(retrieved), found.similarities[name], np.float64)
        worth = weighing.weigh(all_votes, all_outcomes, all_similarities)
        worth_without = weighing.weigh(
            all_votes - votes,
            all_outcomes - sums[of_name].sum(axis=0),
            all_similarities - votes * retrieved.similarities,
        )
        return votes > 0, worth - worth_without

    lead = np.zeros(len(retrieved))
    with np.errstate(divide="ignore", invalid="ignore"):  # a mean of nothing, if no other case has it
        if rival is not None:
            tried, loss = forgotten(rival)
            lead = np.where(tried, np.where(np.isfinite(loss), lead - loss, -np.inf), lead)
        # Where one case is all that either solution has, it counts for the chosen one.
        tried, loss = forgotten(chosen)
        return np.where(tried, np.where(np.isfinite(loss), lead + loss, np.inf), lead)


def without(
    casebase: CaseBase, query: Situation | Mapping[str, Any], retrieved: Retrieved, ids: NDArray[np.int64]
) -> Retrieved:
    """The retrieved cases of a case-base in which some cases were never stored.

    Parameters
    ----------
    casebase, query
        The query, with the schema's threshold and fall-back.
    retrieved
        The answer.
    ids
        The cases to forget.
    """
    schema = casebase.schema
    most = schema.most
    if most is not None and not retrieved.fell_back:  # others move up
        retrieved = retrieve(casebase, query, at_most=most + len(ids))
    fell_back = retrieved.fell_back or bool(np.isin(retrieved.ids, ids).all())
    if fell_back:
        most = schema.fallback
        retrieved = retrieve(casebase, query, 0.0, most + len(ids))
    left = np.flatnonzero(~np.isin(retrieved.ids, ids))
    if most is not None and len(left) > most:
        last = retrieved.similarities[left[most - 1]]
        left = left[retrieved.similarities[left] >= last] if schema.ties else left[:most]
    return replace(
        retrieved, ids=retrieved.ids[left], similarities=retrieved.similarities[left], fell_back=fell_back
    )
