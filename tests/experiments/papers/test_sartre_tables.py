"""Sartre's tables: the arithmetic of the makers, with small or made-up measurements."""

import numpy as np
import pytest

from baycarp.agents.registry import load
from baycarp.game import State, Variant
from baycarp.strategies.sartre import GAME, SARTRE2011
from baycarp.training.holding_classes import HoldingClasses
from baycarp.training.table_play import BatchPlay
from experiments.cases.table_cases import TableCases
from experiments.papers import sartre
from experiments.papers.registry import entries
from experiments.papers.run import Run


def watched(cases, hands, seed=1):
    """Add hands of two table players."""
    variant = Variant.load(GAME)
    players = tuple(HoldingClasses(load(spec), variant) for spec in ("rule", "random"))
    play, draw = BatchPlay(players, variant), np.random.default_rng(seed)
    decks = np.argsort(draw.random((hands, 52)), axis=1)[:, :9].astype(np.uint8)
    for each in cases:
        each.add(decks, play.play(decks, draw), play.endings)


def test_table_3_has_what_each_row_wins_from_each_column(monkeypatch):
    strength = {
        "sartre": 0.05,
        "sartre(policy='proportional')": 0.02,
        "sartre(policy='best mean outcome')": -0.03,
    }

    def won(specs, opponent, drawn, game, workers):
        noise = np.linspace(-0.001, 0.001, len(drawn))[:, None]
        return np.array([[strength[spec] - strength[opponent] for spec in specs]]) + noise

    monkeypatch.setattr(sartre, "winnings_on", won)
    made = sartre.MAKERS["001-3"](entries()["001-3"], Run(hands=10))
    first, second, third = (made.cells[name] for name in sartre.POLICIES)
    assert (first[0], second[1], third[2]) == (None, None, None)
    assert [first[1].value, first[2].value, first[3].value] == pytest.approx([0.03, 0.08, 0.055])
    assert [second[0].value, third[1].value] == pytest.approx([-0.03, -0.05])


def test_table_2_counts_decisions_and_the_cases_that_they_are_merged_into(monkeypatch):
    def play(player, cases, game, hands, seed, tick):
        watched(cases, 60)

    monkeypatch.setattr(sartre, "self_play", play)
    made = sartre.MAKERS["001-2"](entries()["001-2"], Run(hands=60))
    for single, merged in made.cells.values():
        assert single >= merged > 0
    assert made.cells["preflop"][0] >= 60


def test_a_share_of_the_cases_is_a_part_of_a_larger_share():
    cases = TableCases(SARTRE2011)
    watched([cases], 60)
    sizes = []
    for share in (0.2, 0.6, 1.0):
        player = sartre.kept(cases, share, seed=4)
        columns = player.casebases["preflop"].columns()
        sizes.append(set(zip(columns["numbers"][0].tolist(), columns["symbols"][0].tolist(), strict=True)))
        assert player.class_policies(State(Variant.load(GAME))).sum(axis=1) == pytest.approx(1)
    assert sizes[0] < sizes[1] < sizes[2]
