"""Are explanations true: on a small set from real play, against leaving things out by hand."""

import numpy as np
import pytest

from baycarp.agents.evidence import pieces
from baycarp.agents.grounds import cite
from baycarp.agents.schemas import REPAIR
from baycarp.arena.faithfulness import Moved, factor, moved_by_cases, moved_by_evidence, situations
from baycarp.arena.session import Table
from baycarp.cases import POLICIES, CaseBase, Majority, retrieve
from baycarp.errors import TableError
from baycarp.game.variant import Variant

DETERMINISTIC = {name: policy for name, policy in POLICIES.items() if name != "proportional"}


@pytest.fixture(scope="module")
def found():
    """Decisions of two seats among four, by the model that ships: of few cases every five are many."""
    agent = "baycarp2(learning=False)"
    table = Table(Variant.ring(4), ("Ann", "Bob", "Cid", "Dee"), (agent, "rule", agent, "jag"), seed=5)
    return list(situations(table, 40))


def test_situations_are_decided_anew_as_they_were(found):
    streets = set()
    for hand, if_not in found:
        assert if_not.seen.hand == hand
        assert if_not.without(np.array([], np.int64)).probabilities == if_not.decision.policy_by_kind()
        if if_not.seen.street:
            assert if_not.given(if_not.evidence).probabilities == if_not.decision.policy_by_kind()
        streets.add(if_not.seen.street)
    assert streets == {0, 1, 2, 3}


def test_without_cases_it_is_decided_as_by_a_memory_that_never_had_them(found):
    changed = 0
    for _, if_not in found[:25]:
        casebase = if_not.casebase
        name = if_not.decision.action.name
        told = if_not.sums_at(if_not.query)
        cited = if_not.retrieved.ids[cite(Majority(), if_not.retrieved, casebase, told, name)]
        columns = casebase.columns()
        kept = ~np.isin(columns["ids"], cited)
        fewer = CaseBase(casebase.schema)
        fewer.extend_columns({key: np.ascontiguousarray(c[..., kept]) for key, c in columns.items()})
        told = if_not.agent.policy(retrieve(fewer, if_not.query), fewer, if_not.legal, REPAIR)
        assert told.probabilities == if_not.without(cited).probabilities
        changed += told.probabilities != if_not.decision.policy_by_kind()
    assert changed


def test_the_five_cited_decide_and_the_five_nearest_do_not(found):
    moved = [m for hand, if_not in found for m in moved_by_cases(if_not, hand, POLICIES, draws=5)]
    nearest = factor([m for m in moved if m.what == "nearest" and m.policy in DETERMINISTIC])
    for policy in DETERMINISTIC:
        told = factor([m for m in moved if (m.what, m.policy) == ("cited", policy)])
        assert told.low > max(1, nearest.times)
    others = [if_not for _, if_not in found if len(if_not.retrieved.ids) >= 10]
    cited = [m for m in moved if (m.what, m.policy) == ("cited", "majority")]
    assert len(others) <= len(cited) < len(found)  # what has no rest to compare with is left out
    alone = [(hand, if_not) for hand, if_not in found if len(if_not.retrieved.ids) == 1]
    assert alone
    assert not [m for hand, if_not in alone for m in moved_by_cases(if_not, hand, POLICIES)]


def test_the_top_piece_of_evidence_moves_more_than_others(found):
    moved = [m for hand, if_not in found for m in moved_by_evidence(if_not, hand, {"majority": Majority()})]
    by = {what: factor([m for m in moved if m.what == what]) for what in ("by case", "by decision")}
    assert 1 < by["by case"].times <= by["by decision"].times
    assert by["by decision"].times >= 3
    assert {m.street for m in moved} == {1, 2, 3}


def test_the_rest_is_all_but_the_top(found):
    for hand, if_not in found:
        told = pieces(if_not)
        moved = {m.what: m for m in moved_by_evidence(if_not, hand, {"majority": Majority()})}
        if len(told) < 2:
            assert not moved
            continue
        one = moved["by decision"]
        assert one.chosen == pytest.approx(told[0].moved)
        assert one.random == pytest.approx(np.mean([piece.moved for piece in told[1:]]))


def test_the_interval_holds_the_ratio_of_the_means_as_often_as_it_says():
    rng, held = np.random.default_rng(3), 0
    for _ in range(150):
        size = rng.exponential(1.0, 60)  # of a hand; both movements hang on it
        told = [
            Moved("cited", "majority", 1, hand, x * rng.uniform(0.5, 1.5), x * rng.uniform(0, 0.5))
            for hand, x in enumerate(size)
        ]
        interval = factor(told, rounds=300)
        held += interval.low <= 4.0 <= interval.high
    assert 0.9 <= held / 150 <= 0.99


def test_nothing_moved_is_no_factor():
    still = [Moved("cited", "majority", 1, hand, 0.0, 0.0) for hand in range(5)]
    assert (factor(still).times, factor(still).low) == (1.0, 1.0)
    once = [Moved("cited", "majority", 1, hand, 1.0, 0.0) for hand in range(5)]
    assert factor(once).times == np.inf


def test_who_learns_cannot_be_asked_again():
    table = Table(Variant.ring(2), ("Ann", "Bob"), ("baycarp2", "call"))
    with pytest.raises(TableError, match="learning=False"):
        next(situations(table, 1))
