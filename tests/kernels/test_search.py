"""The tree search beside an exact best reply, computed by its definition."""

import numpy as np
import pytest
from reference.toy_turn import BOARD, EDGE, RIVERS, alive, dealt, exact, holding, make_policy, ranges, turn

from baycarp.card import HOLDINGS, holding_index
from baycarp.errors import ArgumentError, BaycarpError, CardError, IllegalAction, RangeError
from baycarp.game.state import State
from baycarp.game.variant import Variant
from baycarp.kernels.game import CALL, RAISE
from baycarp.kernels.search import Search


@pytest.fixture(scope="module")
def toy():
    return dealt()


def begin(text, policy, seed, **settings):
    hand, own = turn(), holding(text)
    weights, now = ranges()
    dead = sorted(set(range(52)) - alive(own))
    search = Search(
        hand, own, BOARD, weights, np.stack([policy, policy]), now, [[EDGE]] * 4,
        **{"dead": dead, "seed": seed, "explore": 300.0, **settings},
    )  # fmt: skip
    return hand, search


@pytest.mark.parametrize("tight", [False, True])
@pytest.mark.parametrize("text", ["KcTd", "9h7d", "Ad5d"])
def test_the_value_is_that_of_the_best_reply(toy, text, tight):
    deals, buckets = toy[text]
    policy = make_policy(tight)
    expected = exact(deals, policy, buckets.__getitem__)
    _, search = begin(text, policy, seed=2, backup="maximum")
    search.run(1_000_000)
    best = max(search.values(), key=lambda move: move.value)
    assert best.kind == max(expected, key=expected.get)
    assert abs(best.value - expected[best.kind]) <= 3 * best.error


def test_the_toy_game_separates_what_the_player_sees(toy):
    """Without the river, or with the card itself, the best reply has other values."""
    deals, buckets = toy["Ad5d"]
    seen, blind, card = (
        exact(deals, make_policy(tight=False), shows)[CALL]
        for shows in (buckets.__getitem__, lambda card: 0, lambda card: card)
    )
    assert blind + 1 < seen < card - 1


def test_frequency_lies_below_the_best_reply_by_exploration_alone(toy):
    deals, buckets = toy["Ad5d"]
    expected = exact(deals, make_policy(tight=False), buckets.__getitem__)
    _, search = begin("Ad5d", make_policy(tight=False), seed=2)
    search.run(1_000_000)
    values = {move.kind: move.value for move in search.values()}
    assert expected[CALL] - 2 < values[CALL] < expected[CALL]


def test_iterations_in_parts_give_the_same_bits():
    found = []
    for parts in ([3000], [1, 999, 2000]):
        _, search = begin("Ad5d", make_policy(tight=True), seed=5, prune=2.0)
        for part in parts:
            search.run(part)
        found.append((search.values(), search.softmax(2.5), search.nodes))
    assert found[0] == found[1]
    _, other = begin("Ad5d", make_policy(tight=True), seed=6, prune=2.0)
    other.run(3000)
    assert other.values() != found[0][0]


def test_the_tree_is_kept_to_the_next_decision():
    hand, search = begin("Ad5d", make_policy(tight=False), seed=5)
    search.run(50000)
    before = search.nodes
    weights, now = np.ones((2, 1, len(HOLDINGS))), np.zeros(len(HOLDINGS), np.int64)
    for name in ("check", "check"):
        hand.apply(hand.named(name))
    kept = search.advance(hand, [*BOARD, RIVERS[0]], weights, now, [(CALL, 0), (CALL, 0)], seed=1)
    assert kept
    assert 1 < search.nodes < before
    assert search.iterations == 0
    search.run(1000)
    assert sum(move.visits for move in search.values()) > 1000


def test_a_search_that_restarts_with_other_cards_is_a_new_one():
    weights, _ = ranges()
    settings = {"policy": make_policy(tight=True), "seed": 5, "prune": 2.0, "dead": ()}
    _, search = begin("Ad5d", **settings)
    for text in ("KcTd", "9h7d"):
        search.run(2000)
        with pytest.raises(CardError, match="hole cards and board"):
            search.restart(BOARD[:2], weights)
        with pytest.raises(RangeError, match="shape"):
            search.restart(holding(text), weights[:1])
        search.restart(holding(text), weights, seed=5)
        _, other = begin(text, **settings)
        for each in (search, other):
            each.run(1000)
        assert (search.values(), search.nodes) == (other.values(), other.nodes)


def test_moves_that_lead_elsewhere_are_refused():
    hand, search = begin("Ad5d", make_policy(tight=False), seed=5)
    weights, now = np.ones((2, 1, len(HOLDINGS))), np.zeros(len(HOLDINGS), np.int64)
    with pytest.raises(ArgumentError, match="from the last decision"):
        search.advance(hand, BOARD, weights, now, [(CALL, 0)])
    with pytest.raises(IllegalAction, match="move 0 of 1"):
        search.advance(hand, BOARD, weights, now, [(RAISE, 1)])


def test_a_hand_of_other_chips_is_no_continuation():
    _, search = begin("Ad5d", make_policy(tight=False), seed=5)
    weights, now = np.ones((2, 1, len(HOLDINGS))), np.zeros(len(HOLDINGS), np.int64)
    other = State(Variant.load("holdem.limit.2p.reverse_blinds"))
    for name in ("raise", "call", *["check"] * 6):
        if other.street < 3:
            other.apply(other.named(name))
    with pytest.raises(ArgumentError, match="from the last decision"):
        search.advance(other, [*BOARD, RIVERS[0]], weights, now, [(CALL, 0), (CALL, 0)])


def test_a_search_that_was_never_begun_is_refused():
    for use in (lambda search: search.run(1), lambda search: search.values()):
        with pytest.raises(ArgumentError, match="begun"):
            use(Search.__new__(Search))


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("explore", -1.0),
        ("explore", float("nan")),
        ("prune", float("inf")),
        ("backup", "median"),
        ("nodes", 12),
        ("sizes", [1.0] * 9),
        ("dead", list(range(40))),
    ],
)
def test_bad_settings_are_named(setting, value):
    with pytest.raises(BaycarpError, match=setting):
        begin("Ad5d", make_policy(tight=True), **{"seed": 0, setting: value})


def test_a_range_without_a_free_holding_is_refused():
    hand, _ = begin("Ad5d", make_policy(tight=True), seed=0)
    weights = np.zeros((2, 1, len(HOLDINGS)))
    weights[1, 0, holding_index(*holding("AdKd"))] = 1
    policy = np.stack([make_policy(tight=True)] * 2)
    with pytest.raises(RangeError, match="position 1"):
        Search(hand, holding("Ad5d"), BOARD, weights, policy, np.zeros(len(HOLDINGS), int), [[EDGE]] * 4)


def test_softmax_before_an_iteration_is_refused():
    _, search = begin("Ad5d", make_policy(tight=True), seed=0)
    with pytest.raises(ArgumentError, match="iteration"):
        search.softmax(1.0)
