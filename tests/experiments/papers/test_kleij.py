"""Figures of van der Kleij (2010): the arithmetic of the makers, with made-up games."""

from types import SimpleNamespace

import numpy as np
import pytest

from experiments.papers import kleij
from experiments.papers.registry import entries
from experiments.papers.run import Run

ENTRY = entries()["004-fig6.5-learning"]


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
