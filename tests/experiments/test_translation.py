"""What translation costs: properties of the exact values, and the command."""

import json

import numpy as np
import pytest

from baycarp.errors import ArgumentError
from baycarp.kernels.hands import rank
from experiments.__main__ import main
from experiments.cases.translation import AMOUNTS, KNOWN, Setting, deals, taken, translation


def test_showdowns_are_those_of_disjoint_holdings():
    showdowns = deals(np.random.default_rng(3), 8)
    assert 30 < len(showdowns) <= 64
    by_pair = {(i, j): result for i, j, result in showdowns}
    assert {*by_pair.values()} <= {-1, 0, 1}
    assert len(by_pair) == len(showdowns)
    order = sorted(range(8), key=lambda i: sum(by_pair.get((i, j), 0) for j in range(8)))
    assert order != list(range(8))  # the results are of cards, not of numbers
    assert rank("AhAd2c3s7h9dJc") > rank("KhKd2c3s7h9dJc")


def test_what_bets_take():
    """Several bets take at least what one does; a bet that is read alike by two rules takes the same."""
    found = taken(deals(np.random.default_rng(0), 8), 400)
    assert set(found) == {(bets, how) for bets in AMOUNTS for how in ("absolute", "hard", "soft", KNOWN)}
    for (bets, how), chips in found.items():
        assert chips >= -0.2 if how == KNOWN else chips >= -1e-9
        if len(bets) > 1 and how != KNOWN:
            assert chips >= max(found[(each,), how] for each in bets) - 1e-9
    assert found[(220,), "absolute"] == found[(220,), "hard"]  # all-in by both
    assert found[(60,), "absolute"] == found[(60,), "hard"]  # the pot by both
    assert found[(120,), "absolute"] != found[(120,), "hard"]


def test_the_lines_are_the_same_for_a_seed_and_their_intervals_are_over_boards():
    setting = Setting(boards=2, holdings=4, iterations=50)
    first, second = ([each.chips for each in translation(setting)] for _ in range(2))
    assert first == second
    assert {rate.n for chips in first for rate in chips.values()} == {2}
    with pytest.raises(ArgumentError):
        Setting(boards=1)


def test_the_command(capsys):
    argv = ["translation", "--rivers", "2", "--holdings", "4", "--iterations", "50"]
    assert main([*argv, "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [tuple(line["bets"]) for line in lines] == list(AMOUNTS)
    assert main(argv) == 0
    assert "180 / 200 / 220" in capsys.readouterr().out
