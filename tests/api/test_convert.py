"""What is converted is read back, also by pokerkit, and an interruption loses no file."""

import gzip
import json
import warnings
from dataclasses import replace

import pytest
from robustness.parsers import random_played

import baycarp
from baycarp.api.convert import convert
from baycarp.cli import main
from baycarp.errors import ArgumentError, JournalError, NotationError
from baycarp.game import Variant
from baycarp.game.notation.acpc import format_state, write_log
from baycarp.game.notation.hand import replay
from baycarp.game.notation.phh import write_phhs

GAME = Variant.load("holdem.limit.3p")
HANDS = random_played(GAME, 12)
DEEP = Variant.ring(4, 10, betting="no-limit", stacks=(100_000,) * 4)
SHORT = Variant.ring(3, 10, betting="no-limit", stacks=(300, 80, 500))


@pytest.fixture
def log(tmp_path):
    write_log(tmp_path / "hands.log", HANDS)
    return tmp_path / "hands.log"


def lines(hands):
    return [format_state(hand) for hand in hands]


def test_a_log_becomes_phh_and_a_log_again(log, tmp_path):
    found = convert(log, tmp_path / "new" / "hands.phhs.gz")
    assert (found.hands, found.files, found.skipped) == (12, 1, {})
    assert gzip.decompress((tmp_path / "new" / "hands.phhs.gz").read_bytes()).startswith(b"[1]\n")
    convert(tmp_path / "new" / "hands.phhs.gz", tmp_path / "again.log")
    text = (tmp_path / "again.log").read_text().splitlines()
    assert text == ["# name/game/hands/seed converted holdem.limit.3p.game 0 0", *lines(HANDS)]
    assert baycarp.convert(log, tmp_path / "one.phh").hands == 1
    assert next(baycarp.read(tmp_path / "one.phh")).actions == HANDS[0].actions


@pytest.mark.parametrize("game", [GAME, DEEP, SHORT, Variant.ring(2, 4, ante=1)], ids=lambda game: game.name)
def test_pokerkit_reads_what_is_written(game, tmp_path):
    pokerkit = pytest.importorskip("pokerkit")
    hands = random_played(game, 15)
    write_phhs(tmp_path / "in.phhs", hands)
    convert(tmp_path / "in.phhs", tmp_path / "out.phhs")
    with warnings.catch_warnings(), (tmp_path / "out.phhs").open("rb") as file:
        warnings.simplefilter("ignore")
        for hand, history in zip(hands, pokerkit.HandHistory.load_all(file), strict=True):
            *_, last = history
            assert tuple(last.payoffs) == replay(hand).payoffs()


def test_a_game_that_does_not_ship_gets_its_file(tmp_path):
    hands = random_played(replace(DEEP, name="of my own"), 10)
    write_phhs(tmp_path / "in.phhs", hands)
    found = convert(tmp_path / "in.phhs", tmp_path / "own.log")
    again = list(baycarp.read(tmp_path / "own.log", game=tmp_path / "own.game"))
    assert [hand.actions for hand in again] == [hand.actions for hand in hands[: found.hands]]
    assert found.hands == 10


def test_what_a_log_cannot_express_is_counted(tmp_path):
    hands = [
        *HANDS[:3],
        *random_played(SHORT, 3),
        *random_played(Variant.ring(3, 10, ante=1), 2),
        *HANDS[3:5],
    ]
    write_phhs(tmp_path / "in.phhs", hands)
    found = convert(tmp_path / "in.phhs", tmp_path / "out.log")
    assert (found.hands, found.skipped["not for this ACPC log"][0]) == (5, 5)
    assert "not for this ACPC log" in str(found)


def test_a_folder_is_converted_file_by_file_and_gone_on_with(tmp_path, monkeypatch):
    source = tmp_path / "in"
    (source / "sub").mkdir(parents=True)
    for name, hands in (("a.log", HANDS[:4]), ("sub/b.log", HANDS[4:9]), ("sub/c.log", HANDS[9:])):
        write_log(source / name, hands)
    (source / "notes.txt").write_text("none\n")
    straight = convert(source, tmp_path / "straight", workers=2)
    done = []

    def stop(what, number, total):
        done.append((what, number, total))
        if number == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        convert(source, tmp_path / "cut", tick=stop)
    assert not list((tmp_path / "cut").rglob("*.part"))
    whole = convert(source, tmp_path / "cut", tick=lambda *given: done.append(given))
    assert done == [("files", number, 4) for number in (1, 2, 3, 4)]
    assert whole.to_dict() == straight.to_dict()
    assert whole.skipped["unknown format"][0] == 1
    written = sorted(
        path.relative_to(tmp_path / "cut").as_posix() for path in (tmp_path / "cut").rglob("*.phhs")
    )
    assert written == ["a.log.phhs", "sub/b.log.phhs", "sub/c.log.phhs"]
    for name in written:
        assert (tmp_path / "cut" / name).read_bytes() == (tmp_path / "straight" / name).read_bytes()
    with pytest.raises(JournalError):
        convert(source, tmp_path / "cut", format="acpc")


def test_names_that_would_be_one_stay_two(tmp_path):
    (tmp_path / "in").mkdir()
    write_phhs(tmp_path / "in" / "a.phhs", HANDS[:2])
    write_phhs(tmp_path / "in" / "a.phhs.gz", HANDS[2:5])
    assert convert(tmp_path / "in", tmp_path / "out").hands == 5
    assert sum(1 for _ in baycarp.read(tmp_path / "out", refusal=lambda refused: None)) == 5


def test_wrong_endings_and_sources_are_refused(log, tmp_path):
    with pytest.raises(ArgumentError, match="expected a folder, or a file that ends in"):
        convert(log, tmp_path / "hands.txt")
    with pytest.raises(ArgumentError, match="format 'phh'"):
        convert(log, tmp_path / "out.phhs", format="phh")
    (tmp_path / "none").write_text("dear diary\n")
    with pytest.raises(NotationError, match=r"no hand in it could be written: .*unknown format"):
        convert(tmp_path / "none", tmp_path / "none.phhs")
    assert not (tmp_path / "none.phhs").exists()


def test_the_command_prints_what_was_not_written(log, tmp_path, capsys):
    with log.open("a") as file:
        file.write("STATE:x\n")
    assert main(["convert", str(log), str(tmp_path / "out.phhs"), "--workers", "1"]) == 0
    assert "12 hands in 1 file\n" in capsys.readouterr().out
    assert main(["convert", str(log), str(tmp_path / "out.phhs"), "--workers", "1", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["skipped"] == [
        {"reason": "wrong fields", "count": 1, "first": record["skipped"][0]["first"]}
    ]
    assert f"{log}, line 14: wrong fields" in record["skipped"][0]["first"]
