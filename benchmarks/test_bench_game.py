"""Random hands a second on one core: in C, and with State and trivial players in Python.

The targets are 100,000 heads-up and 25,000 eight-seat hands a second in C, 20,000 and 3,000 in Python.
"""

import random

import numpy as np
import pytest

from baycarp.game import State, Variant
from baycarp.kernels.game import random_hands

GAMES = {
    "limit 2p": Variant.load("holdem.limit.2p.reverse_blinds"),
    "limit 8p": Variant.load("holdem.limit.8p"),
    "no-limit 2p": Variant.load("holdem.nolimit.2p.reverse_blinds"),
    "no-limit 8p": Variant.ring(8, 100, betting="no-limit", stacks=(20_000,) * 8),
}


def python_hands(game, hands, seed):
    """The same, one observation and one action at a time."""
    rng = random.Random(seed)
    dealer, cards = np.random.default_rng(seed), np.arange(52, dtype=np.uint8)
    total = 0
    for _ in range(hands):
        state = State(game, deck=dealer.permutation(cards)[: 2 * game.seats + 5])
        while (seat := state.to_act) is not None:
            legal = state.observe(seat).legal_actions()
            state.apply(legal[int(rng.random() * len(legal))])
        assert sum(state.payoffs()) == 0
        total += state.pot
    return total


@pytest.mark.parametrize("name", GAMES)
def test_c(benchmark, name):
    game, hands = GAMES[name], 10_000
    benchmark.group = f"{name}, {hands} hands in C"
    run = benchmark(random_hands, game, hands, 1)
    assert run == random_hands(game, hands, 1)


@pytest.mark.parametrize("name", GAMES)
def test_python(benchmark, name):
    game, hands = GAMES[name], 300
    benchmark.group = f"{name}, {hands} hands in Python"
    slow, fast = (
        python_hands(game, hands, 1) / hands,
        random_hands(game, 20_000, 1) / 20_000,
    )
    assert slow == pytest.approx(fast, rel=0.3)  # the two play the same game
    benchmark(python_hands, game, hands, 1)
