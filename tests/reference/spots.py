"""Situations that come up when people play, and the same ones with everything unseen dealt anew."""

import numpy as np
from reference.play import random_hand

from baycarp.game.state import State


def spots(variant, hands, seed, boldness=0.6):
    """The whole state before every decision of some random hands."""
    rng = np.random.default_rng(seed)
    for _ in range(hands):
        _, observed = random_hand(variant, rng, boldness)
        for observation in observed:
            yield observation.state


def redealt(state, seat, rng):
    """The same situation as the seat sees it, with other hole cards elsewhere and other cards to come."""
    hole, board = state.hole_of(seat), state.board
    rest = rng.permutation([card for card in range(52) if card not in (*hole, *board)]).tolist()
    dealt = []
    for position in range(state.variant.seats):
        dealt += hole if position == seat else [rest.pop(), rest.pop()]
    dealt += [*board, *(rest.pop() for _ in range(5 - len(board)))]
    other = State(state.variant, deck=dealt)
    for act in state.acts:
        other.apply(act.action)
    return other
