"""The exit status of commands, and refusals before anything is played."""

import subprocess
import sys

import pytest

import baycarp
from baycarp.agents.registry import load
from baycarp.cli import main, program
from baycarp.cli.program import STATUS, UNREAD
from baycarp.errors import IllegalAction, ModelError, NotationError
from baycarp.game.state import State
from baycarp.game.variant import Variant
from benchmarks.parts.goal import MISSED, at_least, missed


def test_a_missed_goal_has_a_status_of_its_own():
    assert missed([at_least("speed", 2, 3, "x")]) == 0
    assert missed([at_least("speed", 2, 3, "x"), at_least("speed", 2, 1, "x")]) == MISSED
    assert main(["match", "nobody", "rule"]) == 1
    with pytest.raises(SystemExit) as status:
        main(["match", "--nothing"])
    assert status.value.code == 1
    assert MISSED == 3


def test_the_statuses_are_in_the_help(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    assert " ".join(STATUS.split()) in " ".join(capsys.readouterr().out.split())
    assert f"{MISSED} = a goal" in STATUS


def test_another_match_in_the_folder_names_the_option_that_helps(capsys, tmp_path):
    play = ("--deals", "1", "--workers", "1", "--out", str(tmp_path))
    assert main(["match", "call", "raise", *play]) == 0
    assert main(["match", "call", "random", *play]) == 1
    error = capsys.readouterr().err
    assert "'raise'" in error or "raise is" in error
    assert error.rstrip().endswith("--out FOLDER")


@pytest.mark.parametrize("command", [("match",), ("tournament", "--seats", "2")])
def test_a_program_that_does_not_start_is_refused_before_the_first_hand(capsys, tmp_path, command):
    bot = "mine=program(command='python -c 1/0', start=20.0)"
    arguments = ("call", bot, "--deals", "2", "--workers", "1", "--out", str(tmp_path / "out"))
    assert main([*command, *arguments]) == 1
    out, error = capsys.readouterr()
    assert "did not start: it ended before it answered; log=" in error
    assert not out
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("spec", ["baycarp(nosetting=1)", "formula(nosetting=1)", "call(nosetting=1)"])
def test_an_unknown_setting_is_refused_with_those_that_exist(spec):
    with pytest.raises(ModelError, match=r"setting 'nosetting': expected one of (risk|level|none)"):
        load(spec)


def test_wrong_types_are_named():
    with pytest.raises(IllegalAction, match="'raise': expected an Action"):
        State(Variant.ring(2)).apply("raise")
    with pytest.raises(NotationError, match="42: expected a MATCHSTATE line"):
        baycarp.observe(42)


@pytest.mark.parametrize("option", [("--hand", "7"), ("--street", "river"), ("--position", "BB")])
def test_options_of_a_log_are_refused_with_a_situation(capsys, option):
    assert main(["decide", "MATCHSTATE:0:0:rc/:AhKd|/Qs7d2c", "--agent", "rule", *option]) == 1
    assert "expected no --hand" in capsys.readouterr().err


def test_two_states_of_one_node_are_refused(capsys):
    assert main(["inspect", "bn", "--see", "VPIP=a20_30", "--see", "VPIP=a0_10"]) == 1
    assert "--see VPIP: expected one state" in capsys.readouterr().err


def test_refused_arguments_are_one_line_with_the_status_of_refused_input(capsys):
    with pytest.raises(SystemExit) as status:
        main(["match", "call", "rule", "--deals", "none"])
    assert status.value.code == main(["match", "nobody", "rule"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("baycarp match: argument --deals: ")
    with pytest.raises(SystemExit):
        main(["match", "call", "rule", "--gaem", "x"])
    assert "--gaem x; did you mean --game? baycarp match --help" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command",
    [["agents"], ["agents", "--games", "--json"], ["solve", "kuhn", "--iterations", "3", "--json"]],
    ids=["by rich", "by print", "after a progress bar"],
)
def test_a_closed_pipe_ends_a_command_quietly(command):
    words = [sys.executable, "-m", "baycarp", *command]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdout.close()
    error = process.stderr.read()
    process.stderr.close()
    assert process.wait() == UNREAD
    assert "rror" not in error
    assert "roken" not in error


def test_a_table_that_cannot_be_saved_is_not_played(capsys, tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setattr("baycarp.api.table.run", lambda *_: pytest.fail("played"))
    assert main(["table", "--hands", "10", "--out", str(tmp_path / "file")]) == 1
    assert "file" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["table", "watch", "match", "tournament"])
def test_a_name_that_is_no_text_is_refused_before_the_first_hand(capsys, tmp_path, command):
    """As of an argument that is not UTF-8; the log could not be written when all hands were played."""
    assert main([command, "\udcff=call", "rule", "--out", str(tmp_path / "out")]) == 1
    assert "player '\\udcff': expected text" in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]


def test_a_file_of_agents_needs_the_name_of_one():
    with pytest.raises(ModelError, match=r"\./mine\.py:NAME"):
        load("./mine.py")


def test_an_agent_names_itself_and_refuses_a_state():
    agent = load("karma")
    assert repr(agent).startswith("<Formula Style(level='tight'")
    with pytest.raises(TypeError, match="expected an Observation"):
        agent.decide(State(Variant.ring(3)))


@pytest.mark.parametrize("place", ["named_module", "_add_command"])
def test_an_interruption_before_the_command_runs_is_one_line(place, monkeypatch, capsys):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(program, place, interrupted)
    assert main(["agents"]) == 130
    assert capsys.readouterr() == ("", "interrupted\n")


def ended(code):
    """The status and the lines of a process."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def test_an_interruption_while_the_command_line_is_imported_is_one_line():
    code = """
import sys
class Interrupts:
    def find_spec(self, name, path, target=None):
        if name == "numpy":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupts())
from baycarp.__main__ import main
sys.exit(main())
"""
    assert ended(code) == (130, "", "interrupted\n")


def test_a_second_interruption_is_not_heard_by_a_process_that_ends():
    code = """
import sys
from signal import SIGINT, raise_signal
from baycarp.cli import agents, main
def run(args):
    raise_signal(SIGINT)
agents.run = run
sys.argv[1:] = ["agents"]
status = main()
raise_signal(SIGINT)
sys.exit(status)
"""
    assert ended(code) == (130, "", "interrupted\n")


@pytest.mark.parametrize(
    "command", [["match", "call", "rule"], ["watch", "call", "rule"], ["convert", "a.log"]]
)
def test_an_empty_path_is_refused(command, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as status:
        main([*command, "--out", ""] if command[0] != "convert" else [*command, ""])
    assert status.value.code == 1
    assert "expected a path" in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]
