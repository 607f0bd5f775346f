"""What Unger says of other systems, with cheap players in their seats."""

import pytest

from experiments.papers import unger_rivals
from experiments.papers.registry import entries, reproduce
from experiments.papers.run import Run

FOLDS = "frequency(fold=0.9, raises=0.0)"


@pytest.mark.parametrize(("twins", "word"), [((FOLDS, "raise"), "loss"), (("raise", FOLDS), "gain")])
def test_the_word_is_that_of_the_network_not_of_its_twin(monkeypatch, twins, word):
    monkeypatch.setattr(unger_rivals, "TWINS", twins)
    (cells,) = reproduce(entries()["000-sec4.3.1"], Run(hands=100, seed=2)).made.cells.values()
    assert cells[0] == word


def test_each_row_is_of_its_own_player(monkeypatch):
    monkeypatch.setattr(unger_rivals, "SEATED", {"BayCaRP2": "call", "Casper02": FOLDS})
    monkeypatch.setattr(unger_rivals, "TABLE", ("raise",))
    cells = reproduce(entries()["000-sec8.2.2"], Run(hands=100, seed=2)).made.cells
    assert cells["Casper02"][0].high < cells["BayCaRP2"][0].low
