"""Policies by holding: rows counted by hand, Bayes beside a direct computation, what EM is not shown."""

from dataclasses import replace

import numpy as np
import pytest

from baycarp.arena.session import Table, play_session
from baycarp.card import blocked_by
from baycarp.errors import ArgumentError
from baycarp.game.notation.acpc import parse_state
from baycarp.game.notation.hand import replay
from baycarp.game.variant import Variant
from experiments.people.boosting import Boosting
from experiments.people.dealt_policy import HiddenEM, beliefs, candidates, dealt_inputs, learn_hidden
from experiments.people.dealt_rows import DealtRows
from experiments.people.holding_inputs import HOLDING_INPUTS, holding_inputs

GAME = Variant.ring(3)
SMALL = Boosting(rounds=3, depth=3)


@pytest.fixture(scope="module")
def hands():
    log = play_session(Table(GAME, ("Ann", "Bob", "Cem"), ("rule", "call", "rule"), 1), 3, 60).log
    return [parse_state(line, GAME) for line in log]


@pytest.fixture(scope="module")
def data(hands):
    return DealtRows.of(hands)


def by_strength(inputs, owed):
    """A policy that looks at the pre-flop percentile alone."""
    place = inputs[:, HOLDING_INPUTS.index("pre-flop percentile") - len(HOLDING_INPUTS)]
    fold = np.where(owed, 0.9 - 0.8 * place, 0.0)
    bold = 0.1 + 0.6 * place
    return np.column_stack([fold, (1 - fold) * (1 - bold), (1 - fold) * bold])


def test_holders_and_their_moments_are_those_of_the_hands(hands, data):
    acted = sum(len({act.seat for act in hand_acts(hand)}) for hand in hands)
    assert len(data.holdings) == acted
    at = data.hands[data.points.holders].tolist()
    ended = set(zip(at, data.points.streets.tolist(), strict=True))
    for number, hand in enumerate(hands):
        acts = hand_acts(hand)
        left = {act.seat for act in acts} - {act.seat for act in acts if act.action.name == "fold"}
        assert ((number, max(act.street for act in acts)) in ended) == bool(left)  # no one: the big blind
    for holder, street in zip(data.points.holders.tolist(), data.points.streets.tolist(), strict=True):
        mine = data.holders == holder
        assert not (data.decisions.choices[mine & (data.decisions.streets <= street)] == 0).any()
    folds = np.unique(data.holders[data.decisions.choices == 0])
    assert not data.shown[folds].any()
    assert data.shown.any()


def hand_acts(hand):
    return replay(hand).acts


def test_beliefs_are_the_deal_times_the_probabilities_of_the_actions(data):
    part = data.of_hands(40, 60)
    (found,) = beliefs([by_strength], part, [1.0])
    np.testing.assert_allclose(found.sum(axis=1), 1)
    for number in range(0, len(part.points), 7):
        expected = (~blocked_by(part.points.boards[number])).astype(float)
        mine = part.holders == part.points.holders[number]
        for at in np.flatnonzero(mine & (part.decisions.streets <= part.points.streets[number])).tolist():
            known = holding_inputs(part.boards[at])
            rows = np.hstack([np.tile(part.decisions.public[at], (1326, 1)), known.rows[known.row]])
            chances = by_strength(rows, np.repeat(part.decisions.owed[at], 1326))
            expected *= chances[:, part.decisions.choices[at]]
        np.testing.assert_allclose(found[number], expected / expected.sum(), atol=1e-12)


def test_a_power_sharpens_beliefs(data):
    part = data.of_hands(40, 60)
    one, two = beliefs([by_strength] * 2, part, [1.0, 2.0])
    deal = np.array([~blocked_by(board) for board in part.points.boards], float)
    expected = one**2 * deal
    np.testing.assert_allclose(two, expected / expected.sum(axis=1, keepdims=True), atol=1e-12)


def test_the_last_public_input_is_the_number_of_the_player(hands, data):
    names = [
        hands[hand].players[seat]
        for hand, seat in zip(data.decisions.hands, data.decisions.seats, strict=True)
    ]
    assert [("Ann", "Bob", "Cem")[int(each)] for each in data.decisions.public[:, -1]] == names


def test_em_does_not_depend_on_holdings_without_a_showdown(data):
    settings = HiddenEM(rounds=2, candidates=6)
    other = replace(data, holdings=np.where(data.shown, data.holdings, (data.holdings + 7) % 1326))
    held = candidates(data, settings), candidates(other, settings)
    np.testing.assert_array_equal(held[0][:, 1:], held[1][:, 1:])
    first, second = (
        learn_hidden(rows, dealt_inputs(data, each), settings, SMALL)
        for rows, each in zip((data, other), held, strict=True)
    )
    asked = np.hstack([data.decisions.public, dealt_inputs(data, held[0])[:, 0]])
    np.testing.assert_array_equal(first(asked, data.decisions.owed), second(asked, data.decisions.owed))


def test_candidates_are_spread_and_off_the_board(data):
    found = candidates(data, HiddenEM(candidates=12))
    last = dict(zip(data.holders.tolist(), data.boards, strict=True))
    for holder, board in last.items():
        assert not blocked_by(board)[found[holder, 1:]].any()
        assert len(set(found[holder, 1:].tolist())) == 12


@pytest.mark.parametrize(
    "wrong", [{"rounds": 0}, {"candidates": 0}, {"drawn": 0}, {"power": 0.0}, {"seed": -1}]
)
def test_settings_outside_their_range_are_refused(wrong):
    with pytest.raises(ArgumentError, match="at least"):
        HiddenEM(**wrong)


def test_hidden_hole_cards_are_refused(hands):
    hidden = [replace(hand, holes=((),) * 3, payoffs=None) for hand in hands]
    with pytest.raises(ArgumentError, match="hole cards"):
        DealtRows.of(hidden)
