import random
import sys
import warnings
from dataclasses import replace
from decimal import Decimal

import pytest

from baycarp.card import text
from baycarp.errors import BaycarpError, NotationError
from baycarp.game import State, Variant
from baycarp.game.notation import acpc, phh
from baycarp.game.notation.hand import Hand, Refused, replay
from baycarp.game.notation.money import amount_of

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


@pytest.mark.parametrize("name", ["_payoffs", "finishing_stacks", "winnings"])
def test_a_number_of_every_player_is_expected(name):
    fields = HEADS_UP.replace("finishing_stacks = [206, 144]", f"{name} = [1, 2, 3]")
    with pytest.raises(Refused, match=rf"bad payoffs: {name} \[1, 2, 3\]: expected 2"):
        phh.parse_phh(fields)


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


ANTES = """
variant = "NT"
ante_trimming_status = {}
antes = {}
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 100, 3]
actions = [
  "d dh p1 7c2d", "d dh p2 KsKh", "d dh p3 AsAh", "p1 f",
  "p2 sm KsKh", "p3 sm AsAh", "d db 2c3d5h", "d db 9h", "d db 9c"
]
"""


@pytest.mark.parametrize("trimmed", ["true", "false"])
@pytest.mark.parametrize("antes", ["[5, 5, 5]", "[5, 5, 3]"])
def test_an_ante_that_a_stack_cuts_short(trimmed, antes):
    """Trimmed, the short player wins three chips of each; else all that lies there."""
    import pokerkit

    read = phh.parse_phh(ANTES.format(trimmed, antes))
    state = replay(read)
    assert state.payoffs() == {"true": (-6, 0, 6), "false": (-6, -4, 10)}[trimmed]
    if antes == "[5, 5, 5]":
        *_, last = pokerkit.HandHistory.loads(ANTES.format(trimmed, antes))
        assert tuple(last.payoffs) == state.payoffs()


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
    (HEADS_UP.replace("[200, 150]", "[200, '15O']"), "bad amount"),
    (HEADS_UP.replace("[200, 150]", "7"), "broken fields"),
    (HEADS_UP.replace("[0, 0]", "[0, 0, 0]"), "bad amount: antes"),
    (HEADS_UP.replace("min_bet = 2", "min_bet = 3"), "least bet is above every blind"),
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


@pytest.mark.parametrize("number", ["-5", "-9223372036854775809", "9223372036854775808"])
def test_a_hand_number_that_no_other_format_has_is_refused(number):
    """A negative one was an untyped error of the generator of an agent."""
    with pytest.raises(Refused, match=f"bad hand number: {number}"):
        phh.parse_phh(HEADS_UP.replace("hand = 12", f"hand = {number}"))


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


def test_pokerkit_is_not_needed(monkeypatch):
    monkeypatch.setitem(sys.modules, "pokerkit", None)
    hand = phh.parse_phh(HEADS_UP)
    assert phh.parse_phh(phh.format_phh(hand)) == hand


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
    odd = Variant("odd", "limit", 2, (5, 10), (0, 0), None, (10, 10, 20, 20), (3, 4, 4, 4), (1, 1, 0, 0))
    with pytest.raises(NotationError, match="first to act"):
        phh.format_phh(Hand(odd, ring.actions, ((), ())))
    with pytest.raises(NotationError, match="pokerkit cannot print"):
        phh.format_phh(Hand(ring.variant, ring.actions, ((), ()), players=("A'''B", "C")))


def hand(actions, **fields):
    """A no-limit PHH of our own."""
    rows = {"variant": "'NT'", "ante_trimming_status": "false", "min_bet": 2} | fields
    rows.setdefault("antes", [0] * len(rows["starting_stacks"]))
    unseen = [f"d dh p{seat + 1} ????" for seat in range(len(rows["starting_stacks"]))]
    lines = "\n".join(f"{name} = {value}" for name, value in rows.items())
    return f"{lines}\nactions = {unseen + actions.split(', ')}\n"


POST = hand(
    "p3 f, p4 cc, p1 f, p2 cc, d db 2c3d5h, p2 cc, p4 cbr 3, p2 f",
    blinds_or_straddles=[1, 2, 0, -2],
    starting_stacks=[100] * 4,
)
FREE = hand(
    "p3 cc, p4 cc, p1 f, p2 f, d db 2c3d5h, p3 f",
    blinds_or_straddles=[1, 2, 0, 0],
    starting_stacks=[100] * 4,
)
STRADDLE = hand(
    "p4 f, p1 f, p2 cc, p3 cbr 12, p2 f", blinds_or_straddles=[1, 2, 4, 0], starting_stacks=[100] * 4
)
MUCK = hand(
    "p3 cc, p1 f, p2 cc, d db 3cQhKd, p2 cbr 30, p3 cc, d db Kh, p2 cc, p3 cc, d db 2s, p2 cbr 90, p3 cc,"
    " p2 sm JdKc, p3 sm ????",
    blinds_or_straddles=[5, 10, 0],
    starting_stacks=[1000] * 3,
    min_bet=10,
)
TWICE = hand(
    "d dh p1 AsKd, d dh p2 AdKs, p2 cbr 100, p1 cc, d db Ah2h4c, d db Kc, d db 8c, d db 2s7s3c,"
    " d db Qh, d db 9c",
    blinds_or_straddles=[1, 2],
    starting_stacks=[100] * 2,
)


