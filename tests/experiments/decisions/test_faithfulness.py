"""Faithfulness on a small set of decisions, against removals computed by other means."""

from dataclasses import replace

import numpy as np
import pytest

from baycarp.agents.cases.citation import cite
from baycarp.arena.session import Table
from baycarp.cases import POLICIES, CaseBase, Majority, retrieve
from baycarp.errors import TableError
from baycarp.explain.evidence import pieces
from baycarp.game.variant import Variant
from experiments.decisions.faithfulness import (
    Moved,
    factor,
    moved_by_cases,
    moved_by_evidence,
    situations,
    sums_without,
)


def _row(hand, chosen, control):
    return Moved("cited", "others", "majority", 1, hand, chosen, control, chosen, control)


DETERMINISTIC = {name: policy for name, policy in POLICIES.items() if name != "proportional"}


@pytest.fixture(scope="module")
def found():
    """Decisions of two seats among four, by the shipped model; what shows of a player is in the evidence."""
    agent = "baycarp2(learning=False, published=True)"
    table = Table(Variant.ring(4), ("Ann", "Bob", "Cid", "Dee"), (agent, "rule", agent, "jag"), seed=5)
    return list(situations(table, 40))


def test_a_situation_decided_again_has_the_same_distribution(found):
    streets = set()
    for hand, counterfactual in found:
        assert counterfactual.observation.hand == hand
        assert (
            counterfactual.without(np.array([], np.int64)).probabilities
            == counterfactual.decision.policy_by_kind()
        )
        if counterfactual.observation.street:
            assert (
                counterfactual.given(counterfactual.evidence).probabilities
                == counterfactual.decision.policy_by_kind()
            )
        streets.add(counterfactual.observation.street)
    assert streets == {0, 1, 2, 3}


def test_a_decision_without_cases_is_that_of_a_case_base_without_them(found):
    changed = 0
    for _, counterfactual in found[:25]:
        casebase = counterfactual.casebase
        name = counterfactual.decision.action.name
        sums, counted = sums_without(counterfactual, np.array([], np.int64)), counterfactual.choices.counted
        cited = counterfactual.retrieved.ids[
            cite(Majority(), counterfactual.retrieved, casebase, sums, name, counted)
        ]
        columns = casebase.columns()
        kept = ~np.isin(columns["ids"], cited)
        fewer = CaseBase(casebase.schema)
        fewer.extend_columns({key: np.ascontiguousarray(c[..., kept]) for key, c in columns.items()})
        again = counterfactual.agent.strategy.policy(
            retrieve(fewer, counterfactual.situation), fewer, counterfactual.choices.legal, counted
        )
        assert again.probabilities == counterfactual.without(cited).probabilities
        changed += again.probabilities != counterfactual.decision.policy_by_kind()
    assert changed


def _of(moved, what, control, policies=DETERMINISTIC):
    return [m for m in moved if (m.what, m.control) == (what, control) and m.policy in policies]


@pytest.fixture(scope="module")
def moved(found):
    return [
        m for hand, counterfactual in found for m in moved_by_cases(counterfactual, hand, POLICIES, draws=5)
    ]


def test_the_five_cited_decide_and_the_five_nearest_do_not(found, moved):
    nearest = factor(_of(moved, "nearest", "others")).times
    for policy in DETERMINISTIC:
        assert factor(_of(moved, "cited", "others", [policy])).times.low > max(1, nearest.value)
    others = [counterfactual for _, counterfactual in found if len(counterfactual.retrieved.ids) >= 10]
    cited = _of(moved, "cited", "others", ["majority"])
    assert len(others) <= len(cited) < len(found)  # decisions without a control are left out
    alone = [
        (hand, counterfactual) for hand, counterfactual in found if len(counterfactual.retrieved.ids) == 1
    ]
    assert alone
    assert not [m for hand, counterfactual in alone for m in moved_by_cases(counterfactual, hand, POLICIES)]


