"""What a model of a player expects of its decisions, beside what the player did."""

import numpy as np

from baycarp.agents.mcts import policy_of
from baycarp.game.notation.hand import states

KIND = {"fold": 0, "check": 1, "call": 1, "bet": 2, "raise": 2}


def expected_and_made(players, name, hands):
    """By street the sums of fold, check or call, bet or raise: float64, each of shape (4, 3)."""
    expected, made = np.zeros((2, 4, 3))
    for hand in hands:
        seat = hand.players.index(name)
        for state, action in zip(states(hand), hand.actions, strict=False):
            if state.to_act == seat and state.hole_of(seat):
                _, policy = policy_of(players, state.observe(seat))
                for each, share in policy.items():
                    expected[state.street, KIND[each.name]] += share
                made[state.street, KIND[action.name]] += 1
    return expected, made
