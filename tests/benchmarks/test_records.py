"""``sessions_of``: records of people in sessions, from an ACPC log and from the IRC database."""

import pytest

from baycarp.arena import session
from baycarp.arena.session import Table, play_session
from baycarp.card import as_cards
from baycarp.errors import NotationError
from baycarp.game.variant import Variant
from benchmarks.records import sessions_of

GAME = "holdem.limit.2p.reverse_blinds"


@pytest.fixture
def record(tmp_path):
    variant = Variant.load(GAME)
    played = play_session(Table(variant, ("Ann", "Bob"), ("rule", "call"), 3), 0, 23)
    path = tmp_path / "record.log"
    path.write_text("".join(f"{line}\n" for line in played.log), "utf-8")
    return path, variant, played.log


def test_a_log_is_divided_in_its_order(record, monkeypatch):
    path, variant, log = record
    monkeypatch.setattr(session, "HANDS", 10)
    sessions = sessions_of(path, variant, 1000)
    assert [len(hands) for hands in sessions] == [10, 10, 3]
    joined = [hand for hands in sessions for hand in hands]
    for hand, line in zip(joined, log, strict=True):
        cards = line.split(":")[3].split("/")[0].split("|")  # of each position, in the order of the deal
        named = line.rstrip().split(":")[-1].split("|")
        for seat, hole in enumerate(hand.holes):
            assert sorted(as_cards(cards[seat])) == sorted(hole)
        assert list(hand.players) == named


def test_at_most_the_given_number_of_hands_is_read(record, monkeypatch):
    path, variant, _ = record
    monkeypatch.setattr(session, "HANDS", 10)
    assert [len(hands) for hands in sessions_of(path, variant, 12)] == [10, 2]
    assert [len(hands) for hands in sessions_of(path, variant, 10)] == [10]


def test_a_record_without_hands_is_refused(tmp_path):
    (tmp_path / "empty.log").write_text("# nothing\n", "utf-8")
    with pytest.raises(NotationError, match="expected hands of limit, 2 to 10 seats"):
        sessions_of(tmp_path / "empty.log", Variant.load(GAME))


def test_the_irc_database_has_shown_cards_only(real_data):
    sessions = sessions_of(real_data / "irc-limit-ring-1995-04.tar.gz", None, 600)
    assert [len(hands) for hands in sessions] == [500, 100]
    holes = [hole for hands in sessions for hand in hands for hole in hand.holes]
    assert 0 < sum(map(bool, holes)) < len(holes) / 2
