"""Local best response: what an opponent that looks one action ahead wins from a player, in the real game.

Before each action the responder values a fold, a call and a raise as if both players then checked and called
to the showdown, from its belief about the player's holding: the holdings that its policy would have played
like this. It plays the best of the three. What it wins in play is a lower bound of what a best response
wins. Source: Lisy and Bowling (2017), "Equilibrium approximation quality of current no-limit poker bots".
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from baycarp.card import blocked_by, holding_index
from baycarp.game import Action, State, Variant
from baycarp.game.state import SHOWN
from baycarp.kernels.arguments import seeded
from baycarp.responses.belief import HoldingBelief, ReadPlayer
from baycarp.responses.luck import Luck
from baycarp.rules.betting.context import FOLD_CALL_RAISE

__all__ = ["play_deal", "utilities"]


def utilities(state: State, belief: HoldingBelief) -> Mapping[Action, float]:
    """The value of each legal action in chips, against a fold, if checks and calls follow.

    A raise is answered once by the player's policy: its folds win the pot, its other holdings call.
    """
    values: dict[Action, float] = {}
    pot, owed, weights = state.pot, state.owed, belief.weights
    for action in state.legal_actions():
        if action.name == "fold":
            values[action] = 0.0
        elif action.name in ("check", "call"):
            values[action] = belief.share(state.board, weights) * (pot + owed) - owed
        else:
            after = state.copy()
            paid = after.apply(action).paid
            folds = belief.policies(after)[:, 0]
            called = weights * (1 - folds)
            calls = float(called.sum() / weights.sum())
            value = (1 - calls) * pot
            if calls > 0:
                value += calls * (belief.share(state.board, called) * (after.pot + after.owed) - paid)
            values[action] = value
    return values


def play_deal(
    player: ReadPlayer, variant: Variant, deck: NDArray[np.uint8], position: int, seed: int
) -> list[float]:
    """Play one hand: the chips that the responder wins, and the parts of its luck (``Luck.result``).

    Parameters
    ----------
    player
        The opponent.
    variant
        Heads-up fixed limit.
    deck
        uint8, shape (9,): two hole cards a position, then the board.
    position
        The responder's.
    seed
        Of the player's actions and of the holdings of the belief.
    """
    draw = seeded(seed, position)
    own = deck[2 * position : 2 * position + 2]
    actual = holding_index(*deck[2 - 2 * position : 4 - 2 * position])
    free = np.flatnonzero(~blocked_by(own.tolist()))
    holdings = player.believed(free, draw)
    belief = HoldingBelief(player.apart(), own, holdings, np.ones(len(holdings)), {})
    luck = Luck(player, own, player.possible(free, actual, draw), position, variant)
    state = State(variant)
    while not state.is_over:
        if len(state.board) < SHOWN[state.street]:
            luck.deal(state, deck[4 : 4 + SHOWN[state.street]])
            belief.block(state.board)
        if state.to_act == position:
            values = utilities(state, belief)
            state.apply(max(values, key=values.__getitem__))
            continue
        chances = np.cumsum(luck.policy(state, actual))
        column = min(int(np.searchsorted(chances, draw.random() * chances[-1], side="right")), 2)
        belief.observe(state, column)
        luck.observe(state, column)
        state.apply(next(a for a in state.legal_actions() if FOLD_CALL_RAISE[a.name] == column))
    return luck.result(state, deck[4:])
