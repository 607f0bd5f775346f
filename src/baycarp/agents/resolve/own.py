"""The weights of a position's holdings, carried through a hand."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from baycarp.card import blocked_by
from baycarp.game import Action, State
from baycarp.game.state import SHOWN

__all__ = ["OwnRange"]

Key = tuple[str, tuple[int, ...], int | None]


class OwnRange:
    """A position's range: the probability of its own acts, given each holding.

    Each act counts by the policy that decided it: the one recorded by ``decided``, else by ``chance``.

    Parameters
    ----------
    chance
        The probability of an act by holding, shape (1326,), where nothing else decided: such as
        ``blueprint.Blueprint.chance``.
    """

    def __init__(self, chance: Callable[[State, Action], NDArray[np.float64]]) -> None:
        self._chance = chance
        self._decided: dict[Key, tuple[tuple[Action, ...], NDArray[np.float64]]] = {}

    def beside(self, chance: Callable[[State, Action], NDArray[np.float64]]) -> "OwnRange":
        """The same recorded decisions, beside another probability where nothing else decided."""
        other = OwnRange(chance)
        other._decided = dict(self._decided)
        return other

    def begin(self) -> None:
        """Forget the decisions of the hand before."""
        self._decided.clear()

    def decided(self, state: State, actions: Sequence[Action], policy: NDArray[np.float64]) -> None:
        """Record a policy that decided: shape (actions, 1326)."""
        self._decided[_key(state)] = tuple(actions), policy

    def at(self, state: State, seat: int) -> NDArray[np.float64]:
        """The weights of a position's holdings at a state of the hand: float64, shape (1326,).

        0 where the board blocks. An act that no holding would choose changes nothing.
        """
        weights = np.where(blocked_by(state.board), 0.0, 1.0)
        replayed = state.begun()
        for act in state.acts:
            if replayed.street and len(replayed.board) < SHOWN[replayed.street]:
                replayed.deal(board=state.board[: SHOWN[replayed.street]])
            if act.seat == seat:
                after = weights * self._share(replayed, act.action)
                weights = after if after.any() else weights
            replayed.apply(act.action)
        return weights

    def _share(self, state: State, action: Action) -> NDArray[np.float64]:
        actions, policy = self._decided.get(_key(state), ((), None))
        if policy is not None and action in actions:
            return np.asarray(policy[actions.index(action)])
        return self._chance(state, action)


def _key(state: State) -> Key:
    return state.betting, state.board, state.to_act
