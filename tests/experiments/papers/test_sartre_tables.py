"""Sartre's tables: the arithmetic of the makers, with small or made-up measurements."""

import numpy as np
import pytest

from baycarp.agents.registry import load
from baycarp.agents.solved.equilibrium import Equilibrium
from baycarp.game import State, Variant
from baycarp.solvers import run as solver_run
from baycarp.solvers.buckets.tables import BucketTables
from baycarp.solvers.limit.solver import LimitSolver
from baycarp.strategies.sartre import GAME, SARTRE2011
from baycarp.training.holding_classes import HoldingClasses
from baycarp.training.table_play import BatchPlay
from experiments.cases.table_cases import TableCases
from experiments.cases.versus import boards
from experiments.papers import sartre, sartre_experts, sartre_nl
from experiments.papers.registry import entries
from experiments.papers.run import Run
from experiments.papers.sartre_experts import EXPERTS, solved
from experiments.papers.verdict import Estimate, Made, compare

EXPERTS_ENTRY = entries()["001-sec5.4.3"]


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
    assert [found[year][1] for year in ("2009", "2010", "2011")] == [3, 2, 1]


def test_players_outside_the_field_meet_the_field_alone(worth):
    worth({"a": 0.3, "b": 0.1, "c": 0.0, "d": -0.2}, lambda player: player)
    won = sartre.round_robin(["a", "b", "c", "d"], boards(4, 1), field=2).mean(axis=2)
    assert won[2:, :2] == pytest.approx(np.array([[-0.3, -0.1], [-0.5, -0.3]]), abs=1e-3)
    assert won[0, 1] == pytest.approx(0.2, abs=1e-3)
    assert not won[2:, 2:].any()
    assert np.array_equal(won, -won.T)


def test_the_places_of_the_snapshots_are_those_of_a_run_off():
    """The second by bankroll wins from the last alone, and is beaten by the first of the other two."""
    won = np.zeros((3, 3, 50))
    for (one, other), mean in {(0, 1): -0.1, (0, 2): 0.9, (1, 2): 0.2}.items():
        won[one, other] = mean + np.random.default_rng(3).normal(0, 0.01, 50)
        won[other, one] = -won[one, other]
    assert won[0].sum() > won[1].sum()
    assert sartre._runoff(won, 1) == [2, 1, 3]


def test_a_place_that_the_boards_leave_open_is_undecided():
    won = np.zeros((3, 3, 50))
    won[:2, 2], won[2, :2] = 1.0, -1.0
    won[0, 1] = np.random.default_rng(3).normal(0, 0.5, 50)
    won[1, 0] = -won[0, 1]
    assert sartre._runoff(won, 1) == ["undecided", "undecided", 3]


def test_the_order_of_the_places_is_compared():
    """No place among the three is one among 13 or 19."""
    entry = entries()["001-sec5.4"]
    assert [cells[1] for _, cells in entry.rows] == ["7", "6", "4"]
    for places, verdict in (((3.0, 2.0, 1.0), "same order"), ((3.0, 1.0, 2.0), "not")):
        won = [Estimate(mean, mean - 0.01, mean + 0.01) for mean in (-0.1, 0.0, 0.1)]
        rows = zip(won, places, strict=True)
        found = compare(entry, Made(dict(zip(("2009", "2010", "2011"), rows, strict=True)), 20))
        assert found.verdict == verdict


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


def decisions(model):
    """The number of decisions before the flop that a model counts."""
    return int(model.casebases["preflop"].columns()["counts"].sum())


@pytest.fixture
def played(monkeypatch):
    """The teachers, and the players of the round robin; a combination that shares the hands wins 0.3 or 0."""
    teachers, met = [], []

    def watch(player, cases, game, stops, seed):
        teachers.append((player, seed))
        for number, (begin, end) in enumerate(zip((0, *stops), stops, strict=False)):
            watched(cases, end - begin, 10 * seed + number)
            yield end

    def round_robin(players, drawn, field):
        met.append((players, field))
        won = np.zeros((len(players), len(players), len(drawn)))
        worth = np.array([0.0, 0.1, -0.1, 0.3, 0.0, 0.1, 0.0])
        noise = np.random.default_rng(1).normal(0, 0.01, (len(players), len(drawn)))
        won[:, :field] = (worth[:, None] + noise)[:, None]
        return won

    monkeypatch.setattr(sartre_experts, "solved", lambda buckets, folder, run: "")
    monkeypatch.setattr(sartre_experts, "watched", watch)
    monkeypatch.setattr(sartre_experts, "round_robin", round_robin)
    return teachers, met


def test_experts_differ_in_abstraction_and_in_risk():
    assert EXPERTS[0].buckets == ""
    assert (
        len({each.buckets for each in EXPERTS}) == len({each.threshold for each in EXPERTS}) == len(EXPERTS)
    )
    assert [row for row, _ in EXPERTS_ENTRY.rows][: len(EXPERTS)] == [str(each) for each in EXPERTS]


def test_experts_that_share_the_hands_are_compared_with_the_best_that_has_watched_all(played):
    teachers, met = played
    made = sartre_experts.MAKERS[EXPERTS_ENTRY.id](EXPERTS_ENTRY, Run(hands=180))
    assert [row[1] for row in made.cells.values()] == [None] * 3 + [
        "improve",
        "worsen",
        "undecided",
        "worsen",
    ]
    assert next(iter(made.cells.values()))[0].value == pytest.approx(0.0, abs=0.01)
    assert [teacher.threshold for teacher, _ in teachers] == [each.threshold for each in EXPERTS]
    assert len({seed for _, seed in teachers}) == len(EXPERTS)
    ((players, field),) = met
    assert field == 3
    assert [each.strategy.together for each in players[3:]] == ["mean", "vote"] * 2
    counts = [[decisions(each), *map(decisions, each.reuse.experts)] for each in players]
    alone = [sum(each) for each in counts[:3]]
    for shared in map(sum, counts[3:5]):
        assert shared == pytest.approx(np.mean(alone), rel=0.2)
    assert counts[5] == counts[6] == alone


def test_too_few_hands_are_no_result(played, monkeypatch):
    made = sartre_experts.MAKERS[EXPERTS_ENTRY.id](EXPERTS_ENTRY, Run(hands=3))
    assert {value for row in made.cells.values() for value in row} == {None}
    assert not played[1]


def test_a_coarse_strategy_is_solved_once_in_the_folder_of_the_run(tmp_path, monkeypatch):
    flops, turns = np.zeros((1755, 1326), np.uint16), np.zeros((16432, 1326), np.uint16)
    monkeypatch.setattr(
        solver_run, "bucket_tables", lambda abstraction, path, tick: BucketTables(abstraction, flops, turns)
    )
    run = Run(hands=20)
    first = Equilibrium(solved("p3,p3,p3", tmp_path, run), 0.3)
    assert (first.solution.origin["iterations"], first.threshold) == (2, 0.3)
    assert "p3,p3,p3" in first.solution.origin["command"]
    monkeypatch.setattr(LimitSolver, "iterate", None)
    assert Equilibrium(solved("p3,p3,p3", tmp_path, run)).digest == first.digest
    assert solved("", tmp_path, run) == ""
