"""Judging clusters of players: scikit-learn's Rand index, counted habits, and players of known styles."""

import numpy as np
import pytest

from baycarp.errors import ArgumentError
from baycarp.game.notation.acpc import parse_state
from baycarp.game.variant import Variant
from baycarp.training.kmodels import KModels
from experiments.players.choices import choices_of
from experiments.players.players import adjusted_rand, habits, judge, regular, styled_hands

GAME = Variant.load("holdem.nolimit.6p.100bb")


def test_the_rand_index_is_that_of_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(1)
    for groups in (1, 2, 5, 20):
        one, other = rng.integers(0, groups, 20), rng.integers(0, 4, 20)
        assert adjusted_rand(one, other) == pytest.approx(metrics.adjusted_rand_score(one, other))


def test_habits_are_counted():
    game = Variant.load("holdem.nolimit.2p.100bb")
    lines = [
        "STATE:0:r300c/cr600c/cc/cc:|/6c7d9h/2c/3c:0|0:a|b",  # b raises, a calls; b bets the flop, a calls
        "STATE:1:cc/cc/cc/cc:|/6c7d9h/2c/3c:0|0:a|b",  # b completes, a checks
        "STATE:2:f:|:50|-50:a|b",
    ]
    choices, names = choices_of(parse_state(line, game) for line in lines)
    found = habits(choices, 2)
    assert names == ("a", "b")
    assert found[0] == pytest.approx([1 / 2, 0, 0.5 / 2])  # a: decisions in two hands
    assert found[1] == pytest.approx([2 / 3, 1 / 3, 1.5 / 2])


def test_players_with_few_decisions_are_left_out():
    choices, names = choices_of(styled_hands(GAME, 30, 1))
    counts = np.bincount(choices.players)
    least = int(np.median(counts))
    kept, left = regular(choices, names, least)
    assert left == tuple(np.array(names)[counts >= least])
    assert np.bincount(kept.players).tolist() == counts[counts >= least].tolist()
    with pytest.raises(ArgumentError, match="expected a player"):
        regular(choices, names, 10**6)


def test_hands_of_known_styles_repeat_with_their_seed():
    first, second = (list(styled_hands(GAME, 12, 3)) for _ in range(2))
    assert [hand.actions for hand in first] == [hand.actions for hand in second]
    assert all(0 <= int(name.split("-")[0]) < 8 for hand in first for name in hand.players)


@pytest.mark.slow
def test_clusters_of_known_styles():
    """The order of the models, and the styles recovered, on a sample larger than chance."""
    choices, names = choices_of(styled_hands(GAME, 8000, 2))
    found = {each.name: each for each in judge(choices, names, KModels(8, starts=8), styles=True)}
    losses = [found[name].loss[0] for name in ("K-models", "one model", "situation alone")]
    assert losses == sorted(losses)
    assert found["K-models"].gain[0] > found["K-models"].gain[1]
    assert found["K-models"].rand > 0.5
