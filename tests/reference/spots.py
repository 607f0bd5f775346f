"""Situations of play, and the same situations with all unseen cards dealt again."""

import numpy as np
from reference.play import random_hand

from baycarp.game.state import State


def spots(variant, hands, seed, boldness=0.6):
    """The state before every decision of some random hands."""
    rng = np.random.default_rng(seed)
    for _ in range(hands):
        _, observed = random_hand(variant, rng, boldness)
        for observation in observed:
            yield observation.state


def redealt(state, seat, rng):
    """A state with the same observation of the seat, but other unseen cards."""
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
