import math

import numpy as np
import pytest
from reference import retrieval as reference

from baycarp.errors import ArgumentError, SchemaError
from baycarp.kernels.similarity import (
    MOST_NUMBERS,
    MOST_SLOTS,
    MOST_SYMBOLS,
    STATES,
    Cells,
    Measure,
    exp_nonpositive,
    exp_nonpositive_all,
    similar,
    sums,
)


def f64(*values):
    return np.array(values, np.float64)


MEASURE = Measure(f64(5, 80, 5), f64(0, 3), f64(8, 1))
NUMBERS = np.array([[2, 4, 6, 2], [0.5, 0.5, 0.9, 0.1]], np.float32)
CODES = np.array([[0, 255, 1, 0]], np.uint8)
TABLES = np.zeros((1, STATES))
TABLES[0, 0] = 1


def ask(
    at_least=0.0,
    at_most=4,
    measure=MEASURE,
    numbers=NUMBERS,
    codes=CODES,
    count=4,
    cells=None,
    query=(2, 0.5),
):
    return similar(
        measure, numbers, codes, count, cells, np.array(query, np.float32), TABLES, at_least, at_most
    )


def test_similarities_equal_the_formula():
    rows, similarities, scored = ask()
    far = exp_nonpositive(-3 * (0.5 - float(np.float32(0.1))))
    assert rows.tolist() == [0, 1, 3, 2]
    assert similarities[:2].tolist() == [1.0, (5 * 0.75 + 80) / 90]
    assert similarities[2] == (5 + 80 * far + 5) / 90
    assert scored == 4


def test_exp_nonpositive_is_the_exponential():
    assert exp_nonpositive(0.0) == exp_nonpositive(-0.0) == 1.0
    assert exp_nonpositive(-709.0) == exp_nonpositive(-math.inf) == 0.0
    xs = -np.geomspace(1e-18, 708, 20_000)
    found = np.array([exp_nonpositive(x) for x in xs.tolist()])
    assert np.all(np.abs(found - np.exp(xs)) <= 2 * np.spacing(np.exp(xs)))  # numpy's is off by as much
    assert np.all(np.diff(found) <= 0)
    for x in xs[::100].tolist():
        assert exp_nonpositive(x) == reference.exp_nonpositive(x)


@pytest.mark.parametrize("x", [1e-300, 1.0, math.inf, math.nan])
def test_exp_nonpositive_refuses_positive_numbers_and_nan(x):
    with pytest.raises(ValueError, match="expected at most 0"):
        exp_nonpositive(x)


def test_exp_nonpositive_of_many_has_the_same_bits():
    xs = -np.random.default_rng(1).exponential(20, (40, 50))
    assert exp_nonpositive_all(xs).tolist() == [[exp_nonpositive(x) for x in row] for row in xs.tolist()]
    assert exp_nonpositive_all(xs.T).tolist() == exp_nonpositive_all(xs).T.tolist()
    assert exp_nonpositive_all(np.empty((0, 3))).shape == (0, 3)
    for wrong in (1e-300, math.nan):
        with pytest.raises(ValueError, match="at most 0"):
            exp_nonpositive_all(np.array([-1.0, wrong]))


def with_symbols(**change):
    """The rows above with two symbols each, which are added last."""
    parts = {
        "measure": Measure(f64(5, 80, 5, 40, 10), f64(0, 3), f64(8, 1), 2),
        "symbols": np.array([[0, 7, 2, 0], [1, 0, 9, 1]], np.uint32),
        "vocabularies": (f64(1, 0, 0.25, 0, 0, 0, 0, 0.5), f64(0.5, 1)),
    } | change
    cells = parts.pop("cells", None)
    measure, query = parts.pop("measure"), np.array((2, 0.5), np.float32)
    limits = parts.pop("at_least", 0.0), 4
    return similar(measure, NUMBERS, CODES, 4, cells, query, TABLES, *limits, **parts)


def test_symbols_have_the_similarity_of_their_code():
    rows, similarities, _ = with_symbols()
    plain = {0: 90.0, 1: 5 * 0.75 + 80, 3: 5 + 80 * exp_nonpositive(-3 * (0.5 - float(np.float32(0.1)))) + 5}
    text = {0: (40 * 1.0, 10 * 1.0), 1: (40 * 0.5, 10 * 0.5), 3: (40 * 1.0, 10 * 1.0)}
    assert rows.tolist() == [0, 1, 3, 2]
    for row, similarity in zip(rows.tolist()[:3], similarities.tolist(), strict=False):
        assert similarity == (plain[row] + text[row][0] + text[row][1]) / 140
    far = 5 * 0.5 + 80 * exp_nonpositive(-3 * (float(np.float32(0.9)) - 0.5)) + 40 * 0.25
    assert similarities[3] == far / 140  # its second symbol is beyond the vocabulary


