"""PokerBench: rows of both layouts, written by hand here, are replayed by the rules and scored."""

import csv

import pytest

from baycarp import load
from baycarp.errors import NotationError
from experiments.__main__ import main
from experiments.pokerbench.layout import POSTFLOP, PREFLOP, BenchMove, read_rows, spot_of
from experiments.pokerbench.score import answer, score

BEFORE = [
    (
        "UTG/2.0bb/BTN/call/SB/13.0bb/BB/allin/UTG/fold/BTN/fold",
        "SB",
        "AcAh",
        "call",
        2,
        3,
        "['call', 'fold']",
        117.0,
    ),
    ("HJ/2.0bb/CO/call/BTN/10.0bb", "HJ", "AhKc", "call", 3, 2, "['call', 'fold', '25.0bb', 'allin']", 15.5),
    ("", "UTG", "7h2d", "fold", 6, 0, "['fold', '2.0bb']", 1.5),
    ("CO/2.3bb", "BTN", "AsAd", "7.5bb", 3, 1, "['fold', 'call', '7.5bb']", 3.8),
    ("SB/call", "BB", "8h3c", "check", 2, 0, "['check', '3.5bb']", 2.0),
]
AFTER = [
    (
        *("HJ/2.0bb/BB/call", "Ks7h2d", "Jc", "", "OOP"),
        *("OOP_CHECK/IP_BET_3/OOP_RAISE_10/IP_CALL/dealcards/Jc/OOP_CHECK", "Turn"),
        *("['Check', 'Bet 18']", 24, "IP", "KdJs", "Bet 18"),
    ),
    (
        *("UTG/2.0bb/CO/call", "9c,6d,5d", "Ts", "", "OOP"),
        *("OOP_BET_2/IP_RAISE_7/CALL/dealcards/Ts/OOP_CHECK/IP_BET_14", "Turn"),
        *("['CALL', 'RAISE 93', 'FOLD']", 33, "OOP", "TdTh", "CALL"),
    ),
    (
        *("SB/3.0bb/BB/call", "Ks7h2d", "Jc", "7c", "IP"),
        *(
            "OOP_CHECK/IP_BET_2/OOP_CALL/DealCard/Jc/OOP_CHECK/IP_CHECK/DealCard/7c/OOP_CHECK/IP_BET_8",
            "River",
        ),
        *("['Fold', 'Call', 'Raise 25']", 18, "OOP", "Kh8c", "Call"),
    ),
]


def written(folder, names, rows):
    path = folder / "spots.csv"
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["", *names])
        table.writerows([number, *row] for number, row in enumerate(rows))
    return path


def spots(path):
    return [spot_of(row) for _, row in read_rows(path)]


def test_lines_before_the_flop_are_replayed(tmp_path):
    found = spots(written(tmp_path, PREFLOP, BEFORE))
    assert [str(spot.observation.state.betting) for spot in found] == [
        "r200ffcr1300r10000ff", "fr200cr1000ff", "", "ffr230", "ffffc",
    ]  # fmt: skip
    assert all(spot.rounding == 0 for spot in found)
    assert [spot.observation.seat for spot in found] == [0, 3, 2, 5, 1]
    assert found[1].moves[2:] == (BenchMove("raise", 25.0), BenchMove("raise", 100.0))
    assert found[3].correct == BenchMove("raise", 7.5)


def test_lines_after_the_flop_are_replayed(tmp_path):
    turn, raised, river = spots(written(tmp_path, POSTFLOP, AFTER))
    assert [spot.observation.street for spot in (turn, raised, river)] == [2, 2, 3]
    assert [spot.observation.state.pot for spot in (turn, raised, river)] == [2450, 3350, 1800]
    assert max(spot.rounding for spot in (turn, raised, river)) == 0.5
    assert [spot.observation.state.owed for spot in (turn, raised, river)] == [0, 1400, 800]
    assert (raised.observation.seat, river.observation.seat) == (2, 0)


class Fixed:
    """Answers by a table of kinds, with the least size."""

    plays = load("call").plays

    def __init__(self, *names):
        self.names = names

    def sit(self, seat, variant, seed):
        """Nothing depends on it."""

    def decide(self, observation, time_limit=None, budget=None):
        decision = load("call").decide(observation)
        names = [name for name in self.names if any(a.name == name for a in observation.legal_actions())]
        return type(decision)(observation.state.named(names[0]), decision.policy)

    def learn(self, event):
        """Nothing is learned."""


def test_answers_are_scored_by_kind_and_with_their_size(tmp_path):
    found = spots(written(tmp_path, PREFLOP, BEFORE))
    calls = score(load("call"), found)
    assert (str(calls.kind), str(calls.exact)) == ("3/5", "3/5")
    assert {name: str(share) for name, share in calls.by_move.items()} == {
        "call": "2/2", "check": "1/1", "fold": "0/1", "raise": "0/1",
    }  # fmt: skip
    least = Fixed("raise", "bet", "call")
    assert answer(least, found[3])[1] == BenchMove(
        "raise", 7.5
    )  # 3.6 big blinds: the nearest that is offered
    assert str(score(least, found[1:2]).kind) == "0/1"
    assert score(load("call"), [None, *found]).refused == 1


def test_a_wrong_answer_is_valued_by_a_look_ahead(tmp_path):
    (spot,) = spots(written(tmp_path, PREFLOP, BEFORE[:1]))
    folds = score(Fixed("fold", "check"), [spot], 60)
    assert folds.lost.n == 1
    assert folds.lost.mean > 20  # aces against a range, for 117 big blinds
    assert score(load("call"), [spot], 60).lost.n == 0


@pytest.mark.parametrize(
    ("at", "value"),
    [
        (0, "UTG/2.0bb/UTG/3.0bb"),
        (0, "XX/2.0bb"),
        (0, "HJ/fish"),
        (1, "SB?"),
        (2, "AhAh"),
        (3, "jump"),
        (6, "__import__('os')"),
        (6, "[1, 2]"),
        (7, "much"),
    ],
)
def test_a_row_that_makes_no_sense_is_refused(tmp_path, at, value):
    row = list(BEFORE[1])
    row[at] = value
    with pytest.raises(NotationError):
        spots(written(tmp_path, PREFLOP, [row]))


def test_another_file_is_refused(tmp_path):
    with pytest.raises(NotationError, match="expected the columns"):
        spots(written(tmp_path, ("a", "b"), []))


def test_the_command_prints_the_score(tmp_path, capsys):
    path = written(tmp_path, PREFLOP, [*BEFORE, ("XX/fold", *BEFORE[0][1:])])
    assert main(["pokerbench", str(path), "--agent", "call", "--playouts", "10"]) == 0
    out = capsys.readouterr().out
    assert "3/5" in out
    assert "1 rows not played" in out
    assert "not by a solver" in out
    assert main(["pokerbench", str(path), "--agent", "rule"]) == 1
    assert "cannot play" in capsys.readouterr().err
