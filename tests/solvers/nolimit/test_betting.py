"""The betting of the abstract game, against a count of its own and against hands that are played out."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from baycarp.errors import VariantError
from baycarp.game import State, Variant
from baycarp.rules.betting.sizes import SOLVED, BetRange
from baycarp.solvers.nolimit.betting import nolimit_betting, sized_actions

GAME = Variant.load("holdem.nolimit.2p.100bb")
GAMES = (GAME, Variant.load("holdem.nolimit.2p.reverse_blinds"))


OWN = {
    0: ((1 / 2, 3 / 4, 1), (1, 3 / 2), (3 / 4,), (1 / 2,)),
    1: ((1 / 3, 3 / 4, 3 / 2), (1 / 2, 1), (3 / 4,)),
    2: ((1 / 2, 1, 2), (3 / 4,)),
    3: ((1 / 3, 3 / 4, 3 / 2, 5), (3 / 4,)),
}
"""Shares of the pot, by street and by the bets made on it."""


@cache
def decisions(street, pot, owed, last, stack, acted, made=0):
    """Decisions from one on, by arithmetic of our own.

    Chips in the pot, to call, of the last raise, of the player's stack; whether the opponent has acted.
    """
    left, total = stack - owed, 1
    if not acted:
        total += decisions(street, pot + owed, 0, last, left, True, made)
    elif street < 3 and left:
        total += decisions(street + 1, pot + owed, 0, 100, left, False)
    if left:
        shares = OWN[street][made] if made < len(OWN[street]) else ()
        sizes = {max(int(share * (pot + owed) + 0.5), last) for share in shares}
        for bet in sizes:
            if bet < 2 / 3 * left:
                total += decisions(street, pot + owed + bet, bet, max(bet, last), left, True, made + 1)
        total += 1  # all-in: the opponent folds or calls
    return total


@pytest.mark.parametrize("game", GAMES)
def test_the_number_of_decisions(game):
    """The small blind acts first before the flop, 50 to call into 150; a raise is at least 100."""
    stack = game.stacks[0] - 50
    assert len(nolimit_betting(game).actors) == decisions(0, 150, 50, 100, stack, False)


@pytest.mark.parametrize("game", [*GAMES, replace(GAME, name="uneven", stacks=(3000, 8000), antes=(10, 10))])
def test_paths_are_hands_of_the_game(game):
    tree, draw = nolimit_betting(game), np.random.default_rng(4)
    for _ in range(300):
        state, node = State(game), 0
        while node >= 0:
            actions = tree.actions(node)
            assert (tree.actors[node], tree.streets[node]) == (state.to_act, state.street)
            assert list(sized_actions(state)) == list(actions)
            if legal := BetRange.of(state):
                bets = {letter: bet for letter, bet in sized_actions(state).items() if letter not in "fc"}
                shares = {letter: pytest.approx(legal.proportion(bet)) for letter, bet in bets.items()}
                assert dict(tree.sizes(node).proportions) == shares
            letter = list(actions)[draw.integers(len(actions))]
            folder = state.to_act
            state.apply(sized_actions(state)[letter])
            node = actions[letter]
        assert state.is_over
        assert tree.chips[-1 - node] == min(state.committed) / 100
        assert tree.folded[-1 - node] == (folder if letter == "f" else -1)


def test_eight_sizes_are_bet_at_both_depths():
    """Every letter leads to decisions, and no decision has more actions than the kernel takes."""
    for game in GAMES:
        tree = nolimit_betting(game)
        assert set(tree.letters) == {"f", "c", *SOLVED.letters}
        assert len(SOLVED.letters) == 8
        assert np.diff(tree.edges).max() <= 8


def test_nodes_by_letters():
    tree = nolimit_betting(GAME)
    assert tree.node("") == 0
    assert tree.streets[tree.node("ccsc")] == 2
    for letters in ("cf", "x", "aa", "cccccccc"):
        with pytest.raises(VariantError, match="expected a decision"):
            tree.node(letters)


def test_other_games_are_refused():
    limit = Variant.load("holdem.limit.2p.reverse_blinds")
    for game in (limit, Variant.load("holdem.nolimit.3p")):
        with pytest.raises(VariantError, match="expected no-limit, 2 seats"):
            nolimit_betting(game)
    with pytest.raises(VariantError, match="at most"):
        nolimit_betting(replace(GAME, name="deep", stacks=(10**7, 10**7)))