def test_cells_contain_symbols():
    symbols = np.array([[0, 7, 2, 0], [1, 0, 9, 1]], np.uint32)
    for at_least in (0.0, 0.5, 0.9, 1.0):
        plain = with_symbols(at_least=at_least)
        packed = with_symbols(at_least=at_least, cells=cells(symbols=symbols))
        assert plain[0].tolist() == packed[0].tolist()
        assert plain[1].tobytes() == packed[1].tobytes()


@pytest.mark.parametrize(
    "change",
    [
        {"symbols": None},
        {"symbols": np.zeros((1, 4), np.uint32)},
        {"symbols": np.zeros((2, 3), np.uint32)},
        {"vocabularies": (f64(1),)},
        {"measure": MEASURE},
        {"cells": True},
    ],
)
def test_inconsistent_symbols_are_refused(change):
    if change.get("cells"):
        change = {"cells": cells()}  # packed without their symbols
    with pytest.raises(SchemaError, match="symbols"):
        with_symbols(**change)


def test_rows_beyond_the_count_are_ignored():
    assert ask(count=2)[0].tolist() == [0, 1]
    assert ask(count=0)[0].tolist() == []


def test_results_are_limited_in_number_and_similarity():
    assert ask(at_least=0.9)[0].tolist() == [0, 1]
    assert ask(at_most=1)[0].tolist() == [0]
    assert ask(at_least=1.1)[0].tolist() == []


def cells(**change):
    """Two cells: row 2; rows 0 and 1, each in a separate run."""
    parts = {
        "cells": np.array([0, 1, 3], np.int32),
        "starts": np.array([0, 1, 2, 3], np.int64),
        "order": np.array([2, 0, 1], np.int32),
        "numbers": NUMBERS,
        "codes": CODES,
        "stems": np.array([[4, 2, 6]], np.float32),
        "stem_of": np.array([1, 0, 2], np.uint16),
    }
    return Cells(**(parts | change))


@pytest.mark.parametrize("by_stem", [False, True])
def test_cells_and_a_tail_give_the_same_result_from_fewer_rows(by_stem):
    for limits in ({}, {"at_least": 0.9}, {"at_most": 2}):
        assert ask(**limits)[0].tolist() == ask(**limits, cells=cells(by_stem=by_stem))[0].tolist()
        assert ask(**limits)[1].tobytes() == ask(**limits, cells=cells(by_stem=by_stem))[1].tobytes()
    # The far cell is excluded, the tail is scanned; of the near cell both runs are searched, then one.
    assert ask(at_least=0.95, cells=cells())[2] == 3
    assert ask(at_least=0.99, cells=cells())[2] == 2
    assert (len(cells()), cells().stored) == (2, 3)


def test_read_only_arrays_are_accepted():
    numbers = NUMBERS.copy()
    numbers.flags.writeable = False
    assert ask(numbers=numbers)[0].tolist() == [0, 1, 3, 2]


@pytest.mark.parametrize(
    "change",
    [
        {"numbers": NUMBERS[:, :2].copy(), "codes": CODES[:, :2].copy()},
        {"codes": CODES[:, :3].copy()},
        {"numbers": np.zeros((MOST_NUMBERS + 1, 4), np.float32)},
        {"codes": np.zeros((MOST_SLOTS + 1, 4), np.uint8)},
        {"symbols": np.zeros((MOST_SYMBOLS + 1, 4), np.uint32)},
        {"symbols": np.zeros((1, 3), np.uint32)},
        {"stem_of": np.array([1, 0, 3], np.uint16)},
        {"stem_of": np.array([1, 0, 0], np.uint16)},
        {"stem_of": np.array([1, 0], np.uint16)},
        {"stems": np.zeros((3, 3), np.float32)},
        {"order": np.array([0, 1, 3], np.int32)},
        {"order": np.array([0, 1, 1], np.int32)},
        {"order": np.array([0, -1, 2], np.int32)},
        {"starts": np.array([0, 2, 1, 3], np.int64)},
        {"starts": np.array([1, 2, 3, 3], np.int64)},
        {"starts": np.array([0, 1, 2], np.int64)},
        {"starts": np.array([3], np.int64)},
        {"cells": np.array([0, 2, 1], np.int32)},
        {"cells": np.array([1, 3], np.int32)},
        {"cells": np.array([3], np.int32)},
    ],
)
def test_inconsistent_cells_are_refused(change):
    with pytest.raises(SchemaError):
        cells(**change)


