"""What an action is worth: against an enumeration of cards and boards, straight from the rule."""

from itertools import combinations

import numpy as np
import pytest
from reference.play import random_hand

from baycarp import rank
from baycarp.card import HOLDINGS, cards, holding_index
from baycarp.game.state import State
from baycarp.game.variant import Variant
from baycarp.rules.outcome import (
    BY_RANGES,
    OUTCOMES,
    HandResult,
    Stake,
    g_bucks,
    hindsight,
    net,
    played_for,
    signed_cost,
    street_results,
)


def line(seats, names, **given):
    """A hand after some acts, with the seat to act seeing its own cards."""
    state = State(Variant.ring(seats, **given))
    for name in names.split():
        state.apply(state.named({"c": "call", "k": "check", "b": "bet", "r": "raise", "f": "fold"}[name]))
    return state


def stake(state, hole, board, action, ranges):
    seat = state.to_act
    state.deal(holes={seat: hole}, board=board)
    observation = state.observe(seat)
    return Stake(observation, state.apply(state.named(action)), ranges)


def weights(*holdings):
    result = np.zeros(len(HOLDINGS))
    for holding, weight in holdings:
        result[holding_index(*cards(holding))] = weight
    return result


def share(hole, board, theirs):
    """How much of the pot a hole wins of a weighted list of holdings, by enumeration."""
    hole, board = cards(hole).tolist(), cards(board).tolist()
    won = total = 0.0
    for holding, weight in theirs:
        other = cards(holding).tolist()
        left = [card for card in range(52) if card not in {*hole, *board, *other}]
        for more in combinations(left, 5 - len(board)):
            mine, opposing = rank([*hole, *board, *more]), rank([*other, *board, *more])
            won += weight * (0.5 * (mine == opposing) + (mine > opposing))
            total += weight
    return won / total


def expected(done):
    """By ``g_bucks``, which uses neither the payoff nor the winner."""
    worth = g_bucks(done, HandResult(payoff=-40, won=False))
    assert worth == g_bucks(done, HandResult(payoff=40, won=True))
    return worth


TURN = "Qs7d2c9h"
RANGE = [("QhJh", 1.0), ("7h7c", 0.5), ("AcTc", 0.25)]


@pytest.mark.parametrize(
    ("before", "action", "pot", "paid"),
    [
        ("c k  k k", "check", 4, 0),  # heads-up, blinds 1/2, bets of 2 and 4: nothing more comes in
        ("c k  k k", "bet", 12, 4),  # the other matches 4
        ("c k  k k  b", "call", 12, 4),
        ("c k  k k  b", "raise", 20, 8),
        ("r c  b c  b", "call", 20, 4),
    ],
)
def test_equity_times_the_pot_that_is_played_for_less_the_price(before, action, pot, paid):
    state = line(2, before)
    done = stake(state, "AhKd", TURN, action, {})
    assert (played_for(done.observation, done.act), done.act.paid) == (pot, paid)
    other = 1 - done.act.seat
    done = Stake(done.observation, done.act, {other: weights(*RANGE)})
    assert expected(done) == pytest.approx((share("AhKd", TURN, RANGE) * pot - paid) / 2)


def test_a_fold_is_worth_nothing():
    assert expected(stake(line(2, "c k  k k  b"), "AhKd", TURN, "fold", {1: weights(*RANGE)})) == 0


def test_several_opponents_multiply():
    other = [("Td9d", 1.0)]
    done = stake(line(3, "c c k  k k k"), "AhAd", TURN, "bet", {1: weights(*RANGE), 2: weights(*other)})
    both = share("AhAd", TURN, RANGE) * share("AhAd", TURN, other)
    assert expected(done) == pytest.approx((both * (6 + 3 * 4) - 4) / 2)


def test_hindsight_puts_the_cards_in_place_of_the_range():
    done = stake(
        line(3, "c c k  k k k"), "AhAd", TURN, "bet", {1: weights(*RANGE), 2: weights(("Td9d", 1.0))}
    )
    shown = {0: tuple(cards("AhAd").tolist()), 1: tuple(cards("7h7c").tolist()), 2: ()}
    both = share("AhAd", TURN, [("7h7c", 1.0)]) * share("AhAd", TURN, [("Td9d", 1.0)])
    rule = hindsight
    assert rule(done, HandResult(0, True, shown)) == pytest.approx((both * 18 - 4) / 2)
    assert rule(done, HandResult(0, True)) == expected(done) != rule(done, HandResult(0, True, shown))
    assert expected(done) == g_bucks(done, HandResult(0, True, shown))  # which no shown card changes


