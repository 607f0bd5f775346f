"""The tree search beside an exact best reply, computed by its definition."""

from itertools import combinations

import numpy as np
import pytest
from reference.best_reply import Street, worth_of
from reference.hands import rank

from baycarp.card import HOLDINGS, cards, holding_index
from baycarp.errors import ArgumentError, BaycarpError, CardError, IllegalAction, RangeError
from baycarp.game.state import State
from baycarp.game.variant import Variant
from baycarp.kernels.game import CALL, RAISE
from baycarp.kernels.search import Search

BOARD = [int(card) for card in cards("Ks8h3c2d")]
OPPONENT = {"AhKd": 0.3, "8s7s": 0.3, "QcJc": 0.4}
RIVERS = [int(card) for card in cards("Ac8d7h5s4sJdQh")]
EDGE = 0.6


def holding(text):
    return tuple(int(card) for card in cards(text))


def alive(hole):
    return {*hole, *BOARD, *RIVERS, *(card for text in OPPONENT for card in holding(text))}


def strength(hole, board):
    """The share of all other holdings that lose, ties half, for a board of five."""
    own = rank([*hole, *board])
    left = [card for card in range(52) if card not in {*hole, *board}]
    step = list(combinations(left, 2))[::3]  # a third of them, since no strength is near the edge
    beaten = [(other < own) + (other == own) / 2 for other in (rank([*pair, *board]) for pair in step)]
    return float(np.mean(beaten))


def bucket(hole, board):
    found = strength(hole, board)
    assert abs(found - EDGE) > 0.02
    return int(found >= EDGE)


def make_policy(tight):
    """By street, price, bucket: the chances to fold, call, raise."""
    policy = np.zeros((4, 5, 2, 3))
    for price in range(5):
        policy[:, price, 0] = (0.75, 0.2, 0.05) if tight else (0.15, 0.75, 0.1)
        policy[:, price, 1] = (0.05, 0.45, 0.5) if tight else (0.1, 0.6, 0.3)
    return policy


@pytest.fixture(scope="module")
def toy():
    """By own holding: the deals of the toy game and own buckets by river."""
    made = {}
    for text in ("KcTd", "9h7d", "Ad5d"):
        own, deals, buckets = holding(text), [], {}
        deck = alive(own) - {*own, *BOARD}
        for card in deck:
            buckets[card] = bucket(own, [*BOARD, card])
        for (other, weight), number in zip(OPPONENT.items(), range(3), strict=True):
            theirs = holding(other)
            rivers = sorted(deck - set(theirs))
            for card in rivers:
                mine, his = rank([*own, *BOARD, card]), rank([*theirs, *BOARD, card])
                share = (mine > his) + (mine == his) / 2
                river = bucket(theirs, [*BOARD, card])
                deals.append((weight / len(rivers), int(number != 2), river, card, share))
        made[text] = deals, buckets
    return made


def ranges():
    """The weights of the opponent's holdings, and their buckets."""
    weights, now = np.zeros((2, 1, len(HOLDINGS))), np.zeros(len(HOLDINGS), np.int64)
    for number, (other, weight) in enumerate(OPPONENT.items()):
        weights[1, 0, holding_index(*holding(other))] = weight
        now[holding_index(*holding(other))] = int(number != 2)
    return weights, now


def begin(text, policy, seed, **settings):
    variant = Variant.load("holdem.limit.2p.reverse_blinds")
    hand = State(variant)
    for name in ("call", "check", "check", "check"):
        hand.apply(hand.named(name))
    own = holding(text)
    weights, now = ranges()
    dead = sorted(set(range(52)) - alive(own))
    search = Search(
        hand, own, BOARD, weights, np.stack([policy, policy]), now, [[EDGE]] * 4,
        **{"dead": dead, "seed": seed, "explore": 300.0, **settings},
    )  # fmt: skip
    return hand, search


def exact(deals, policy, shows):
    return {kind: worth_of(Street(10, 2), kind, deals, policy, shows) + 10 for kind in (CALL, RAISE)}


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
