import random
import sys
from decimal import Decimal

import pytest

from baycarp.card import text
from baycarp.errors import BaycarpError, NotationError
from baycarp.game import State, Variant
from baycarp.game.notation import acpc, phh
from baycarp.game.notation.hand import Hand, Refused, replay

pytest.importorskip("pokerkit")

HEADS_UP = """
# The button is p2: it posts the 1 of [1, 2] and is called first.
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [200, 150]
actions = [
  "d dh p1 AcAd",
  "d dh p2 ????",  # unseen
  "p2 cbr 6",
  "p1 cc",
  "d db 2c3d4h",
  "p1 cbr 8 # leads out",
  "p2 f",
]
hand = 12
players = ["Ann", "Bob"]
finishing_stacks = [206, 144]
"""


def test_a_hand_is_read():
    hand = phh.parse_phh(HEADS_UP)
    assert [str(action) for action in hand.actions] == ["raise to 6", "call 4", "bet 8", "fold"]
    assert [text(hole) for hole in hand.holes] == ["AcAd", ""]
    assert text(hand.board) == "2c3d4h"
    assert hand.players == ("Ann", "Bob")
    assert hand.id == 12
    assert hand.payoffs == replay(hand).payoffs() == (6, -6)


def test_the_heads_up_seats_are_turned_round():
    """``[1, 2]`` is written button first, p1 is the big blind, and p2 is called first."""
    hand = phh.parse_phh(HEADS_UP)
    assert hand.variant.blinds == (2, 1)
    assert hand.variant.first == (1, 0, 0, 0)
    assert hand.observation("preflop").seat == 1
    assert hand.observation("flop").seat == 0
    assert "blinds_or_straddles = [1, 2]" in phh.format_phh(hand)
    mirrored = HEADS_UP.replace("[1, 2]", "[2, 1]")
    with pytest.raises(Refused, match="wrong turn: p2 cbr with 0 cards on the board: p1 is to act"):
        phh.parse_phh(mirrored)


def test_unequal_antes_are_turned_round_too():
    hand = phh.parse_phh(HEADS_UP.replace("antes = [0, 0]", "antes = [0, 2]"))
    assert hand.variant.antes == (2, 0)
    assert replay(hand).payoffs() == (6, -6)


def test_observe_reads_a_hand_and_keeps_what_a_seat_may_know():
    observation = phh.parse_phh(HEADS_UP).observe(1)
    assert observation.players == ("Ann", "Bob")
    assert observation.hand == 12
    assert observation.state.holes == ((), ())


def test_fractions_become_whole_chips():
    cents = (
        HEADS_UP.replace("[1, 2]", "[0.5, 1]")
        .replace("min_bet = 2", "min_bet = 1")
        .replace("[0, 0]", "[0.25, 0.25]")
    )
    hand = phh.parse_phh(cents)
    assert hand.unit == Decimal("0.25")
    assert hand.variant.blinds == (4, 2)
    assert hand.variant.antes == (1, 1)
    assert hand.stacks == (800, 600)
    assert str(hand.actions[0]) == "raise to 24"
    again = phh.format_phh(hand)
    assert "blinds_or_straddles = [0.50, 1]" in again
    assert phh.parse_phh(again) == hand


def test_infinite_stacks_are_as_deep_as_needed():
    hand = phh.parse_phh(HEADS_UP.replace("[200, 150]", "[inf, 150]").replace("finishing", "# finishing"))
    assert hand.stacks[0] > 10**12
    assert hand.stacks[1] == 150
    assert "starting_stacks = [inf, 150]" in phh.format_phh(hand)
    assert phh.parse_phh(phh.format_phh(hand)) == hand


def test_the_big_blinds_ante_is_dead_money():
    six = """
variant = "NT"
ante_trimming_status = {}
antes = [0, {}, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 100, 100]
actions = ["p3 f", "p1 f"]
"""
    hand = phh.parse_phh(six.format("false", 2))
    assert replay(hand).payoffs() == (-1, 1, 0)
    with pytest.raises(Refused, match="antes of another rule"):
        phh.parse_phh(six.format("true", 2))


