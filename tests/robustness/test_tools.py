"""Damaged arguments of the tools of language models: each call answers, or raises a typed error."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from robustness.budget import budget
from robustness.damage import damaged_message

from baycarp.arena.session import Table, play_session
from baycarp.errors import BaycarpError
from baycarp.game.variant import Variant
from baycarp.tools.hands import HandTools
from baycarp.tools.parameters import StreetSpot, TableSpot
from baycarp.tools.toolbox import toolbox

HEADS_UP = "holdem.limit.2p.reverse_blinds"
TOOLS = toolbox(HandTools())


PHH = """variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [200, 200]
actions = ["d dh p1 AcAd", "d dh p2 KsKd", "p2 cbr 6", "p1 cc", "d db 2c3c4d", "p1 cc", "p2 cc"]
"""


TABLE = Table(Variant.load(HEADS_UP), ("Ann", "Bob"), ("rule", "call"), seed=4)
HANDS = ("\n".join(play_session(TABLE, 0, 3).log), "MATCHSTATE:0:0:rc/:AhKd|/Ks7d2c", PHH)


def spot(any_of):
    """A decision at a table, unverified."""
    return TableSpot.model_construct(
        game=any_of(HEADS_UP, "holdem.nolimit.2p.100bb"),
        seat=any_of("0", "1").count("1"),
        hole=any_of("AhKd"),
        board=any_of("", "Ks7d2c"),
        actions=[any_of("call", "check", "raise 20") for _ in range(2)],
        stacks=None,
    )


def street_spot(any_of):
    """Two players on a river, unverified."""
    ranges = {"oop": any_of("TT,AKs"), "ip": any_of("QQ,AJs")}
    chips = {"pot": 10, "stack": 20, "sizes": any_of("60%, a"), "raises": any_of("a")}
    return StreetSpot.model_construct(board=any_of("Td9d6hQc2s"), **ranges, **chips)


CALLS = {
    "equity": lambda any_of: {"sides": [any_of("AhKd"), any_of("TT+")], "board": any_of("", "Ks7d2c")},
    "strength": lambda any_of: {
        "hole": any_of("AhKd"),
        "board": any_of("Ks7d2c"),
        "opponents": [any_of("TT+")],
    },
    "ranges": lambda any_of: {"range": any_of("TT+,AQs"), "known": any_of("", "Ah")},
    "decide": lambda any_of: {"spot": spot(any_of), "agent": any_of("", "rule", "karma(level='tight')")},
    "solve": lambda any_of: {"spot": street_spot(any_of), "line": any_of("", "check"), "holding": any_of("")},
    "read_hand": lambda any_of: {"hands": any_of(*HANDS), "game": any_of(HEADS_UP)},
    "review_hand": lambda any_of: {"hands": any_of(*HANDS), "player": any_of("Bob"), "judge": any_of("")},
    "statistics": lambda any_of: {"hands": any_of(*HANDS), "player": any_of("", "Ann")},
}


def test_every_tool_is_tried():
    assert set(CALLS) == set(TOOLS)


@pytest.mark.parametrize("name", CALLS)
def test_a_damaged_call_answers_or_is_refused(name):
    @budget(0.4)
    @given(st.randoms(use_true_random=True))
    def answers(draw):
        def any_of(*good):
            return damaged_message(good, draw) if draw.random() < 0.4 else draw.choice(good)

        with suppress(BaycarpError):
            assert TOOLS[name](**CALLS[name](any_of))

    answers()
