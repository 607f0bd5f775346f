"""Rows of the network: example hands, and their rows as in figure 6.1."""

from reference.play import play

from baycarp.card import cards
from baycarp.game.notation.hand import Hand
from baycarp.game.variant import Variant
from baycarp.opponents.network.topology import OBSERVED, STRUCTURE, TYPE_NODES
from baycarp.training.rows import rows_of_session

FOUR = Variant.ring(4)
"""Small blind 0, big blind 1, early 2, button (late) 3."""

NAMES = ("Ann", "Bob", "Cleo", "Dan")
DECK = cards("As5d Ac2d KsQs 7h6d JsTd4c Kd Th")


def hand(actions, deck=DECK, players=NAMES, number=0):
    return Hand.of(play(FOUR, actions, deck), players, number)


def rows(*hands):
    return list(rows_of_session(hands))


SHOWDOWN = "r f f c  k b c  k k  b r c"
"""Early raises, the big blind calls; both go to the showdown."""


def test_a_row_is_that_of_figure_6_1():
    big_blind, early = rows(hand(SHOWDOWN))
    assert list(early.states.items()) == [
        ("Position", "Early"), ("Action", "Raise"),
        ("ActionFlop", "ContinuationBet"), ("Board", "JLow"),
        ("ActionTurn", "Check"), ("BoardChangeTurn", "FirstK"),
        ("ActionRiver", "Raise"), ("BoardChangeRiver", "MidPair"),
        ("HandGroup", "HandGroup2"),
        ("HandType", "Busted"), ("HandTypeTurn", "KingPairStrong"), ("HandTypeFinal", "TwoPair"),
    ]  # fmt: skip
    assert (early.streets, early.showdown) == (4, True)
    assert big_blind.states["Position"] == "Blinds"
    assert [big_blind.states[node] for node in ("Action", "ActionFlop", "ActionTurn")] == [
        "Call",
        "Call",
        "Check",
    ]
    assert big_blind.states["ActionRiver"] == "Bet"
    assert big_blind.states["HandGroup"] == "HandGroup9"


def test_rows_of_folding_players_end_at_their_street():
    early, button = rows(hand("r c f f  b c  b f"))
    assert (button.streets, button.showdown) == (2, False)
    assert (early.streets, early.showdown) == (2, False)  # nobody called the turn, which never ended
    for row in (early, button):
        observed = {name for nodes in OBSERVED[:2] for name in nodes} - {"VPIP", "PFR"}
        assert set(row.states) == observed | {"HandGroup", "HandType"}


def test_a_hand_that_ends_before_the_flop_has_no_rows():
    assert rows(hand("r f f f")) == []


def test_a_fold_before_the_flop_has_no_row_and_a_fold_on_it_a_short_one():
    # Early folds to the raise of the big blind; the small blind folds on the flop; the button calls down.
    small_blind, big_blind, button = rows(hand("c c c r f c c  k b c f  k k  k k"))
    assert [row.streets for row in (small_blind, big_blind, button)] == [1, 4, 4]
    assert set(small_blind.states) == {"Position", "Action", "HandGroup"}
    assert small_blind.states["Position"] == big_blind.states["Position"] == "Blinds"
    assert [row.showdown for row in (small_blind, big_blind, button)] == [False, True, True]


def test_statistics_are_those_of_earlier_hands():
    first, second = hand(SHOWDOWN), hand(SHOWDOWN, number=1)
    found = rows(first, second)
    assert "VPIP" not in found[0].states
    assert [(row.states["VPIP"], row.states["PFR"]) for row in found[2:]] == [
        ("a60_100", "a0_5"),
        ("a60_100", "a25_100"),
    ]
    moved = hand(SHOWDOWN, players=("Bob", "Cleo", "Dan", "Ann"), number=1)  # the button moves, habits stay
    _, dan = rows(first, moved)[2:]
    assert (dan.states["VPIP"], dan.states["PFR"]) == ("a0_10", "a0_5")


def test_states_are_the_networks():
    for row in rows(hand(SHOWDOWN), hand("r c c c  k k k k  k k k k  k k k k", number=1)):
        assert set(row.states) <= set(STRUCTURE.nodes)
        assert all(state in STRUCTURE.states[node] for node, state in row.states.items())
        assert TYPE_NODES[row.streets - 1] in row.states
