"""Choices and observations of the compiled hand, and what they refuse; ``tests/env`` compares whole hands."""

import numpy as np
import pytest

from baycarp.errors import ArgumentError, CardError, VariantError
from baycarp.game import Action, State, Variant
from baycarp.kernels.episodes import MOST_EPISODES, MOST_SIZES, Episodes, Menu

DEEP = Variant.load("holdem.nolimit.2p.100bb")
LIMIT = Variant.load("holdem.limit.8p")


@pytest.mark.parametrize("game", [DEEP, LIMIT])
def test_sizes_are_shares_of_the_pot_after_the_call(game):
    """By the definition, in every state of random hands."""
    rng, sizes = np.random.default_rng(1), (0.2, 0.5, 1.0, 1.5, 4.0)
    menu = Menu(game.rules, sizes)
    assert menu.choices == (3 if game is LIMIT else 8)
    for _ in range(200):
        state = State(game)
        while not state.is_over:
            owed, least, most, made = state.bounds()
            pot, level, expected = state.pot + owed, max(state.bets), [0 if owed else -1, 0]
            taken = set()
            for size in menu.sizes:
                total = int(level + size * pot)
                fits = bool(least) and least <= total < most and total not in taken
                expected.append(total if fits else -1)
                taken.add(total)
            expected.append(most or -1)
            amounts = menu.amounts(state)
            assert list(amounts) == expected
            choice = int(rng.choice([number for number, amount in enumerate(amounts) if amount >= 0]))
            name = ("raise" if made else "bet") if choice > 1 else "fold" if choice == 0 else None
            state.apply(Action(name, amounts[choice]) if name else state.named("call" if owed else "check"))
        assert set(menu.amounts(state)) == {-1}


def test_a_history_is_by_street_and_seat():
    game = Variant.ring(3)
    state = State(game, deck="AhAdKsKcQsQd2s7h9d3c4c")
    for name in ("raise", "call", "raise", "call", "call", "check", "bet"):
        state.apply(state.named(name))
    acts = [(act.seat, act.street, act.action.name) for act in state.acts]
    seen = Menu(game.rules, ()).observe(state, acts, 2)
    counts = [seen[115 + 14 * k + 6 : 115 + 14 * k + 14].tolist() for k in range(3)]
    button, small, big = counts
    assert button == [1, 0, 0, 0, 1, 0, 0, 0]
    assert small == [2, 1, 0, 0, 0, 0, 0, 0]
    assert big == [0, 0, 0, 0, 1, 1, 0, 0]


@pytest.mark.parametrize(
    "sizes", [(0,), (-1, 1), (1, 1), (2, 1), (float("nan"),), (1e7,), range(1, MOST_SIZES + 2)]
)
def test_wrong_sizes_are_refused(sizes):
    with pytest.raises(ArgumentError, match="rising shares"):
        Menu(DEEP.rules, sizes)


def test_unseen_boards_and_wrong_seats_are_refused():
    menu, state = Menu(DEEP.rules, (1,)), State(DEEP)
    with pytest.raises(ArgumentError, match="seat 2"):
        menu.observe(state, [], 2)
    assert not menu.observe(state, [], 0)[:104].any()
    for name in ("call", "check"):
        state.apply(state.named(name))
    with pytest.raises(CardError, match="expected 3 cards on street 1"):
        menu.observe(state, [], 0)


@pytest.mark.parametrize(
    ("stacks", "habits", "seat", "count", "error"),
    [
        ((1, 2, 3), [None], None, 1, VariantError),
        ((100, 100), [], None, 1, ArgumentError),
        ((100, 100), [None], 2, 1, ArgumentError),
        ((100, 100), [None], None, 0, ArgumentError),
        ((100, 100), [None], None, MOST_EPISODES + 1, ArgumentError),
    ],
)
def test_wrong_episodes_are_refused(stacks, habits, seat, count, error):
    with pytest.raises(error):
        Episodes(Menu(DEEP.rules, ()), stacks, habits, seat, count)


def test_a_seed_out_of_range_is_refused():
    episodes = Episodes(Menu(DEEP.rules, ()), (100, 100), [None], None, 2)
    for seed in (-1, 2**64):
        with pytest.raises(ArgumentError, match="seed"):
            episodes.start(seed)
    with pytest.raises(ArgumentError, match="episode 2"):
        episodes.deck(2)
