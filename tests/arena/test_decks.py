"""No deck serves two purposes: which sessions every command that plays is dealt."""

import pytest

from baycarp.arena.decks import HELD_OUT, LEARNED, PLAYED, STUDIED, numbers
from baycarp.cli import COMMANDS, main
from baycarp.errors import TableError
from baycarp.kernels.game import deal
from experiments.__main__ import main as experiment

HEADS_UP = "holdem.limit.2p.reverse_blinds"


@pytest.fixture
def dealt(monkeypatch):
    """The (seed, session) of every deck that is dealt."""
    found = set()

    def noted(seed, session, hand, count):
        found.add((seed, session))
        return deal(seed, session, hand, count)

    monkeypatch.setattr("baycarp.arena.rotation.deal", noted)
    return found


def test_purposes_are_disjoint():
    ends = [
        end for first in (LEARNED, HELD_OUT, PLAYED, STUDIED) for end in numbers(first, 1_000_000)[::999_999]
    ]
    assert ends == sorted(set(ends))
    with pytest.raises(TableError, match="1000001 sessions: expected at most 1000000"):
        numbers(PLAYED, 1_000_001)


@pytest.mark.parametrize(
    ("command", "sessions"),
    [
        ("table call --hands 2 --out", [PLAYED]),
        ("match call raise --deals 501 --out", [PLAYED, PLAYED + 1]),
        ("tournament call raise --deals 2 --resamples 2 --out", [PLAYED]),
        ("ablate call raise --table random --deals 2 --out", [PLAYED]),
        ("reproduce 000-fig7.4 --hands 2 --out", [PLAYED]),
        ("reproduce 002-fig2 --hands 2 --out", [PLAYED]),
        ("reproduce 000-7.1 --hands 40 --out", [HELD_OUT]),
    ],
)
def test_the_sessions_of_each_command(command, sessions, dealt, tmp_path):
    words = command.split()
    program = main if words[0] in COMMANDS else experiment
    assert program([*words, str(tmp_path), "--workers", "1"]) == 0
    assert dealt == {(1, session) for session in sessions}


def test_too_few_hands_to_measure_are_no_error(tmp_path, capsys):
    assert experiment(["reproduce", "000-7.1", "--hands", "1", "--workers", "1"]) == 0
    assert "unclear" in capsys.readouterr().out


def test_the_decks_of_the_dealer(dealt):
    assert main(["serve", "dealer", HEADS_UP, "2", "1", "Ann=call", "Bob=raise"]) == 0
    assert dealt == {(1, PLAYED)}
