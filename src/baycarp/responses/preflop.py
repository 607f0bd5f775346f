"""The best response before the flop, from the values of flops."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import ClassPolicies
from baycarp.agents.cases.classes import checked_policies
from baycarp.card import CLASS_OF, HOLDS, blocked_by
from baycarp.game import State, Variant
from baycarp.responses.suits import FLOPS
from baycarp.rules.betting.context import FOLD_CALL_RAISE

__all__ = ["LEFT", "PAIRS", "PreflopBetting", "by_class"]

PAIRS = 1326 * 1225
"""Pairs of a holding of each player."""

LEFT = 17_296
"""Flops of the 48 cards that a pair leaves."""


def by_class(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Values by holding, the last axis, summed by starting class: shape (..., 169)."""
    sums = np.zeros((169, *values.shape[:-1]))
    np.add.at(sums, CLASS_OF, np.moveaxis(values, -1, 0))
    return np.moveaxis(sums, 0, -1)


def _compatible(reach: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each holding the reach of those that share no card with it."""
    with_card = HOLDS @ reach
    return np.asarray(reach.sum() - HOLDS.T @ with_card + reach)


@dataclass(frozen=True, slots=True)
class PreflopBetting:
    """The betting before the flop, against one opponent.

    Parameters
    ----------
    player, variant
        The opponent and its game.
    position
        The responder's.
    """

    player: ClassPolicies
    variant: Variant
    position: int

    def reached(self) -> tuple[list[State], NDArray[np.float64]]:
        """The states in which a flop is dealt, and the opponent's reach there; shape (states, 1326)."""
        states, reach = [], []

        def end(state: State, probability: NDArray[np.float64]) -> NDArray[np.float64]:
            states.append(state)
            reach.append(probability)
            return np.zeros((1, 169))

        self._walk(State(self.variant), np.ones(1326), end)
        return states, np.array(reach)

    def pairs(self, flop: Sequence[int] = ()) -> NDArray[np.float64]:
        """The opponent's reach of a flop, summed over the pairs of holdings that it leaves, by class.

        Parameters
        ----------
        flop
            Ids; none = the mean over all flops.

        Returns
        -------
        float64 array, shape (states of ``reached``, 169)
        """
        free = ~blocked_by(flop)
        share = 1.0 if flop else LEFT / FLOPS
        reach = self.reached()[1] * free
        return share * by_class(np.array([_compatible(row) * free for row in reach]))

    def values(self, chosen_on: NDArray[np.float64], valued_on: NDArray[np.float64]) -> NDArray[np.float64]:
        """The chips a hand that the responder wins, by flop.

        Parameters
        ----------
        chosen_on
            The values by which its actions are chosen, chips a hand: by state of ``reached`` and class;
            shape (states, 169).
        valued_on
            The values of flops; shape (flops, states, 169).

        Returns
        -------
        float64 array, shape (flops,)
            The sums over classes. With all flops of the game their mean is the value of the strategy.
        """
        ends = iter(range(chosen_on.shape[0]))
        rows = np.concatenate([chosen_on[None], valued_on])

        def end(state: State, probability: NDArray[np.float64]) -> NDArray[np.float64]:
            return rows[:, next(ends)]

        values = self._walk(State(self.variant), np.ones(1326), end)
        return np.asarray(values[1:].sum(axis=1))

    def _walk(
        self,
        state: State,
        reach: NDArray[np.float64],
        end: Callable[[State, NDArray[np.float64]], NDArray[np.float64]],
    ) -> NDArray[np.float64]:
        """Values by row and class; at the responder's decisions the action is chosen by the first row."""
        if state.is_over:
            won = state.payoffs()[self.position] * by_class(_compatible(reach)) / PAIRS
            return np.asarray(won[None])
        if state.street:
            return end(state, reach)
        mine = state.to_act == self.position
        if not mine:
            policies = checked_policies(self.player.class_policies(state), state)
            policies = policies[self.player.hand_classes(state)]
        branches = []
        for action in state.legal_actions():
            after = state.copy()
            after.apply(action)
            column = FOLD_CALL_RAISE[action.name]
            branches.append(self._walk(after, reach if mine else reach * policies[:, column], end))
        values = np.stack(np.broadcast_arrays(*branches))
        if not mine:
            return np.asarray(values.sum(axis=0))
        best = values[:, 0].argmax(axis=0)
        return np.asarray(np.take_along_axis(values, best[None, None], axis=0)[0])