def test_a_straddle_acts_last():
    straddled = """
variant = "NT"
antes = [0, 0, 0, 0]
blinds_or_straddles = [1, 2, 4, 0]
min_bet = 4
starting_stacks = [100, 100, 100, 100]
actions = ["p4 cc", "p1 f", "p2 f", "p3 cc", "d db 2c3d4h", "p3 cc"]
"""
    assert phh.parse_phh(straddled).observe().state.to_act == 3


WRONG = [
    ("", "broken fields"),
    ("variant = 'NT'", "broken fields"),
    ("variant =", "broken fields"),
    ("[1]\n" * 3, "expected one hand, got 3|broken fields"),
    (HEADS_UP.replace('"NT"', '"PO"'), "another game: 'PO'"),
    (HEADS_UP.replace('"NT"', '"XX"'), "another game|broken fields"),
    (HEADS_UP.replace("[200, 150]", "[200]"), "wrong number of players: 1"),
    (HEADS_UP.replace("[200, 150]", "[200, -150]"), "not a hand of this game"),
    (HEADS_UP.replace("[200, 150]", "[200, nan]"), "bad amount"),
    (HEADS_UP.replace("[200, 150]", "[200, 1e999999999]"), "bad amount"),
    (HEADS_UP.replace("[200, 150]", "[200, '150']"), "bad amount"),
    (HEADS_UP.replace("[200, 150]", "7"), "broken fields"),
    (HEADS_UP.replace("[0, 0]", "[0, 0, 0]"), "bad amount: antes"),
    (HEADS_UP.replace("min_bet = 2", "min_bet = 3"), "least bet is not the big blind"),
    (HEADS_UP.replace("AcAd", "AcAc"), "card dealt twice: Ac"),
    (HEADS_UP.replace("2c3d4h", "2c3dAc"), "card dealt twice: Ac"),
    (HEADS_UP.replace("2c3d4h", "2c3d"), "wrong number of cards"),
    (HEADS_UP.replace("AcAd", "Ac1d"), "unknown card: '1d'"),
    (
        HEADS_UP.replace("p2 cbr 6", "p2 cbr 3"),
        "illegal action: .* cannot raise to 3",
    ),
    (HEADS_UP.replace("p2 cbr 6", "p3 cbr 6"), "unknown player: 'p3'"),
    (HEADS_UP.replace("p2 cbr 6", "p1 cbr 6"), "wrong turn"),
    (HEADS_UP.replace("p2 cbr 6", "p2 cbr x"), "bad amount: 'x'"),
    (HEADS_UP.replace("p2 cbr 6", "p2 sd"), "unknown action: 'p2 sd'"),
    (HEADS_UP.replace('"p2 f"', '"p2 f", "p1 cc"'), "action after the end"),
    (HEADS_UP.replace('"p2 f"', '"p1 sm AcKd"'), "another hand shown: p1 shows AcKd: expected AcAd"),
    (HEADS_UP.replace('"Bob"]', '"Bob", "Cid"]'), "wrong number of players"),
    (HEADS_UP.replace("[206, 144]", "[206]"), "bad payoffs"),
    (HEADS_UP + "x" * 70000, "hand too long"),
]


@pytest.mark.parametrize(("string", "message"), WRONG)
def test_a_wrong_hand_is_refused_with_the_value(string, message):
    with pytest.raises(NotationError, match=message):
        phh.parse_phh(string)


def test_many_hands_are_read_and_the_broken_ones_handed_over(tmp_path):
    path = tmp_path / "three.phhs"
    path.write_text(f"[1]\n{HEADS_UP}\n[2]\nvariant = \n\n[last]\n{HEADS_UP}")
    refused = []
    assert [hand.id for hand in phh.read_phhs(path, refused.append)] == [12, 12]
    assert [error.reason for error in refused] == ["broken fields"]
    assert "line 22 (hand 2)" in refused[0].where
    with pytest.raises(Refused, match=r"three\.phhs, line 22 \(hand 2\): broken fields"):
        list(phh.read_phhs(path))


