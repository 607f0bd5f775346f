"""Hands for tests: from given actions, or at random."""

import numpy as np

from baycarp.game.state import Observation, State


def play(variant, names, deck=None, stacks=None):
    """Play a hand from names of actions, ``f k c b r`` or whole words, blanks between."""
    words = {"f": "fold", "k": "check", "c": "call", "b": "bet", "r": "raise"}
    state = State(variant, stacks, deck)
    for name in names.split():
        state.apply(state.named(words.get(name, name)))
    return state


def random_hand(variant, rng, boldness=1.0):
    """Play a random hand, bets and raises ``boldness`` times as likely; return it and a trainer's record."""
    deck = rng.choice(52, 2 * variant.seats + 5, replace=False).tolist()
    state, observation = State(variant, deck=deck), []
    while not state.is_over:
        observation.append(Observation(state.copy()))
        actions = state.legal_actions()
        weights = np.array(
            [{"fold": 0.3, "bet": boldness, "raise": boldness}.get(a.name, 1.0) for a in actions]
        )
        state.apply(actions[rng.choice(len(actions), p=weights / weights.sum())])
    return state, observation
