import random

import pytest

from baycarp.card import text
from baycarp.errors import BaycarpError
from baycarp.game.notation import acpc, meerkat, replay
from baycarp.game.notation.hand import Refused

LINE = (
    "7; Ann{0.5 0.5 3.0} Bob{-0.5 1.0 -3.0}; 0d{Ad Ah} 1d{2h 6h} "
    "0r1 1c d{3s Qs Kd} 1c 0c d{Js} 1c 0c d{As} 1r2 0r2 1f."
)


def test_a_line_is_read():
    hand = meerkat.parse_line(LINE.replace("3.0", "4.0") + "\n")
    assert hand.id == 7
    assert hand.players == ("Bob", "Ann")
    assert [text(hole) for hole in hand.holes] == ["2h6h", "AdAh"]
    assert text(hand.board) == "3sQsKdJsAs"
    words = [str(action) for action in hand.actions]
    assert words == ["raise to 4", "call 2", *["check"] * 4, "bet 4", "raise to 8", "fold"]
    assert hand.payoffs == replay(hand).payoffs() == (-8, 8)
    assert hand.unit * 8 == 4


def test_the_heads_up_seats_are_turned_round():
    """Their seat 0 is the button and small blind, called first preflop: our position 1."""
    hand = meerkat.parse_line(LINE)
    assert hand.variant.blinds == (2, 1)
    assert hand.observation("preflop").seat == 1
    assert hand.observation("flop").seat == 0
    assert acpc.format_state(hand).startswith("STATE:7:rc/cc/cc/rrf:2h6h|AdAh/3sQsKd/Js/As:")


WRONG = [
    ("", "wrong fields"),
    (LINE[:-1], "wrong fields"),
    (LINE.replace("7; ", "x; "), "wrong fields"),
    (LINE.replace("{0.5 0.5 3.0}", "{0.5 0.5}"), "wrong number of players"),
    (LINE.replace(" Bob", " Cid{0.0 0.0 0.0} Bob"), "wrong number of players"),
    (LINE.replace("3.0", "3.1"), "bad amount: -3.1"),
    (LINE.replace("2h 6h", "2h Ah"), "card dealt twice: Ah"),
    (LINE.replace("2h 6h", "2h 1h"), "unknown card: '1h'"),
    (LINE.replace("1d{", "0d{"), "wrong number of cards: a seat is dealt two hands"),
    (LINE.replace("d{3s Qs Kd}", "d{3s Qs}"), "wrong number of cards"),
    (LINE.replace("d{As}", "d{As} d{Ks}"), "wrong number of cards: 6 on the board"),
    (LINE.replace("d{3s Qs Kd} ", ""), "wrong number of cards"),
    (LINE.replace("1c d{3s Qs Kd}", "d{3s Qs Kd} 1c"), "wrong round"),
    (LINE.replace("0r1 1c", "1r1 0c"), "wrong turn: '1r1' on the preflop: BTN is to act"),
    (LINE.replace("0r1", "0r2"), "illegal action: BTN on the preflop: cannot raise to 6"),
    (LINE.replace("0r1", "0x"), "unknown action: '0x'"),
    (LINE.replace("0c d{Js}", "0f d{Js}"), "fold where a check is free"),
    (LINE.replace(" 1f.", "."), "unfinished"),
    (LINE.replace(" 1f.", " 1f 0c."), "action after the end: '0c'"),
    (LINE + " " * 5000, "line too long"),
]


@pytest.mark.parametrize(("line", "message"), WRONG)
def test_a_wrong_line_is_refused_with_the_value(line, message):
    with pytest.raises(Refused, match=message):
        meerkat.parse_line(line)


def test_a_file_is_read_and_the_wrong_lines_handed_over():
    refused = []
    file = ["# a comment", LINE, "", LINE.replace("0r1", "0r2"), LINE.replace("7; ", "8; ")]
    assert [hand.id for hand in meerkat.read_lines(file, "", refused.append)] == [7, 8]
    assert [(error.where, error.reason) for error in refused] == [("line 4", "illegal action")]
    with pytest.raises(Refused, match=r"^line 4: illegal action"):
        list(meerkat.read_lines(file))


def test_mutated_lines_raise_errors_of_the_package_alone():
    rng = random.Random(6)
    refused = 0
    for _ in range(3000):
        line = LINE
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(line))
            line = line[:at] + rng.choice(["", *"01dcrf{}; .-AKhs9\x00é٣"]) + line[at + rng.randint(0, 3) :]
        try:
            meerkat.parse_line(line)
        except BaycarpError:
            refused += 1
    assert 2000 < refused < 3000
