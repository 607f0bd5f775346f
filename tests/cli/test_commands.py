"""Commands with their options: output, refused input, exit status."""

import json
import os
import re
import subprocess
import sys

import pytest
from reference import cheap_training
from reference.programs import verify_help

from baycarp.arena.session import Table, play_session
from baycarp.cli import COMMANDS, main
from baycarp.game.notation.acpc import read_log
from baycarp.game.notation.hand import STREETS, replay
from baycarp.game.variant import Variant
from baycarp.strategies.model import SHIPPED

GAME = "holdem.limit.2p.reverse_blinds"
LINE = "MATCHSTATE:0:0:rc/:AhKd|/Qs7d2c"


@pytest.fixture
def typed(capsys):
    """Run a command; its status, standard output and standard error."""

    def run(*arguments):
        status = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        assert "\x1b" not in out + err  # no colours in a file
        assert not re.search(r"\[/?(bold|red|green|dim)", out + err)
        return status, out, err

    return run


@pytest.fixture
def hero(small_model):
    return f"baycarp2(model={str(small_model)!r})"


# table


def test_table_prints_statistics_and_curve_and_writes_every_hand(typed, hero, tmp_path):
    status, out, _ = typed("table", hero, "--hands", 6, "--workers", 1, "--out", tmp_path / "t")
    assert status == 0
    for player in ("baycarp2", "Absinthe", "Karma"):
        assert re.search(rf"^ ?{player} +6 +[+-]\d+", out, re.MULTILINE)
    assert len(re.findall(r"[+-]\d\.\d{3} ± (\d+\.\d{3}|-)", out)) == 8
    assert "nan" not in out
    assert "preflop: " in out
    assert "•" in out
    assert max(map(len, out.splitlines())) <= max(80, len(f"the curve: {tmp_path}/t/win-rate.png"))
    log = (tmp_path / "t" / "hands.log").read_text().splitlines()
    assert [line.split(":")[0] for line in log] == ["# session 2000000, seed 1", *["STATE"] * 6]
    assert str(tmp_path / "t" / "hands.log") in out
    assert "baycarp2: small bets won a hand" in out
    assert (tmp_path / "t" / "hands.log").read_text().count("baycarp2") == 6
    assert "BayCaRP" not in out
    assert (tmp_path / "t" / "win-rate.png").read_bytes().startswith(b"\x89PNG")


def test_table_in_full_shows_habits_actions_and_hand_types(typed, tmp_path):
    spec = ("table", "call", "--hands", 12, "--workers", 1, "--out", tmp_path)
    _, short, _ = typed(*spec)
    status, out, _ = typed(*spec, "--full")
    assert status == 0
    assert "VPIP" not in short
    assert out.startswith(short.split("every hand:")[0])  # the first screen is the same
    vpip, of, pfr, bold, calls = map(
        int, re.search(r"call +(\d+)/(\d+) = \d+% +(\d+)/12 = 0% +(\d+)/(\d+) = 0.0", out).groups()
    )
    assert (of, pfr, bold) == (12, 0, 0)
    assert 0 < vpip <= 12
    assert calls
    assert re.search(r"call +\d+ +0% +\d+% +\d+% +0% +0%", out)
    assert "nan" not in out
    assert re.search(r"Busted +\d+ +[+-]\d+\.\d\d ± \d+\.\d\d +\d+ +[+-]", out)
    assert max(map(len, out.splitlines())) <= max(80, len(f"the curve: {tmp_path}/win-rate.png"))


def test_the_picture_of_the_table_has_the_name_of_the_agent(typed, tmp_path, monkeypatch):
    drawn = []
    monkeypatch.setattr(
        "baycarp.api.table.save_curve", lambda curve, player, path, words: drawn.append(player)
    )
    for agent in ("call", "Ann=call", "karma"):
        folder = tmp_path / agent
        status, out, _ = typed("table", agent, "--hands", 1, "--workers", 1, "--out", folder)
        assert status == 0
        assert f"{drawn[-1]}: small bets won a hand" in out
        assert drawn[-1] in (folder / "hands.log").read_text()
    assert drawn == ["call", "Ann", "karma-2"]


