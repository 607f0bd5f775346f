"""Unger 2011 (seed 000): the tables, figures and the worked example that the rules must give back."""

import pytest
from reference.play import play

from baycarp.card import cards
from baycarp.game.observation import Observation
from baycarp.game.variant import Variant
from baycarp.opponents.stats import PlayerStats
from baycarp.rules import READINGS, Seen, read
from baycarp.rules.board import change, flop
from baycarp.rules.hand import TYPES, hand_rank, hand_type

# Tables 5.1 and 5.2


@pytest.mark.parametrize(
    ("kind", "hole", "board"),
    [
        ("AcePairStrong", "AhKc", "As8c9h"),
        ("KingPairWeak", "Ks5s", "Kh8h6c"),
        ("QueenPair", "QsQh", "Th2s6c"),
        ("JackPair", "JsTs", "JhKc7s"),
        ("MidPair", "9s9c", "AsQh8h"),
        ("LowPair", "6s6c", "AsQh8h"),
    ],
)
def test_table_5_1_hand_types(kind, hole, board):
    assert hand_type(hole, board) == kind


@pytest.mark.parametrize(
    ("three", "board", "turn", "changed"),
    [
        ("As8c9h", "ALow", "Ks", "FirstK"),
        ("Kh8h6c", "KLow", "Ks", "HighPair"),
        ("Th2s6c", "Low", "Qc", "FirstQ"),
        ("JhKc7s", "KHigh", "7c", "LowPair"),
    ],
)
def test_table_5_2_boards(three, board, turn, changed):
    assert flop(three) == board
    assert change(three + turn) == changed


def test_section_5_3_2_aces_on_the_turn():
    assert change("Ks8d4hAc") == "FirstA"
    assert change("As8d4hAc") == "HighPair"


def test_table_7_3_counts_17_hand_types():
    assert len(TYPES) == 17


# Figure 6.1: four rows of training data. The hands are ours; the states are the figure's.

EIGHT = Variant.ring(8)
"""Small blind 0, big blind 1, early 2 and 3, middle 4 and 5, late 6 and 7."""

FIRST = ("Js Td 4c", "Kd", "Th"), "c f f f r f f f c  k k  k k  k k", {2: "Tc 2d", 6: "As 5d"}
SECOND = ("Jh 8d 4c", "2d", "Jd"), "r f c f f f f f  k k  b c  k k", {2: "Ks Js", 4: "As 9s"}
ROWS = [
    (FIRST, 2, (0.55, 0.04), "a50_60 a0_5 Early Call HandGroup10 Check JLow TenPair"
     " Check FirstK TenPair Check MidPair ThreeOfAKind"),
    (FIRST, 6, (0.25, 0.07), "a20_30 a5_10 Late Raise HandGroup9 Check JLow Busted"
     " Check FirstK Busted Check MidPair TenPair"),
    (SECOND, 2, (0.15, 0.07), "a10_20 a5_10 Early Raise HandGroup3 Check JLow JackPair"
     " Bet Low JackPair Check HighPair ThreeOfAKind"),
    (SECOND, 4, (0.35, 0.12), "a30_40 a10_15 Middle Call HandGroup5 Check JLow Busted"
     " Call Low Busted Check HighPair JackPair"),
]  # fmt: skip
COLUMNS = (
    "VPIP", "PFR", "Position", "Action", "HandGroup", "ActionFlop", "Board", "HandType",
    "ActionTurn", "BoardChangeTurn", "HandTypeTurn", "ActionRiver", "BoardChangeRiver", "HandTypeFinal",
)  # fmt: skip


def deck(holes, board, seats=8):
    """The named holes at their positions, the rest of the deck in order for the others."""
    taken = cards("".join(holes.values()) + board).tolist()
    free = iter(card for card in range(52) if card not in taken)
    dealt = []
    for seat in range(seats):
        dealt += cards(holes[seat]).tolist() if seat in holes else [next(free), next(free)]
    return [*dealt, *cards(board).tolist()]


@pytest.mark.parametrize(("hand", "who", "habits", "row"), ROWS)
def test_figure_6_1_rows(hand, who, habits, row):
    board, actions, holes = hand
    seen = Observation(play(EIGHT, actions, deck(holes, "".join(board))))
    habits = PlayerStats(hands=100, voluntary=round(100 * habits[0]), raised=round(100 * habits[1]))
    assert list(read(Seen(seen, who, habits), COLUMNS).values()) == row.split()


# Section 6.3: Jake, early, raises with AKo; BayCaRP three-bets and is called. Seats and board are ours: a
# JLow flop that misses Jake, a low turn, a queen that gives him the straight, as text and figures have it.

JAKE, BAYCARP = 3, 5
HOLES = {JAKE: "Ah Kd", BAYCARP: "9c 9h"}
PREFLOP = "f r f r f f f f c  "
HABITS = PlayerStats(hands=200, voluntary=50, raised=14)


def example(actions):
    return play(EIGHT, PREFLOP + actions, deck(HOLES, "Js Td 4c 2h Qs"))


def evidence(state):
    """The observed nodes about Jake, as BayCaRP sees them."""
    seen = Seen(state.observe(BAYCARP), JAKE, HABITS)
    hidden = {"HandGroup", "HandType", "HandTypeTurn", "HandTypeFinal"}
    found = read(seen, COLUMNS)
    assert not hidden & set(found)
    return found


def test_figure_6_6_evidence_on_the_flop():
    assert evidence(example("k")) == {
        "VPIP": "a20_30", "PFR": "a5_10", "Position": "Early", "Action": "Raise",
        "Board": "JLow", "ActionFlop": "Check",
    }  # fmt: skip


def test_figure_6_9_evidence_on_the_turn():
    found = evidence(example("k b c  k"))
    assert (found["ActionFlop"], found["BoardChangeTurn"], found["ActionTurn"]) == ("Call", "Low", "Check")


def test_figure_6_11_evidence_on_the_river():
    found = evidence(example("k b c  k b c  b"))
    assert (found["ActionTurn"], found["BoardChangeRiver"], found["ActionRiver"]) == (
        "Call",
        "FirstQ",
        "DonkBet",
    )


def test_section_6_3_bay_carp_three_bets_and_jake_is_busted_until_the_river():
    full = Observation(example("k b c  k b c  b f"))
    assert READINGS["Action"].read(Seen(full, BAYCARP)) == "ThreeBet"
    types = [READINGS[name].read(Seen(full, JAKE)) for name in ("HandType", "HandTypeTurn", "HandTypeFinal")]
    assert types == ["Busted", "Busted", "Straight"]
    assert READINGS["HandGroup"].read(Seen(full, JAKE)) == "HandGroup2"


CASE = (
    "number_of_players", "players_in_hand", "players_yet_to_act", "relative_position",
    "bets_committed", "bets_to_call", "bets_total", "pot_odds",
)  # fmt: skip


@pytest.mark.parametrize(
    ("figure", "actions", "features"),
    [
        ("6.7", "k", (2, 1, 0, 1.0, 0.0, 0.0, 6.0, 0.118)),
        ("6.12", "k b c  k b c  b", (2, 1, 0, 1.0, 0.0, 4.0, 12.0, 0.114)),
    ],
)
def test_figures_6_7_and_6_12_features_of_the_case(figure, actions, features):
    values = read(Seen(example(actions).observe(BAYCARP), BAYCARP), CASE)
    assert tuple(values) == CASE
    assert tuple(values.values()) == pytest.approx(features, abs=0.0005)


def test_section_5_4_3_ranks():
    assert (hand_rank("AsAh"), hand_rank("JsTs")) == (1, 18)
