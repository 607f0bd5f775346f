"""The 41 features: C beside Python over random hands, worked spots, and what they may not depend on."""

import itertools
from random import Random

import numpy as np
import pytest
from reference.features import features
from reference.games import random_action, random_game, random_stacks

from baycarp.errors import CardError, IllegalAction
from baycarp.game import State, Variant
from baycarp.game.notation.acpc import parse_state
from baycarp.game.notation.hand import Hand
from baycarp.kernels.features import hand_features
from baycarp.kernels.search import hand_choices
from baycarp.rules.betting.sizes import KLEIJ, BetRange, hard
from baycarp.rules.features import MOVES, NAMES, SITUATIONS, VALID, decisions

STREETS = ("Preflop", "Flop", "Turn", "River")


def random_hand(seed, betting=None, **kinds):
    """A finished hand as its states before each action, and the last."""
    rng = Random(seed)
    game = random_game(rng, betting=betting, **kinds)
    deck = rng.sample(range(52), 2 * game.seats + 5)
    state = State(game, random_stacks(rng, game), deck)
    states = [state.copy()]
    while not state.is_over:
        _, least, most, _ = state.bounds()
        state.apply(random_action(rng, state.legal_actions(), least, most))
        states.append(state.copy())
    return states, tuple(deck[-5:])


def record(states, board):
    return Hand(
        states[0].variant,
        tuple(act.action for act in states[-1].acts),
        ((),) * states[0].variant.seats,
        board,
        tuple(left + paid for left, paid in zip(states[0].stacks, states[0].committed, strict=True)),
    )


def move(state, action):
    """The move by the size letters of ``rules.betting.sizes``; a fixed-limit bet is the least one."""
    if action.name not in ("bet", "raise"):
        return 0 if action.name == "fold" else 1
    if state.variant.betting == "limit":
        return 2
    legal = BetRange.of(state)
    (letter,) = KLEIJ.shares(legal.proportion(action), legal, hard)
    return MOVES.index(letter)


@pytest.mark.parametrize("betting", ["limit", "no-limit"])
def test_python_and_c_agree_over_random_hands(betting):
    compared, reached = 0, set()
    for seed in range(70):
        states, board = random_hand(seed, betting)
        found = decisions(record(states, board))
        for row, (state, after) in enumerate(itertools.pairwise(states)):
            assert found.features[row].tolist() == pytest.approx(features(state).tolist(), abs=1e-12)
            assert found.seats[row] == state.to_act
            assert found.situations[row] == 2 * state.street + bool(state.owed)
            assert found.moves[row] == move(state, after.acts[-1].action)
            reached.add(int(found.situations[row]))
            compared += 1
    assert compared > 500
    assert reached == set(range(8))


def test_every_feature_varies():
    rows = np.concatenate([decisions(record(*random_hand(seed))).features for seed in range(200)])
    assert [name for name, column in zip(NAMES, rows.T, strict=True) if np.ptp(column) == 0] == []


def test_hole_cards_and_the_future_change_nothing():
    for seed in range(30):
        states, board = random_hand(seed)
        rng = Random(seed)
        for state in states[:-1]:
            other = state.copy()
            shown = {0: 0, 1: 3, 2: 4, 3: 5}[state.street]
            left = [card for card in range(52) if card not in board[:shown]]
            cards = rng.sample(left, 2 * state.variant.seats + 5 - shown)
            holes = bytes(cards[: 2 * state.variant.seats]).ljust(20, b"\xff")
            other.known = holes + bytes([*board[:shown], *cards[2 * state.variant.seats :]])
            assert (features(other) == features(state)).all()
        full = decisions(record(states, board)).features
        for length in range(len(full)):
            cut = record([states[0], states[length]], states[length].board)
            assert (decisions(cut).features == full[:length]).all()


def test_a_feature_without_a_meaning_is_zero():
    for seed in range(150):
        found = decisions(record(*random_hand(seed)))
        for row, situation in zip(found.features, found.situations, strict=True):
            assert not row[~VALID[:, situation]].any()


def test_the_table_of_validity():
    assert VALID.shape == (len(NAMES), len(SITUATIONS)) == (41, 8)
    table = dict(zip(NAMES, VALID, strict=True))
    for name in ("AllInWithCall", "AmountToCall", "PotOdds", "ImpliedOddsVersusAggressor"):
        assert table[name].tolist() == [False, True] * 4
    for name, valid in table.items():
        street = next((number for number, street in enumerate(STREETS) if name.endswith(street)), None)
        if street is not None:  # a past aggressor needs a later street
            assert valid[::2].tolist() == [now >= street + name.startswith("Was") for now in range(4)]
    assert VALID.sum(0).tolist() == [14, 20, 23, 29, 29, 35, 35, 41]


def test_a_worked_flop():
    game = Variant.load("holdem.nolimit.2p.100bb")
    blind = game.big_blind
    hand = parse_state(f"STATE:0:r{3 * blind}c/cr{6 * blind}f:|/6c7d9h:0|0:a|b", game)
    found = decisions(hand)
    at = dict(zip(NAMES, found.features[4], strict=True))  # the big blind faces half a pot after it checked
    assert at["AmountToCall"] == 3
    assert at["PotSize"] == 9
    assert at["StackSize"] == 97
    assert at["PotOdds"] == pytest.approx(3 / 12)
    assert at["ImpliedOddsVersusAggressor"] == pytest.approx(3 / (12 + 94))
    assert at["OwnPreviousAction"] == at["OwnPreviousActionCategory"] == 1
    assert (at["InPositionVersusAggressor"], at["OffTheButton"]) == (0, 1)
    assert at["AverageRank"] == pytest.approx((4 + 5 + 7) / 3)
    assert at["HighestCardOnBoardFlop"] == 7
    # 5 and 8, or 8 and ten: 16 holdings each
    assert at["StraightPossibilitiesFlop"] == pytest.approx(32 / 1176)
    assert MOVES[found.moves[3]] == "h"
    assert MOVES[found.moves[4]] == "fold"


def test_bad_hands_are_refused():
    game = Variant.load("holdem.limit.2p.reverse_blinds")
    for act in ((2, 7), (2, 1 << 70), (1 << 70, 0), (float("inf"), 0)):
        with pytest.raises(IllegalAction, match="act 0"):
            hand_features(game.rules, (1000, 1000), [act], [])
        with pytest.raises(IllegalAction, match="act 0"):
            hand_choices(game.rules, (1000, 1000), [act])
    with pytest.raises(TypeError):
        hand_features(game.rules, (1000, 1000), {0: (1, 0)}, [])
    with pytest.raises(TypeError):
        hand_choices(game.rules, (1000, 1000), {0: (1, 0)})
    with pytest.raises(CardError, match="board of 0 cards"):
        hand_features(game.rules, (1000, 1000), [(1, 0), (1, 0), (1, 0)], [])