@pytest.mark.parametrize(
    ("string", "payoffs"),
    [
        (POST, (-1, -2, 0, 3)),
        (STRADDLE, (-1, -4, 5, 0)),
        (MUCK, (-5, 135, -130)),
        (MUCK.replace("p3 sm ????", "p3 sm"), (-5, 135, -130)),
        (MUCK.replace("JdKc", "????").replace("p3 sm ????", "p3 sm AcAd"), (-5, -130, 135)),
        (FREE, (-1, -2, -2, 5)),
    ],
    ids=["post", "straddle", "muck", "bare muck", "other muck", "free fold"],
)
def test_hands_of_people_are_settled_as_pokerkit_settles_them(string, payoffs):
    """Rows 2, 3 and 5 of the hands that people have; the payoffs stand there too."""
    import pokerkit

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a fold where a check is free
        *_, last = pokerkit.HandHistory.loads(string)
    read = phh.parse_phh(string)
    assert replay(read).payoffs() == tuple(last.payoffs)
    assert replay(read).payoffs() == payoffs
    again = phh.parse_phh(phh.format_phh(read))
    assert (again.actions, again.mucked, again.variant) == (read.actions, read.mucked, read.variant)


def test_a_fold_where_a_check_is_free_is_kept():
    read = phh.parse_phh(FREE)
    assert [action.name for action in read.actions] == ["call", "call", "fold", "fold", "fold"]
    assert [act.owed for act in replay(read).acts] == [2, 2, 1, 0, 0]


def test_a_straddle_leaves_the_least_bet():
    read = phh.parse_phh(STRADDLE)
    assert (read.variant.big_blind, read.variant.blinds) == (2, (1, 2, 4, 0))


def test_winnings_are_net_of_rake_and_without_an_uncalled_bet():
    """Row 6: 5 of the pot of 265 are rake; HandHQ's files state results so."""
    read = phh.parse_phh(f"{MUCK}winnings = [0, 260, 0]")
    assert (read.payoffs, read.origin.rake) == ((-5, 130, -130), 5)
    uncalled = phh.parse_phh(f"{STRADDLE}winnings = [0, 0, 9, 0]")  # 8 of its 12 come back
    assert (uncalled.payoffs, uncalled.origin.rake) == ((-1, -4, 5, 0), 0)
    included = phh.parse_phh(f"{STRADDLE}winnings = [0, 0, 17, 0]")
    assert included.payoffs == (-1, -4, 5, 0)
    with pytest.raises(Refused, match="chips do not add up"):
        phh.parse_phh(f"{STRADDLE}winnings = [0, 0, 30, 0]")


def test_two_boards_are_named():
    """Row 7."""
    with pytest.raises(Refused, match="run twice: two boards: '2s7s3c' after Ah2h4cKc8c"):
        phh.parse_phh(TWICE)


def test_amounts_and_bytes_are_as_people_write_them(tmp_path):
    written = HEADS_UP.replace("[200, 150]", "['$200.00', '1 50,00 €']").replace("cbr 6", "cbr $6.00")
    path = tmp_path / "notepad.phh"
    path.write_text(written.replace("1 50,00", "150,00"), "utf-8-sig")
    (read,) = phh.read_phhs(path)
    assert (read.stacks, str(read.actions[0])) == ((200, 150), "raise to 6")


@pytest.mark.parametrize("word", ["", "x", "1O", "1.2.3", "12,34,56", "1,23,456", "--1", "$", "1e5", "NaN"])
def test_a_word_that_is_no_amount_is_refused(word):
    with pytest.raises(Refused, match="bad amount"):
        amount_of(word)


def test_the_table_and_the_time_are_read_and_written():
    about = """venue = "Someroom"
time = 12:30:00
time_zone = "Europe/Vienna"
day = 1
month = 7
year = 2009
table = "Aemilia"
currency_symbol = "€"
"""
    read = phh.parse_phh(HEADS_UP + about)
    origin = read.origin
    assert (origin.room, origin.table, origin.currency, origin.rake) == ("Someroom", "Aemilia", "EUR", 0)
    assert origin.time.isoformat() == "2009-07-01T12:30:00+02:00"
    whole = replace(origin, hero=1, anonymous=True, tournament="77")
    again = phh.parse_phh(phh.format_phh(replace(read, origin=whole)))
    assert again.origin == whole


def test_a_year_that_no_date_has_is_none():
    read = phh.parse_phh(HEADS_UP + "day = 1\nmonth = 7\nyear = 100000000000000000\n")
    assert read.origin is None or read.origin.time is None


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
