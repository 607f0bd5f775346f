import gzip
import io
import os
import random
import tarfile
import tracemalloc
from contextlib import suppress
from functools import partial
from pickle import dumps, loads

import pytest

from baycarp.errors import NotationError
from baycarp.game.action import Action
from baycarp.game.notation import acpc, irc, phh
from baycarp.game.notation.hand import Hand, Refused, Transcript, card_ids, lines, replay, states
from baycarp.game.variant import Variant

LIMIT = Variant.load("holdem.limit.2p.reverse_blinds")
RAISED = (
    Action("raise", 20),
    Action("call", 10),
    Action("check"),
    Action("bet", 10),
    Action("call", 10),
    Action("check"),
    Action("check"),
    Action("bet", 20),
    Action("fold"),
)


def hand(actions=RAISED, **more):
    holes = (card_ids("5cQh"), card_ids("Jd9d"))
    return Hand(LIMIT, actions, holes, card_ids("8h6d5dAc5s"), id=7, **more)


def test_a_hand_is_replayed_state_by_state():
    walk = list(states(hand()))
    assert len(walk) == len(RAISED) + 1
    assert [state.to_act for state in walk] == [1, 0, 0, 1, 0, 0, 1, 0, 1, None]
    assert [state.street for state in walk] == [0, 0, 1, 1, 1, 2, 2, 3, 3, 3]
    assert [len(state.board) for state in walk] == [0, 0, 3, 3, 3, 4, 4, 5, 5, 5]
    assert replay(hand()).payoffs() == (30, -30)


def test_states_are_copies():
    walk = list(states(hand()))
    assert walk[0].pot == 15
    assert walk[-1].pot == 80


def test_an_illegal_action_is_named():
    bad = (*RAISED[:3], Action("bet", 30))
    with pytest.raises(Refused, match="hand 7, action 4 of 4: illegal action: BTN on the flop") as caught:
        replay(hand(bad))
    assert caught.value.reason == "illegal action"


def test_an_action_after_the_end_is_named():
    with pytest.raises(NotationError, match="action 10 of 10: action after the end"):
        replay(hand((*RAISED, Action("check"))))


def test_a_card_dealt_twice_is_named():
    with pytest.raises(NotationError, match="card dealt twice: 5d"):
        replay(Hand(LIMIT, (), (card_ids("5d5c"), ()), card_ids("8h6d5d")))


@pytest.mark.parametrize(
    ("street", "seat", "last", "before"),
    [
        ("preflop", None, False, 0),
        ("flop", None, False, 2),
        ("flop", 1, False, 3),
        (1, 0, False, 2),
        (1, 0, True, 4),
        ("turn", None, True, 5),
        (3, 1, False, 8),
    ],
)
def test_the_observation_of_a_decision(street, seat, last, before):
    observation = hand(players=("Ann", "Bob")).observation(street, seat, last)
    assert len(observation.acts) == before
    assert observation.seat == observation.state.to_act
    assert observation.players == ("Ann", "Bob")
    assert observation.hand == 7


def test_an_observation_hides_the_other_hand_and_the_cards_to_come():
    observation = hand().observation("flop", 1)
    assert observation.state.holes == ((), card_ids("Jd9d"))
    assert observation.state.board == card_ids("8h6d5d")


def test_a_decision_that_does_not_exist_is_named():
    with pytest.raises(NotationError, match="hand 7: no decision of any position on the flop"):
        hand((Action("fold"),)).observation("flop")
    with pytest.raises(NotationError, match=r"street 'pre-flop': expected 0[.]{2}3 or one of preflop, "):
        hand().observation("pre-flop")


def test_a_state_is_recorded_as_it_was_played():
    record = hand(players=("Ann", "Bob"), payoffs=(30, -30))
    assert Hand.of(replay(record), ("Ann", "Bob"), 7) == record
    unfinished = hand(RAISED[:3])
    assert Hand.of(replay(unfinished)).payoffs is None
    assert Hand.of(replay(unfinished)).actions == RAISED[:3]


