"""``python -m experiments``: the list, and the help of each."""

import pytest

from experiments.__main__ import COMMANDS, main


@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_help(capsys, command):
    with pytest.raises(SystemExit) as status:
        main([command, "--help"] if command else ["--help"])
    assert status.value.code == 0
    out = capsys.readouterr().out
    assert all(name in out for name in ((command,) if command else COMMANDS))
    assert "%(" not in out


def test_without_arguments_all_are_listed(capsys):
    with pytest.raises(SystemExit) as status:
        main([])
    assert status.value.code == 0
    assert all(name in capsys.readouterr().out for name in COMMANDS[:1])
