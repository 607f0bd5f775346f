"""Worked examples of the Loki and Poki papers: Papp 1998; Peña 1999; Billings et al. 1999."""

import numpy as np
import pytest

from baycarp.agents.anytime import Recorder
from baycarp.agents.poki.preflop import (
    PUBLISHED,
    THRESHOLDS,
    Preflop,
    StreetPlan,
    answer,
    chosen,
    shares,
    thresholds,
)
from baycarp.agents.poki.weights import DEFAULTS, Frequencies, factor
from baycarp.budget import Budget
from baycarp.card import CLASS_OF, CLASSES, cards
from baycarp.game.state import State
from baycarp.game.variant import Variant
from baycarp.kernels.simulation import RULES, rule_shares
from baycarp.kernels.strength import strength
from baycarp.rules.betting.context import LimitSpot, Rules, facing
from baycarp.rules.income import IncomeGroup, income_group, income_rates


def spot(**given):
    plain = {
        "seat": 0, "street": 1, "pot": 8, "owed": 0, "bet": 2, "later": 8, "bets": 0, "opponents": 1,
        "joined": 0, "behind": 0, "after": 0, "invested": False, "can_raise": True,
    }  # fmt: skip
    return LimitSpot(**(plain | given))


def half(rule, of, **given):
    """The potential (or strength) at which a rule takes half of the rest: its published threshold."""
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        share = of(middle)[RULES.index(rule)]
        low, high = (low, middle) if share >= 0.5 else (middle, high)
    return low


def test_papp_semi_bluff_price():
    """Pot 8, bet 2: a semi-bluff needs PPot 2 * 2 / (8 + 4 * 2 + 2 * 2) = 0.20."""
    at = half("semi-bluff", lambda ppot: rule_shares(spot(), Rules(), 0.0, ppot, 0.0)[0])
    assert at == pytest.approx(0.20)


def test_papp_pot_odds():
    """Pot 20 with the bet faced, 4 to call: 4 / 24 = 0.167."""
    faced = spot(street=2, pot=20, owed=4, bet=4, bets=1, later=4)
    at = half("pot odds", lambda ppot: rule_shares(faced, Rules(), 0.0, ppot, 0.0)[0])
    assert at == pytest.approx(4 / 24)


def test_showdown_odds():
    """Our reading of Papp's last rule: EHS >= (c + f) / (pot + c + 2f); on the turn 8 / 32 here."""
    faced = spot(street=2, pot=20, owed=4, bet=4, bets=1, later=4)
    at = half("showdown odds", lambda hs: rule_shares(faced, Rules(), hs, 0.0, 0.0)[0])
    assert at == pytest.approx(8 / 32)
    defended = half("showdown odds", lambda hs: rule_shares(faced, Rules(defence=1), hs, 0.0, 0.0)[0])
    assert defended == pytest.approx(4 / 24)


def test_papp_betting_thresholds():
    """EHS' 0.85 raises, 0.50 bets; a second bet stops rule 1 at a call, two bets to call stop rule 2."""
    faced = spot(pot=10, owed=2, bets=1)
    assert half("strong", lambda hs: rule_shares(faced, Rules(), hs, 0, 0)[0]) == pytest.approx(0.85)
    assert half("good", lambda hs: rule_shares(spot(), Rules(), hs, 0, 0)[0]) == pytest.approx(0.50)
    assert rule_shares(spot(), Rules(), 0.99, 0, 0)[1] == (0, 0, 1)
    assert rule_shares(faced, Rules(), 0.99, 0, 0)[1] == (0, 0, 1)
    assert rule_shares(spot(owed=2, bets=2, invested=True), Rules(), 0.99, 0, 0)[1] == (0, 1, 0)
    assert rule_shares(spot(), Rules(), 0.7, 0, 0)[1] == (0, 0, 1)
    assert rule_shares(spot(owed=4, bets=2, pot=14), Rules(), 0.7, 0, 0)[0][RULES.index("good")] == 0
    assert rule_shares(spot(owed=4, bets=2, invested=True), Rules(), 0.7, 0, 0)[1] == (0, 1, 0)


def test_a_semi_bluff_is_followed_up():
    following = spot(street=3, bet=4, later=0, following=True)
    assert rule_shares(following, Rules(), 0.0, 0.0, 0.0)[1] == (0, 0, 1)
    assert rule_shares(spot(street=3, bet=4, later=0), Rules(), 0.0, 0.0, 0.0)[1] == (0, 1, 0)


def test_a_slow_play_waits_for_two():
    slow = Rules(slow=0.3)
    assert rule_shares(spot(opponents=2, behind=2), slow, 1.0, 0, 0)[1] == pytest.approx((0, 0.3, 0.7))
    assert rule_shares(spot(opponents=2, behind=1), slow, 1.0, 0, 0)[1] == (0, 0, 1)
    assert rule_shares(spot(), slow, 1.0, 0, 0)[1] == (0, 0, 1)


def test_pena_thresholds_of_four_players():
    """Moderate dealer among four: 580, 200 and 50."""
    least = thresholds(IncomeGroup.IR4, position=0)
    assert list(least.values())[1:] == [50, 200, 580]
    assert THRESHOLDS[4, StreetPlan.MAKE2][1][2] == 50  # Papp: tight Make2 is [200, 50]
    assert thresholds(IncomeGroup.IR4, position=2, style=Preflop("tight"))[StreetPlan.MAKE2] == 300


