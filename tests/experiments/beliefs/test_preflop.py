"""The pre-flop of no-limit hands in limit: the same choices, prices by raises, cards as they were shown."""

import pytest

from baycarp.arena.session import Table, play_session
from baycarp.game.notation.acpc import parse_state
from baycarp.game.notation.hand import replay
from baycarp.game.variant import Variant
from baycarp.opponents.actions.hand_actions import sensible
from baycarp.opponents.actions.situations import PRICE_OF, PRICES, hand_moves
from baycarp.opponents.actions.styles import Styles
from experiments.beliefs.acting import SeatedPlayerModels
from experiments.beliefs.measure import judge_session
from experiments.beliefs.preflop import limit_preflop

GAME = Variant.ring(3, betting="no-limit", stacks=(400, 400, 400))


def hand_of(betting, board="/Qs7h2c/9h/3d"):
    return parse_state(f"STATE:7:{betting}:AhKd|7c7d|2h2d{board}:0|0|0:Ann|Bob|Cid", GAME)


def prices(hand):
    found, _ = limit_preflop(hand)
    return [
        (move.seat, PRICES[PRICE_OF[0][move.situation]], move.choice)
        for move in hand_moves(replay(found).acts, found.variant).moves
    ]


def test_a_raise_of_any_size_is_one_more_bet():
    hand = hand_of("r6r20r60r150cf/cc/cc/cc")
    assert prices(hand) == [
        (2, "bet", 2),
        (0, "raised", 2),
        (1, "reraised", 2),
        (2, "reraised", 2),
        (0, "reraised", 1),
        (1, "reraised", 0),
    ]
    small = hand_of("r4r6r8r10cf/cc/cc/cc")
    assert prices(small) == prices(hand)


def test_cards_of_the_showdown_are_known_at_the_end_and_others_are_not():
    hand = hand_of("r6cc/ccr20cf/cc/cc")
    found, over = limit_preflop(hand)
    assert [action.name for action in found.actions] == ["raise", "call", "call"]
    hole_of, inside = over.observation.state.hole_of, replay(hand).seats_in
    assert 1 < len(inside) < 3
    assert [bool(hole_of(position)) for position in range(3)] == [position in inside for position in range(3)]
    assert sorted(hole_of(inside[0])) == sorted(hand.holes[inside[0]])
    _, over = limit_preflop(hand_of("r6ff", ""))
    assert not any(over.observation.state.hole_of(position) for position in range(3))


def test_a_hand_that_limit_cannot_follow_is_left_out():
    assert limit_preflop(hand_of("r400cf///")) is not None  # all-in, and no more bets
    short = Variant.ring(3, betting="no-limit", stacks=(400, 400, 10))
    hand = parse_state("STATE:7:r10r100r200c/cc/cc/cc:AhKd|7c7d|2h2d/Qs7h2c/9h/3d:0|0|0:Ann|Bob|Cid", short)
    assert limit_preflop(hand) is None  # Cid, all-in, would have to act again


@pytest.fixture(scope="module")
def session():
    table = Table(GAME, ("Ann", "Bob", "Cid"), ("random", "call", "random"), 5)
    return [parse_state(line, GAME) for line in play_session(table, 0, 60).log]


def test_the_preflop_alone_is_judged(session):
    judged = judge_session(session, {"styles": SeatedPlayerModels(Styles((sensible(),), (1.0,)))})
    assert len(judged.points) > 40
    assert set(judged.points.street) == set(judged.actions.street) == {0}
    inside = [
        len(set(found[0] and replay(found[0]).seats_in))
        for found in map(limit_preflop, session)
        if found and len(replay(found[0]).seats_in) > 1
    ]
    assert len(judged.points) == sum(inside)
    assert judged.points.observed.max() > 30
