"""The result of a hand against a player of known policy, and the luck of cards, actions and board in it.

A player's holding is random, given the betting and a set of holdings that it may have: its policy gives the
probability of each. A result is therefore the mean over them instead of that of one holding (Bowling,
Johanson, Burch and Szafron 2008, "Strategy evaluation in extensive games with importance sampling").

Beside it stand control variates in AIVAT's manner (Burch, Schmid, Moravcik, Morrill and Bowling 2018): a
value of the state after each card and each action of the player, less the mean of that value before. Each is
0 in the mean. The value is that of an all-in: the share of the pot that the responder wins from these
holdings. It and the constants are our choice; none can bias a result.
"""

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.variance.control import FINAL_POT, GROWTH
from baycarp.game import Action, State, Variant
from baycarp.responses.belief import HoldingBelief, Policies, ReadPlayer
from baycarp.rules.betting.context import FOLD_CALL_RAISE

__all__ = ["PARTS", "Luck", "less_luck"]

PARTS = 8
"""Numbers of a hand's luck: the hole cards; flop, turn and river; the player's actions by street."""

FEW = 10 * PARTS
"""Deals that coefficients are fitted on, at least."""


class Luck:
    """The luck of the responder in a hand so far.

    Parameters
    ----------
    player
        The opponent.
    own
        The responder's cards.
    possible
        Holdings that the player may have, each with the same probability at first, its own among them.
    position
        The responder's.
    variant
        The game.
    """

    def __init__(
        self,
        player: ReadPlayer,
        own: NDArray[np.uint8],
        possible: NDArray[np.int64],
        position: int,
        variant: Variant,
    ) -> None:
        self._belief = HoldingBelief(player, own, possible, np.ones(len(possible)), {})
        self._position = position
        pot = (FINAL_POT[0] + FINAL_POT[1] * variant.seats) * variant.small_bet
        self._parts = np.zeros(PARTS)
        self._parts[0] = pot * (self._share(()) - 1 / 2)

    def _share(self, board: tuple[int, ...]) -> float:
        return self._belief.share(board, self._belief.weights)

    def policy(self, state: State, holding: int) -> Policies:
        """The policy of one of the holdings where the player is to act: shape (3,)."""
        policies: Policies = self._belief.policies(state)[self._belief.holdings == holding][0]
        return policies

    def deal(self, state: State, board: NDArray[np.uint8]) -> None:
        """Deal board cards to a state, and count their luck."""
        before = self._share(state.board)
        state.deal(board=board)
        self._belief.block(state.board)
        self._parts[state.street] += GROWTH[state.street] * state.pot * (self._share(state.board) - before)

    def observe(self, state: State, column: int) -> None:
        """Count the luck of an action of the player, and condition on it."""
        belief = self._belief
        values = np.zeros(3)
        policies, weights = belief.policies(state), belief.weights
        chances = weights @ policies / weights.sum()
        for action in state.legal_actions():
            each = FOLD_CALL_RAISE[action.name]
            if chances[each] > 0:
                values[each] = self._value(state, action, weights * policies[:, each])
        self._parts[4 + state.street] += values[column] - chances @ values
        belief.observe(state, column)

    def _value(self, state: State, action: Action, weights: NDArray[np.float64]) -> float:
        """What the responder wins after an action of the player, all-in if it is no fold."""
        after = state.copy()
        after.apply(action)
        if action.name == "fold":
            return float(after.committed[1 - self._position])
        return (2 * self._belief.share(state.board, weights) - 1) * max(after.committed)

    def result(self, state: State, board: NDArray[np.uint8]) -> list[float]:
        """The responder's chips in the mean over the holdings, and the parts of its luck.

        Parameters
        ----------
        state
            Over.
        board
            All five cards.
        """
        chips = float(min(state.committed))
        if len(state.seats_in) == 2:
            chips *= 2 * self._share(tuple(board.tolist())) - 1
        elif self._position not in state.seats_in:
            chips = -chips
        return [chips, *self._parts.tolist()]


def less_luck(hands: NDArray[np.float64]) -> NDArray[np.float64]:
    """Chips less the luck, each part times a coefficient.

    The coefficients of a half of the deals are those of least squares on the other half, so that they cannot
    fit the luck that they multiply; 1 where there are few deals.

    Parameters
    ----------
    hands
        Results by deal and position; shape (deals, 2, 1 + PARTS).

    Returns
    -------
    float64 array, shape (deals, 2)
    """
    chips = np.empty(hands.shape[:2])
    for half in (0, 1):
        own, other = hands[half::2], hands[1 - half :: 2].mean(axis=1)
        chips[half::2] = own[..., 0] - own[..., 1:] @ _coefficients(other)
    return chips


def _coefficients(deals: NDArray[np.float64]) -> NDArray[np.float64]:
    if len(deals) < FEW:
        return np.ones(PARTS)
    apart = deals - deals.mean(axis=0)
    return np.asarray(np.linalg.lstsq(apart[:, 1:], apart[:, 0], rcond=None)[0])
