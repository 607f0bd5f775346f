"""Sessions against the population: seats, sums, and the same result for any number of workers."""

import numpy as np
import pytest

from baycarp.arena.decks import PLAYED
from baycarp.arena.session import play_session
from baycarp.arena.workers import Workers
from baycarp.budget import Budget
from baycarp.errors import ArgumentError, TableError
from baycarp.game import Variant
from experiments.players.against_styles import Meeting, by_hand, drawn_styles, meet, pooled

TWO, THREE = Variant.load("holdem.nolimit.2p.100bb"), Variant.load("holdem.nolimit.3p.100bb")

NO_TIME = Budget(time=0.0)


def test_every_style_is_met_in_a_circle():
    meeting = Meeting(THREE, "call", drawn_styles(7, 3), 3, 1)
    met = [meeting.table(session).specs[1:] for session in range(3)]
    assert [spec for specs in met for spec in specs] == [f"sizer(number={n})" for n in (7, 8, 9, 7, 8, 9)]


def test_winnings_are_small_blinds_of_the_first_seat():
    """Without an all-in, the estimate of a hand is what its chips are worth: 50 to a small blind."""
    meeting = Meeting(TWO, "call", ("looseness=0.5,aggression=0.15",), 2, 40)
    for number, won in enumerate(meet(meeting)):
        chips = play_session(meeting.table(number), PLAYED + number, 40).net[:, 0]
        quiet = np.abs(chips) < 10_000
        assert quiet.sum() > 20
        assert won[quiet] == pytest.approx(chips[quiet] / 50)


def test_workers_do_not_change_the_result():
    meeting = Meeting(TWO, "call", drawn_styles(0, 4), 4, 10)
    one, two = list(meet(meeting)), list(meet(meeting, Workers(2)))
    assert all((a == b).all() for a, b in zip(one, two, strict=True))
    assert len({each.tobytes() for each in one}) == 4


def test_a_budget_is_that_of_every_decision():
    """A decision of no time is made without the search."""
    meetings = [Meeting(TWO, "mcts(playouts=200)", drawn_styles(0, 1), 1, 12, 1, b) for b in (None, NO_TIME)]
    searched, hurried = (next(meet(each)) for each in meetings)
    assert (searched != hurried).any()


def test_rates_by_hand_sum_to_the_rate_of_all():
    rng = np.random.default_rng(1)
    won = [rng.normal(k, 1, 30) for k in range(24)]
    rows = by_hand(won, (0, 10, 30))
    assert list(rows) == [(1, 10), (11, 30)]
    first, rest = rows.values()
    assert (10 * first.mean + 20 * rest.mean) / 30 == pytest.approx(pooled(won).mean)
    assert first.mean == pytest.approx(np.mean([each[:10] for each in won]))
    assert (
        pooled(won).margin > 2 * pooled(won[:19]).margin
    )  # sessions differ: hands of one are not independent


def test_what_cannot_be_met_is_refused():
    with pytest.raises(ArgumentError, match="0 styles"):
        Meeting(TWO, "call", (), 1, 1)
    with pytest.raises(TableError):
        list(meet(Meeting(Variant.load("holdem.limit.3p"), "call", drawn_styles(0, 1), 1, 1)))
