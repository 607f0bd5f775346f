"""Plans: cases whose solution is all actions to the end of an episode, for example ``check-raise``.

Unger (2011), section 9.1, proposes combined actions as solutions. Stored cases stay atomic, a case a
decision; decisions of one episode lie one after the other and are of one provenance, so that the plan behind
each can be computed, also of cases that were stored before. Its worth is the sum over all of its steps, or,
where outcomes include later steps, that of its first step.
"""

from dataclasses import replace
from itertools import product
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from baycarp.cases.casebase import CaseBase
from baycarp.cases.columns import Columns
from baycarp.cases.similarity import NONE
from baycarp.errors import SchemaError

__all__ = ["JOINT", "Plans", "steps_of"]

JOINT = "-"
"""Stands between the steps of a plan; in no solution of its own."""

LONGEST = 3
"""Steps of a plan; after more decisions, a new plan is made."""


class Plans(CaseBase):
    """The cases of a case-base, of the same ids and situations, each with the plan that begins with it.

    Retrieval is that of the case-base; a policy here takes the retrieved cases. The solutions are the
    plans, cheapest first: all that are possible, or those that occurred and the single steps.

    Parameters
    ----------
    casebase
        With provenance: cases one after the other whose provenance is the same are of one episode.
    worth
        ``"sum"``: of all steps; ``"first"``: of the first.

    Examples
    --------
    >>> from baycarp.cases import Case, Feature, Linear, Majority, Schema, retrieve
    >>> features, provenance = (Feature("strength", 1, Linear(max=1)),), (("hand", "<i4", 1),)
    >>> casebase = CaseBase(Schema("toy", features, ("check", "bet", "raise"), 0.9, provenance=provenance))
    >>> for strength, solution, hand in ((0.9, "check", 1), (0.8, "raise", 1), (0.9, "bet", 2)):
    ...     _ = casebase.append(
    ...         Case(casebase.schema.situation({"strength": strength}), solution, provenance={"hand": hand})
    ...     )
    >>> plans = Plans(casebase)
    >>> len(plans.schema.solutions), [plans.case(id)["solution"] for id in range(3)]
    (39, ['check-raise', 'raise', 'bet'])
    """

    def __init__(self, casebase: CaseBase, worth: Literal["sum", "first"] = "sum") -> None:
        self._first = worth == "first"
        if casebase.schema.merged:
            raise SchemaError(f"plans of {casebase.schema.name}: expected cases that are not merged")
        atoms = casebase.schema.solutions
        if any(JOINT in name for name in atoms):
            raise SchemaError(f"solutions {atoms}: expected none with {JOINT!r} in it")
        columns = casebase.columns()
        steps, summed = _plans(columns)
        possible = _possible(len(atoms))
        known, place = np.unique(np.concatenate([possible, steps]), axis=0, return_inverse=True)
        if len(known) > NONE:
            raise SchemaError(f"{len(known)} plans of {casebase.schema.name}: expected at most {NONE}")
        names = tuple(JOINT.join(atoms[code] for code in plan if code >= 0) for plan in known.tolist())
        super().__init__(replace(casebase.schema, solutions=names))
        self._places = {tuple(plan): place for place, plan in enumerate(known.tolist())}
        self._extend(columns, place.ravel()[len(possible) :], summed)

    def follow(self, casebase: CaseBase) -> None:
        """Add the cases that the case-base has gained since, in whole episodes.

        Where there are too many solutions to number all plans, a new plan is cut to its longest known prefix.
        """
        if len(casebase) > len(self):
            columns = {name: column[..., len(self) :] for name, column in casebase.columns().items()}
            steps, worth = _plans(columns)
            self._extend(columns, np.array([self._place(tuple(plan)) for plan in steps.tolist()]), worth)

    def _extend(self, columns: Columns, places: NDArray[np.int64], worth: NDArray[np.float64]) -> None:
        worth = columns["outcomes"] if self._first else worth
        own: Columns = {"solutions": places.astype(np.uint8), "outcomes": worth}
        self.extend_columns({**columns, **own})

    def _place(self, plan: tuple[int, ...]) -> int:
        while plan not in self._places:
            done = sum(code >= 0 for code in plan)
            plan = tuple(code if step < done - 1 else -1 for step, code in enumerate(plan))
        return self._places[plan]


def steps_of(plan: str) -> tuple[str, ...]:
    """The steps of a plan by name.

    Examples
    --------
    >>> steps_of("check-raise")
    ('check', 'raise')
    """
    return tuple(plan.split(JOINT))


def _possible(atoms: int) -> NDArray[np.int64]:
    """All plans of a number of solutions where a byte can number them, or else the single steps."""
    longest = LONGEST if sum(atoms**steps for steps in range(1, LONGEST + 1)) <= NONE else 1
    plans = [
        plan + (-1,) * (LONGEST - steps)
        for steps in range(1, longest + 1)
        for plan in product(range(atoms), repeat=steps)
    ]
    return np.array(plans, np.int64)


def _plans(columns: Columns) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The steps from each case on, (cases, LONGEST) codes, -1 behind the end, and their worth."""
    solutions, n = columns["solutions"].astype(np.int64), len(columns["solutions"])
    origin = np.ascontiguousarray(columns["provenance"])
    origin_bytes = origin.view(np.uint8).reshape(n, origin.dtype.itemsize)
    last = np.ones(n, np.bool_)  # of its episode
    last[:-1] = (origin_bytes[1:] != origin_bytes[:-1]).any(axis=1)
    ends = np.flatnonzero(last)
    end = ends[np.searchsorted(ends, np.arange(n))] if n else ends
    steps = np.full((n, LONGEST), -1)
    for step in range(LONGEST):
        there = np.flatnonzero(np.arange(n) + step <= end)
        steps[there, step] = solutions[there + step]
    worth = columns["outcomes"].copy()
    step = 1
    while len(there := np.flatnonzero(np.arange(n) + step <= end)):
        worth[there] += columns["outcomes"][there + step]
        step += 1
    return steps, worth
