import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import simulation as reference
from reference.triple import triple

from baycarp.card import HOLDINGS, HOLDS, cards, holding_index
from baycarp.errors import CardError, RangeError, VariantError
from baycarp.game.state import State
from baycarp.game.variant import Variant
from baycarp.kernels import simulation
from baycarp.kernels.sweeps import sweep
from baycarp.rules.betting.context import LimitSpot, Rules
from baycarp.rules.strength import holding_values

unit = st.floats(0, 1)


@st.composite
def spots(draw):
    street = draw(st.integers(1, 3))
    bet = 2 if street == 1 else 4
    bets = draw(st.integers(0, 4))
    opponents = draw(st.integers(1, 9))
    return LimitSpot(
        seat=0,
        street=street,
        pot=draw(st.integers(4, 200)),
        owed=bet * draw(st.integers(1, bets)) if bets else 0,
        bet=bet,
        later=(0, 8, 4, 0)[street],
        bets=bets,
        opponents=opponents,
        joined=0,
        behind=draw(st.integers(0, opponents)),
        after=0,
        invested=draw(st.booleans()),
        can_raise=bets < 4,
        following=draw(st.booleans()),
    )


rules = st.builds(
    Rules,
    strong=st.floats(0.6, 1),
    good=st.floats(0.3, 0.6),
    bluff=st.floats(0.2, 2),
    odds=st.floats(-0.15, 0.15),
    implied=st.floats(0, 3),
    defence=st.sampled_from((0.0, 1.0)),
    slow=unit,
)


@given(spots(), rules, unit, unit, unit)
def test_the_rules_equal_the_reference(spot, rules, hs, ppot, npot):
    shares, made = simulation.rule_shares(spot, rules, hs, ppot, npot)
    assert made == pytest.approx(triple(spot, rules, hs, ppot, npot), abs=1e-12)
    assert sum(shares) == pytest.approx(1, abs=1e-12)
    assert min(shares) >= 0
    assert len(shares) == len(simulation.RULES)


@given(spots(), rules, st.lists(st.tuples(unit, unit, unit), min_size=1, max_size=5))
def test_triples_of_many_hands_equal_single_triples(spot, rules, hands):
    columns = [np.array(column) for column in zip(*hands, strict=True)]
    together = simulation.triples(spot, rules, *columns)
    assert together.tolist() == [list(simulation.rule_shares(spot, rules, *hand)[1]) for hand in hands]


def test_a_blocked_hand_has_no_triple(flop):
    spot = reference.facing(flop.observe(flop.to_act))
    made = simulation.triples(spot, Rules(), *holding_values(flop.board))
    assert (np.isnan(made).all(axis=1) == HOLDS[[*flop.board]].any(axis=0)).all()


@pytest.fixture
def flop():
    return reference.small_blind_bet()


def tables(hand, hole):
    weights = np.ones((hand.variant.seats, len(HOLDINGS)))
    weights[:, HOLDS[[*hole, *hand.board]].any(axis=0)] = 0
    return weights


def simulate(hand, hole, weights, seed=1, rules=None, trials=0):
    _, ppot, npot = holding_values(hand.board)
    rules = rules or [Rules()] * hand.variant.seats
    made = simulation.Simulation(hand, hole, weights, rules, ppot, npot, seed)
    made.run(trials)
    return made


def test_a_seed_repeats_the_trials_in_any_chunks(flop):
    hole = flop.holes[1]
    one = simulate(flop, hole, tables(flop, hole), trials=60)
    two = simulate(flop, hole, tables(flop, hole), trials=25)
    two.run(35)
    other = simulate(flop, hole, tables(flop, hole), seed=2, trials=60)
    assert (one.call, one.raised, one.gap) == (two.call, two.raised, two.gap)
    assert one.call != other.call
    assert one.trials == two.trials == 60


def test_a_dealt_state_changes_nothing(flop):
    """Cards that the hero has not observed are not read: the state may have them or not."""
    hole = flop.holes[1]
    observation = simulate(flop, hole, tables(flop, hole), trials=40)
    flop.deal(holes={0: "KdKc", 2: "7d7c", 3: "2d2h"})
    assert simulate(flop, hole, tables(flop, hole), trials=40).call == observation.call


@pytest.mark.parametrize("first", ["call", "raise"])
def test_the_mean_equals_that_of_the_slow_reference(flop, first):
    """Some hundred slow trials and many fast ones agree within four standard errors, on a multi-way flop."""
    hole = flop.holes[1]
    weights = tables(flop, hole)
    weights[2] *= np.where(sweep(flop.board) > 0.7, 1.0, 0.05)  # one opponent has a strong hand
    weights = np.nan_to_num(weights)
    leaning = [Rules(odds=0.05), Rules(), Rules(good=0.4), Rules(strong=0.7)]
    fast = simulate(flop, hole, weights, rules=leaning, trials=4000)
    _, ppot, npot = holding_values(flop.board)
    rng = np.random.default_rng(11)
    slow = []
    for _ in range(300):
        holes, board = reference.deal(rng, hole, flop.board, weights, [0, 2, 3], 4)
        slow.append(reference.play(rng, flop, first, hole, holes, board, leaning, ppot, npot))
    mean, error = fast.call if first == "call" else fast.raised
    assert abs(np.mean(slow) - mean) < 4 * np.hypot(error, np.std(slow) / np.sqrt(len(slow)))


def test_the_nuts_raise_and_nothing_folds():
    hand = State(Variant.ring(2))
    for name in ("call", "check", "check", "check", "check", "check"):
        hand.apply(hand.named(name))
    hand.deal(board="KhQhJh2c2d")
    hand.apply(hand.named("bet"))
    nuts = simulate(hand, cards("AhTh"), tables(hand, cards("AhTh")), trials=300)
    nothing = simulate(hand, cards("4c3c"), tables(hand, cards("4c3c")), trials=300)
    assert nuts.call == (8, 0)
    assert nuts.gap[0] > 3 * nuts.gap[1]
    assert nothing.call[0] < -3 * nothing.call[1]


def test_a_capped_street_has_no_raise():
    hand = State(Variant.ring(2))
    for name in ("call", "check", "bet", "raise", "raise", "raise"):
        hand.apply(hand.named(name))
    hand.deal(board="KhQhJh")
    made = simulate(hand, cards("AhTh"), tables(hand, cards("AhTh")), trials=10)
    assert not made.can_raise
    assert made.raised == made.call


def test_invalid_input_is_named(flop):
    hole = flop.holes[1]
    weights = tables(flop, hole)
    with pytest.raises(RangeError, match=r"expected shape \(4, 1326\), got \(3, 1326\)"):
        simulate(flop, hole, weights[:3])
    with pytest.raises(CardError, match="duplicate card 'Kh'"):
        simulate(flop, cards("Kh2d"), weights)
    empty = weights.copy()
    empty[2] = 0
    with pytest.raises(RangeError, match="weights of position 2"):
        simulate(flop, hole, empty)
    with pytest.raises(VariantError, match="flop or later"):
        simulation.Simulation(
            State(Variant.ring(4)), hole, weights, [Rules()] * 4, np.zeros(1326), np.zeros(1326), 1
        )
    assert holding_index(*hole) == int(np.argwhere(HOLDS[hole[0]] & HOLDS[hole[1]])[0, 0])
