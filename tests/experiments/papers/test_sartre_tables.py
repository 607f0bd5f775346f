"""Sartre's tables: the arithmetic of the makers, with small or made-up measurements."""

import numpy as np
import pytest

from baycarp.agents.registry import load
from baycarp.game import State, Variant
from baycarp.strategies.sartre import GAME, SARTRE2011
from baycarp.training.holding_classes import HoldingClasses
from baycarp.training.table_play import BatchPlay
from experiments.cases.table_cases import TableCases
from experiments.papers import sartre, sartre_nl
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


@pytest.fixture
def worth(monkeypatch):
    """A function that has every player win what it is worth, less what the other one is, on every board."""

    def of(values, named):
        small_bet = Variant.load(GAME).small_bet

        class Pair:
            def __init__(self, player, opponent):
                self.worth = small_bet * (values[player] - values[opponent])

        def won(pairings, board):
            both = [each.worth + small_bet * (sum(board) % 7) / 1e4 for each in pairings]
            return np.array([both, both]).T

        monkeypatch.setattr(sartre, "ClassTable", lambda player, tree: named(player))
        monkeypatch.setattr(sartre, "Pairing", Pair)
        monkeypatch.setattr(sartre, "winnings", won)

    return of


def test_table_3_has_what_each_row_wins_from_each_column(worth, monkeypatch):
    monkeypatch.setattr(sartre, "load", lambda spec: spec)
    worth(dict(zip(sartre.POLICIES.values(), (0.05, 0.02, -0.03), strict=True)), lambda spec: spec)
    made = sartre.MAKERS["001-3"](entries()["001-3"], Run(hands=10))
    first, second, third = (made.cells[name] for name in sartre.POLICIES)
    assert (first[0], second[1], third[2]) == (None, None, None)
    won = [first[1].value, first[2].value, first[3].value]
    assert won == pytest.approx([0.03, 0.08, 0.055], abs=1e-3)
    assert [second[0].value, third[1].value] == pytest.approx([-0.03, -0.05], abs=1e-3)
    assert first[1].value == -second[0].value


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


def test_a_strategy_generalises_by_what_it_loses_with_few_cases(monkeypatch):
    """By strategy and share: the first loses nothing, the second 0.3, the third as much or less."""
    small_bet = Variant.load(GAME).small_bet
    lost = {"E[HS^2]": 0.0, "categories": 0.3, "E[HS]": 0.29}

    def against(players, run):
        noise = np.random.default_rng(1).normal(0, 0.01, (sartre.COMPARED, len(players)))
        noise[:, -1] = np.resize([-0.5, 0.5], sartre.COMPARED)
        worse = [loss * (share < 0.5) for loss in lost.values() for share in sartre.SHARES]
        return (noise - np.array(worse)) * small_bet

    monkeypatch.setattr(sartre, "self_play", lambda *given: watched(given[1], 20))
    monkeypatch.setattr(sartre, "_against_teacher", against)
    made = sartre.MAKERS["001-fig2-shares"](entries()["001-fig2-shares"], Run(hands=20))
    assert [row[-1] for row in made.cells.values()] == ["better", None, "undecided"]
    assert made.cells["categories"][2].value == pytest.approx(-0.3, abs=0.01)


def test_each_snapshot_meets_the_two_others(worth, monkeypatch):
    monkeypatch.setattr(sartre, "self_play", lambda *given: watched(given[1], 20))
    worth({"sartre2009": 0.0, "sartre2010": 0.1, "sartre": 0.3}, lambda player: player.strategy.name)
    found = sartre.MAKERS["001-sec5.4"](entries()["001-sec5.4"], Run(hands=20)).cells
    won = [found[year][0].value for year in ("2009", "2010", "2011")]
    assert won == pytest.approx([-0.2, -0.05, 0.25], abs=1e-3)


def test_experts_together_are_compared_with_the_best_alone(monkeypatch):
    """Alone 0, 0.1 and -0.1; the mean 0.3, and a vote that wins less than the second."""
    small_bet = Variant.load(GAME).small_bet
    seeds = iter((1, 2, 3))

    def against(players, run):
        assert [each.strategy.together for each in players[3:]] == ["mean", "vote"]
        assert [len(each.reuse.experts) for each in players] == [0, 0, 0, 2, 2]
        noise = np.random.default_rng(1).normal(0, 0.01, (sartre.COMPARED, len(players)))
        return (noise + np.array([0.0, 0.1, -0.1, 0.3, 0.0])) * small_bet

    monkeypatch.setattr(sartre, "self_play", lambda *given: watched(given[1], 20, next(seeds)))
    monkeypatch.setattr(sartre, "_against_teacher", against)
    made = sartre.MAKERS["001-sec5.4.3"](entries()["001-sec5.4.3"], Run(hands=20))
    assert [row[-1] for row in made.cells.values()] == [None, None, None, "improve", "worsen"]
    assert made.cells["mean of three experts"][0].value == pytest.approx(0.3, abs=0.01)


def test_all_in_is_judged_by_hand_beside_the_version_without_it(monkeypatch):
    row, luck = np.array([0.2, 0.4, 0.3, 0.1] * 50), np.tile([5.0, -5.0], 100)
    won = [row + luck, row + luck + 1 + row, luck - row]
    monkeypatch.setattr(sartre_nl, "_totals", lambda folder, run: won)
    made = sartre_nl.MAKERS["001-sec6.4.4"](entries()["001-sec6.4.4"], Run(hands=200))
    assert [cells[0].value for cells in made.cells.values()] == pytest.approx([0.25, 1.5, -0.25])
    assert [cells[1] for cells in made.cells.values()] == [None, "improves", "worsens"]


def test_the_version_without_all_in_differs_in_its_sizes_alone():
    agents = [load(spec) for spec in ("sartrenl", "experiments.systems:SARTRENL_WITHOUT_ALL_IN")]
    one, other = (agent.strategy for agent in agents)
    assert [set(each.bases["flop"].solutions) for each in (one, other)] == [{*"fcaqhipdvt"}, {*"fcqhipdvt"}]
    assert (one.policy, one.describe.soft) == (other.policy, other.describe.soft)
