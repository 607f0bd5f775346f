"""``baycarp solve`` of spots."""

import io
import json

import pytest

import baycarp
from baycarp.cli import main

SPOT = ("--board", "Td9d6h", "--turn", "Qc", "--river", "2s", "--pot", 200, "--stack", 900, "--workers", 1)
RANGES = ("--oop", "QQ,TT,87s,54s", "--ip", "JJ,99,KTs")


@pytest.fixture
def typed(capsys):
    def run(*arguments):
        status = main(["solve", *map(str, arguments)])
        return status, *capsys.readouterr()

    return run


def test_a_spot_is_solved_shown_and_continued(typed, tmp_path):
    file, picture = tmp_path / "spot.npz", tmp_path / "grid.svg"
    status, out, _ = typed(*SPOT, *RANGES, "--out", file, "--picture", picture, "--line", "check")
    solution = baycarp.Solution.load(file)
    assert status == 0
    assert solution.exploitability <= 0.3
    assert str(solution) in out
    assert solution.draw("check") in out
    assert "memory" in out
    assert picture.read_text("utf-8").startswith("<svg")
    status, out, _ = typed(file, "--target", 0.05, "--json")
    assert status == 0
    assert json.loads(out)["exploitability"] <= 0.05


def test_spots_of_a_file_are_solved_in_order(typed, tmp_path):
    given = [
        {"board": "Td9d6hQc2s", "pot": 10, "stack": stack, "oop": "QQ,54s", "ip": "JJ"} for stack in (5, 20)
    ]
    (tmp_path / "spots.json").write_text(json.dumps(given), "utf-8")
    status, out, _ = typed("--spots", tmp_path / "spots.json", "--json", "--out", tmp_path / "done")
    assert status == 0
    assert [json.loads(line)["stack"] for line in out.splitlines()] == [5, 20]
    assert sorted(path.name for path in (tmp_path / "done").iterdir()) == ["spot-1.npz", "spot-2.npz"]


def test_hands_are_played_at_the_terminal(typed, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("check\ndance\nq\n"))
    status, out, _ = typed(*SPOT, *RANGES, "--play", "oop", "--target", 5)
    assert status == 0
    assert "you hold" in out
    assert "of the time with these cards" in out


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ((), "--board"),
        (("leduc", "--pot", 5), "--pot"),
        ((*SPOT, "--algorithm", "cfr"), "--algorithm"),
        (("--board", "Td9d6h", "--stack", 5), "pot"),
        (("--board", "Td9d6h", "--turn", "Td", "--pot", 1, "--stack", 5), "duplicate"),
        ((*SPOT, "--oop", "AA", "--ip", "TT+:2"), "ip"),
        ((*SPOT, "--sizes", "60"), "60"),
        ((*SPOT, "--memory", "1 kB"), "1.0 kB"),
        ((*SPOT, "--picture", "grid.png"), "svg"),
        (("--spots", "none.json"), "none.json"),
        (("none.npz",), "none.npz"),
        (("none.npz", "--pot", 3), "--pot"),
    ],
)
def test_what_is_wrong_is_named(typed, words, named):
    status, _, err = typed(*words)
    assert status == 1
    assert named in err


@pytest.mark.parametrize(
    ("spots", "named"),
    [
        ([], "expected a list of spots"),
        ([{"board": "Td9d6h", "pot": 10, "stack": 50, "line": 5}], "line"),
        ([{"board": "Td9d6h", "pot": 10**290, "stack": 50}], "pot"),
        ([{"board": "Td9d6h", "pot": 10, "stack": 50, "rake": 10**400}], "beyond all bounds"),
    ],
)
def test_hostile_spots_of_a_file_are_named(spots, named, typed, tmp_path):
    (tmp_path / "spots.json").write_text(json.dumps(spots), "utf-8")
    status, _, err = typed("--spots", tmp_path / "spots.json")
    assert status == 1
    assert named in err


def test_an_interruption_keeps_what_is_done(typed, tmp_path, monkeypatch):
    from baycarp.cli import solve

    class Stopped(solve.Stop):
        def __call__(self):
            self.status = 130
            return True

    monkeypatch.setattr(solve, "Stop", Stopped)
    status, _, _ = typed(*SPOT, *RANGES, "--target", 0, "--out", tmp_path / "spot.npz")
    assert status == 130
    assert baycarp.Solution.load(tmp_path / "spot.npz").points
