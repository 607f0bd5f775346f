"""Sizes, trees and spots."""

import numpy as np
import pytest

from baycarp.card import as_cards, blocked_by
from baycarp.errors import ArgumentError, BaycarpError, CardError, RangeError, VariantError
from baycarp.game import Action, State, Variant
from baycarp.solvers.spots import tree as trees
from baycarp.solvers.spots.betting import Kind
from baycarp.solvers.spots.sizes import Thresholds, parse_menu
from baycarp.solvers.spots.spot import Spot
from baycarp.solvers.spots.tree import SpotTree
from benchmarks.parts.peer_spots import PEER_SPOTS

RIVER = "Td9d6hQc2s"
PLAIN = Thresholds(add=0, force=0, merge=0)


def steps(spot, line=""):
    return [str(step) for step in spot.build_tree().find(line).node.steps]


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ("60%", ["check", "bet 120"]),
        ("e", ["check", "all-in 900"]),
        ("2e", ["check", "bet 216.227766"]),
        ("150c", ["check", "bet 150"]),
        ("a", ["check", "all-in 900"]),
        ("60%, a, 33%", ["check", "bet 66", "bet 120", "all-in 900"]),
        ("33.3333%", ["check", "bet 66.6666"]),
        ("500%", ["check", "all-in 900"]),
        ("", ["check"]),
    ],
)
def test_sizes_are_what_they_are_named(sizes, expected):
    spot = Spot(RIVER, 200, 900, sizes=sizes, raises="", thresholds=PLAIN)
    assert steps(spot) == expected


def test_geometric_sizes_put_the_stack_in_by_the_river():
    spot = Spot("Td9d6h", 200, 900, sizes="e", raises="", thresholds=PLAIN)
    share = (10 ** (1 / 3) - 1) / 2  # of the pot on three streets: 200 grows to 2,000
    tree = spot.build_tree()
    node, pot = tree.root, 200.0
    for _ in range(2):
        assert node.steps[1].total == pytest.approx(share * pot)
        pot *= 1 + 2 * share
        node = node.children[1].children[1].children[0]
    assert str(node.steps[1]).startswith("all-in")
    assert node.steps[1].total == pytest.approx(share * pot)


def test_a_raise_of_a_share_counts_the_call():
    spot = Spot(RIVER, 200, 5000, sizes="100c", raises="50%, 3x, 700c", thresholds=PLAIN)
    assert steps(spot, "bet 100c") == ["fold", "call", "raise 300", "raise 700"]  # 100 + (400 + ...) / 2
    assert steps(spot, "bet 100, raise 300") == ["fold", "call", "raise 700", "raise 900"]


def test_all_in_is_added_forced_and_merged():
    spot = Spot(RIVER, 200, 300, sizes="60%", raises="")
    assert steps(spot) == ["check", "bet 120", "all-in 300"]  # 1.5 pots
    assert steps(Spot(RIVER, 200, 301, sizes="60%", raises="")) == ["check", "bet 120"]
    assert steps(Spot(RIVER, 200, 300, sizes="", raises="")) == ["check"]
    left = 0.15 * (200 + 2 * 120)
    forced = Spot(RIVER, 200, 120 + left, sizes="60%", raises="", thresholds=Thresholds(add=0))
    assert steps(forced) == ["check", f"all-in {120 + left:g}"]
    free = Spot(RIVER, 200, 121 + left, sizes="60%", raises="", thresholds=Thresholds(add=0))
    assert steps(free) == ["check", "bet 120"]
    merged = Spot(RIVER, 200, 9000, sizes="60%, 76%, 77%, 150%", raises="")
    assert steps(merged) == ["check", "bet 120", "bet 154", "bet 300"]  # 1.77 / 1.6 > 1.1 > 1.77 / 1.76


