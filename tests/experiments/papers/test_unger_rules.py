"""Unger (2011): results of the rules that are not in the tables of ``experiments.papers``."""

from reference.play import play

from baycarp.card import cards
from baycarp.game.state import Observation
from baycarp.game.variant import Variant
from baycarp.opponents.network.statistics import PlayerStats
from baycarp.rules import READINGS, PlayerView, read
from baycarp.rules.board import change
from baycarp.rules.hand import TYPES
from experiments.papers.unger_network import ON_FLOP, ON_RIVER


def test_section_5_3_2_aces_on_the_turn():
    assert change("Ks8d4hAc") == "FirstA"
    assert change("As8d4hAc") == "HighPair"


def test_table_7_3_counts_17_hand_types():
    assert len(TYPES) == 17


EIGHT = Variant.ring(8)
"""Small blind 0, big blind 1, early 2 and 3, middle 4 and 5, late 6 and 7."""

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
    view = PlayerView(state.observe(BAYCARP), JAKE, HABITS)
    hidden = {"HandGroup", "HandType", "HandTypeTurn", "HandTypeFinal"}
    found = read(view, COLUMNS)
    assert not hidden & set(found)
    return found


def test_figure_6_6_evidence_on_the_flop():
    assert evidence(example("k")) == ON_FLOP


def test_figure_6_9_evidence_on_the_turn():
    found = evidence(example("k b c  k"))
    assert (found["ActionFlop"], found["BoardChangeTurn"], found["ActionTurn"]) == ("Call", "Low", "Check")


def test_figure_6_11_evidence_on_the_river():
    assert evidence(example("k b c  k b c  b")) == ON_RIVER


def test_section_6_3_bay_carp_three_bets_and_jake_is_busted_until_the_river():
    full = Observation(example("k b c  k b c  b f"))
    assert READINGS["Action"].read(PlayerView(full, BAYCARP)) == "ThreeBet"
    types = [
        READINGS[name].read(PlayerView(full, JAKE)) for name in ("HandType", "HandTypeTurn", "HandTypeFinal")
    ]
    assert types == ["Busted", "Busted", "Straight"]
    assert READINGS["HandGroup"].read(PlayerView(full, JAKE)) == "HandGroup2"
