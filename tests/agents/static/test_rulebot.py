import pytest

from baycarp.agents.registry import load
from baycarp.game.state import State
from baycarp.game.variant import Variant


def decide(spec, seats, hole, *names, board=None):
    state = State(Variant.ring(seats))
    state.deal(board=board)
    for name in names:
        state.apply(state.named(name))
    state.deal(holes={state.to_act: hole})
    return load(spec).decide(state.observe(state.to_act)).action.name


@pytest.mark.parametrize(
    ("hole", "folds", "expected"),
    [
        ("AhAd", 0, "raise"),
        ("JhTh", 0, "raise"),  # group 3
        ("KdJh", 0, "fold"),  # group 5 in front: the rule player plays four groups there
        ("KdJh", 3, "call"),
        ("7h2d", 5, "fold"),
    ],
)
def test_groups_by_position(hole, folds, expected):
    assert decide("rule", 8, hole, *["fold"] * folds) == expected


def test_jagbot_plays_and_raises_more():
    assert decide("jag", 8, "KdJh") == "raise"
    assert decide("rule", 8, "9h8d", "call", "call", "call", "call") == "fold"
    assert decide("jag", 8, "9h8d", "call", "call", "call", "call") == "call"


def test_rules_after_the_flop():
    limped = ("call", "check")
    assert decide("rule", 2, "AhAd", *limped, board="AsKd2c") == "bet"
    assert decide("rule", 2, "AhAd", *limped, "bet", board="AsKd2c") == "raise"
    assert decide("rule", 2, "7h3d", *limped, board="AsKdQc") == "check"
    assert decide("rule", 2, "7h3d", *limped, "bet", board="AsKdQc") == "fold"
    assert decide("rule", 2, "7h3h", *limped, board="AsKhQh") == "check"
    assert decide("jag", 2, "7h3h", *limped, board="AsKhQh") == "bet"  # a semi-bluff
    assert (
        decide("rule", 3, "7h3h", "call", "call", "check", "bet", "call", board="AsKhQh2c") == "call"
    )  # pot odds