@pytest.mark.parametrize(
    "arguments",
    [
        (f64(1, 1), f64(0), f64(1, 1)),
        (f64(1), f64(0, 0), f64(1, 1)),
        (f64(0), f64(0), f64(1)),
        (f64(math.nan), f64(0), f64(1)),
        (f64(1), f64(-1), f64(1)),
        (f64(1), f64(1e201), f64(1)),
        (f64(1e-301), f64(0), f64(1)),
        (f64(1e308, 1e308), f64(0), f64(1)),
        (f64(1), f64(0), f64(0)),
        (f64(), f64(), f64()),
        (np.ones(MOST_NUMBERS + 1), np.zeros(MOST_NUMBERS + 1), np.ones(MOST_NUMBERS + 1)),
        (np.ones(MOST_SLOTS + 1), f64(), f64()),
        (np.ones(MOST_SYMBOLS + 1), f64(), f64(), MOST_SYMBOLS + 1),
        (f64(1), f64(), f64(), 2),
        (f64(1), f64(), f64(), -1),
    ],
)
def test_an_invalid_measure_is_refused(arguments):
    with pytest.raises(SchemaError):
        Measure(*arguments)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"count": 5}, SchemaError),
        ({"count": -1}, SchemaError),
        ({"count": 2, "cells": cells()}, SchemaError),
        ({"numbers": NUMBERS[:1].copy()}, SchemaError),
        ({"query": (1,)}, SchemaError),
        ({"at_least": math.nan}, ArgumentError),
        ({"at_least": 10**400}, ArgumentError),
        ({"at_most": 0}, ValueError),
    ],
)
def test_an_invalid_query_is_refused(change, error):
    with pytest.raises(error):
        ask(**change)


def test_sums_of_rows_are_numpys_sums_by_solution():
    rng = np.random.default_rng(8)
    solutions, outcomes = rng.integers(5, size=60).astype(np.uint8), rng.normal(size=60)
    ids, similarities = 100 + rng.permutation(50)[:20], rng.random(20)
    counts, paid, alike = sums(ids, similarities, 100, 50, solutions, outcomes)
    held = solutions[ids - 100]
    assert counts[:5].tolist() == np.bincount(held, minlength=5).tolist()
    assert not counts[5:].any()
    assert (paid[:5] == np.bincount(held, outcomes[ids - 100], 5)).all()
    assert (alike[:5] == np.bincount(held, similarities, 5)).all()
    assert not sums(ids[:0], similarities[:0], 100, 50, solutions, outcomes)[0].any()
    of_five = sums(ids, similarities, 100, 50, solutions, outcomes, 5)
    assert [each.tolist() for each in of_five] == [each[:5].tolist() for each in (counts, paid, alike)]


def test_sums_of_more_rows_than_are_added_at_once_are_numpys():
    rng = np.random.default_rng(9)
    solutions, outcomes = rng.integers(3, size=700).astype(np.uint8), rng.normal(size=700)
    ids, similarities = rng.permutation(700), rng.random(700)
    counts, paid, alike = sums(ids, similarities, 0, 700, solutions, outcomes, 3)
    assert counts.tolist() == np.bincount(solutions).tolist()
    assert (paid == np.bincount(solutions[ids], outcomes[ids])).all()
    assert (alike == np.bincount(solutions[ids], similarities)).all()


def test_sums_of_a_solution_beyond_their_number_are_refused():
    with pytest.raises(SchemaError, match="solution 3: expected one below 3"):
        sums(np.array([0]), np.ones(1), 0, 1, np.full(1, 3, np.uint8), np.zeros(1), 3)


@pytest.mark.parametrize("id", [99, 150])
def test_sums_of_a_row_that_is_not_stored_are_refused(id):
    solutions, outcomes = np.zeros(60, np.uint8), np.zeros(60)
    with pytest.raises(SchemaError, match=f"case {id}: expected the id of a stored case"):
        sums(np.array([100, id]), np.ones(2), 100, 50, solutions, outcomes)
