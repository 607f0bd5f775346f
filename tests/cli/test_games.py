"""Every command that seats an agent refuses a game that it cannot play before the first hand, in one line."""

import json

import pytest

from baycarp.agents.registry import load, load_for
from baycarp.arena.engine import Engine, Options
from baycarp.arena.session import Table
from baycarp.cli import COMMANDS, main
from baycarp.errors import TableError
from baycarp.game.variant import Variant
from baycarp.training.watch import watch
from experiments.__main__ import main as experiment

SIX, TWO, LIMIT = "holdem.nolimit.6p.100bb", "holdem.nolimit.2p.100bb", "holdem.limit.2p.reverse_blinds"
RUN = ["--workers", "1", "--out", "out"]
DEAL = ["--deals", "400", *RUN]

REFUSED = {
    "match": (["match", "sizer", "formula", "--game", TWO, *DEAL], "formula", TWO, "limit"),
    "match, limit": (["match", "call", "sizer", *DEAL], "sizer", "holdem.limit.2p", "no-limit"),
    "match, seats": (["match", "call", "responder", "raise", *DEAL], "responder", "holdem.limit.3p", "limit"),
    "table": (["table", "rule", "--game", SIX, *RUN], "rule", SIX, "limit"),
    "table, limit": (["table", "sizer", *RUN], "sizer", "holdem.limit.8p", "no-limit"),
    "table, others": (
        ["table", "sizer", "jag", "--game", TWO, *RUN],
        "jag",
        TWO,
        "limit",
    ),
    "tournament, last game": (
        ["tournament", "call", "raise", "sizer", "karma", "--game", TWO, *DEAL],
        "karma",
        TWO,
        "limit",
    ),
    "ablate, last arm": (
        ["ablate", "call", "sizer", "casper01", "--table", "raise", "--game", TWO, *DEAL],
        "casper01",
        TWO,
        "limit",
    ),
    "ablate, table": (
        ["ablate", "call", "raise", "--table", "sizer", "rule", *DEAL],
        "sizer",
        "holdem.limit.3p",
        "no-limit",
    ),
    "learning": (
        ["learning", "baycarp1(model='empty')", "--table", "sizer", "--game", TWO, "--hands", "50", *RUN],
        "baycarp1(model='empty')",
        TWO,
        "limit",
    ),
    "decide": (
        ["decide", "MATCHSTATE:0:0:r300:AhKd|", "--game", TWO, "--agent", "jag"],
        "jag",
        TWO,
        "limit",
    ),
    "decide, limit": (["decide", "MATCHSTATE:0:0:r:AhKd|", "--agent", "sizer"], "sizer", LIMIT, "no-limit"),
    "acpc": (["serve", "acpc", "127.0.0.1", "1", "--agent", "sizer"], "sizer", LIMIT, "no-limit"),
    "dealer": (["serve", "dealer", TWO, "100", "1", "A", "B=simulation"], "simulation", TWO, "limit"),
}
"""Arguments, and what the line names: the agent, the game, what the agent plays."""


@pytest.fixture(autouse=True)
def nothing_is_played(monkeypatch, tmp_path):
    """A hand that begins, or a port that is opened, is a failure; the working folder stays empty."""

    def never(*_, **__):
        raise AssertionError("it began to play")

    for module in ("baycarp.arena.session", "experiments.decisions.times"):
        monkeypatch.setattr(f"{module}.play_hand", never)
    monkeypatch.setattr("baycarp.arena.acpc.client.connect", never)
    monkeypatch.setattr("baycarp.cli.serve.dealer.listen", never)
    monkeypatch.chdir(tmp_path)
    yield
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(("arguments", "agent", "game", "plays"), REFUSED.values(), ids=REFUSED)
def test_a_seat_that_cannot_play_is_refused_at_once(capsys, arguments, agent, game, plays):
    program, run = ("baycarp", main) if arguments[0] in COMMANDS else ("python -m experiments", experiment)
    assert run(arguments) == 1
    (line,) = capsys.readouterr().err.strip().splitlines()  # a progress line may be ended before it
    words = arguments[: 1 + (arguments[0] == "serve")]
    assert line.startswith(f"{program} {' '.join(words)}: agent {agent!r} cannot play {game} (")
    assert f"expected {plays}, 2 " in line


@pytest.mark.parametrize("game", [TWO, SIX])
def test_training_from_logs_of_another_game_is_refused_before_they_are_read(capsys, tmp_path, game):
    missing = tmp_path.parent / "no-such.log"
    assert main(["train", "model", "--from", str(missing), "--game", game]) == 1
    err = capsys.readouterr().err
    assert err.startswith(f"baycarp train: strategy 'baycarp' cannot play {game} (no-limit")
    assert err.count("\n") == 1


def test_watching_players_that_cannot_play_is_refused(tmp_path):
    table = Table(Variant.load(TWO), ("a", "b"), ("sizer", "formula"))
    with pytest.raises(TableError, match=f"agent 'formula' cannot play {TWO}"):
        watch(table, [0], 10, tmp_path / "sessions")


def test_the_engine_refuses_a_session_and_a_position(tmp_path):
    engine = Engine(Options(agent="sizer"))
    for kind in ("new", "position"):
        message = {"type": kind, "game": LIMIT, "seat": 1, "holes": ["", "AhKd"]}
        (answer,) = engine.answer_line(json.dumps(message).encode())
        assert answer["error"] == "TableError"
        assert answer["reason"].startswith(
            f"agent 'sizer' cannot play {LIMIT} (limit, 2 seats): expected no-limit"
        )


def test_the_engine_refuses_a_position_of_another_game_in_a_session_that_it_plays():
    engine = Engine(Options(agent="sizer"))
    assert not [*engine.answer_line(json.dumps({"type": "new", "game": TWO, "seat": 1}).encode())]
    message = {"type": "position", "game": LIMIT, "seat": 1, "holes": ["", "AhKd"]}
    (answer,) = engine.answer_line(json.dumps(message).encode())
    assert answer["error"] == "TableError"
    (answer,) = engine.answer_line(json.dumps({"type": "go"}).encode())
    assert answer["reason"] == "go: expected a position before"


def test_the_estimator_that_does_not_fit_is_named(capsys):
    assert main(["match", "call", "sizer", "--game", TWO, "--estimators", "divat", *DEAL]) == 1
    assert "estimator 'divat' cannot play" in capsys.readouterr().err


def test_an_agent_that_plays_the_game_is_loaded():
    assert load_for(Variant.load(SIX), "sizer").plays == load("sizer").plays
