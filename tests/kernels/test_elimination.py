"""The binding refuses programs and rows that access memory out of bounds."""

import numpy as np
import pytest

from baycarp.errors import EvidenceError
from baycarp.kernels.elimination import CONSTANTS, FACTORS, LOOPS, MESSAGES, TABLES, Program

# P(A), two states; P(B | A), three states.
NUMBERS = np.array([0.3, 0.7, 0.2, 0.5, 0.3, 0.0, 0.4, 0.6])
B_GIVEN_A = ([1, 3], [0, 1], 0, 3, [(TABLES, 2, [0, 1], [(0, 3)]), (TABLES, 0, [0, 0], [(0, 1)])])
NONE = np.empty(0)
OBSERVED = [("A", ("no", "yes"))]


def test_a_step_gives_posteriors_and_probability():
    program = Program(NUMBERS, NONE, OBSERVED, [B_GIVEN_A], [(0, 3)])
    values, probability = program.run({"A": "yes"})
    assert probability == pytest.approx(0.7)
    np.testing.assert_allclose(values, NUMBERS[5:])
    values, probability = program.run_batch([[1], [0]])
    np.testing.assert_allclose(probability, [0.7, 0.3])
    np.testing.assert_allclose(values, [NUMBERS[5:], NUMBERS[2:5]])


def test_factors_may_be_in_any_order():
    lengths, strides, first, size, factors = B_GIVEN_A
    changed = (lengths, strides, first, size, factors[::-1])
    one, other = (
        Program(NUMBERS, NONE, OBSERVED, [step], [(0, 3)]).run({"A": "no"}) for step in (B_GIVEN_A, changed)
    )
    np.testing.assert_array_equal(one[0], other[0])


def test_read_only_tables_are_accepted_and_kept_alive():
    tables = NUMBERS.copy()
    tables.flags.writeable = False
    program = Program(tables, NONE, OBSERVED, [B_GIVEN_A], [(0, 3)])
    del tables
    assert program.run({"A": "no"})[1] == pytest.approx(0.3)


@pytest.mark.parametrize(
    "step",
    [
        ([1, 4], [0, 1], 0, 4, [(TABLES, 2, [0, 1], [(0, 3)])]),  # reads after the tables
        ([1, 3], [0, 1], 0, 3, [(TABLES, 3, [0, 1], [(0, 3)])]),
        ([1, 3], [0, 1], 0, 3, [(TABLES, 2, [0, 1], [(0, 4)])]),
        ([1, 3], [0, 1], 0, 3, [(TABLES, -1, [0, 1], [])]),
        ([1, 3], [0, -1], 0, 3, [(TABLES, 2, [0, 1], [])]),
        ([1, 3], [0, 1], 0, 3, [(TABLES, 2, [0, -1], [])]),
        ([1, 0], [0, 1], 0, 3, [(TABLES, 2, [0, 1], [])]),
        ([1, 3], [0, 1], 0, 2, [(TABLES, 2, [0, 1], [])]),  # writes after its message
        ([1, 3], [0, 1], 1, 3, [(TABLES, 2, [0, 1], [])]),  # leaves a gap
        ([1, 3], [0, 1], 0, 3, [(MESSAGES, 0, [0, 1], [])]),  # reads its own message
        ([1, 3], [0, 1], 0, 3, [(CONSTANTS, 0, [0, 1], [])]),  # no constants
        ([1, 3], [0, 1, 1], 0, 3, [(TABLES, 2, [0, 1], [])]),
        ([1, 3], [0, 1], 0, 3, [(TABLES, 2, [0, 1, 1], [])]),
        ([3], [1], 0, 3, [(TABLES, 2, [1], [])]),
        ([1] * (LOOPS + 1), [0] * (LOOPS + 1), 0, 1, []),
        ([1, 1], [0, 0], 0, 1, [(TABLES, 0, [0, 0], [])] * (FACTORS + 1)),
    ],
)
def test_a_step_out_of_bounds_is_refused(step):
    with pytest.raises(ValueError, match=r"expected|ends at|argument"):
        Program(NUMBERS, NONE, OBSERVED, [step], [(0, 1)])


def test_unknown_slices_and_memories_are_refused():
    for factor in ((7, 0, [0, 1], []), (TABLES, 2, [0, 1], [(1, 3)]), (TABLES, 2, [0, 1], [(-1, 3)])):
        with pytest.raises((ValueError, KeyError, IndexError)):
            Program(NUMBERS, NONE, OBSERVED, [([1, 3], [0, 1], 0, 3, [factor])], [(0, 3)])


def test_an_answer_outside_the_messages_is_refused():
    for answer in ((0, 4), (-1, 2), (3, 1)):
        with pytest.raises(ValueError, match="messages take 3"):
            Program(NUMBERS, NONE, OBSERVED, [B_GIVEN_A], [answer])


@pytest.mark.parametrize(
    ("codes", "message"),
    [
        ([[0], [2]], "row 1: 'A' = 2, expected a code 0..1"),
        ([[-1]], "row 0: 'A' = -1"),
        ([0, 1], r"expected shape \(n, 1\)"),
        ([[0, 0]], r"expected shape \(n, 1\)"),
        ([[0.0]], "expected integers, got float64"),
        (np.array([[2**32]]), "'A' = 4294967296"),
        (np.array([[2**63]], np.uint64), "'A' = 9223372036854775808"),
    ],
)
def test_invalid_codes_are_refused(codes, message):
    program = Program(NUMBERS, NONE, OBSERVED, [B_GIVEN_A], [(0, 3)])
    with pytest.raises(EvidenceError, match=message):
        program.run_batch(codes)


def test_evidence_may_be_any_mapping():
    from types import MappingProxyType

    program = Program(NUMBERS, NONE, OBSERVED, [B_GIVEN_A], [(0, 3)])
    assert program.run(MappingProxyType({"A": "no"}))[1] == pytest.approx(0.3)
    with pytest.raises(EvidenceError, match="lacks 'A'"):
        program.run(MappingProxyType({}))
    for nothing in (["A"], 3, "A"):
        with pytest.raises(EvidenceError, match="expected a mapping"):
            program.run(nothing)


def test_messages_of_a_program_can_be_constants_of_another():
    joint = ([2, 3], [3, 1], 0, 6, [(TABLES, 2, [3, 1], []), (TABLES, 0, [1, 0], [])])
    constants = Program(NUMBERS, NONE, [], [joint], []).messages()
    np.testing.assert_allclose(constants.reshape(2, 3), NUMBERS[:2, None] * NUMBERS[2:].reshape(2, 3))
    of_b = ([2, 3], [0, 1], 0, 3, [(CONSTANTS, 0, [3, 1], [])])
    values, probability = Program(NUMBERS, constants, [], [of_b], [(0, 3)]).run({})
    np.testing.assert_allclose(values, NUMBERS[:2] @ NUMBERS[2:].reshape(2, 3))
    assert probability == pytest.approx(1)
    with pytest.raises(ValueError, match=r"observes .'A'"):
        Program(NUMBERS, NONE, OBSERVED, [B_GIVEN_A], []).messages()
