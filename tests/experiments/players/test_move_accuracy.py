"""Accuracy of predicted moves on players that are predictable, and on moves that follow nothing."""

import numpy as np
import pytest

from baycarp.arena.session import Table, play_session
from baycarp.game import Variant
from baycarp.game.notation.acpc import parse_state
from experiments.players.move_accuracy import accuracies

TWO = Variant.load("holdem.nolimit.2p.100bb")


def hands(kinds, each):
    """Hands of pairs of players, one pair a table."""
    for table, specs in enumerate(kinds):
        names = tuple(f"{spec} {table} {seat}" for seat, spec in enumerate(specs))
        played = play_session(Table(TWO, names, specs, 1), table, each)
        yield from (parse_state(line, TWO) for line in played.log)


def test_players_that_always_do_the_same_are_predicted():
    """Callers and raisers: a cluster of one kind predicts every move, a random one half of them."""
    found = accuracies(hands([("call", "raise")] * 20, 20), seed=1)
    assert found.kinds[0] > 0.99
    assert found.gain[0] > 0.1
    assert found.gain[0] > found.gain[1]
    assert found.bets[0] > 0.99  # the least size, always
    assert found.commonest_bet[0] > 0.99
    shares = np.array(found.matrix)[:, :, 0]
    assert shares.sum() == pytest.approx(1)
    assert np.trace(shares) == pytest.approx(found.kinds[0])
    assert shares[[0, 0, 1, 3], [1, 3, 0, 4]] == pytest.approx(0)  # what the price rules out
    actual = shares.sum(axis=0)
    assert found.commonest[0] == pytest.approx(actual.max(), abs=0.05)
    assert found.commonest[0] <= found.by_price[0] < found.kinds[0]


def test_random_players_are_not_predicted():
    """Fold, call and raise a third each where a bet is owed: nothing predicts more than half of the moves."""
    found = accuracies(hands([("random", "random")] * 6, 120), seed=1)
    assert 0.3 < found.kinds[0] < 0.5
    assert abs(found.gain[0]) < 0.05
    assert np.isfinite(found.kinds[1])
    assert found.raises[0] == pytest.approx(1)
