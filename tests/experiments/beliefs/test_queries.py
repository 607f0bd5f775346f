"""Queries: the same readings as in training, and nothing of later streets."""

import pytest

from baycarp.arena.session import Table, play_session
from baycarp.card import holding_index
from baycarp.game.notation.acpc import parse_state
from baycarp.game.variant import Variant
from baycarp.opponents.network.topology import OBSERVED, TYPE_NODES
from baycarp.rules import read
from baycarp.rules.hand import GROUP_OF, GROUPS
from baycarp.training.rows import rows_of_session
from experiments.beliefs.queries import queries_of_session


@pytest.fixture(scope="module")
def hands():
    table = Table(Variant.ring(4), ("Ann", "Bob", "Cid", "Dee"), ("rule", "jag", "call", "karma"), 7)
    return [parse_state(line, table.variant) for line in play_session(table, 0, 60).log]


def test_the_last_query_of_a_player_has_the_readings_of_training(hands):
    last = {(query.hand, query.view.position): query for query in queries_of_session(hands)}
    rows = list(rows_of_session(hands))
    assert len(last) == len(rows) > 100
    for (_, query), row in zip(sorted(last.items()), rows, strict=True):
        names = [name for nodes in OBSERVED[: query.street + 1] for name in nodes]
        observation = {n: s for n, s in row.states.items() if n not in ("HandGroup", *TYPE_NODES)}
        assert (read(query.view, names), query.showdown) == (observation, row.showdown)
        assert query.street == row.streets - 1
        assert GROUPS[GROUP_OF[query.holding]] == row.states["HandGroup"]


def test_nothing_of_later_streets_is_observed(hands):
    for query in queries_of_session(hands):
        observation = query.view.observation
        assert not any(observation.state.holes)
        assert len(observation.board) == (0, 3, 4, 5)[query.street]
        assert all(act.street <= query.street for act in observation.acts)


def test_statistics_do_not_change_after_the_query(hands):
    queries = list(queries_of_session(hands))
    assert {m.view.habits.hands for m in queries if m.hand == 0} == {0}
    assert {m.view.habits.hands for m in queries if m.hand == 59} == {59}


def test_a_hand_that_ends_in_folds():
    hand = parse_state("STATE:0:rc/cc/rf:AhKd|7c7d/Qs7h2c/9h:-20|20:Ann|Bob", Variant.ring(2))
    queries = list(queries_of_session([hand]))
    assert [(m.street, m.view.position, m.showdown) for m in queries] == [
        (0, 0, False),
        (0, 1, False),
        (1, 0, False),
        (1, 1, False),
    ]
    assert queries[0].holding == holding_index(50, 45)
