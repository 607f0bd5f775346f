"""Every command that takes hands takes them in every format."""

import json
import zipfile
from pathlib import Path

import pytest
from robustness.parsers import random_played

from baycarp.cli import main
from baycarp.game import Variant
from baycarp.game.notation.acpc import write_log
from baycarp.game.notation.phh import write_phhs
from baycarp.web.review import read

STARS = Path(__file__).parents[1] / "game" / "notation" / "rooms" / "stars.txt"
HANDS = random_played(Variant.ring(3, 10), 8)


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hands")
    write_log(folder / "a.log.gz", HANDS)
    write_phhs(folder / "b", HANDS)
    with zipfile.ZipFile(folder / "c.zip", "w") as archive:
        archive.write(folder / "b", "in/hands.phhs")
    (folder / "d").mkdir()
    write_log(folder / "d" / "one.log", HANDS[:4])
    write_phhs(folder / "d" / "two.phhs", HANDS[4:])
    return [folder / name for name in ["a.log.gz", "b", "c.zip", "d"]]


def output(capsys, *command):
    assert main(list(map(str, command))) == 0
    return capsys.readouterr().out


def test_a_decision_is_the_same_from_every_format(sources, capsys):
    command = ("--agent", "rule", "--hand", 6, "--json")
    found = [json.loads(output(capsys, "decide", source, *command)) for source in sources]
    assert found[0]["policy"]
    assert [each["policy"] for each in found] == [found[0]["policy"]] * 4


def test_a_model_is_learned_from_every_format(sources, tmp_path):
    accounts = set()
    for number, source in enumerate(sources):
        out = tmp_path / str(number)
        command = ["train", out, "--from", source, "--player", "Player1", "--workers", 1]
        assert main(list(map(str, command))) == 0
        accounts.add((out / "network.npz").read_bytes())
    assert len(accounts) == 1


def test_hands_are_replayed_from_every_format(sources):
    actions = [[hand.actions for hand in read(source)] for source in sources]
    assert actions == [[hand.actions for hand in HANDS]] * 4


def test_a_rooms_text_is_decided_reviewed_and_converted(tmp_path, capsys):
    """Row 1: the hand that a reader of the page has."""
    told = output(capsys, "decide", STARS, "--agent", "sizer", "--street", "flop")
    assert "Hero" in told
    assert "Ah Kd" in told
    page = tmp_path / "review.html"
    printed = output(
        capsys, "review", STARS, "--player", "Hero", "--playouts", 20, "--workers", 1, "--out", page
    )
    assert printed.endswith(f"the page: {page}\n")
    assert page.read_text("utf-8").startswith("<!doctype html>")
    assert "--game" not in page.read_text("utf-8")
    assert "hands in 1 file\n" in output(capsys, "convert", STARS, tmp_path / "stars.phhs", "--workers", 1)


def test_what_is_not_read_is_one_line_a_reason(sources, tmp_path, capsys):
    mixed = tmp_path / "mixed.phhs"
    mixed.write_text(sources[1].read_text() + "[x]\nvariant = 'PO'\n[y]\nvariant = 'PO'\n")
    command = ["review", mixed, "--player", "Player1", "--playouts", 20]
    assert main([*map(str, command), "--workers", "1", "--out", str(tmp_path / "page.html")]) == 0
    err = [line for line in capsys.readouterr().err.splitlines() if line.startswith("not read")]
    assert len(err) == 1
    assert err[0].endswith("(hand x): another game: 'PO': expected a variant 'FT' or 'NT' and 1 other")