def test_sizes_differ_by_street_player_and_lead():
    menu = "60%; turn: 33%; ip river: a"
    spot = Spot("Td9d6h", 200, 5000, sizes=menu, raises="", donk="100%")
    tree = spot.build_tree()
    after_bet = tree.find("check, bet 60%, call").node.children[0]
    assert [str(step) for step in after_bet.steps] == ["check", "bet 440"]  # leads into the bettor
    checked = tree.find("check, check").node.children[0]
    assert [str(step) for step in checked.steps] == ["check", "bet 66"]
    river = tree.find("check, check, check, check, check").node
    assert [str(step) for step in river.steps] == ["check", "all-in 5000"]
    assert parse_menu({"": "60%", "oop": "33%", "oop turn": ""}, "sizes")[0, 4] == ()


@pytest.mark.parametrize(
    "sizes",
    ["60", "0%", "-5%", "x", "1x", "4e", "1.5e", "aa", "a%", "60%%", "nan%", "1e400c", "60% b", "sea: 60%"],
)
def test_a_text_that_is_no_size_is_refused(sizes):
    with pytest.raises(ArgumentError):
        Spot(RIVER, 200, 900, sizes=sizes)


def test_sizes_below_the_least_raise_are_left_out_and_named():
    spot = Spot(RIVER, 200, 5000, sizes="500%", raises="10%, 2x", thresholds=PLAIN)
    node = spot.build_tree().find("bet 500%").node
    assert [str(step) for step in node.steps] == ["fold", "call", "raise 2000"]
    assert node.left_out == ["10%: below the least raise, to 2000"]


def test_pot_limit_has_no_larger_bet():
    spot = Spot(RIVER, 200, 900, sizes="100%, 150%, a", raises="100%", betting="pot-limit", thresholds=PLAIN)
    assert steps(spot) == ["check", "bet 200"]
    assert steps(spot, "bet 200") == ["fold", "call", "raise 800"]
    with pytest.raises(ArgumentError, match="to 200"):
        spot.build_tree().add("", "bet 201c")


def test_limit_has_the_sizes_and_caps_of_its_game():
    game = Variant.load("holdem.limit.2p.reverse_blinds")
    tree = Spot("Td9d6h", 40, 1000, betting=game).build_tree()
    assert [str(step) for step in tree.root.steps] == ["check", "bet 10"]
    most = tree.find("bet 10, raise 20, raise 30, raise 40").node
    assert [str(step) for step in most.steps] == ["fold", "call"]
    turn = tree.find("check, check, check").node
    assert [str(step) for step in turn.steps] == ["check", "bet 20"]
    # As many sequences a street as limit hold'em has: 1 + 8 ways to the next street, each with its folds.
    assert sum(node.kind is Kind.DEAL for node in SpotTree(tree.rules, tree.root.now)) == 9 + 9 * 9


def test_payoffs_are_pot_share_less_rake_less_what_was_put_in():
    spot = Spot(RIVER, 200, 900, sizes="60%, a", raises="2.5x, a", rake=0.05, cap=30)
    arrays = spot.build_tree().arrays()
    for node, at in arrays.index.items():
        if not node.is_leaf:
            continue
        payoff, (one, other) = arrays.payoff[at], node.now.totals
        pot = 200 + 2 * min(one, other)
        rake = min(0.05 * pot, 30)
        won = payoff[0, 0] + payoff[1, 2], payoff[0, 1] + payoff[1, 1], payoff[0, 2] + payoff[1, 0]
        if node.kind is Kind.FOLD:
            assert np.ptp(payoff, axis=1).tolist() == [0, 0]
            assert payoff[node.now.player, 0] == -min(one, other)
        else:
            assert payoff[0].tolist() == [pot - rake - one, (pot - rake) / 2 - one, -one]
        assert won == pytest.approx((200 - rake,) * 3)


def test_arrays_have_children_one_after_another():
    for peer in PEER_SPOTS:
        tree = peer.spot.build_tree()
        arrays = tree.arrays()
        inner = arrays.count > 0
        children = np.concatenate(
            [np.arange(f, f + c) for f, c in zip(arrays.first[inner], arrays.count[inner], strict=True)]
        )
        assert sorted(children) == list(range(1, len(tree)))
        assert (arrays.first[inner] > np.flatnonzero(inner)).all()
        assert sorted(arrays.index.values()) == list(range(len(tree)))


