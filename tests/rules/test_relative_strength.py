"""Strength and potential against several ranges."""

import numpy as np
import pytest

from baycarp.card import cards, holding_index
from baycarp.errors import CardError, RangeError
from baycarp.rules.strength import relative_strength


def weights(*holdings):
    made = np.zeros(1326)
    for holding in holdings:
        made[holding_index(*cards(holding).tolist())] += 1
    return made


def test_strengths_multiply_and_the_river_has_no_potential():
    """Aces up beat one holding, tie with one and lose to one."""
    board = "As9d5c3h2s"
    beaten, tied, ahead = "KdKc", "Ac9c", "4h6h"
    assert relative_strength("Ad9h", board, [weights(beaten, tied)]).hs == 0.75
    assert relative_strength("Ad9h", board, [weights(beaten, tied), weights(beaten, ahead)]).hs == 0.375
    assert relative_strength("Ad9h", board, [weights(beaten)])[1:] == (None, None)


def test_potentials_on_the_turn_by_counting():
    """Kings lose to nine spades and three aces of 44 rivers; against a set of aces nothing helps them."""
    ahead = relative_strength("KdKc", "Qs9s5c2h", [weights("AsJs")])
    assert ahead.hs == 1
    assert ahead.npot == pytest.approx(12 / 44)
    behind = relative_strength("KdKc", "Ah9s5c2h", [weights("AsAd")])
    assert (behind.hs, behind.ppot) == (0, 0)


def test_potentials_are_the_mean_over_opponents():
    board, one, two = "Qs9s5c", weights("AsJs", "QdJd"), weights("9c9h", "8h7h")
    both = relative_strength("KdKc", board, [one, two])
    alone = [relative_strength("KdKc", board, [each]) for each in (one, two)]
    assert both.hs == pytest.approx(alone[0].hs * alone[1].hs)
    assert both.ppot == pytest.approx((alone[0].ppot + alone[1].ppot) / 2)
    assert both.npot == pytest.approx((alone[0].npot + alone[1].npot) / 2)


def test_the_look_ahead_is_one_card_or_two():
    """One card ahead the draw has nine spades and three aces among 45, two cards ahead more."""
    near, far = (relative_strength("KdKc", "Qs9s5c", [weights("AsJs")], cards).npot for cards in (1, 2))
    assert near == pytest.approx(12 / 45)
    assert far > near


def test_bad_input_is_named():
    with pytest.raises(RangeError, match="one for each opponent"):
        relative_strength("KdKc", "Qs9s5c", [])
    with pytest.raises(CardError, match="expected 3 or 4 or 5 cards"):
        relative_strength("KdKc", "Qs9s", [weights("AsJs")])
