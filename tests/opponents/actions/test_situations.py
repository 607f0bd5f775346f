"""Betting situations: every act has one, it determines the legal choices, and it uses no card."""

import numpy as np

from baycarp.game.state import State
from baycarp.game.variant import Variant
from baycarp.opponents.actions.situations import (
    LEGAL,
    PRICE_OF,
    PRICES,
    SITUATIONS,
    hand_moves,
    situation,
    to_move,
)
from baycarp.rules.betting.context import FOLD_CALL_RAISE, facing
from baycarp.rules.income import IncomeGroup


def random_hands(seats, number, seed):
    rng = np.random.default_rng(seed)
    for _ in range(number):
        hand, asked = State(Variant.ring(seats)), []
        while not hand.is_over:
            legal = hand.legal_actions()
            asked.append((to_move(hand.observe(hand.to_act)), legal))
            shares = np.array([0.15, 0.5, 0.35])[-len(legal) :]
            hand.apply(legal[rng.choice(len(legal), p=shares / shares.sum())])
        yield hand, asked


def test_a_situation_precedes_the_act_and_determines_the_legal_choices():
    visited = set()
    for seats in (2, 3, 8):
        for hand, asked in random_hands(seats, 60, seats):
            found = list(hand_moves(hand.acts, hand.variant).moves)
            assert [move.situation for move in found] == [now for now, _ in asked]
            for move, (_, legal) in zip(found, asked, strict=True):
                price = PRICE_OF[move.street][move.situation]
                choices = {FOLD_CALL_RAISE[action.name] for action in legal}
                assert choices == set(np.flatnonzero(LEGAL[price]).tolist())
                assert 0 <= move.situation < SITUATIONS[move.street]
                visited.add((move.street > 0, PRICES[price]))
    assert len(visited) == 10


def test_initiative_is_the_last_raiser_of_the_street_before():
    hand = State(Variant.ring(3))
    for name in ("raise", "call", "call", "check", "check", "check", "check"):
        hand.apply(hand.named(name))
    found = list(hand_moves(hand.acts, hand.variant).moves)
    flop = {move.seat: move.situation for move in found if move.street == 1}
    raiser = found[0].seat
    initiative = {seat: now % 3 for seat, now in flop.items()}
    assert initiative == {seat: 2 if seat == raiser else 1 for seat in initiative}
    assert [move.situation % 3 for move in found if move.street == 2] == [0]


def test_a_cap_is_a_price_of_its_own():
    hand = State(Variant.ring(2))
    for _ in range(3):
        hand.apply(hand.named("raise"))
    spot = facing(hand.observe(hand.to_act))
    assert not spot.can_raise
    assert PRICES[PRICE_OF[0][situation(spot, 2, None)]] == "capped"


def test_holdings_are_ordered_for_the_players_to_be_expected():
    """Papp 1998, appendix B: the player, the players in, 0.6 for each yet to act; rates for 2, 4 and 7."""
    hand = State(Variant.ring(8))
    for name in (*["fold"] * 5, "raise", "call", "call", "check", "check", "check"):
        hand.apply(hand.named(name))
    order = hand_moves(hand.acts, hand.variant).income_groups
    early, button, small, big = order[2], order[7], order[0], order[1]
    assert (early, button) == (IncomeGroup.IR7, IncomeGroup.IR2)  # 1 + 7 * 0.6 = 5.2; 1 + 2 * 0.6 = 2.2
    assert (small, big) == (IncomeGroup.IR4, IncomeGroup.IR4)  # 1 + 1 + 0.6 = 2.6; 1 + 2 = 3
    assert set(order) == set(range(8))