def test_in_a_majority_the_cited_move_as_far_as_other_supporters(found):
    """All votes count the same, unless five fewer make a tie: the control moves the decision as far."""
    counted = flipped = 0
    for hand, counterfactual in found:
        rows = list(moved_by_cases(counterfactual, hand, {"majority": Majority()}, draws=5))
        votes = sorted(sums_without(counterfactual, np.array([], np.int64)).votes.values())
        for m in _of(rows, "cited", "supporters"):
            assert votes[-1] >= 10
            counted += 1
            flipped += m.chosen
            if votes[-1] - votes[-2] != 5 and not counterfactual.retrieved.fell_back:
                assert m.chosen == m.random == (votes[-1] - votes[-2] < 5)
    assert counted > 50
    assert flipped > 0


def test_a_policy_without_mixing_moves_as_far_as_it_flips(moved):
    for m in moved:
        assert 0 <= m.chosen <= 1
        assert 0 <= m.random <= 1
        if m.policy in DETERMINISTIC:
            assert (m.chosen, m.random) == (m.flipped, m.flipped_at_random)
    mixed = [m for m in moved if m.policy == "proportional" and m.what == "cited"]
    assert any(0 < m.chosen < 1 for m in mixed)
    assert {m.flipped for m in mixed} <= {0.0, 1.0}


def test_the_first_piece_by_belief_and_by_case_does_not_depend_on_the_decision(found):
    streets = set()
    for hand, counterfactual in found:
        each = pieces(counterfactual)
        rows = {m.what: m for m in moved_by_evidence(counterfactual, hand, {"majority": Majority()})}
        if len(each) < 2:
            assert not rows
            continue
        for what, by in (("by belief", "type_shift"), ("by case", "distance")):
            first = max(each, key=lambda piece: getattr(piece, by))
            others = [piece.action_shift for piece in each if piece is not first]
            assert rows[what].chosen == pytest.approx(first.action_shift)
            assert rows[what].random == pytest.approx(np.mean(others))
        streets.add(counterfactual.observation.street)
    assert streets == {1, 2, 3}


class Noise(Majority):
    """A policy that draws a random action each time, independent of the cases."""

    def __init__(self, seed):
        object.__setattr__(self, "rng", np.random.default_rng(seed))

    __slots__ = ("rng",)

    def choose(self, found):
        action = str(self.rng.choice(list(found.votes)))
        return replace(found, probabilities={name: float(name == action) for name in found.votes})


@pytest.mark.slow
def test_a_random_decision_has_no_first_piece(found):
    """Chosen by the movement that is counted, a first piece would move a noisy policy further than others."""
    noise = {f"{seed}": Noise(seed) for seed in range(60)}
    rows = [m for hand, counterfactual in found for m in moved_by_evidence(counterfactual, hand, noise)]
    by_decision = factor([m for m in rows if m.what == "by decision"])
    assert by_decision.times.value == pytest.approx(1, abs=0.1)
    assert by_decision.chosen > 0.3


def test_the_interval_has_its_nominal_coverage():
    rng, held = np.random.default_rng(3), 0
    for _ in range(150):
        size = rng.exponential(1.0, 60)  # of a hand, a factor of both movements
        rows = [_row(hand, x * rng.uniform(0.5, 1.5), x * rng.uniform(0, 0.5)) for hand, x in enumerate(size)]
        interval = factor(rows, rounds=300).times
        held += interval.low <= 4.0 <= interval.high
    assert 0.9 <= held / 150 <= 0.99


def test_a_ratio_without_movement_is_one():
    still = factor([_row(hand, 0.0, 0.0) for hand in range(5)]).times
    assert (still.value, still.low) == (1.0, 1.0)
    once = factor([_row(hand, 1.0, 0.0) for hand in range(5)])
    assert once.times.value == np.inf


def test_shares_have_the_interval_of_the_binomial():
    """One decision a hand: the bootstrap's standard error is sqrt(p (1 - p) / n)."""
    share = factor([_row(hand, float(hand % 5 == 0), 0.1) for hand in range(400)]).flipped
    assert share.value == 0.2
    margin = 1.96 * np.sqrt(0.2 * 0.8 / 400)
    assert (share.low, share.high) == pytest.approx((0.2 - margin, 0.2 + margin), abs=0.01)


def test_a_learning_player_is_refused():
    table = Table(Variant.ring(2), ("Ann", "Bob"), ("baycarp2", "call"))
    with pytest.raises(TableError, match="learning=False"):
        next(situations(table, 1))