def test_a_tree_is_edited_by_hand():
    spot = Spot(RIVER, 200, 900, sizes="60%", raises="")
    tree = spot.build_tree()
    before = tree.lines()
    tree.add("check, bet 60%", "raise 3x", "all-in")
    assert [str(each) for each in tree.find("check, bet 120").node.steps] == [
        "fold",
        "call",
        "raise 360",
        "all-in 900",
    ]
    assert "check, bet 120, raise 360, call" in tree.lines()
    tree.remove("check, bet 60%, raise 360")
    tree.remove("check, bet 60%, a")
    assert tree.lines() == before
    assert Spot(RIVER, 200, 900, tree=tree).build_tree().lines() == before
    tree.remove("check")
    assert tree.lines() == ["bet 120, fold", "bet 120, call"]


@pytest.mark.parametrize(
    "edit",
    [
        lambda tree: tree.add("", "bet 60%"),
        lambda tree: tree.add("check, check", "bet 10"),
        lambda tree: tree.add("bet 60%", "raise 130c"),
        lambda tree: tree.add("", "bet 5000"),
        lambda tree: tree.add("", "fold"),
        lambda tree: tree.remove(""),
        lambda tree: tree.remove("bet 61%"),
        lambda tree: tree.find("check, check, check"),
        lambda tree: tree.find("2c"),
        lambda tree: tree.lines("preflop"),
    ],
)
def test_an_edit_that_is_not_legal_is_refused(edit):
    with pytest.raises(BaycarpError):
        edit(Spot(RIVER, 200, 900, sizes="60%", raises="").build_tree())


def test_lines_name_cards_where_they_are_dealt():
    tree = Spot("Td9d6h", 200, 900, sizes="60%", raises="").build_tree()
    place = tree.find("check, check / 2s / bet 60%, call, Ah, check")
    assert place.cards == tuple(as_cards("2sAh").tolist())
    assert place.node.now.cards == 5
    with pytest.raises(CardError):
        tree.find("check, check, 2s, check, check, 2s")


def test_a_spot_may_begin_after_a_bet():
    spot = Spot(RIVER, 200, 900, sizes="60%", raises="a", line="check, bet 100")
    assert steps(spot) == ["fold", "call", "all-in 900"]
    assert spot.root_pot == 300
    arrays = spot.build_tree().arrays()
    assert arrays.payoff[1].tolist() == [[0] * 3, [300] * 3]  # the bet is his again
    assert arrays.payoff[2].tolist() == [[300, 100, -100], [400, 200, 0]]
    with pytest.raises(ArgumentError):
        Spot(RIVER, 200, 900, line="check, check")
    with pytest.raises(ArgumentError):
        Spot(RIVER, 200, 900, line="call")


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"board": "Td9d"}, CardError),
        ({"board": "Td9dTd"}, CardError),
        ({"board": "Td9dXx"}, CardError),
        ({"pot": 0}, ArgumentError),
        ({"pot": float("nan")}, ArgumentError),
        ({"pot": "many"}, ArgumentError),
        ({"stack": 0}, ArgumentError),
        ({"stack": -5}, ArgumentError),
        ({"rake": 1.5}, ArgumentError),
        ({"cap": -1}, ArgumentError),
        ({"oop": "AA:0"}, RangeError),
        ({"oop": "Td9d"}, RangeError),
        ({"oop": "ZZ"}, RangeError),
        ({"oop": "AhAd", "ip": "AhKh,AdKd"}, RangeError),
        ({"betting": "spread-limit"}, ArgumentError),
        ({"betting": Variant.load("holdem.nolimit.2p.100bb")}, ArgumentError),
        ({"sizes": 60}, ArgumentError),
        ({"line": "dance"}, ArgumentError),
    ],
)
def test_a_hostile_spot_is_refused(given, error):
    with pytest.raises(error):
        Spot(**{"board": RIVER, "pot": 200, "stack": 900, **given})