def test_table_does_not_depend_on_the_workers(typed, tmp_path, monkeypatch):
    monkeypatch.setattr("baycarp.arena.session.HANDS", 4)
    logs = []
    for workers in (1, 2):
        out = tmp_path / str(workers)
        status, *_ = typed("table", "rule", "--hands", 8, "--workers", workers, "--out", out)
        assert status == 0
        logs.append((out / "hands.log").read_text())
    assert logs[0] == logs[1]
    assert len(list(read_log(logs[0].splitlines(), Variant.ring(8)))) == 8


def test_table_names_the_extra_for_pictures(typed, tmp_path, monkeypatch):
    def absent(*_, **__):
        raise ImportError("pictures need matplotlib: pip install 'baycarp[viz]'")

    monkeypatch.setattr("baycarp.api.table.save_curve", absent)
    _, out, _ = typed("table", "call", "--hands", 1, "--workers", 1, "--out", tmp_path)
    assert "pip install 'baycarp[viz]'" in out


# train


def test_train_prints_the_tables_of_the_thesis(capsys, tmp_path):
    assert cheap_training.run(tmp_path / "m", "--hands", 20, "--workers", 1) == 0
    out = capsys.readouterr().out
    assert re.search(r"^preflop +\d+ cases$", out, re.MULTILINE)
    assert re.search(r"fitted on \d+ showdown rows", out)
    for node in ("HandGroup", "HandType", "HandTypeTurn", "HandTypeFinal"):
        assert len(re.findall(rf"^ ?{node} +(active|showdown) +\d+ ", out, re.MULTILINE)) == 2
    assert "32/50/65/77" in out
    for action in ("Call", "Raise"):
        assert re.search(rf"^ ?{action} ", out, re.MULTILINE)
    assert max(map(len, out.splitlines())) <= 80


# decide


def test_decide_prints_the_reasons(typed, hero):
    status, out, _ = typed("decide", LINE, "--agent", hero)
    assert status == 0
    for word in (
        "policy",
        "receipt",
        "what the opponents did and may hold",
        "group 1",
        "hand strength",
        "similar cases",
    ):
        assert word in out


def test_decide_as_json(typed, hero):
    status, out, _ = typed("decide", LINE, "--agent", hero, "--json")
    words = json.loads(out)
    assert status == 0
    assert words["action"] in ("check", "bet")
    assert words["exact"]
    assert "nearest" in {key for stage in words["trace"] for key in stage}


def test_decide_in_no_time(typed, hero):
    status, out, _ = typed("decide", LINE, "--agent", hero, "--time", 0)
    assert status == 0
    assert out.split("\n\n")[1].startswith("check")
    assert "cut short" in out
    assert "left out: expected" in out


@pytest.mark.parametrize("street", STREETS)
def test_decide_on_each_street_of_a_real_hand(typed, hero, real_data, street):
    log = real_data / "expert-limit-2p.log.gz"
    hands = enumerate(read_log(log, Variant.load(GAME)), start=1)
    number = next(n for n, hand in hands if [a.street for a in replay(hand).acts].count(3) > 1)
    status, out, _ = typed("decide", log, "--hand", number, "--street", street, "--agent", hero, "--json")
    assert status == 0
    case = next(stage for stage in json.loads(out)["trace"] if stage["stage"] == "case")
    assert ("hand_rank" if street == "preflop" else "hand_strength") in case["values"]
    assert ("positive_potential" in case["values"]) == (street in ("flop", "turn"))


# doctor


def test_doctor_prints_versions_and_the_model(typed, small_model):
    status, out, _ = typed("doctor", "--model", small_model)
    assert status == 0
    for word in ("baycarp", "python", "numpy", "faiss-cpu", "digest", "the tests' fixture", "passed"):
        assert word in out


