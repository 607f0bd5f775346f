"""Logs: hands that are read, hands that are refused, and the memory that it takes."""

import gzip
import tracemalloc
from collections import Counter

import pytest

from baycarp.arena import session
from baycarp.arena.session import Table, play_session
from baycarp.errors import NotationError
from baycarp.game.notation.acpc import parse_state
from baycarp.game.notation.phh import format_phh, write_phhs
from baycarp.game.variant import Variant
from baycarp.training.logs import Logs, read

GAME = Variant.load("holdem.limit.2p.reverse_blinds")
LINES = play_session(Table(GAME, ("Ann", "Bob"), ("rule", "jag"), seed=2), 0, hands=12).log
HANDS = [parse_state(line, GAME) for line in LINES]


@pytest.fixture
def acpc(tmp_path):
    path = tmp_path / "play.log"
    path.write_text("# a comment\n" + "\n".join(LINES) + "\n\nSCORE:1|-1:Ann|Bob\n")
    return path


def every(logs):
    """All hands, and the refusals."""
    refused = []
    found = [hand for batch in logs.sessions() for hand in read(batch, refused.append)]
    return found, Counter(one.reason for one in refused), [str(one) for one in refused]


def acts(hand):
    return hand.actions, hand.holes, hand.board, hand.players


def test_an_acpc_log_and_the_same_hands_in_phh(acpc, tmp_path):
    write_phhs(tmp_path / "play.phhs.gz", HANDS)
    assert every(Logs((acpc,), GAME))[0] == HANDS
    found, refused, _ = every(Logs((tmp_path / "play.phhs.gz",)))
    assert [acts(hand) for hand in found] == [acts(hand) for hand in HANDS]
    assert not refused


def test_a_folder_is_all_its_logs_in_order(tmp_path):
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "two.phh").write_text(format_phh(HANDS[1]))
    (tmp_path / "a.log").write_text(LINES[0])
    (tmp_path / "notes.txt").write_text("no hands")
    with gzip.open(tmp_path / "c.phhs.gz", "wt") as file:
        file.write(f"[7]\n{format_phh(HANDS[2])}[8]\n{format_phh(HANDS[3])}")
    found, refused, _ = every(Logs((tmp_path,), GAME))
    assert [acts(hand) for hand in found] == [acts(hand) for hand in HANDS[:4]]
    assert refused == {"unknown format": 1}


def test_sessions_continue_across_files(acpc, tmp_path, monkeypatch):
    monkeypatch.setattr(session, "HANDS", 5)
    logs = Logs((acpc, acpc), GAME)
    assert [len(batch) for batch in logs.sessions()] == [5, 5, 5, 5, 4]
    assert [len(batch) for batch in Logs((acpc, acpc), GAME, hands=13).sessions()] == [5, 5, 3]


def test_bad_hands_are_refused_by_name_and_place(acpc, tmp_path):
    good = acpc.read_text()
    bad = [
        LINES[0].replace("STATE", "STAT"),
        "STATE:1:cq:AhKd|QsQc:0|0:a|b",
        "STATE:1:rc/:AhKd|QsQc/2c3c4c:0|0:a|b",
    ]
    acpc.write_text(good + "\n".join(bad) + "\n" + "\xff" * 3, "latin-1")
    (tmp_path / "no-limit.phh").write_text(
        'variant = "NT"\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\nmin_bet = 2\n'
        'starting_stacks = [200, 200]\nactions = ["d dh p1 AcAd", "d dh p2 ????", "p2 cbr 6", "p1 f"]\n'
    )
    found, refused, messages = every(Logs((acpc, tmp_path / "no-limit.phh"), GAME))
    assert found == HANDS
    assert refused == {
        "wrong fields": 2,
        "unknown action": 1,
        "unfinished hand": 1,
        "a game that is not played": 1,
    }
    assert messages[0].startswith(f"{acpc}, line 16: wrong fields")


def test_hands_before_the_end_of_a_truncated_file_are_read(acpc, tmp_path):
    packed = gzip.compress("".join(line + "\n" for line in LINES * 40).encode())
    (tmp_path / "cut.log.gz").write_bytes(packed[: len(packed) // 2])
    found, refused, messages = every(Logs((tmp_path / "cut.log.gz", acpc), GAME))
    assert refused["file is cut short"] == 1
    assert len(HANDS) < len(found) < 41 * len(HANDS)
    assert found[-len(HANDS) :] == HANDS
    assert "cut.log.gz" in messages[-1]


@pytest.mark.parametrize(("name", "says"), [("none.log", "no such"), (".", "expected files of hands")])
def test_paths_without_logs_are_refused(tmp_path, name, says):
    with pytest.raises(NotationError, match=says):
        Logs((tmp_path / name,), GAME).files()


def test_an_acpc_log_shows_its_game(acpc):
    assert every(Logs((acpc,)))[0] == HANDS


def most(work):
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_memory_does_not_grow_with_the_file(tmp_path):
    for times in (60, 600):
        with gzip.open(tmp_path / f"{times}.log.gz", "wt", compresslevel=1) as file:
            for _ in range(times):
                file.writelines(line + "\n" for line in LINES)
    small, large = (
        most(lambda times=times: sum(map(len, Logs((tmp_path / f"{times}.log.gz",), GAME).sessions())))
        for times in (60, 600)
    )
    assert large < 1.5 * small < 2**21


def test_an_endless_line_is_refused_and_not_stored(acpc, tmp_path):
    with (tmp_path / "long.log").open("w") as file:
        file.write("STATE:")
        for _ in range(4):
            file.write("9" * 2**20)
        file.write("\n" + LINES[0] + "\n")
    (tmp_path / "long.phhs").write_text(
        "[1]\n" + "# a long comment\n" * 10**5 + f"[2]\n{format_phh(HANDS[0])}"
    )
    found, refused, _ = every(Logs((tmp_path,), GAME))
    assert [acts(hand) for hand in found] == [acts(hand) for hand in (*HANDS[:1], *HANDS[:1], *HANDS)]
    assert refused == {"line too long": 1, "hand too long": 1}
    assert most(lambda: list(Logs((tmp_path / "long.log",), GAME).sessions())) < 2**21
    assert most(lambda: list(Logs((tmp_path / "long.phhs",)).sessions())) < 2**21