def test_other_stacks_than_the_variants_are_recorded():
    short = hand(stacks=(500, 60))
    assert Hand.of(replay(short)).stacks == (500, 60)


def test_a_refusal_crosses_to_another_process():
    error = Refused("illegal action", "no", "line 3")
    again = loads(dumps(error))
    assert (str(again), again.reason, again.where) == (str(error), "illegal action", "line 3")


def test_the_transcript_puts_verbs_into_the_words_of_the_rules():
    script = Transcript(LIMIT)
    script.stay()
    script.push()
    script.stay()
    script.stay()
    script.push()
    assert [str(action) for action in script.actions] == [
        "call 5",
        "raise to 20",
        "call 10",
        "check",
        "bet 10",
    ]


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(NotationError, match=r"absent\.log: cannot be read"):
        list(lines(tmp_path / "absent.log"))
    cut = tmp_path / "cut.log.gz"
    cut.write_bytes(b"\x1f\x8b\x08\x00\x00")
    with pytest.raises(NotationError, match=r"cut\.log\.gz: cannot be read"):
        list(lines(cut))
    cut.write_bytes(b"no gzip")
    with pytest.raises(NotationError, match="cannot be read"):
        list(lines(cut))
    (tmp_path / "latin.log").write_bytes(b"\xff\xfe")
    with pytest.raises(NotationError, match="cannot be read"):
        list(lines(tmp_path / "latin.log"))


READERS = {
    "acpc": partial(acpc.read_log, variant=Variant.ring(3)),
    "phh": phh.read_phhs,
    "irc": irc.read_archive,
}


@pytest.mark.parametrize("name", ["acpc", "phh"])
def test_a_packed_line_without_end_takes_little_memory(tmp_path, name):
    packed = tmp_path / "long.log.gz"
    with gzip.open(packed, "wb", compresslevel=1) as file:
        for _ in range(50):
            file.write(b"x" * 2**20)
    (tmp_path / "short.log").write_text("x\n")
    with suppress(NotationError):
        list(READERS[name](tmp_path / "short.log"))  # imports its libraries
    tracemalloc.start()
    try:
        with pytest.raises(NotationError, match="too long"):
            list(READERS[name](packed))
        assert tracemalloc.get_traced_memory()[1] < 2**20
    finally:
        tracemalloc.stop()


@pytest.mark.skipif(os.name != "posix", reason="has pipes and devices")
@pytest.mark.parametrize("name", ["pipe", "pipe.gz", "zero", "zero.gz"])
@pytest.mark.parametrize("reader", READERS)
def test_a_pipe_or_a_device_is_no_log(tmp_path, name, reader):
    path = tmp_path / name
    if name.startswith("pipe"):
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")
    with pytest.raises(NotationError, match="expected a regular file"):
        list(READERS[reader](path))


def test_an_archive_that_unpacks_to_much_more_is_refused(tmp_path):
    path = tmp_path / "irc.tgz"
    with tarfile.open(path, "w:gz", compresslevel=1) as archive:
        for table in ("hdb", "hroster", "pdb"):
            member = tarfile.TarInfo(table)
            member.size = 30 << 20
            archive.addfile(member, io.BytesIO(bytes(member.size)))
    with pytest.raises(NotationError, match="at most 67108864 in all"):
        list(irc.read_archive(path))


def test_a_damaged_archive_is_refused_or_read(tmp_path):
    path, draw = tmp_path / "irc.tgz", random.Random(2)
    for kind in ("gz", "bz2", "xz"):
        with tarfile.open(path, f"w:{kind}") as archive:
            for table in ("hdb", "hroster", "pdb"):
                member = tarfile.TarInfo(table)
                member.size = 5000
                archive.addfile(member, io.BytesIO(draw.randbytes(2500).hex().encode()))
        whole = path.read_bytes()
        for _ in range(100):
            at = draw.randrange(len(whole))
            path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << draw.randrange(8)]) + whole[at + 1 :])
            with suppress(NotationError):
                list(irc.read_archive(path))
