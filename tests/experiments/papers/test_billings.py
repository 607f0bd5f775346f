"""Papp (1998), section 5.2-5.3, after Billings, Papp, Schaeffer and Szafron (1998): the worked hands."""

import pytest

from baycarp.evaluation import hand_strength, potential, strength

HANDS = {
    ("AdQc", "3h4cJh", 2): (0.5851, 0.2083, 0.2737),
    ("AdQc", "3h4cJh", 1): (0.5851, 0.1083, 0.1454),
    ("8d7d", "9d6c2d", 2): (0.1152, 0.6215, 0.1166),
    ("8d7d", "9d6c2d", 1): (0.1152, 0.4077, 0.0750),
}


@pytest.mark.parametrize(("hole", "board", "ahead"), HANDS)
def test_worked_hands(hole, board, ahead):
    expected = HANDS[hole, board, ahead]
    assert strength(hole, board, ahead=ahead) == pytest.approx(expected, abs=5e-5)
    assert hand_strength(hole, board) == pytest.approx(expected[0], abs=5e-5)
    assert potential(hole, board, ahead=ahead) == pytest.approx(expected[1:], abs=5e-5)


def test_strength_is_the_share_of_holdings_beaten():
    assert hand_strength("AdQc", "3h4cJh") == (628 + 9 / 2) / 1081
    assert hand_strength("8d7d", "9d6c2d") == (120 + 9 / 2) / 1081


def test_five_opponents():
    assert hand_strength("AdQc", "3h4cJh", *[[1] * 1326] * 5) == pytest.approx(0.069, abs=5e-4)
