"""The time of a best response on a flop, on one that has few boards."""

from math import comb

from baycarp.card import as_cards
from experiments.solvers.best_response_flop import boards, lines

TRIPS = tuple(as_cards("2c2d2h").tolist())


def test_a_line_for_each_agent():
    """Three deuces leave three suits that are alike: a sixth of the boards at least differ."""
    first, call = lines(["call"], TRIPS, [TRIPS, TRIPS])
    some = boards(TRIPS)
    assert 2 * comb(49, 2) / 6 <= some < 2 * comb(49, 2)
    assert first == f"2c2d2h: {some:,} of {2 * some:,} boards"
    assert call.startswith("call: ")
    assert call.endswith("h for all flops")
