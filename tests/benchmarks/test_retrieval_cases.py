import numpy as np
import pytest

from baycarp.cases import CaseBase
from baycarp.errors import ModelError
from baycarp.strategies.baycarp import SCHEMAS
from benchmarks.retrieval_cases import Sessions, decisions, retrieval_cases, table_of

CHEAP = ("call", "raise", "call", "rule")


def test_the_chosen_streets_alone_are_described_and_as_always():
    table = table_of(CHEAP, 3)
    everything = decisions(table, 0, 6)
    flops = decisions(table, 0, 6, streets=(1,))
    assert {step.base for step in flops} == {"flop"}
    same = [step for step in everything if step.base == "flop"]
    assert len(flops) == len(same) > 0
    for a, b in zip(flops, same, strict=True):
        assert a.case.situation.numbers.tobytes() == b.case.situation.numbers.tobytes()
        assert (a.case.solution, a.case.outcome) == (b.case.solution, b.case.outcome)


def test_sessions_are_kept_and_another_table_is_refused(tmp_path):
    table = table_of(CHEAP, 3)
    ticks = []
    made = retrieval_cases(Sessions(table, 2, 4), 1, tmp_path, tick=ticks.append)
    assert ticks == [0, 1, 2]
    again = retrieval_cases(Sessions(table, 2, 4), 1, tmp_path, tick=ticks.append)
    assert ticks[3:] == [2]
    saved = CaseBase.load(tmp_path / "flop.npz", SCHEMAS[1])
    for name, column in made.columns().items():
        assert column.tobytes() == again.columns()[name].tobytes() == saved.columns()[name].tobytes()
    assert np.unique(made.columns()["provenance"]["session"]).tolist() == [0, 1]
    with pytest.raises(ModelError, match="seed is 3, not 4; expected the same, or another folder"):
        retrieval_cases(Sessions(table_of(CHEAP, 4), 2, 4), 1, tmp_path)
