"""Counts of recorded hands."""

import json
import math

import numpy as np
import pytest
from reference.hand_types import slow_hand_type
from reference.play import play, random_hand

from baycarp.arena.measure import Share, Sum
from baycarp.arena.tally import Tally
from baycarp.card import cards
from baycarp.errors import TableError
from baycarp.game.variant import Variant
from baycarp.opponents.stats.turns import lines_of

THREE = Variant.ring(3)
DECK = cards("2c3d 4c5d AsAh AdKs7h 9c Js")
SPLIT = cards("2c2d AsKh AhKd AdKs7h 9c Js")


def tallies(actions, deck=DECK):
    state = play(THREE, actions, deck)
    counted = [Tally() for _ in range(3)]
    for position, tally in enumerate(counted):
        tally.count(state, lines_of(state)[position], state.payoffs()[position])
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


def test_acts_are_counted_by_street():
    small, big, button = tallies("r r f c  b c  k k  b r c")
    assert small.acts == {(0, "raise"): 1, (1, "bet"): 1, (2, "check"): 1, (3, "bet"): 1, (3, "call"): 1}
    assert big.acts == {(0, "fold"): 1}
    assert button.acts == {
        (0, "raise"): 1, (0, "call"): 1, (1, "call"): 1, (2, "check"): 1, (3, "raise"): 1
    }  # fmt: skip
    assert button.frequencies(0) == {
        "fold": Share(0, 2), "check": Share(0, 2), "call": Share(1, 2), "bet": Share(0, 2),
        "raise": Share(1, 2),
    }  # fmt: skip
    assert (small.vpip, small.pfr, small.aggression) == (Share(1, 1), Share(1, 1), (2, 1))
    assert (big.vpip, big.pfr, big.aggression) == (Share(0, 1), Share(0, 1), (0, 0))
    assert (button.pfr, button.aggression) == (Share(1, 1), (1, 1))


def test_a_limp_is_voluntary_and_no_raise():
    button = tallies("c c k  b c c  k k k  k k k")[2]
    assert (button.vpip, button.pfr, button.aggression) == (Share(1, 1), Share(0, 1), (0, 1))


def test_chips_are_summed_by_the_hand_type_on_the_flop():
    small, big, button = tallies("r c f  k b f")
    assert small.on_flop == {"Busted": Sum(1, -4, 16)}
    assert big.on_flop == {}  # it folded before the flop
    assert button.on_flop == {"ThreeOfAKind": Sum(1, 6, 36)}


def test_hands_that_end_before_the_flop_have_no_type():
    assert all(tally.on_flop == {} for tally in tallies("f f"))


def test_counts_agree_with_a_slow_reading_of_the_hand():
    rng, counted = np.random.default_rng(5), Tally()
    types, acts = {}, {}
    for _ in range(60):
        state, _ = random_hand(THREE, rng)
        payoff = state.payoffs()[1]
        counted.count(state, lines_of(state)[1], payoff)
        own = [act for act in state.acts if act.seat == 1]
        for act in own:
            acts[act.street, act.action.name] = acts.get((act.street, act.action.name), 0) + 1
        if state.board and not any(act.street == 0 and act.action.name == "fold" for act in own):
            types.setdefault(slow_hand_type(state.holes[1], state.board[:3]), []).append(payoff)
    assert counted.acts == acts
    assert counted.on_flop == {
        name: Sum(len(won), sum(won), sum(chips * chips for chips in won)) for name, won in types.items()
    }
    assert len(types) > 4


def test_a_tally_survives_json():
    rng, counted = np.random.default_rng(6), Tally()
    for _ in range(20):
        state, _ = random_hand(THREE, rng)
        counted.count(state, lines_of(state)[2], state.payoffs()[2])
    counted.consult(0, True)
    counted.consult(3, False)
    assert Tally.from_dict(json.loads(json.dumps(counted.to_dict()))) == counted
    assert Tally.from_dict(json.loads(json.dumps(Tally().to_dict()))) == Tally()


def test_other_counts_are_refused():
    with pytest.raises(TableError, match="chips"):
        Tally.from_dict(Tally().to_dict() | {"chips": 3})


@pytest.mark.parametrize(
    "change",
    [
        {"acts": [[0, "call", 1.5]]},
        {"acts": [[0, "limp", 1]]},
        {"acts": [["0", "call", 1]]},
        {"acts": {}},
        {"asked": [[None, 1]]},
        {"fell_back": [[0, "1"]]},
        {"on_flop": {"Busted": [1, "2", 4]}},
        {"faults": {"x": -1}},
        {"won": True},
    ],
)
def test_counts_of_another_type_are_refused(change):
    """Texts and fractions were counted on."""
    with pytest.raises(TableError, match=f"counts: {next(iter(change))}"):
        Tally.from_dict(Tally().to_dict() | change)
