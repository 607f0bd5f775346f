"""What is counted, by hands that are told; the win rate, by its formula."""

import math
import statistics

import numpy as np
import pytest
from reference.play import play

from baycarp.arena.measure import Rate, win_rate
from baycarp.arena.tally import Tally
from baycarp.card import cards
from baycarp.game.variant import Variant

THREE = Variant.ring(3)
DECK = cards("2c3d 4c5d AsAh AdKs7h 9c Js")
SPLIT = cards("2c2d AsKh AhKd AdKs7h 9c Js")


def tallies(actions, deck=DECK):
    state = play(THREE, actions, deck)
    counted = [Tally() for _ in range(3)]
    for position, tally in enumerate(counted):
        tally.count(state, position, state.payoffs()[position])
    return counted


def counts(tally):
    return (
        tally.hands, tally.net, tally.played, tally.won, tally.uncontested, tally.showdowns,
        tally.showdowns_won,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("actions", "deck", "expected"),
    [  # hands, net, played, won, uncontested, showdowns, won there: small blind, big blind, button
        ("f f", DECK, [(1, -1, 0, 0, 0, 0, 0), (1, 1, 0, 1, 1, 0, 0), (1, 0, 0, 0, 0, 0, 0)]),
        ("r f f", DECK, [(1, -1, 0, 0, 0, 0, 0), (1, -2, 0, 0, 0, 0, 0), (1, 3, 1, 1, 1, 0, 0)]),
        (
            "c c k  k k k  k k k  k k k",
            DECK,
            [(1, -2, 1, 0, 0, 1, 0), (1, -2, 0, 0, 0, 1, 0), (1, 4, 1, 1, 0, 1, 1)],
        ),
        (
            "r f c  k k  k k  k k",
            SPLIT,
            [(1, -1, 0, 0, 0, 0, 0), (1, 1, 1, 1, 0, 1, 1), (1, 0, 1, 1, 0, 1, 1)],
        ),
        (
            "c f k  k b r f",
            DECK,
            [(1, -1, 0, 0, 0, 0, 0), (1, 5, 0, 1, 1, 0, 0), (1, -4, 1, 0, 0, 0, 0)],
        ),
    ],
)
def test_hands_are_counted_as_figure_7_4_does(actions, deck, expected):
    assert [counts(tally) for tally in tallies(actions, deck)] == expected


def test_tallies_add_up():
    first, second = tallies("f f")[1], tallies("c c k  k k k  k k k  k k k")[1]
    first.consult(0, True)
    second.consult(0, False)
    second.consult(2, False)
    both = first + second
    assert counts(both) == (2, -1, 0, 1, 1, 1, 0)
    assert (both.asked, both.fell_back) == ({0: 2, 2: 1}, {0: 1})
    assert first.asked == {0: 1}  # the parts stay as they were
    assert sum([first, second], Tally()) == both


def test_shares_are_percentages():
    tally = Tally(hands=200, net=5, played=50, won=20, uncontested=8, showdowns=40, showdowns_won=12)
    assert tally.shares() == {
        "played": 25, "won": 10, "uncontested": 4, "showdowns": 20, "showdowns_won": 30
    }  # fmt: skip
    assert math.isnan(Tally(hands=3).shares()["showdowns_won"])
    assert Tally().shares()["played"] == 0


def test_win_rate_is_the_mean_with_the_normal_interval():
    net = np.random.default_rng(1).integers(-20, 25, 400)
    rate = win_rate(net, small_bet=2)
    bets = [chips / 2 for chips in net.tolist()]
    assert rate.mean == pytest.approx(statistics.fmean(bets))
    assert rate.margin == pytest.approx(1.959964 * statistics.stdev(bets) / 400**0.5, rel=1e-4)
    assert (rate.n, rate.unit) == (400, "sb/h")


def test_few_hands_say_little():
    assert math.isnan(win_rate(np.array([], np.int64), 2).mean)
    assert win_rate(np.array([6]), 2) == Rate(3.0, math.inf, 1)
    assert str(Rate(0.0561, 0.0204, 900)) == "+0.056 +-0.020 sb/h"
