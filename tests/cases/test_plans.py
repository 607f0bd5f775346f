"""Plans of the cases of an episode, against a slow reference."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from baycarp.cases.casebase import CaseBase
from baycarp.cases.plans import LONGEST, Plans, steps_of
from baycarp.cases.retrieve import retrieve
from baycarp.cases.reuse import BestOutcome, Majority, Proportional
from baycarp.cases.schema import Case, Feature, Schema
from baycarp.cases.similarity import Linear
from baycarp.errors import SchemaError

SCHEMA = Schema(
    "toy",
    (Feature("strength", 1, Linear(max=1)),),
    ("fold", "check", "call", "bet", "raise"),
    0.9,
    provenance=(("hand", "<i4", 1), ("hole", "<u1", 2)),
)


def filled(episodes, casebase=None, first=0):
    """A case-base of episodes, each a list of (strength, solution, outcome)."""
    casebase = CaseBase(SCHEMA) if casebase is None else casebase
    for hand, episode in enumerate(episodes, first):
        for strength, solution, outcome in episode:
            provenance = {"hand": hand, "hole": (hand % 50, 51)}
            casebase.append(Case(SCHEMA.situation({"strength": strength}), solution, outcome, provenance))
    return casebase


def slowly(episodes):
    for episode in episodes:
        for at in range(len(episode)):
            rest = episode[at:]
            plan = "-".join(solution for _, solution, _ in rest[:LONGEST])
            yield plan, sum(outcome for *_, outcome in rest)


EPISODES = st.lists(
    st.lists(
        st.tuples(st.just(0.5), st.sampled_from(SCHEMA.solutions), st.integers(-4, 4).map(float)),
        min_size=1,
        max_size=5,
    ),
    max_size=12,
)


@settings(max_examples=40, deadline=None)
@given(EPISODES, EPISODES)
def test_every_case_has_its_plan(before, after):
    casebase = filled(before)
    plans = Plans(casebase)
    columns = plans.columns()
    found = [
        (plans.schema.solutions[code], worth)
        for code, worth in zip(columns["solutions"], columns["outcomes"], strict=True)
    ]
    assert found == list(slowly(before))
    assert set(SCHEMA.solutions) <= set(plans.schema.solutions)
    filled(after, casebase, len(before))
    plans.follow(casebase)
    assert len(plans) == len(casebase)
    columns = plans.columns()
    assert columns["outcomes"].tolist() == [worth for _, worth in slowly(before + after)]
    late = list(slowly(before + after))[len(found) :]
    for code, (plan, _) in zip(columns["solutions"][len(found) :], late, strict=True):
        name, known = plans.schema.solutions[code], plans.schema.solutions
        assert plan == name or (plan.startswith(name + "-") and plan not in known)


def test_policies_take_plans_like_cases():
    trap, bluff = [(0.9, "check", 0.0), (0.9, "raise", 6.0)], [(0.9, "bet", 1.0)]
    give = [(0.9, "check", 0.0), (0.9, "fold", 0.0)]
    casebase = filled([trap, bluff, bluff, give, trap])
    plans = Plans(casebase)
    found = retrieve(casebase, {"strength": 0.9}, at_least=0.95)
    assert len(found) == 8
    legal = ("check", "bet")
    first = lambda plan: steps_of(plan)[0] if steps_of(plan)[0] in legal else None  # noqa: E731
    chosen = Majority()(found, plans, legal, first)
    assert chosen.votes == {"check": 3, "bet": 2}
    assert chosen.outcomes == {"check": 12.0, "bet": 2.0}  # outcomes of the plans
    assert (
        BestOutcome()(found, casebase, legal).choice == "bet"
    )  # by single steps the outcome of a check is 0
    assert BestOutcome()(found, plans, legal, first).choice == "check"
    longer = ("check-fold", "check-raise")
    assert Majority()(found, plans, longer).choice == "check-raise"
    assert Proportional()(found, plans, longer).probabilities == {"check-fold": 1 / 3, "check-raise": 2 / 3}


def test_plans_are_retrieved_like_cases():
    rng = np.random.default_rng(1)
    casebase = filled([[(float(x), "bet", 0.0), (float(y), "call", 0.0)] for x, y in rng.random((40, 2))])
    plans = Plans(casebase)
    one, two = retrieve(casebase, {"strength": 0.5}), retrieve(plans, {"strength": 0.5})
    assert one.ids.tolist() == two.ids.tolist()
    assert one.similarities.tolist() == two.similarities.tolist()


def test_a_solution_that_looks_like_a_plan_is_refused():
    schema = Schema("toy", SCHEMA.features, ("check-raise",), 0.9, provenance=SCHEMA.provenance)
    with pytest.raises(SchemaError, match="expected none with '-'"):
        Plans(CaseBase(schema))
