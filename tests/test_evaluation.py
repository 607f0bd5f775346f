"""The public measures: their arguments, and several opponents."""

from types import SimpleNamespace

import numpy as np
import pytest

from baycarp import evaluation
from baycarp.card import HOLDINGS, as_cards, holding_index
from baycarp.errors import CardError, RangeError
from baycarp.ranges import Range

SPOT = "AdQc", "3h4cJh"


def narrow(seed):
    return np.random.default_rng(seed).integers(0, 2, 1326) * 1.0


def test_without_a_range_the_opponent_is_uniform():
    assert evaluation.strength(*SPOT, ahead=1) == evaluation.strength(*SPOT, np.ones(1326), ahead=1)


def test_strengths_of_several_opponents_are_combined():
    """Strengths multiply, potentials are averaged."""
    alone = [evaluation.strength(*SPOT, narrow(seed), ahead=1) for seed in range(3)]
    hs, ppot, npot = evaluation.strength(*SPOT, *map(narrow, range(3)), ahead=1)
    assert hs == alone[0][0] * alone[1][0] * alone[2][0]
    assert ppot == pytest.approx(np.mean([each[1] for each in alone]), rel=1e-15)
    assert npot == pytest.approx(np.mean([each[2] for each in alone]), rel=1e-15)
    assert evaluation.hand_strength(*SPOT, *map(narrow, range(3))) == hs
    assert evaluation.potential(*SPOT, *map(narrow, range(3)), ahead=1) == (ppot, npot)


def test_any_object_with_weights_is_a_range():
    weights = narrow(0)
    assert evaluation.hand_strength(*SPOT, SimpleNamespace(weights=weights)) == evaluation.hand_strength(
        *SPOT, weights
    )
    ranged = SimpleNamespace(weights=weights)
    assert evaluation.equity(ranged, "AdQc", SPOT[1]) == evaluation.equity(weights, "AdQc", SPOT[1])


def test_a_holding_is_a_range_of_one():
    single = np.zeros(1326)
    single[holding_index(49, 40)] = 1
    expected = evaluation.equity(single, narrow(1), SPOT[1])
    for holding in ("AdQc", "Qc Ad", [49, 40], (40, 49), np.array([49, 40], np.uint8)):
        assert evaluation.equity(holding, narrow(1), SPOT[1]) == expected


def test_a_range_is_given_as_its_text():
    for ask in (evaluation.strength, evaluation.hand_strength, evaluation.potential):
        assert ask(*SPOT, "QQ+, AKs:0.5") == ask(*SPOT, Range("QQ+, AKs:0.5"))
    ours, theirs = "AdQc, 88", "QQ+,AKs,!QhQd"
    for board in ("", SPOT[1]):
        assert evaluation.equity(ours, theirs, board) == evaluation.equity(Range(ours), Range(theirs), board)
    with pytest.raises(RangeError, match=r"a: column 1: 'Ad': .*expected 2 cards"):
        evaluation.equity("Ad", "KsKc")


@pytest.mark.parametrize("board", ["", "Qs7d2c", "Qs7d2c3h", "Qs7d2c3h9s"])
def test_the_map_and_the_blockers_are_those_of_each_holding_by_itself(board):
    ours, theirs = Range("AhKd, QdQh, 7c2c, JTs"), Range("77+, AQ+:0.5, 8s7s")
    found, blocked = evaluation.equity_map(ours, theirs, board), evaluation.blockers(ours, theirs, board)
    left = theirs.without(board) if board else theirs
    for holding, cards in enumerate(HOLDINGS):
        if not ours.weights[holding] or set(cards) & set(as_cards(board)):
            assert np.isnan([found[holding], blocked[holding]]).all()
            continue
        assert found[holding] == pytest.approx(evaluation.equity(cards, theirs, board), abs=1e-12)
        assert blocked[holding] == pytest.approx(1 - left.without(cards).total / left.total)
    with pytest.raises(CardError, match="card id 52 in a"):
        evaluation.equity([52, 3], "KsKc")


def test_the_error_names_the_wrong_range():
    with pytest.raises(RangeError, match="range 2: expected 1326 numbers"):
        evaluation.hand_strength(*SPOT, np.ones(1326), np.ones(169))
    with pytest.raises(RangeError, match="range 2: no holding is left"):
        evaluation.hand_strength(*SPOT, np.ones(1326), np.zeros(1326))


def test_a_holding_in_text_has_the_errors_of_a_range():
    with pytest.raises(RangeError, match="b: expected 1326 numbers"):
        evaluation.equity("AdQc", np.ones(169), SPOT[1])
    with pytest.raises(RangeError, match=r"a: weight -1\.0 at 0"):
        evaluation.equity(-np.ones(1326), "AdQc", SPOT[1])
    with pytest.raises(CardError, match="board"):
        evaluation.equity("AdQc", np.ones(1326), "2c3c")
    with pytest.raises(RangeError, match="no two holdings are left"):
        evaluation.equity("AdQc", np.ones(1326), "AdKc2c")
    with pytest.raises(RangeError, match="no two holdings are left"):
        evaluation.equity("AdQc", np.zeros(1326), "AhKc2c")


def test_expected_strength_is_equity_against_any_holding():
    for board in ("3h4cJh", "3h4cJh9d", "3h4cJh9d2s"):
        mean, square = evaluation.expected_strength("AdQc", board)
        assert mean == pytest.approx(evaluation.equity("AdQc", np.ones(1326), board), rel=1e-14)
        assert mean * mean <= square * (1 + 1e-15) <= mean


def test_expected_strength_of_every_holding():
    means, squares = evaluation.expected_strength(None, "3h4cJh9d")
    index = holding_index(49, 40)
    assert (means[index], squares[index]) == pytest.approx(evaluation.expected_strength("AdQc", "3h4cJh9d"))
