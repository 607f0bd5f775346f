"""Calls by their price."""

import pytest
from reference.play import play

from baycarp.game.variant import Variant
from baycarp.rules import PlayerView, read

FOUR = Variant.ring(4)
"""Blinds of 1 and 2. Small blind 0, big blind 1, under the gun 2, button 3."""


@pytest.mark.parametrize(
    ("actions", "position", "action", "odds"),
    [
        ("c c c k", 2, "Call", "a30_50"),  # 2 for a pot of 5
        ("c c c k", 3, "Call", "a20_30"),  # 2 of 7
        ("c c c k", 0, "CallHalf", "a10_20"),  # 1 of 8
        ("c c c k", 1, "Check", "NoCall"),
        ("r c f c", 3, "CallRaise", "a30_50"),  # 4 of 11
        ("r c f c", 1, "CallRaise", "a10_20"),  # 2 of 13, but a raise all the same
        ("r r f f c", 2, "Raise", "a10_20"),  # raising is more than calling; 2 of 15
        ("r r f c f", 1, "CallThreeBet", "a20_30"),  # 4 of 17
        ("r r f f c", 0, None, None),
    ],
)
def test_calls_before_the_flop(actions, position, action, odds):
    found = read(PlayerView(play(FOUR, actions).observe(), position), ["PricedAction", "PotOdds"])
    assert (found.get("PricedAction"), found.get("PotOdds")) == (action, odds)


def test_the_dearest_call_of_a_street_counts_and_its_worst_odds():
    hand = play(FOUR, "f c c k  b c r c c")
    names = ["PricedActionFlop", "PotOddsFlop"]
    assert read(PlayerView(hand.observe(), 1), names) == {
        "PricedActionFlop": "CallRaise",
        "PotOddsFlop": "a20_30",  # 2 of 10, then 2 of 18
    }
    assert read(PlayerView(hand.observe(), 0), names)["PricedActionFlop"] == "Bet"
