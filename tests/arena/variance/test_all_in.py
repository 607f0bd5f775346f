"""The all-in estimator: the payoffs that it replaces, those that it keeps, and its mean."""

import numpy as np
import pytest

from baycarp.evaluation import equity
from baycarp.game.showdowns import all_in
from baycarp.game.state import State
from baycarp.game.variant import Variant
from baycarp.kernels.game import deal

GAME = Variant.ring(3, betting="no-limit", stacks=(101, 57, 200))


def played(words, deck, game=GAME):
    state = State(game, deck=deck)
    for word in words.split():
        state.apply(state.legal_actions()[-1] if word == "all" else state.named(word))
    assert state.is_over
    return state


@pytest.mark.parametrize("turn", ["all call call", "check all call fold", "check check all all fold"])
@pytest.mark.parametrize("hand", [1, 2, 5])
def test_over_all_rivers_the_mean_is_that_of_the_payoffs(turn, hand):
    """To the last chip: pots are odd, so some winners get a chip more than their share."""
    words = "call call check check check check " + turn
    deck = deal(1, 0, hand, 10)
    rivers = [bytes([*deck, card]) for card in range(52) if card not in deck]
    hands = [played(words, cards) for cards in rivers]
    payoffs = np.array([over.payoffs() for over in hands])
    found = np.array([all_in(over, seed=1) for over in hands])
    np.testing.assert_allclose(found.mean(axis=0), payoffs.mean(axis=0), atol=1e-10)
    np.testing.assert_allclose(found.sum(axis=1), 0, atol=1e-9)
    assert np.ptp(found, axis=0).max() < 2  # an odd chip
    assert np.ptp(payoffs, axis=0).max() > 50


def test_two_all_in_before_the_flop_have_their_exact_equity():
    over = played("all call", deal(1, 0, 5, 9), Variant.ring(2, betting="no-limit", stacks=(57, 90)))
    found = all_in(over, seed=1)
    share = equity(list(over.holes[0]), list(over.holes[1]))
    assert found.tolist() == pytest.approx([114 * share - 57, 57 - 114 * share], abs=1e-9)
    assert (found == all_in(over, seed=2)).all()


def test_three_all_in_before_the_flop_are_sampled_by_the_seed():
    over = played("all all call", deal(1, 0, 6, 11))
    assert (all_in(over, 1) == all_in(over, 1)).all()
    assert (all_in(over, 1) != all_in(over, 2)).any()
    np.testing.assert_allclose(all_in(over, 1), all_in(over, 2), atol=4 * over.pot * 0.7 / 10_000**0.5)


@pytest.mark.parametrize(
    "words",
    ["all fold fold", "call call check " + 9 * "check ", "call call check " + 6 * "check " + "all call fold"],
)
def test_hands_without_a_run_out_keep_their_payoffs(words):
    over = played(words, deal(1, 0, 7, 11))
    assert all_in(over, 1).tolist() == list(over.payoffs())


def test_blinds_that_put_every_player_all_in():
    game = Variant.ring(2, betting="no-limit", stacks=(2, 1))
    over = State(game, deck="AhAdKsKc2s7h9d3cKd")
    assert over.is_over
    assert over.payoffs() == (-1, 1)
    assert all_in(over, 1)[0] == pytest.approx(2 * equity("AhAd", "KsKc") - 1)
