import pytest

from baycarp.cases import (
    POLICIES,
    BestOutcome,
    Case,
    CaseBase,
    Feature,
    Linear,
    Majority,
    MostSimilar,
    Proportional,
    Schema,
    Settled,
    combine,
    retain,
    retrieve,
    tally,
)
from baycarp.errors import SchemaError

ALL = ("fold", "check", "call", "bet", "raise")
TOY = Schema("toy", (Feature("x", 1, Linear(max=10)),), ALL, threshold=0.0)
POKER = {
    "fold": ("check",),
    "check": ("call",),
    "call": ("check",),
    "bet": ("raise", "call"),
    "raise": ("bet", "call", "check"),
}


def found(*cases):
    """A case-base of (solution, outcome, x) and the cases retrieved at x = 0: all of them."""
    base = CaseBase(TOY)
    base.extend(Case(TOY.situation({"x": x}), solution, outcome) for solution, outcome, x in cases)
    return retrieve(base, {"x": 0.0}), base


def test_best_outcome_adds_up_outcomes():
    many_small = found(("call", 2, 0), ("call", 2, 0), ("call", 2, 0), ("raise", 5, 0), ("fold", 0, 0))
    chosen = BestOutcome()(*many_small, ALL)
    assert chosen.choice == "call"
    assert chosen.outcomes == {"fold": 0, "check": 0, "call": 6, "bet": 0, "raise": 5}
    assert chosen.votes == {"fold": 1, "check": 0, "call": 3, "bet": 0, "raise": 1}
    assert chosen.probabilities == {"fold": 0, "check": 0, "call": 1, "bet": 0, "raise": 0}
    assert BestOutcome(by="mean")(*many_small, ALL).choice == "raise"


def test_a_solution_without_cases_is_not_a_candidate():
    losing = found(("call", -2, 0), ("raise", -4, 0))
    assert BestOutcome()(*losing, ALL).choice == "call"
    assert BestOutcome(by="mean")(*losing, ALL).choice == "call"


def test_majority_counts_votes_and_ignores_outcomes():
    assert Majority()(*found(("fold", 0, 0), ("fold", 0, 1), ("raise", 50, 0)), ALL).choice == "fold"


@pytest.mark.parametrize("policy", [BestOutcome(), BestOutcome(by="mean"), Majority()])
def test_ties_go_to_the_more_similar_then_to_the_cheaper_solution(policy):
    assert policy(*found(("call", 1, 3), ("raise", 1, 2)), ALL).choice == "raise"
    assert policy(*found(("raise", 1, 2), ("call", 1, 2)), ALL).choice == "call"


def test_an_illegal_action_counts_for_its_neighbour():
    cases = found(
        ("fold", 0, 0), ("check", 0, 0), ("call", 2, 0), ("bet", 2, 0), ("raise", 4, 0), ("raise", 4, 0)
    )
    free = Majority()(*cases, ("check", "bet"), POKER)
    assert free.votes == {"check": 3, "bet": 3}
    assert free.outcomes == {"check": 2, "bet": 10}
    capped = Majority()(*cases, ("fold", "call"), POKER)
    assert capped.votes == {"fold": 1, "call": 5}
    assert capped.choice == "call"
    assert Majority()(*cases, ("fold", "call"), lambda solution: "fold").votes == {"fold": 5, "call": 1}
    assert Majority()(*cases, ("fold", "call"), {"raise": "call"}).votes == {"fold": 1, "call": 3}
    assert Majority()(*cases, ("fold", "call")).votes == {"fold": 1, "call": 1}


def test_without_cases_the_distribution_is_empty():
    empty = CaseBase(TOY)
    for policy in (BestOutcome(), BestOutcome(by="mean"), Majority()):
        for nothing in ((retrieve(empty, {"x": 0.0}), empty), found(("raise", 1, 0))):
            chosen = policy(*nothing, ("fold", "call"))
            assert not chosen
            assert chosen.choice is None
            assert chosen.probabilities == {}
            assert chosen.votes == {"fold": 0, "call": 0}


