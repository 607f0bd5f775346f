import numpy as np
import pytest

from baycarp.agents.poki.weights import DEFAULTS, Frequencies, OpponentFrequencies, factor, field, weigh
from baycarp.card import HOLDINGS, HOLDS, cards, holding_index
from baycarp.game.state import State
from baycarp.game.variant import Variant
from baycarp.kernels import simulation
from baycarp.rules.betting.context import Rules, facing, opening, spots
from baycarp.rules.income import income_group, percentiles
from baycarp.rules.strength import holding_values


def play(seats, *names, board=None, holes=None):
    hand = State(Variant.ring(seats))
    for name in names:
        hand.apply(hand.named(name))
    hand.deal(holes=holes or {}, board=board)
    return hand


def test_spots_agree_with_the_state():
    """Followed from acts alone, every spot agrees with the compiled state at that moment."""
    rng = np.random.default_rng(4)
    for seats in (2, 3, 6, 10):
        for _ in range(40):
            hand, faced = State(Variant.ring(seats)), []
            while not hand.is_over:
                spot = facing(hand.observe(hand.to_act))
                others = [seat for seat in hand.seats_in if seat != hand.to_act]
                assert (spot.seat, spot.street, spot.pot) == (hand.to_act, hand.street, hand.pot)
                assert (spot.owed, spot.bets, spot.opponents) == (hand.owed, hand.bets_made, len(others))
                assert spot.can_raise == any(a.name in ("bet", "raise") for a in hand.legal_actions())
                assert spot.after == sum(seat > hand.to_act for seat in others)
                if hand.street:
                    assert spot.invested == (hand.bets[hand.to_act] > 0)
                    assert spot.joined == sum(hand.bets[seat] > 0 for seat in others)
                faced.append(spot)
                legal = hand.legal_actions()
                hand.apply(legal[rng.choice(len(legal), p=_mostly_calls(len(legal)))])
            assert [spot for _, spot in spots(hand.acts, hand.variant)] == faced


def _mostly_calls(n):
    return [0.1, 0.6, 0.3] if n == 3 else [0.5, 0.5]


def test_a_spot_counts_the_players_behind():
    hand = play(5, "fold", "call", "call", "call")
    spot = facing(hand.observe(1))
    assert (spot.opponents, spot.joined, spot.behind, spot.owed) == (3, 3, 0, 0)
    assert facing(play(5, "fold").observe(3)).behind == 3
    assert opening(hand.observe(1)) is None
    hand = play(5, "call", "raise", "fold", "fold", "fold")
    assert opening(hand.observe(2)).behind == 4


@pytest.mark.parametrize(
    ("joined", "behind", "expected"),
    [(0, 1, 0), (0, 2, 0), (0, 3, 1), (1, 2, 1), (2, 2, 1), (0, 7, 2), (4, 0, 2)],
)
def test_groups_of_expected_players(joined, behind, expected):
    assert income_group(joined, behind) == expected