def test_an_all_in_player_matches_no_more():
    state = State(Variant.ring(3, betting="no-limit", stacks=(30, 6, 30)))
    done = stake(state, "AhAd", "", "call", {})  # the button
    assert played_for(done.observation, done.act) == 6
    state = State(Variant.ring(3, betting="no-limit", stacks=(30, 6, 30)))
    observation = state.observe(2)
    most = max(state.legal_actions(), key=lambda action: action.amount)
    assert played_for(observation, state.apply(most)) == 30 + 6 + 30


def test_betting_pays_where_the_share_is_more_than_fair():
    """The rule's own consequence: with n opponents a bet beats a check from an equity of 1 / (1 + n) on."""
    other = {1 - line(2, "c k  k k").to_act: weights(*RANGE)}
    for strong, hole in ((True, "QdQc"), (False, "4h3h")):
        check, bet = (
            expected(stake(line(2, "c k  k k"), hole, TURN, action, other)) for action in ("check", "bet")
        )
        assert (bet > check) == strong
        assert check >= 0


def through(state, names):
    """Every action of a hand to its end, with the observation of its seat."""
    for name in names.split():
        observation = state.observe(state.to_act)
        yield Stake(observation, state.apply(state.named(name)), {})


def test_net_is_the_winnings_less_the_later_payments():
    state = State(Variant.ring(3))
    state.deal(holes={2: "AhAd", 0: "KhKd", 1: "7c2d"}, board="Qs7d2c9h3s")
    names = "raise call fold  check bet call  check check  check bet raise call"
    stakes = [stake for stake in through(state, names) if stake.act.seat == 2]
    paid = [stake.act.paid for stake in stakes]
    assert paid == [4, 2, 0, 4, 4]
    pot = 2 + 2 * sum(paid)  # the big blind folded his 2, the small one paid as much
    result = HandResult(state.payoffs()[2], won=True)
    assert [net(stake, result) for stake in stakes] == [
        (pot - sum(paid[place:])) / 2 for place in range(len(paid))
    ]


def test_a_later_fold_costs_nothing_beyond_the_chips_paid():
    state = State(Variant.ring(2))
    state.deal(holes={0: "7c2d", 1: "AhAd"}, board="QsJdTc9h3s")
    stakes = list(through(state, "call check  bet raise fold"))
    position = stakes[-1].act.seat
    own_stakes = [stake for stake in stakes if stake.act.seat == position]
    result = HandResult(state.payoffs()[position], won=False)
    assert [net(stake, result) for stake in own_stakes] == [-(own_stakes[0].act.paid + 2) / 2, -1.0, 0.0]


@pytest.mark.parametrize("won", [True, False])
def test_signed_cost_is_the_cost_of_the_action_with_the_sign_of_the_hand(won):
    """In small bets; all actions of the hand have its sign, and free actions are worth 0."""
    state = State(Variant.ring(3))
    state.deal(holes={2: "AhAd", 0: "KhKd", 1: "7c2d"}, board="Qs7d2c9h3s")
    names = "raise call fold  check bet call  check check  check bet raise call"
    stakes = [stake for stake in through(state, names) if stake.act.seat == 2]
    assert [stake.act.paid for stake in stakes] == [4, 2, 0, 4, 4]
    outcomes = [signed_cost(stake, HandResult(state.payoffs()[2], won)) for stake in stakes]
    sign = 1 if won else -1
    assert outcomes == [2.0 * sign, 1.0 * sign, 0.0, 2.0 * sign, 2.0 * sign]
    assert str(outcomes[2]) == "0.0"  # not -0.0


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_what_streets_brought_sums_to_the_payoff_and_the_losers_lose_what_they_bet(seats):
    rng = np.random.default_rng(seats)
    for _ in range(60):
        state, _ = random_hand(Variant.ring(seats), rng)
        payoffs = state.payoffs()
        found = [street_results(state, seat, payoffs[seat]) for seat in range(seats)]
        assert [sum(each) for each in found] == pytest.approx(payoffs)
        assert np.sum(found, axis=0) == pytest.approx(0)
        for seat in range(seats):
            own = [
                sum(act.paid for act in state.acts if (act.seat, act.street) == (seat, s)) for s in (1, 2, 3)
            ]
            if payoffs[seat] == -state.committed[seat]:
                assert found[seat][1:] == pytest.approx([-bet for bet in own])


def test_outcome_rules_declare_whether_they_need_ranges():
    assert list(OUTCOMES) == ["cost", "net", "payoff", "g-bucks", "hindsight", "none"]
    assert {name for name, rule in OUTCOMES.items() if rule in BY_RANGES} == {"g-bucks", "hindsight"}
    assert OUTCOMES["none"](None, HandResult(2.0, True)) == 0
