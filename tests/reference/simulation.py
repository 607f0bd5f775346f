"""One trial of the simulation player in plain Python: a deal, then play from an action to the end."""

import numpy as np
from reference.triple import triple

from baycarp.card import HOLDINGS, holding_index
from baycarp.game import State, Variant
from baycarp.kernels.sweeps import sweep
from baycarp.rules.betting.context import facing


def small_blind_bet():
    """Four-handed, all in for one bet; the small blind has bet, three are to act."""
    hand = State(Variant.ring(4))
    for name in ("call", "call", "call", "check"):
        hand.apply(hand.named(name))
    hand.deal(holes={1: "AhQh"}, board="Kh7h2c")
    hand.apply(hand.named("bet"))
    return hand


def deal(rng, hole, board, weights, others, seats):
    """Compatible holdings by weight in random order, then the rest of the board."""
    used, holes = {*hole, *board}, {}
    for seat in rng.permutation(others):
        free = ~np.isin(HOLDINGS, list(used)).any(axis=1)
        table = np.where(free, weights[seat], 0.0)
        holes[int(seat)] = tuple(map(int, HOLDINGS[rng.choice(1326, p=table / table.sum())]))
        used |= set(holes[int(seat)])
    rest = [card for card in rng.permutation(52).tolist() if card not in used]
    return holes, [*board, *rest[: 5 - len(board)]]


def play(rng, state, first, hole, holes, board, rules, ppot, npot):
    """Chips won from now on by the player to act, with first action ``first`` ("call" or "raise")."""
    hero = state.to_act
    held = holes | {hero: tuple(hole)}
    hand = state.copy()
    hand.deal(holes=held, board=board)
    before = state.committed[hero]
    name = first
    while True:
        legal = {action.name: action for action in hand.legal_actions()}
        alias = {"fold": ("fold",), "call": ("call", "check"), "raise": ("raise", "bet")}[name]
        hand.apply(next(legal[word] for word in alias if word in legal))
        if hand.is_over or hero not in hand.seats_in:
            break
        seat, spot = hand.to_act, facing(hand.observe(hand.to_act))
        cell = holding_index(*held[seat])
        hs = sweep(board[: hand.street + 2])[cell]
        name = rng.choice(("fold", "call", "raise"), p=triple(spot, rules[seat], hs, ppot[cell], npot[cell]))
    if hero not in hand.seats_in:
        return before - hand.committed[hero]
    return hand.payoffs()[hero] + before