def test_pena_a8s_plays_make2():
    """A8s (IR4 = 338), the moderate dealer among four: raises an unraised pot, calls a raised one."""
    hand = State(Variant.ring(4))
    hand.deal(holes={3: "Ah8h"})
    hand.apply(hand.named("call"))
    faced = facing(hand.observe(3))
    assert income_group(faced.joined, faced.behind) == 1
    triple, column, stage = chosen(hand.observe(3), faced, PUBLISHED, 0, 0.5, Recorder(Budget().start()))
    assert (stage.strategy, stage.income_table, stage.position) == ("MAKE2", "IR4", 0)
    assert stage.income_rate == pytest.approx(338, abs=10)
    assert (triple, column) == ((0, 0, 1), 2)
    hand.apply(hand.named("raise"))
    for name in ("fold", "fold", "raise"):
        hand.apply(hand.named(name))
    recorder = Recorder(Budget().start())
    triple, column, stage = chosen(hand.observe(3), facing(hand.observe(3)), PUBLISHED, 0, 0.5, recorder)
    assert (stage.strategy, column) == ("MAKE2", 1)


@pytest.mark.parametrize(
    ("strategy", "blind", "limped", "raised", "reraised"),
    [
        (StreetPlan.MAKE0, 1, 0, 0, 0),
        (StreetPlan.CALL1, 1, 1, 0, 1),
        (StreetPlan.MAKE1, 1, 1, 0, 1),
        (StreetPlan.CALL2, 1, 1, 1, 1),
        (StreetPlan.MAKE2, 2, 2, 1, 1),
        (StreetPlan.MAKE4, 2, 2, 2, 2),
    ],
)
def test_papp_strategies(strategy, blind, limped, raised, reraised):
    """Papp 6.1: a free check, one bet to call, two, and one more when already in."""
    assert answer(strategy, spot(street=0, bets=1, owed=0)) == blind
    assert answer(strategy, spot(street=0, bets=1, owed=2)) == limped
    assert answer(strategy, spot(street=0, bets=2, owed=4)) == raised
    assert answer(strategy, spot(street=0, bets=3, owed=4, invested=True)) == reraised
    assert answer(strategy, spot(street=0, bets=4, owed=2, can_raise=False)) < 2


def test_the_small_blind_alone_only_calls():
    least = thresholds(IncomeGroup.IR7, position=7, small_blind=True)
    assert set(least) == set(StreetPlan)
    assert least[StreetPlan.CALL1] == least[StreetPlan.MAKE1] - 100
    assert least[StreetPlan.CALL2] == (least[StreetPlan.MAKE1] + least[StreetPlan.MAKE2]) / 2
    assert StreetPlan.CALL1 not in thresholds(IncomeGroup.IR7, position=7)


def test_mixing_blurs_the_rate():
    least = {StreetPlan.MAKE0: float("-inf"), StreetPlan.MAKE1: 50.0, StreetPlan.MAKE2: 200.0}
    assert shares(60, least) == {StreetPlan.MAKE0: 0, StreetPlan.MAKE1: 1, StreetPlan.MAKE2: 0}
    mixed = shares(60, least, mixing=20)
    assert mixed == pytest.approx({StreetPlan.MAKE0: 0.25, StreetPlan.MAKE1: 0.75, StreetPlan.MAKE2: 0})
    assert sum(shares(60, least, mixing=500).values()) == pytest.approx(1)


def test_papp_income_rates():
    """Papp, appendix A: IR7 of aces 2043 and of 72o -495, the lowest; 88 classes at or above 0. Peña: A8s."""
    ir2, ir4, ir7 = income_rates()
    rate = dict(zip(CLASSES, ir7, strict=True))
    assert rate["AA"] == pytest.approx(2043, abs=20)
    assert rate["72o"] == pytest.approx(-495, abs=15) == min(ir7)
    assert abs(sum(ir7 >= 0) - 88) <= 2
    assert ir2[CLASSES.index("32s")] == pytest.approx(-279, abs=8)
    assert ir2[CLASSES.index("32o")] == pytest.approx(-351, abs=8)
    assert ir4[CLASSES.index("A8s")] == pytest.approx(338, abs=10)


def test_share_of_hands_played():
    """Five and more to expect: 8 % (tight) to 21 % (loose) from position 7, 42 % from position 0."""
    rates = income_rates()[2, CLASS_OF]
    for level, position, expected in (("tight", 7, 0.08), ("loose", 7, 0.21), ("moderate", 0, 0.42)):
        least = thresholds(IncomeGroup.IR7, position, style=Preflop(level))[StreetPlan.MAKE1]
        assert np.mean(rates >= least) == pytest.approx(expected, abs=0.015)


def test_papp_default_frequencies():
    assert np.array_equal(DEFAULTS, [[0, 0.5, 0.5], [0.5, 0.3, 0.2], [0.7, 0.2, 0.1]])
    assert Frequencies().of(2, 1)[2] == 0.2  # raises 20 %: the threshold hand is at 0.80


def test_papp_reweighting_factor():
    """Papp 7.2.1: 0.01 below mu - sigma, 1 above mu + sigma, about a half at mu; mu 0.6, sigma 0.2."""
    made = factor(np.array([0.0, 0.39, 0.5, 0.6, 0.7, 0.81, 1.0]), mu=0.6, sigma=0.2)
    assert made == pytest.approx([0.01, 0.01, 0.25, 0.5, 0.75, 1, 1])


def test_papp_hand_strength_and_potential():
    """Papp 5.2-5.3: AdQc on 3h4cJh has HS 0.585; 8d7d on 9d6c2d 11.5 %, and a third of the deck helps it."""
    hs, ppot, npot = strength(cards("AdQc"), cards("3h4cJh"), None, ahead=1)
    assert (hs, ppot, npot) == pytest.approx((0.5851, 0.1083, 0.1454), abs=5e-5)
    hs, ppot, npot = strength(cards("8d7d"), cards("9d6c2d"), None, ahead=1)
    assert (hs, ppot, npot) == pytest.approx((0.1152, 0.4077, 0.0750), abs=5e-5)