def test_tally_sums_similarities():
    sums = tally(*found(("call", 1, 1), ("call", 2, 3), ("fold", 0, 5)), ALL)
    assert sums.similarities == pytest.approx({"fold": 0.5, "check": 0, "call": 1.6, "bet": 0, "raise": 0})
    assert not sums


def test_a_solution_that_is_not_in_the_schema_is_refused():
    with pytest.raises(SchemaError, match="all-in"):
        Majority()(*found(("call", 1, 1)), ("all-in", "fold"))
    with pytest.raises(SchemaError, match="median"):
        BestOutcome(by="median")


def test_policies_are_values():
    assert BestOutcome() == BestOutcome(by="sum") != BestOutcome(by="mean")
    assert repr(Majority()) == "Majority()"


def settled(base, solution, outcome):
    return Settled(base, Case(TOY.situation({"x": 1.0}), solution, outcome))


EPISODE = (settled("toy", "call", -1.0), settled("late", "check", 0.0), settled("late", "raise", -4.0))


def test_retained_cases_are_retrieved_at_once_from_their_case_base():
    bases = {"toy": CaseBase(TOY), "late": CaseBase(TOY)}
    assert retain(EPISODE, bases) == ()
    assert (len(bases["toy"]), len(bases["late"])) == (1, 2)
    chosen = BestOutcome()(retrieve(bases["late"], {"x": 1.0}), bases["late"], ALL)
    assert chosen.choice == "check"
    assert (chosen.outcomes["check"], chosen.outcomes["raise"]) == (0.0, -4.0)
    with pytest.raises(SchemaError, match="river"):
        retain([settled("river", "call", 1.0)], bases)


def test_the_proportional_policy_gives_every_solution_its_share():
    chosen = Proportional()(*found(("fold", 9, 0), ("call", 0, 1), ("call", 0, 2), ("raise", 0, 9)), ALL)
    assert chosen.probabilities == {"fold": 0.25, "check": 0, "call": 0.5, "bet": 0, "raise": 0.25}
    assert chosen.choice == "call"


def test_most_similar_weights_votes_by_similarity():
    two_far_one_near = found(("fold", 0, 9), ("fold", 0, 9), ("raise", 0, 1))
    assert MostSimilar()(*two_far_one_near, ALL).choice == "raise"
    assert Majority()(*two_far_one_near, ALL).choice == "fold"


def test_several_memories_are_combined():
    bold = Majority()(*found(("raise", 1, 0), ("raise", 2, 0)), ALL)
    meek = Proportional()(*found(("fold", 0, 5), ("call", 3, 0)), ALL)
    empty = CaseBase(TOY)
    silent = Majority()(retrieve(empty, {"x": 0.0}), empty, ALL)
    combined = combine([bold, silent, meek])
    assert combined.probabilities == {"fold": 0.25, "check": 0, "call": 0.25, "bet": 0, "raise": 0.5}
    assert combined.votes == {"fold": 1, "check": 0, "call": 1, "bet": 0, "raise": 2}
    assert combined.outcomes == {"fold": 0, "check": 0, "call": 3, "bet": 0, "raise": 3}
    assert combined.similarities["fold"] == pytest.approx(0.5)
    assert combine([bold]) == bold
    assert not combine([silent, silent])
    assert combine([silent]).votes == silent.votes


def test_every_named_policy_is_a_value_that_chooses():
    cases = found(("fold", 0, 9), ("call", 3, 0), ("raise", 2, 0), ("raise", 2, 0))
    chosen = {name: policy(*cases, ALL).choice for name, policy in POLICIES.items()}
    assert chosen == {
        "best outcome": "raise",
        "best mean outcome": "call",
        "majority": "raise",
        "proportional": "raise",
        "most similar": "raise",
    }
    assert len({*POLICIES.values()}) == len(POLICIES)
