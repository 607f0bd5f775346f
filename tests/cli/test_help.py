"""The help of the program and of its commands, and what is printed for a name that is nearly right."""

import argparse

import pytest

from baycarp.cli import COMMANDS, EXAMPLES, GROUPS, PROGRAM, main
from baycarp.cli.program import _parser
from baycarp.errors import one_of

WIDTH = 80


def typed(capsys, *words):
    """Exit status, output and errors of a command."""
    try:
        status = main([*map(str, words)])
    except SystemExit as ending:
        status = ending.code
    return status, *capsys.readouterr()


def every_parser(parser):
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for part in action.choices.values():
                yield from every_parser(part)


def test_the_program_alone_shows_its_commands_by_group_and_three_examples(capsys):
    status, alone, err = typed(capsys)
    assert (status, err) == (0, "")
    assert alone == typed(capsys, "--help")[1] == typed(capsys, "help")[1]
    titles = [line for line in alone.splitlines() if line.rstrip(":") in GROUPS]
    assert titles == [f"{title}:" for title in GROUPS]
    assert sorted(COMMANDS) == sorted({*COMMANDS})
    for title, names in GROUPS.items():
        block = alone.partition(f"\n{title}:\n")[2].partition("\n\n")[0]
        assert tuple(line.split()[0] for line in block.splitlines() if line[2] != " ") == names
    assert len(EXAMPLES) == 3
    assert all(f"  {words}  " in alone for words in EXAMPLES)


def test_help_of_a_command_is_its_own(capsys):
    assert typed(capsys, "help", "match") == typed(capsys, "match", "--help")


@pytest.mark.parametrize("words", EXAMPLES)
def test_the_examples_are_arguments_that_the_program_takes(words):
    assert _parser(PROGRAM).parse_args(words.split()[1:]).command in COMMANDS


def test_every_help_fits_80_columns(monkeypatch):
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    wide = {
        (parser.prog, line)
        for parser in every_parser(_parser(PROGRAM))
        for line in parser.format_help().splitlines()
        if len(line) > WIDTH
    }
    assert not wide


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["mtach", "a", "b"], "'mtach': did you mean match?"),
        (["match", "rule", "call", "--dealz", "3"], "--dealz 3; did you mean --deals?"),
        (["memory", "exprot"], "did you mean export?"),
        (["train", "folder", "--revise", "hindsigth"], "did you mean hindsight?"),
        (["match", "baycrap", "rule"], "agent 'baycrap': did you mean baycarp"),
        (["table", "--game", "nolimit"], "game 'nolimit': did you mean holdem.nolimit."),
        (["agents", "Carma"], "agent 'Carma': did you mean karma?"),
        (["match", "formula(levle='tight')", "rule"], "setting 'levle': expected one of level, "),
        (["match", "rule", "call", "--estimators", "contrl"], "did you mean control?"),
        (["play", "nobody"], "agent 'nobody': expected one of absinthe, "),
    ],
)
def test_a_name_that_is_nearly_right_is_answered_with_the_one_that_is_meant(capsys, words, says):
    status, out, err = typed(capsys, *words)
    assert (status, out) == (1, "")
    assert says in err
    assert len(err.splitlines()) == 1


def test_names_that_are_like_none_are_answered_with_all(capsys):
    assert one_of("xyzzy", ["seed", "workers"]) == "expected one of seed, workers"
    assert one_of("SEED", ["seed"]) == "expected one of seed; did you mean seed?"
    many = [f"name{number}" for number in range(30)]
    assert one_of("xyzzy", many).endswith(", name29")
    assert one_of("a" * 100_000, many).startswith("expected one of")
    assert "did you mean" not in typed(capsys, "match", "rule", "call", "-z")[2]
