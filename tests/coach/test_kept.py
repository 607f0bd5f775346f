"""The user's own file, the boxes of the drill, and the scores of reads."""

from datetime import date, timedelta
from math import log2

import numpy as np
import pytest

from baycarp.coach.boxes import BOXES, Box
from baycarp.coach.kept import CoachFile, KeptHand
from baycarp.coach.reads import GROUPS, LEVELS, SLIP, OpponentRead, read_score
from baycarp.coach.valuation import Judge, judged
from baycarp.errors import JournalError, NotationError
from baycarp.game.notation import door

DAY = date(2026, 11, 27)
LINE = "STATE:0:rc/cc/cc/rf:9h8h|AdKd/Ks7s2c/3s/Tc:20|-20:Ann|You"


@pytest.fixture(scope="module")
def valued():
    hand = next(door.read(LINE, game="holdem.limit.2p.reverse_blinds"))
    return hand, [each for _, found in judged([hand], "You", Judge(playouts=20)) for each in found]


def filled(path, valued):
    hand, decisions = valued
    file = CoachFile(path)
    file.keep(("one", 0), KeptHand(hand, DAY, marked=False))
    file.keep(("one", 1), KeptHand(hand, DAY, marked=True))
    file.keep_values(("one", 0), decisions)
    file.answer("one/0/7", True, DAY)
    return file


def test_everything_is_read_again_as_it_was_and_a_torn_line_is_dropped(tmp_path, valued):
    path = tmp_path / "coach.journal"
    filled(path, valued).close()
    with path.open("ab") as file:
        file.write(b'0123456789abcdef [["answer",1],{"spot":"one/0')
    again = CoachFile(path)
    assert [(place, kept.marked, kept.day) for place, kept in again.hands.items()] == [
        (("one", 0), False, DAY),
        (("one", 1), True, DAY),
    ]
    kept, (hand, decisions) = again.hands["one", 0].hand, valued
    assert (kept.actions, kept.holes, kept.board, kept.players) == (
        hand.actions,
        hand.holes,
        hand.board,
        hand.players,
    )
    for one, other in zip(again.values["one", 0], decisions, strict=True):
        assert (one.act, one.taken, one.policy, one.read) == (
            other.act,
            other.taken,
            other.policy,
            other.read,
        )
        assert one.cost(one.taken) == other.cost(other.taken)
        assert tuple(one.stage.values) == tuple(other.stage.values)
    assert again.boxes["one/0/7"].number == 2
    again.close()


def test_a_deletion_leaves_nothing_and_the_session_goes_on(tmp_path, valued):
    path = tmp_path / "coach.journal"
    file = filled(path, valued)
    assert '"STATE' not in file.export()
    assert file.export().count("\n") == 4
    file.delete("one", 2)
    assert (file.hands, file.values, file.boxes) == ({}, {}, {})
    assert b"AdKd" not in path.read_bytes()
    hand, _ = valued
    for number in (0, 1, 2):
        file.keep(("one", number), KeptHand(hand, DAY, marked=False))
    file.close()
    again = CoachFile(path)
    assert [*again.hands] == [("one", 2)]
    again.close()


def test_a_file_in_use_or_of_something_else_is_refused(tmp_path, valued):
    path = tmp_path / "coach.journal"
    first = filled(path, valued)
    with pytest.raises(JournalError, match="in use"):
        CoachFile(path)
    first.close()
    other = tmp_path / "other.journal"
    file = CoachFile(other)
    file._journal.append(("hand", "one", 0), {"game": {}, "hand": {}, "day": "x"})
    file.close()
    with pytest.raises(JournalError, match="records of the coach"):
        CoachFile(other)


def test_boxes_go_up_one_by_one_and_down_to_the_first():
    random = np.random.default_rng(3)
    box, day, number = None, DAY, 1
    for right in random.random(60) < 0.7:
        box = Box.after(box, bool(right), day)
        number = min(number + 1, len(BOXES)) if right else 1
        assert (box.number, box.due) == (number, day + timedelta(BOXES[number - 1]))
        day = box.due
    assert box.answered == 60


def test_a_read_is_scored_by_what_it_knows_of_the_belief():
    """By a slow reference, and: the belief itself is worth all, the cards alone nothing."""
    random = np.random.default_rng(4)
    for _ in range(50):
        unread, chances = (random.dirichlet(np.ones(len(GROUPS))) for _ in range(2))
        read = OpponentRead("BTN", tuple(chances), tuple(unread), (), ())
        levels = random.integers(0, len(LEVELS), len(GROUPS))
        if not levels.any():
            continue
        shaded = np.array([LEVELS[level] for level in levels]) * unread
        own = (1 - SLIP) * shaded / shaded.sum() + SLIP * unread
        gained = sum(p * log2(q / u) for p, q, u in zip(chances, own, unread, strict=True))
        known = sum(p * log2(p / u) for p, u in zip(chances, unread, strict=True))
        assert read_score(read, levels.tolist()).score == pytest.approx(gained / known, abs=1e-3)
        assert read_score(read, [1] * len(GROUPS)).score == pytest.approx(0, abs=1e-4)
    for levels in ([0] * 6, [1] * 5, [4] * 6):
        with pytest.raises(NotationError, match="levels"):
            read_score(read, levels)