# Refused input


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["decide", "MATCHSTATE:0:0:r:AhAh|"], "Ah"),
        (["decide", "MATCHSTATE:0:0:r:AhKx|"], "Kx"),
        (["decide", "MATCHSTATE:0:0:q:AhKd|"], "'q'"),
        (["decide", "MATCHSTATE:7:0:r:AhKd|"], "'7'"),
        (["decide", "MATCHSTATE:0:0:rc/:AhKd|/Qs7d"], "Qs7d"),
        (["decide", "MATCHSTATE:0:0:rf:AhKd|"], "BB cannot act"),
        (["decide", "MATCHSTATE:1:0:r:|AhKd"], "BTN cannot act: to act is BB"),
        (["decide", "no such situation"], "no such situation"),
        (["decide", LINE, "--game", "chess"], "chess"),
        (["decide", LINE, "--agent", "nobody"], "'nobody'"),
        (["decide", LINE, "--agent", "rule("], "rule("),
        (["decide", LINE, "--agent", "baycarp2(model='/no/where')"], "/no/where"),
        (["decide", LINE, "--agent", "baycarp2(memory='../x')"], ""),
        (["doctor", "--model", "/no/where"], "/no/where"),
        (["table", "nobody", "--hands", "1", "--workers", "1"], "'nobody'"),
        (["table", "nobody", "--hands", "1", "--workers", "2"], "'nobody'"),
    ],
)
def test_wrong_input_is_named(typed, arguments, named):
    status, _, err = typed(*arguments)
    assert status == 1
    assert err.splitlines()[-1].startswith(f"baycarp {arguments[0]}: ")
    assert named in err
    assert "Traceback" not in err


def test_wrong_hands_of_a_file_are_named(typed, tmp_path):
    log = tmp_path / "two.log"
    table = Table(Variant.load(GAME), ("Ann", "Bob"), ("call", "call"))
    log.write_text("".join(line + "\n" for line in play_session(table, 0, 2).log))
    assert typed("decide", log, "--agent", "call", "--hand", 2, "--street", "river")[0] == 0
    for arguments, named in (
        (["--hand", 3], "two.log: has no hand 3"),
        (["--position", "CO"], "position 'CO': expected one of BB, BTN"),
    ):
        status, _, err = typed("decide", log, "--agent", "call", *arguments)
        assert status == 1
        assert named in err


def test_a_game_that_an_agent_does_not_play_is_refused(typed, hero):
    line = "MATCHSTATE:0:0:r300:AhKd|"
    status, _, err = typed("decide", line, "--game", "holdem.nolimit.2p.reverse_blinds", "--agent", hero)
    assert status == 1
    assert "expected limit, 2 to 10 seats" in err


def test_sessions_of_another_table_are_refused(capsys, tmp_path):
    assert cheap_training.run(tmp_path, "--hands", 2, "--workers", 1) == 0
    assert cheap_training.run(tmp_path, "--hands", 2, "--workers", 1, "--seed", 2) == 1
    assert "another table's sessions: seed is 1, not 2; expected the same" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["table", "--hands", "0"], "'0': expected a whole number, 1 to 100000000"),
        (["table", "--hands", "many"], "'many'"),
        (["table", "--seed", "-1"], "'-1': expected a whole number, 0 to 9223372036854775807"),
        (["train", "x", "--workers", "0"], "'0'"),
        (["decide", LINE, "--time", "-1"], "'-1': expected seconds, at least 0"),
        (["decide", LINE, "--time", "nan"], "'nan'"),
        (["decide", LINE, "--hand", "0"], "'0'"),
        (["decide", LINE, "--street", "ocean"], "'ocean'"),
        (["fly"], "'fly'"),
    ],
)
def test_wrong_calls_are_explained(capsys, arguments, named):
    with pytest.raises(SystemExit) as status:
        main(arguments)
    assert status.value.code == 1
    assert named in capsys.readouterr().err


@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_help(capsys, command):
    verify_help(main, capsys, command, COMMANDS)


# The model that ships with the package


def test_the_shipped_model_decides(typed):
    if not (SHIPPED / "manifest.json").exists():
        pytest.skip(f"no model at {SHIPPED} yet: baycarp train makes it")
    status, out, _ = typed("decide", LINE, "--json", "--agent", "baycarp2")
    assert status == 0
    assert json.loads(out)["exact"]
    assert typed("doctor")[0] == 0


def test_the_command_line_loads_without_posix_modules():
    code = "import sys; sys.modules.update(fcntl=None, resource=None, pwd=None)\n"
    code += "from baycarp.cli import main; main(['--help'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_unknown_instruction_set_of_the_environment_is_one_line():
    found = subprocess.run(
        [sys.executable, "-m", "baycarp", "doctor"],
        env=os.environ | {"BAYCARP_SIMD": "nonsense"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (found.returncode, found.stdout) == (1, "")
    assert re.fullmatch(r"baycarp: BAYCARP_SIMD 'nonsense': expected one of base.*\n", found.stderr)
