"""The size of the command line: its commands, its options, its help."""

import argparse
import re

import pytest

from baycarp.cli import COMMANDS, EXPERIMENTS, PROGRAM, main
from baycarp.cli.program import _parser
from experiments import __main__ as experiments

MOST_COMMANDS, MOST_OPTIONS = 19, 97
MOST_LINES, WIDTH = 46, 80


def option_names(parser):
    for action in parser._actions:
        yield from (name for name in action.option_strings if name.startswith("--"))
        if isinstance(action, argparse._SubParsersAction):
            for part in action.choices.values():
                yield from option_names(part)


def test_there_are_few_commands_and_names_of_options():
    assert len(COMMANDS) <= MOST_COMMANDS
    assert len({*option_names(_parser(PROGRAM))}) <= MOST_OPTIONS


def test_the_help_fits_on_one_screen(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    with pytest.raises(SystemExit):
        main(["--help"])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= MOST_LINES
    assert max(map(len, lines)) <= WIDTH


@pytest.mark.parametrize("name", [*EXPERIMENTS, "bench"])
def test_what_the_repository_has_is_named_in_one_line(capsys, name):
    assert name in (*experiments.COMMANDS, "bench")
    assert main([name, "--any", "thing"]) == 1
    out, err = capsys.readouterr()
    assert not out
    assert re.fullmatch(rf"baycarp {name}: python -m \w+( {name})?, in a clone of the repository\n", err)


@pytest.mark.parametrize("name", ["games", "engine", "dealer", "acpc", "coverage", "tune", "merge"])
def test_an_unknown_command_is_refused_with_those_that_exist(capsys, name):
    with pytest.raises(SystemExit) as status:
        main([name])
    assert status.value.code == 1
    err = capsys.readouterr().err
    assert f"invalid choice: '{name}'" in err
    assert all(command in err for command in COMMANDS)
