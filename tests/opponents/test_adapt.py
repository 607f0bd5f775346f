"""The model of each opponent: at first its style's, in the end its own."""

import numpy as np
import pytest

from baycarp.opponents.actions import ActionModel, sensible
from baycarp.opponents.adapt import Pace, PlayerModel
from baycarp.opponents.buckets import buckets, partition
from baycarp.opponents.moves import LEGAL, PRICE_OF, PRICES, SITUATIONS, Move
from baycarp.opponents.styles import Styles
from baycarp.rules.income import IncomeGroup

BET = SITUATIONS[0] // len(PRICES)
HELD = buckets((), IncomeGroup.IR7)


def always(choice):
    """A player that nearly always chooses one action where it is legal."""
    tables = []
    for street, shape in enumerate(np.empty(sensible().tables[s].shape) for s in range(4)):
        table = np.full(shape.shape, 0.02)
        table[:, :, choice] = 1.0
        table *= LEGAL[PRICE_OF[street]][:, None, :]
        tables.append(table / table.sum(axis=2, keepdims=True))
    return ActionModel(tuple(tables))


CALLS, RAISES = always(1), always(2)
TWO = Styles((CALLS, RAISES), (0.5, 0.5))


def hands(known, choice, number, holding=-1):
    for _ in range(number):
        known.learn([Move(3, 0, BET, choice)], (), IncomeGroup.IR7, holding)
    return known


def test_a_stranger_is_the_mean_of_the_styles():
    known = PlayerModel(TWO, Pace())
    for table, one, two in zip(known.model.tables, CALLS.tables, RAISES.tables, strict=True):
        assert table == pytest.approx((one + two) / 2)


def test_the_style_follows_by_bayes():
    known = hands(PlayerModel(TWO, Pace(half_life=1e9)), 2, 1)
    calls, raises = CALLS.tables[0][BET, 0, 2], RAISES.tables[0][BET, 0, 2]
    assert known.weights[1] == pytest.approx(raises / (calls + raises), rel=1e-6)


def test_one_style_and_a_shown_hand_is_the_conjugate_update():
    """Without tilt: (detail x style + 1) / (detail + 1), in that bucket and no other."""
    style = Styles((sensible(),), (1.0,))
    known = hands(PlayerModel(style, Pace(tilt=1e12, detail=4.0)), 2, 1, holding=0)
    before, after = sensible().tables[0][BET], known.model.tables[0][BET]
    bucket = HELD[0]
    assert after[bucket] == pytest.approx((4 * before[bucket] + [0, 0, 1]) / 5, rel=1e-6)
    others = np.arange(16) != bucket
    assert after[others] == pytest.approx(before[others], rel=1e-6)


def test_hidden_hands_are_counted_by_their_probability():
    style = Styles((sensible(),), (1.0,))
    known = hands(PlayerModel(style, Pace(tilt=1e12, detail=4.0)), 2, 1)
    before, after = sensible().tables[0][BET], known.model.tables[0][BET]
    held = sensible().posterior([Move(3, 0, BET, 2)], (), IncomeGroup.IR7)
    mass = np.bincount(HELD, held)[:, None]
    assert after == pytest.approx((4 * before + mass * [0, 0, 1]) / (4 + mass), rel=1e-6)


def test_a_player_that_always_raises_is_modelled_so():
    style = Styles((sensible(),), (1.0,))
    losses = []
    known = PlayerModel(style, Pace(tilt=5, detail=5, half_life=1e9))
    for number in (0, 10, 90):
        hands(known, 2, number)
        held = partition((), (0,), IncomeGroup.IR7).size / 1326
        losses.append(-np.log(held @ known.model.tables[0][BET, :, 2]))
    assert losses == sorted(losses, reverse=True)
    assert np.exp(-losses[-1]) > 0.8
    assert np.exp(-losses[0]) < 0.4


def test_a_style_of_little_worth_is_left_sooner():
    """Half the worth is half the pseudo-moves, at both levels."""
    pace, faster = Pace(tilt=8.0, detail=4.0), Pace(tilt=4.0, detail=2.0)
    little = PlayerModel(Styles((sensible(),), (1.0,), (0.5,)), pace)
    usual = PlayerModel(Styles((sensible(),), (1.0,)), faster)
    for known in (little, usual):
        hands(known, 2, 7)
    assert little.model.tables[0] == pytest.approx(usual.model.tables[0])


def test_the_model_follows_changes_of_play():
    """Two hundred hands of calls, then fifty of raises: only a model that fades follows the change."""
    chances = []
    for half_life in (20.0, 1e9):
        known = hands(hands(PlayerModel(TWO, Pace(half_life=half_life)), 1, 200), 2, 50)
        chances.append(known.model.tables[0][BET, :, 2].mean())
    assert chances[0] > 0.8
    assert chances[1] < 0.5


def test_learning_gives_a_valid_model_and_repeats():
    one, two = (hands(hands(PlayerModel(TWO), 2, 7), 1, 5, holding=100) for _ in range(2))
    for street, table in enumerate(one.model.tables):
        assert table.sum(axis=2) == pytest.approx(1.0)
        assert (table[~np.broadcast_to(LEGAL[PRICE_OF[street]][:, None, :], table.shape)] == 0).all()
        assert np.array_equal(table, two.model.tables[street])
    assert one.hands == 12
    own_moves = [Move(3, 0, BET, 2)]
    assert one.posterior(own_moves, "", IncomeGroup.IR7, "AhKd") == pytest.approx(
        one.model.posterior(own_moves, "", IncomeGroup.IR7, "AhKd")
    )
