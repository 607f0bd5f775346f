"""``python -m experiments``: the list, the help of each, and experiments without a test file of their own."""

import json

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


@pytest.mark.slow
def test_opponents_prints_its_tables_and_draws_its_curve(capsys, tmp_path):
    arguments = ["opponents", "--folder", str(tmp_path), "--watched", "60", "--held-out", "1"]
    assert main(arguments) in (0, 3)  # sixty hands are too few for the goals
    out = capsys.readouterr().out
    for words in ("true holding", "next choice", "without the prior", "player model", "1,000"):
        assert words in out
    assert (tmp_path / "learning.png").stat().st_size > 10_000
    main([*arguments, "--json"])
    goals = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(goals) == 4 + 1 + 8
    assert {goal["unit"] for goal in goals} == {"nats", "probability"}
