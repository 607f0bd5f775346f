import io
import random
import tarfile

import pytest
from reference.irc import HDB, PDB, ROSTER

from baycarp.card import text
from baycarp.errors import BaycarpError, NotationError
from baycarp.game.notation import irc, replay, states
from baycarp.game.notation.hand import Refused


def read(hdb=HDB, roster=ROSTER, pdb=PDB):
    hands = list(irc.read_tables(hdb, roster, pdb))
    assert len(hands) == 1
    return hands[0]


def test_three_tables_are_joined_to_a_hand():
    hand = read()
    assert hand.id == 100
    assert hand.players == ("ann", "bob", "cid")
    assert hand.stacks == (500, 600, 700)
    assert [text(hole) for hole in hand.holes] == ["QhJh", "", "9s8s"]
    assert text(hand.board) == "9h2d5sKc3h"
    words = [str(action) for action in hand.actions]
    assert words[:3] == ["raise to 20", "call 15", "fold"]
    assert words[3:] == ["check", "check", "check", "bet 20", "call 20", "check", "bet 20", "call 20"]
    assert hand.payoffs == replay(hand).payoffs() == (-60, -10, 70)


def test_the_pots_are_those_of_the_server():
    first = {}
    for state in states(read()):
        first.setdefault(state.street, state.pot)
    assert first == {0: 15, 1: 50, 2: 50, 3: 90}


def test_heads_up_the_small_blind_sits_first_and_is_called_first_on_every_street():
    hand = read(
        "100 1 7 2 2/20 2/40 0/0 1/60 9h 2d 5s Kc",
        "100 2 ann bob",
        "ann 100 2 1 Bc b b - 500 40 60\nbob 100 2 2 Bk c f - 600 20 0",
    )
    assert hand.variant.blinds == (5, 10)
    assert hand.variant.first == (0, 0, 0, 0)
    assert [hand.observation(street).seat for street in range(3)] == [0, 0, 0]
    assert replay(hand).payoffs() == hand.payoffs == (20, -20)


def test_where_the_small_blind_is_dead_position_one_posts_the_big_one():
    hand = read(
        "100 1 7 3 2/20 0/0 0/0 1/30 9h 2d 5s",
        "100 3 ann bob cid",
        "ann 100 3 1 Bk kf - - 500 10 0\nbob 100 3 2 f - - - 600 0 0\ncid 100 3 3 c b - - 700 20 30",
    )
    assert hand.variant.blinds == (10, 0, 0)
    assert hand.observation("preflop").seat == 1
    assert replay(hand).payoffs() == hand.payoffs == (-10, 0, 10)


def test_a_player_that_leaves_the_table_folds_when_called():
    left = PDB.replace("ann 100 3 1 Bc k kc kc 500 60 0 Qh Jh", "ann 100 3 1 Bc kQ - - 500 20 0")
    left = left.replace("cid 100 3 3 r k b b 700 60 130 9s 8s", "cid 100 3 3 r b - - 700 30 60")
    hand = read("100 1 7 3 2/50 0/0 0/0 1/60 9h 2d 5s", pdb=left)
    assert [str(action) for action in hand.actions[-3:]] == ["check", "bet 10", "fold"]
    assert hand.payoffs == (-20, -10, 30)


def test_the_letter_a_marks_the_action_before_it_as_all_in():
    short = PDB.replace("kc kc 500 60 0", "kc kcA 55 55 0").replace("60 130", "60 125")
    hand = read(pdb=short)
    assert str(hand.actions[-1]) == "call 15"
    assert replay(hand).all_in == (0,)
    assert hand.payoffs == (-55, -10, 65)


