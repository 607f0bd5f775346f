"""Sanity by match: heads-up, every deck played from both seats, so that luck of the cards cancels."""

import numpy as np
import pytest

from baycarp.agents.registry import load
from baycarp.agents.table import PLAYERS
from baycarp.arena.hand import play_hand
from baycarp.game.state import State
from baycarp.game.variant import Variant

GAME = Variant.ring(2)
SURE = 2.576
"""Standard errors of 99 %."""


def duplicate(ours, theirs, decks, seed=0):
    """Small bets a hand won by ``ours``: the mean of each deck; shape (decks,)."""
    agents, won = [load(ours), load(theirs)], np.zeros(decks)
    for seat, agent in enumerate(agents):
        agent.sit(seat, GAME, seed + seat)
    for number in range(decks):
        deck = np.random.default_rng((seed, number)).permutation(52)[:9].astype(np.uint8)
        for turn in (0, 1):
            order = agents[::-1] if turn else agents
            names = ("theirs", "ours") if turn else ("ours", "theirs")
            over = play_hand(State(GAME, deck=deck), order, names, 2 * number + turn)
            won[number] += over.payoffs()[turn] / GAME.small_bet / 2
    return won


def assert_beats(ours, theirs, decks):
    won = duplicate(ours, theirs, decks)
    assert won.mean() > SURE * won.std(ddof=1) / np.sqrt(decks), (ours, theirs, won.mean())


@pytest.mark.parametrize(("player", "decks"), [("formula", 250), ("rule", 800), ("raise", 150)])
def test_random_loses(player, decks):
    assert_beats(player, "random", decks)


def test_the_formula_beats_always_call():
    assert_beats("formula", "call", 200)


@pytest.mark.slow
def test_random_loses_to_a_caller():
    assert_beats("call", "random", 2500)


@pytest.mark.slow
@pytest.mark.parametrize("fool", ["random", "call"])
@pytest.mark.parametrize("player", [*PLAYERS, "formula", "rule", "jag"])
def test_every_player_beats_the_fools(player, fool):
    assert_beats(player, fool, 2500)
