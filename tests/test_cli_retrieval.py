import numpy as np
import pytest

from baycarp.agents.model import SHIPPED
from baycarp.agents.schemas import SCHEMAS
from baycarp.cases import CaseBase, retrieve
from baycarp.cli.bench import retrieval as bench
from baycarp.train.many import decisions, table_of

FLOP = SCHEMAS[1]


@pytest.fixture(scope="module")
def met():
    return CaseBase.load(SHIPPED / "flop.npz", FLOP)


def test_brute_force_is_the_formula(met):
    few = CaseBase(FLOP)
    few.extend_columns({name: column[..., :300] for name, column in met.columns().items()})
    steps = decisions(table_of(("call", "karma", "call", "jake"), 4), 3, 4, streets=(1,))
    for step in steps[:3]:
        query = step.case.situation
        rows, similarities = bench.Brute(few)(query, **bench.TOP)
        found = retrieve(few, query, **bench.TOP)
        assert set(rows.tolist()) == set(found.ids.tolist())
        assert np.allclose(np.sort(similarities)[::-1], found.similarities, rtol=0, atol=1e-12)


def test_answers_that_differ_are_not_timed(met):
    query = decisions(table_of(("call",) * 4, 4), 3, 2, streets=(1,))[0].case.situation
    rows, similarities = bench.Brute(met)(query, **bench.TOP)
    with pytest.raises(AssertionError, match="expected the same"):
        bench._agree((rows, similarities + 1e-9), retrieve(met, query, **bench.TOP))
    with pytest.raises(AssertionError, match="expected the same"):
        bench._agree((rows[1:], similarities[1:]), retrieve(met, query, **bench.TOP))


def test_cases_drawn_again_are_near_those_that_were_met(met):
    drawn = bench.resampled(met.columns(), 1000, seed=1)
    again = bench.resampled(met.columns(), 1000, seed=1)
    assert all(drawn[name].tobytes() == again[name].tobytes() for name in drawn)
    more = CaseBase(FLOP)
    more.extend_columns(drawn)
    whole = met.columns()["numbers"]
    for row, feature in enumerate(FLOP.numbers):
        moved = feature.name in bench.MOVED
        assert np.isin(drawn["numbers"][row], whole[row]).all() != moved
        assert whole[row].min() <= drawn["numbers"][row].min() or moved