def test_without_pokerkit_the_error_names_the_installation(monkeypatch):
    monkeypatch.setitem(sys.modules, "pokerkit", None)
    with pytest.raises(NotationError, match=r"pip install 'baycarp\[phh\]'"):
        phh.parse_phh(HEADS_UP)


# The order of the IRC database heads-up: the small blind sits first and is called first on every street.
SMALL_BLIND_FIRST = Variant(
    "small blind first", "limit", 2, (5, 10), (0, 0), None, (10, 10, 20, 20), (3, 4, 4, 4), (0, 0, 0, 0)
)
GAMES = [
    SMALL_BLIND_FIRST,
    Variant.load("holdem.limit.2p.reverse_blinds"),
    Variant.load("holdem.nolimit.2p.reverse_blinds"),
    Variant.ring(3, 10),
    Variant.ring(6, 20),
    Variant.ring(2, 20, betting="no-limit", stacks=(1000, 300), ante=5),
    Variant.ring(5, 20, betting="no-limit", stacks=(500, 200, 900, 60, 300), ante=5),
]


def random_hand(variant, seed):
    rng = random.Random(seed)
    state = State(variant, deck=bytes(rng.sample(range(52), 2 * variant.seats + 5)))
    while not state.is_over:
        legal = state.legal_actions()
        state.apply(rng.choice(legal[1:] if rng.random() < 0.7 and len(legal) > 1 else legal))
    names = tuple(f"Player {seat + 1}" for seat in range(variant.seats))
    return Hand.of(state, names, seed)


@pytest.mark.parametrize("variant", GAMES, ids=lambda variant: variant.name)
def test_what_is_written_is_read_again_and_pokerkit_settles_it_alike(variant, tmp_path):
    import pokerkit

    hands = [random_hand(variant, seed) for seed in range(12)]
    for name in ("hands.phhs", "hands.phhs.gz"):
        assert phh.write_phhs(tmp_path / name, hands) == 12
        for hand, again in zip(hands, phh.read_phhs(tmp_path / name), strict=True):
            assert again.actions == hand.actions
            assert again.holes == hand.holes
            assert again.board == hand.board
            assert again.payoffs == hand.payoffs
            assert again.players == hand.players
            assert again.id == hand.id
            assert (again.variant.blinds, again.variant.antes) == (variant.blinds, variant.antes)
            assert (again.variant.max_raises, again.variant.first) == (variant.max_raises, variant.first)
    for hand in hands:
        *_, last = pokerkit.HandHistory.loads(phh.format_phh(hand))
        assert tuple(last.payoffs) == hand.payoffs


def test_what_phh_cannot_say_is_refused():
    ring = acpc.parse_state("STATE:1:f:|:-5|5:Ann|Bob", Variant.load("holdem.limit.2p.reverse_blinds"))
    odd = Variant("odd", "limit", 2, (5, 10), (0, 0), None, (10, 10, 20, 20), (3, 4, 4, 4), (1, 0, 0, 0))
    with pytest.raises(NotationError, match="first to act"):
        phh.format_phh(Hand(odd, ring.actions, ((), ())))
    with pytest.raises(NotationError, match="pokerkit cannot print"):
        phh.format_phh(Hand(ring.variant, ring.actions, ((), ()), players=("A'''B", "C")))


def test_mutated_hands_raise_errors_of_the_package_alone():
    rng = random.Random(4)
    refused = 0
    for _ in range(1500):
        string = HEADS_UP
        for _ in range(rng.randint(1, 3)):
            at, kind = rng.randrange(len(string)), rng.randrange(3)
            drop = rng.randint(1, 12) if kind == 1 else int(kind == 0)
            put = rng.choice("0123456789.,[]{}'\"=#pdcbrf?-\x00\n aeinfAcé") if kind != 1 else ""
            string = string[:at] + put + string[at + drop :]
        try:
            phh.parse_phh(string)
        except BaycarpError:
            refused += 1
    assert 750 < refused < 1500