WRONG = [
    ({"hdb": HDB.replace(" 3 2/50", " 11 2/50")}, "more than ten seats: 11 players"),
    ({"hdb": HDB.replace(" 3 2/50", " x 2/50")}, "broken hand row"),
    ({"hdb": "100 1 7"}, "broken hand row"),
    ({"hdb": HDB.replace("Kc", "9h")}, "card dealt twice: 9h"),
    ({"hdb": HDB.replace("Kc", "Kx")}, "unknown card: 'Kx'"),
    ({"hdb": HDB.replace(" Kc 3h", "")}, "board of another street: 3 cards"),
    ({"pdb": PDB.replace("bob 100 3 2", "bob 101 3 2")}, "player rows missing: 2 rows for 3 players"),
    ({"pdb": PDB.replace("bob 100 3 2 Bf", "bob 100 3 2 f")}, None),
    ({"pdb": PDB.replace("cid 100 3 3 r", "cid 100 3 3 Br")}, "blinds out of place"),
    ({"pdb": PDB.replace("bob", "dan")}, "roster of others"),
    ({"pdb": PDB.replace("600 10 0", "600 ten 0")}, "broken player row"),
    ({"pdb": PDB.replace("600 10 0", "600 10 0 9c")}, "broken player row"),
    ({"pdb": PDB.replace("Bc k kc kc", "Bc k kc k")}, "no action recorded: SB on the river"),
    ({"pdb": PDB.replace("Bc k kc kc", "Bc k kc kcc")}, "actions left over: c"),
    ({"pdb": PDB.replace("Bc k kc kc", "Bk k kc kc")}, "illegal action: 'k' where 15 is owed"),
    ({"pdb": PDB.replace("Bc k kc kc", "Bc f kc kc")}, "actions left over: bck"),
    ({"pdb": PDB.replace("Bc k kc kc", "Bc x kc kc")}, "unknown action: 'x'"),
    ({"pdb": PDB.replace("500 60 0", "500 50 0")}, "chips do not add up"),
    ({"pdb": PDB.replace("500 60 0", "0 60 0")}, "not a hand of this game"),
]


@pytest.mark.parametrize(("tables", "message"), WRONG)
def test_a_broken_hand_is_refused_by_name_and_line(tables, message):
    with pytest.raises(Refused, match=r"^hdb line 1 \(hand 100\): ") as caught:
        read(**tables)
    assert message is None or message in str(caught.value)


def test_broken_hands_are_handed_over_and_the_others_read():
    refused = []
    hdb = f"{HDB}\n{HDB.replace('100', '101')}\n{HDB}"
    assert len(list(irc.read_tables(hdb, ROSTER, PDB, refused.append))) == 2
    assert [(error.where, error.reason) for error in refused] == [
        ("hdb line 2 (hand 101)", "player rows missing")
    ]


def archive(path, **tables):
    with tarfile.open(path, "w:gz") as tar:
        for name, content in tables.items():
            info = tarfile.TarInfo(f"irc/{name}")
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return path


def test_an_archive_is_read_without_unpacking(tmp_path):
    path = archive(tmp_path / "a.tar.gz", hdb=HDB.encode(), hroster=ROSTER.encode(), pdb=PDB.encode())
    assert list(irc.read_archive(path)) == [read()]
    assert [file.name for file in tmp_path.iterdir()] == ["a.tar.gz"]


def test_an_archive_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(NotationError, match="found no pdb"):
        list(irc.read_archive(archive(tmp_path / "a.tar.gz", hdb=b"", hroster=b"")))
    with pytest.raises(NotationError, match="cannot be read"):
        list(irc.read_archive(archive(tmp_path / "b.tar.gz", hdb=b"\xff", hroster=b"", pdb=b"")))
    with pytest.raises(NotationError, match="cannot be read"):
        list(irc.read_archive(tmp_path / "absent.tar"))
    whole = (tmp_path / "a.tar.gz").read_bytes()
    (tmp_path / "cut.tar.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(NotationError, match=r"cannot be read|found no"):
        list(irc.read_archive(tmp_path / "cut.tar.gz"))


def test_mutated_tables_raise_errors_of_the_package_alone():
    rng = random.Random(5)
    refused = 0
    for _ in range(3000):
        tables = [HDB, ROSTER, PDB]
        which = rng.randrange(3)
        at = rng.randrange(len(tables[which]))
        put = rng.choice(["", " ", "-", "0", "9", "B", "k", "r", "Q", "A", "f", "\n", "\x00", "é", "٣"])
        tables[which] = tables[which][:at] + put + tables[which][at + rng.randint(0, 2) :]
        try:
            list(irc.read_tables(*tables))
        except BaycarpError:
            refused += 1
    assert 1500 < refused < 3000
