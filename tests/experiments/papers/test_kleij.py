"""Figures of van der Kleij (2010): the arithmetic of the makers, with made-up games."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from experiments.papers import kleij, kleij_sizes
from experiments.papers.registry import MAKERS, entries
from experiments.papers.run import Run

ENTRY = entries()["004-fig6.5-learning"]
FIRST_ROW = replace(entries()["004-4.6"], rows=entries()["004-4.6"].rows[:1])


@pytest.mark.parametrize(("later", "word"), [(-9.0, "detrimental"), (9.0, "helps"), (0.0, "undecided")])
def test_the_halves_of_the_games_against_a_learner_are_compared(monkeypatch, later, word):
    """By the chips of all-in equity, with a small blind of 50 and luck of 20 small blinds a game."""
    rng, small = np.random.default_rng(5), 50
    won = np.concatenate([np.full(200, 2.0), np.full(200, 2.0 + later)])
    games = [small * (won + rng.normal(0, 20, 400)) for _ in range(2)]
    played = [SimpleNamespace(estimates={"all-in": np.stack([each, -each], axis=1)}) for each in games]
    asked = []
    monkeypatch.setattr(kleij, "fresh", lambda table, first, sizes, run: asked.append(sizes) or played)
    (cells,) = kleij.MAKERS[ENTRY.id](ENTRY, Run(hands=800)).cells.values()
    assert asked == [(2, 400)]
    assert [each.value for each in cells[:2]] == pytest.approx([2.0, 2.0 + later], abs=3)
    assert cells[2] == word


SUMS = {
    "004-C.1": "5.77 5.66 16.36 68.04 3.14 0.47 0.57",
    "004-C.2": "9.80 0.00 0.02 0.22 85.00 4.24 0.72",
    "004-C.3": "5.97 13.32 29.30 45.80 3.95 0.75 0.91",
    "004-C.4": "5.63 8.56 55.25 25.81 2.64 0.70 1.41",
    "004-C.5": "3.95 11.66 37.22 41.10 4.29 0.94 0.84",
    "004-C.6": "54.55 14.17 21.46 6.35 1.84 0.78 0.86",
}
"""The printed sums of the actual sizes."""


@pytest.mark.parametrize("id", SUMS)
def test_the_cells_of_appendix_c_have_the_printed_sums(id, real_data):
    entry, sums = entries()[id], SUMS[id].split()
    cells = np.array([cells for _, cells in entry.rows], float)
    assert cells.sum(axis=0) == pytest.approx(np.array(sums, float), abs=0.021)
    if id == "004-C.1":  # two cells are damaged
        assert cells[2:4].sum(axis=1) == pytest.approx([4.72, 80.63], abs=1e-9)
    if not (seeds := real_data.parent / "seeds").is_dir():
        pytest.skip(f"no papers at {seeds}")
    (path,) = seeds.glob("004_*.txt")
    first, last = entry.source.lines
    text = "".join(path.read_text("utf-8").split("\n")[first - 1 : last])
    assert [each for each in sums if each not in text] == []


def test_sizes_are_by_the_predicted_and_the_actual_one():
    """Bets: three of a quarter, of which one is predicted, and one of the least; raises are apart."""
    moves = kleij_sizes.SizedMoves(
        predicted=np.array([1, 0, 0, 0, 6]),
        actual=np.array([1, 1, 1, 0, 6]),
        owed=np.array([0, 0, 0, 0, 1]),
        hands=np.array([1, 2, 3, 4, 5]),
    )
    bets, raises = ([[each.value for each in row] for row in kleij_sizes.confusion(moves, o)] for o in (0, 1))
    assert (bets[0][0], bets[0][1], bets[1][1], bets[1][0]) == (25, 50, 25, 0)
    assert np.sum(bets) == np.sum(raises) == raises[6][6] == 100


def test_the_tables_of_appendix_c_have_the_size_that_was_made(monkeypatch):
    asked = []

    def made_up(seats, run):
        asked.append(seats)
        return kleij_sizes.SizedMoves(*(np.array(each) for each in ([2, 3], [3, 3], [0, 1], [1, 2])))

    monkeypatch.setattr(kleij_sizes, "sized_moves", made_up)
    for id, row in (("004-C.5", "predicted 1/2 pot"), ("004-C.4", "predicted 3/4 pot")):
        found = MAKERS[id](entries()[id], Run(hands=10)).cells
        assert found[row][3].value == 100
    assert asked == [9, 6]


def test_held_out_sizes_are_predicted_as_often_as_table_4_6_has_it():
    """The same clusters and the same held-out moves as those of the accuracies."""
    run = Run(hands=600, seed=2)
    found = kleij_sizes.confusion(kleij_sizes.sized_moves(2, run), kleij_sizes.BETS)
    right = sum(found[place][place].value for place in range(7))
    ((bets, _),) = [MAKERS["004-4.6"](FIRST_ROW, run).cells["2 players"]]
    assert right == pytest.approx(bets.value)
