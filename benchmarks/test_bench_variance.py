"""What an estimate of one hand costs beside the hand, and pot shares beside eval7's rank in a loop.

Hands of rule players: few others are played so fast. ``extra_info["narrower"]`` says by what factor the
estimates deviate less than the payoffs.
"""

import itertools
import warnings
from functools import cache

import numpy as np
import pytest

from baycarp.agents.registry import load
from baycarp.arena.hand import play_hand
from baycarp.arena.variance import ESTIMATORS, stream
from baycarp.card import DECK
from baycarp.game.state import State
from baycarp.game.variant import Variant
from baycarp.kernels.game import deal
from baycarp.kernels.runout import runout

HANDS = 300
PLAYERS = ("rule", "jag")


def play(seats, hand, policies):
    agents = [load(PLAYERS[seat % 2]) for seat in range(seats)]
    deck = deal(1, 0, hand, 2 * seats + 5)
    names = tuple(f"player {seat}" for seat in range(seats))
    return play_hand(
        State(Variant.ring(seats), deck=deck),
        agents,
        names,
        hand,
        watch=lambda state, decision: policies.append(decision.policy),
    )


@cache
def hands(seats):
    played = []
    for hand in range(HANDS):
        policies = []
        played.append((play(seats, hand, policies), policies, stream(1, 0, hand)))
    return played


@pytest.mark.benchmark(group="a hand and its estimates")
@pytest.mark.parametrize("seats", [2, 8])
def test_play(benchmark, seats):
    turn = itertools.cycle(range(HANDS))
    benchmark(lambda: play(seats, next(turn), []))


@pytest.mark.benchmark(group="a hand and its estimates")
@pytest.mark.parametrize(("name", "seats"), [("all-in", 8), ("control", 2), ("control", 8), ("divat", 2)])
def test_estimate(benchmark, name, seats):
    chips = ESTIMATORS[name].chips
    plain = np.array([over.payoffs() for over, *_ in hands(seats)])
    found = np.array([chips(*hand) for hand in hands(seats)])
    np.testing.assert_allclose(found.sum(axis=1), 0, atol=1e-9)
    benchmark.extra_info["narrower"] = round(float(plain.std() / found.std()), 2)
    turn = itertools.cycle(hands(seats))
    benchmark(lambda: chips(*next(turn)))


def ranked_by_eval7(holes, board):
    with warnings.catch_warnings(action="ignore"):  # its parser of ranges
        eval7 = pytest.importorskip("eval7")
    cards = [eval7.Card(name) for name in DECK]
    left = [card for card in range(52) if card not in {*board, *itertools.chain(*holes)}]

    def shares():
        won = np.zeros(len(holes))
        for rest in itertools.combinations(left, 5 - len(board)):
            table = [cards[card] for card in (*board, *rest)]
            ranks = np.array([eval7.evaluate([*table, *(cards[card] for card in hole)]) for hole in holes])
            won += (ranks == ranks.max()) / (ranks == ranks.max()).sum()
        return won / won.sum()

    return shares


@pytest.mark.benchmark(group="pot shares of four holdings on a flop")
@pytest.mark.parametrize("package", ["baycarp", "eval7"])
def test_shares(benchmark, package):
    deck = list(deal(1, 0, 0, 11))
    holes, board = [deck[2 * i : 2 * i + 2] for i in range(4)], deck[8:]
    ours = lambda: runout(holes, board, [0b1111])[0]  # noqa: E731
    theirs = ranked_by_eval7(holes, board)
    np.testing.assert_allclose(ours(), theirs(), atol=1e-12)
    benchmark(ours if package == "baycarp" else theirs)