def test_percentiles_are_places():
    places = percentiles()
    assert places.shape == (3, 1326)
    aces = [i for i, (hi, lo) in enumerate(HOLDINGS) if hi // 4 == lo // 4 == 12]
    for row in places:
        assert row.mean() == pytest.approx(0.5, abs=1e-12)
        assert row[aces] == pytest.approx(1 - 3 / 1326, abs=1e-12)


def test_frequencies_start_at_the_defaults_and_learn():
    of, spot = Frequencies(), facing(play(3, "call", "call").observe(1))
    assert (of.of(0, 0) == DEFAULTS[0]).all()
    for _ in range(60):
        of.see(spot, 2)
    assert of.of(0, 0) == pytest.approx([0, 10 / 80, 70 / 80])
    assert (of.of(1, 0) == DEFAULTS[0]).all()
    assert of.rules(1, 0) == Rules()
    assert of.rules(0, 0).good == pytest.approx(0.35)  # the greatest shift
    assert of.rules(0, 0).strong == pytest.approx(0.70)


def test_opponents_are_known_by_name():
    hand = play(3, "raise", "fold", "fold")
    memory = OpponentFrequencies()
    memory.learn(hand.observe(None, ("small", "big", "button")))
    known = memory.known(play(3).observe(0, ("button", "small", "new")))
    assert set(known) == {0, 1}
    assert known[0].of(0, 1)[2] > DEFAULTS[1][2]
    assert known[1].of(0, 2)[0] > DEFAULTS[2][0]
    memory.learn(hand.observe())
    assert set(memory.known(play(3).observe(0))) == set()


def test_a_raise_before_the_flop_leaves_the_top():
    hand = play(6, "fold", "raise", holes={4: "7c2d"})
    weights = weigh(hand.observe(4), {})
    assert (weights[[2, 4]] == 0).all()
    blocked = HOLDS[cards("7c2d")].any(axis=0)
    assert (weights[:, blocked] == 0).all()
    assert (weights[[0, 1, 5]][:, ~blocked] == 1).all()
    spot = next(spot for act, spot in spots(hand.acts, hand.variant) if act.seat == 3)
    expected = factor(percentiles()[income_group(spot.joined, spot.behind)], mu=0.8)
    assert (weights[3][~blocked] == expected[~blocked]).all()
    assert weights[3][holding_index(*cards("AhAs").tolist())] > 0.99
    assert weights[3][holding_index(*cards("3h4s").tolist())] == 0.01


def test_a_lesser_action_later_takes_nothing_back():
    """Raised, then called a re-raise: the higher threshold holds (one re-weighting a street)."""
    once = weigh(play(3, "raise", holes={0: "7c2d"}).observe(0), {})[2]
    hand = play(3, "raise", "raise", "fold", "call", board="KhQh2c", holes={0: "7c2d"})
    again = weigh(hand.observe(0), {})[2]
    free = ~HOLDS[[*cards("7c2d"), *hand.board]].any(axis=0)
    assert (again[free] == once[free]).all()


def test_after_the_flop_weights_are_multiplied_by_the_triple():
    hand = play(2, "call", "check", "bet", board="KhQh2c", holes={1: "7c3d"})
    weights = weigh(hand.observe(1), {})[0]
    (_, spot), *_ = [pair for pair in spots(hand.acts, hand.variant) if pair[0].street == 1]
    bets = simulation.triples(spot, Rules(), *holding_values(hand.board))[:, 2]
    free = ~HOLDS[[*cards("7c3d"), *hand.board]].any(axis=0)
    assert weights[free] == pytest.approx(np.clip(bets[free], 0.01, 1))
    assert weights[holding_index(*cards("KcKd").tolist())] == 1
    assert weights[holding_index(*cards("4c5d").tolist())] == 0.01
    assert 0 < weights[free].min() == 0.01
    hand.apply(hand.named("call"))
    hand.deal(board="KhQh2c8s")
    hand.apply(hand.named("bet"))
    later = weigh(hand.observe(1), {})[0]
    assert later.sum() < weights.sum()


def test_raises_of_a_frequent_raiser_are_weaker_evidence():
    hand = play(2, "call", "check", "bet", board="KhQh2c", holes={1: "7c3d"})
    wild, spot = Frequencies(), spots(hand.acts, hand.variant)
    bet = [s for _, s in spot][-1]
    for _ in range(100):
        wild.see(bet, 2)
    observation = hand.observe(1)
    assert (weigh(observation, {0: wild})[0] >= weigh(observation, {})[0]).all()
    assert weigh(observation, {0: wild})[0].sum() > 1.2 * weigh(observation, {})[0].sum()


def test_the_field_is_the_mean_of_normalised_tables():
    tables = np.zeros((4, 1326))
    tables[1, :10], tables[2, 5:25] = 1, 0.5
    made = field(tables)
    assert made.sum() == pytest.approx(1)
    assert made[0] == pytest.approx(0.05)
    assert made[7] == pytest.approx(0.05 + 0.025)
    tables[2, 5] = 1
    assert field(tables, power=0)[5] == pytest.approx(made[7])  # every holding of a table alike
    assert field(tables)[5] > made[7]


def test_values_of_a_river_have_no_potential():
    hs, ppot, npot = holding_values(tuple(cards("KhQh2c8s8d").tolist()))
    assert np.isnan(hs).sum() == 1326 - 47 * 46 // 2
    assert not ppot.any()
    assert not npot.any()