def test_a_tree_without_end_is_refused(monkeypatch):
    monkeypatch.setattr(trees, "MOST_NODES", 10_000)
    with pytest.raises(ArgumentError, match="nodes"):
        Spot(
            "Td9d6h", 1, 1e9, sizes="1c, 2c, 3c, 4c, 5c, 6c", raises="2x, 3x, 4x", thresholds=PLAIN
        ).build_tree()


def test_no_range_is_every_holding_beside_the_board():
    spot = Spot(RIVER, 200, 900)
    assert len(spot.holdings(0)) == len(spot.holdings(1)) == 47 * 46 // 2
    assert not spot.weights(0)[blocked_by(spot.board)].any()


def hand_of_two_after(actions, seats=3):
    game = Variant.ring(seats, 10, betting="no-limit", stacks=(1000, 800, 600)[:seats])
    state = State(game)
    for action in actions:
        if isinstance(action, str) and action in ("flop", "turn"):
            board = "Td9d6h" if action == "flop" else "Td9d6hQc"
            state.deal(board=board)
        else:
            state.apply(action if isinstance(action, Action) else state.named(action))
    return state.observe(state.to_act)


def test_a_spot_of_a_recorded_hand():
    """Three are in before the flop; the first folds on it to a bet, the others are left."""
    raised = [
        Action("raise", 40),
        "call",
        "call",
        "flop",
        "check",
        Action("bet", 60),
        Action("raise", 150),
        "fold",
    ]
    observation = hand_of_two_after(raised)
    spot = Spot.of(observation, {1: "QQ+", 2: "TT+"}, sizes="60%")
    assert observation.state.to_act == 1
    assert (spot.pot, spot.stack) == (120, 560)  # the shorter stack of 600 has put in 40
    assert spot.line == "bet 60, raise 150"
    assert str(spot.oop) == "QQ+"
    assert spot.root_pot == observation.state.pot
    assert [str(step) for step in spot.build_tree().root.steps][:2] == ["fold", "call"]


def test_a_bet_of_a_player_that_folded_is_a_bet_that_was_met():
    acts = [Action("raise", 40), "call", "call", "flop", Action("bet", 60), "call", "fold", "turn"]
    with pytest.raises((VariantError, IndexError, BaycarpError)):
        Spot.of(hand_of_two_after([*acts[:5]]))  # three are in
    spot = Spot.of(hand_of_two_after(acts))
    assert (spot.pot, spot.stack, spot.line) == (240, 700, "")
    assert spot.board == tuple(as_cards("Td9d6hQc").tolist())


@pytest.mark.parametrize("actions", [[], ["call", "check"]])
def test_a_hand_before_the_flop_or_without_cards_is_refused(actions):
    with pytest.raises(BaycarpError):
        Spot.of(hand_of_two_after(actions, 2))


def test_a_street_on_which_a_third_acted_is_the_shortest_line_to_the_bets():
    """Position 0 bets 60 and 1 calls; 2 raises to 200, 0 folds: 1 faces a raise, having 60 in."""
    acts = [
        Action("raise", 40),
        "call",
        "call",
        "flop",
        Action("bet", 60),
        "call",
        Action("raise", 200),
        "fold",
    ]
    observation = hand_of_two_after(acts)
    spot = Spot.of(observation)
    assert spot.line == "bet 60, raise 200"
    assert spot.root_pot == observation.state.pot
    assert spot.build_tree().root.now.owed == observation.state.owed == 140


def test_a_limit_hand_keeps_its_bets():
    state = State(Variant.load("holdem.limit.2p.reverse_blinds"))
    for name in ("call", "check"):
        state.apply(state.named(name))
    state.deal(board="Td9d6h")
    for name in ("bet", "raise"):
        state.apply(state.named(name))
    spot = Spot.of(state.observe(0))
    assert spot.line == "bet 10, raise 20"
    assert [str(step) for step in spot.build_tree().root.steps] == ["fold", "call", "raise 30"]
