"""Moments: the same rows as training reads, and nothing of what comes later."""

import pytest

from baycarp.arena.session import Table, play_session
from baycarp.card import holding_index
from baycarp.game.notation.acpc import parse_state
from baycarp.game.variant import Variant
from baycarp.opponents.belief import OBSERVED, TYPE_NODES
from baycarp.rules import read
from baycarp.rules.hand import GROUP_OF, GROUPS
from baycarp.study.beliefs.moments import moments_of_session
from baycarp.train.rows import rows_of_session


@pytest.fixture(scope="module")
def hands():
    table = Table(Variant.ring(4), ("Ann", "Bob", "Cid", "Dee"), ("rule", "jag", "call", "karma"), 7)
    return [parse_state(line, table.variant) for line in play_session(table, 0, 60).log]


def test_the_last_moment_of_a_player_shows_what_training_reads(hands):
    last = {(moment.hand, moment.view.position): moment for moment in moments_of_session(hands)}
    rows = list(rows_of_session(hands))
    assert len(last) == len(rows) > 100
    for (_, moment), row in zip(sorted(last.items()), rows, strict=True):
        names = [name for nodes in OBSERVED[: moment.street + 1] for name in nodes]
        observation = {n: s for n, s in row.states.items() if n not in ("HandGroup", *TYPE_NODES)}
        assert (read(moment.view, names), moment.showdown) == (observation, row.showdown)
        assert moment.street == row.streets - 1
        assert GROUPS[GROUP_OF[moment.holding]] == row.states["HandGroup"]


def test_nothing_of_what_comes_later_is_seen(hands):
    for moment in moments_of_session(hands):
        observation = moment.view.observation
        assert not any(observation.state.holes)
        assert len(observation.board) == (0, 3, 4, 5)[moment.street]
        assert all(act.street <= moment.street for act in observation.acts)


def test_habits_stay_as_they_were_when_asked(hands):
    moments = list(moments_of_session(hands))
    assert {m.view.habits.hands for m in moments if m.hand == 0} == {0}
    assert {m.view.habits.hands for m in moments if m.hand == 59} == {59}


def test_a_hand_that_ends_in_folds():
    hand = parse_state("STATE:0:rc/cc/rf:AhKd|7c7d/Qs7h2c/9h:-20|20:Ann|Bob", Variant.ring(2))
    moments = list(moments_of_session([hand]))
    assert [(m.street, m.view.position, m.showdown) for m in moments] == [
        (0, 0, False),
        (0, 1, False),
        (1, 0, False),
        (1, 1, False),
    ]
    assert moments[0].holding == holding_index(50, 45)
