"""The bindings of expected counts, explanations and counts refuse accesses out of bounds."""

import numpy as np
import pytest

from baycarp.errors import EvidenceError
from baycarp.kernels.counting import NARROW, Column, code_rows, count
from baycarp.kernels.elimination import TABLES, Program
from baycarp.kernels.expectation import Expectation
from baycarp.kernels.explanation import Explanation

# P(A), two states; P(B | A), three states; A hidden, B observed.
NUMBERS = np.array([0.3, 0.7, 0.2, 0.5, 0.3, 0.0, 0.4, 0.6])
OF_A = ([1, 2], [0, 1], 0, 2, [(TABLES, 0, [0, 1], []), (TABLES, 2, [0, 3], [(0, 1)])])
PROGRAM = Program(NUMBERS, np.empty(0), [("B", ("x", "y", "z"))], [OF_A], [(0, 2)])


def test_rows_are_added_to_the_counts():
    counts = np.zeros(8)
    deposits = [(0, 0, [2], [1], []), (0, 2, [2], [3], [(0, 1)])]
    found = Expectation(PROGRAM, deposits).add([[1], [0]], None, np.array([2.0, 1.0]), counts)
    np.testing.assert_allclose(found, [0.15 + 0.28, 0.06])
    np.testing.assert_allclose(counts[:2], [2 * 0.15 / 0.43 + 1, 2 * 0.28 / 0.43])
    np.testing.assert_allclose(counts[2:], [1, 0.3 / 0.43, 0, 0, 0.56 / 0.43, 0])


@pytest.mark.parametrize(
    "deposit",
    [
        (0, 7, [2], [1], []),  # after the counts
        (0, 3, [2], [3], [(0, 1)]),
        (0, -1, [2], [1], []),
        (1, 0, [2], [1], []),  # after the messages
        (-1, 0, [2], [1], []),
        (0, 0, [], [], []),
        (0, 0, [0], [1], []),
        (0, 0, [2], [-1], []),
    ],
)
def test_a_deposit_out_of_bounds_is_refused(deposit):
    with pytest.raises(ValueError, match=r"expected|outside"):
        Expectation(PROGRAM, [deposit])


def test_invalid_rows_and_weights_are_refused():
    expectation, counts = Expectation(PROGRAM, [(0, 0, [2], [1], [])]), np.zeros(8)
    with pytest.raises(EvidenceError, match="'B' = 3"):
        expectation.add([[3]], None, np.ones(1), counts)
    with pytest.raises(EvidenceError, match="likelihoods"):
        expectation.add([[0]], np.ones((1, 2)), np.ones(1), counts)
    for weights, into in ((np.ones(2), counts), (np.ones(1), np.zeros(7))):
        with pytest.raises(ValueError, match="weights"):
            expectation.add([[0]], None, weights, into)


@pytest.mark.parametrize(
    ("variables", "lengths"), [([[-1, 1]], [2]), ([[-1, 0]], [3]), ([[0]], [2]), ([], [2]), ([[-1, 0]], [2])]
)
def test_invalid_variables_are_refused(variables, lengths):
    with pytest.raises(ValueError, match=r"expected|another"):
        Explanation(PROGRAM, variables, lengths)


def test_columns_are_checked_and_counted():
    column = Column(np.array([0, 2, -1]), 3)
    assert (len(column), column.states, column.wrong) == (3, 3, None)
    assert Column(np.array([0, 3, -2]), 3).wrong == 1
    assert count([column, Column(np.array([1, 1, 1]), 2)]).tolist() == [[0, 1], [0, 0], [0, 1]]
    for states in (0, NARROW + 1):
        with pytest.raises(ValueError, match="states"):
            Column(np.zeros(2, int), states)
    for columns in (
        [column, Column(np.zeros(2, int), 2)],
        [column] * 65,
        [Column(np.zeros(1, int), NARROW)] * 3,
    ):
        with pytest.raises(ValueError, match="expected"):
            count(columns)


def test_rows_of_codes_are_checked():
    codes, place = code_rows(np.array([[0, 1], [2, 0]]), np.array([3, 2], np.int32))
    assert (codes.tolist(), place) == ([[0, 1], [2, 0]], 4)
    assert code_rows(np.array([[0, 1], [2, 2]]), np.array([3, 2], np.int32))[1] == 3
    with pytest.raises(ValueError, match="columns"):
        code_rows(np.array([[0]]), np.array([3, 2], np.int32))
