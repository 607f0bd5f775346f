"""``python -m experiments``: the list, and the help of each."""

import pytest
from reference.programs import verify_help

from experiments.__main__ import COMMANDS, main


@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_help(capsys, command):
    verify_help(main, capsys, command, COMMANDS)


def test_without_arguments_all_are_listed(capsys):
    assert main([]) == 0
    assert all(name in capsys.readouterr().out for name in COMMANDS[:1])
