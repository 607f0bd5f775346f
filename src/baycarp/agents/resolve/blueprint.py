"""Blueprints as a re-solve reads them: tables by class of holding, at any public state."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.solved.equilibrium import Equilibrium, EquilibriumNL
from baycarp.game import Action, State
from baycarp.rules.betting.context import FOLD_CALL_RAISE

__all__ = ["Blueprint", "LimitTables", "NoLimitTables", "nearest"]


class Blueprint(Protocol):
    """A strategy as tables: by public state, the shares of actions by class of holding."""

    def classes(self, state: State) -> NDArray[np.uint16]:
        """The class of each holding on the board of a state: uint16, shape (1326,)."""

    def table(self, state: State, actions: Sequence[Action]) -> NDArray[np.float64]:
        """The shares of these actions by class: float64, shape (classes, actions)."""

    def chance(self, state: State, action: Action) -> NDArray[np.float64]:
        """The probability of an act, given each holding: float64, shape (1326,)."""

    def is_solved(self, state: State) -> bool:
        """Whether the betting so far is that of the game that was solved."""


class LimitTables:
    """A solved strategy of fixed limit.

    Parameters
    ----------
    player
        Plays it.
    """

    def __init__(self, player: Equilibrium) -> None:
        self.player = player

    def classes(self, state: State) -> NDArray[np.uint16]:
        """The class of each holding; see ``Blueprint``."""
        return self.player.hand_classes(state)

    def table(self, state: State, actions: Sequence[Action]) -> NDArray[np.float64]:
        """The shares of these actions by class; see ``Blueprint``."""
        columns = [FOLD_CALL_RAISE[action.name] for action in actions]
        return self.player.class_policies(state)[:, columns]

    def chance(self, state: State, action: Action) -> NDArray[np.float64]:
        """The probability of an act, given each holding; see ``Blueprint``."""
        return np.asarray(self.table(state, (action,))[self.classes(state), 0])

    def is_solved(self, state: State) -> bool:
        """Always: no other game is played."""
        return True


class NoLimitTables:
    """A solved no-limit strategy; its bets count as the nearest one of those that are looked up.

    Parameters
    ----------
    player
        Plays it, without jitter.
    """

    def __init__(self, player: EquilibriumNL) -> None:
        self.player = player

    def classes(self, state: State) -> NDArray[np.uint16]:
        """The class of each holding; see ``Blueprint``."""
        return self.player.hand_buckets(state)

    def table(self, state: State, actions: Sequence[Action]) -> NDArray[np.float64]:
        """The shares of these actions by class; see ``Blueprint``."""
        known, shares = self.player.bucket_policies(state.observe(state.to_act))
        found = np.zeros((shares.shape[1], len(actions)))
        for action, column in zip(known, shares, strict=True):
            found[:, nearest(action, actions)] += column
        return found

    def chance(self, state: State, action: Action) -> NDArray[np.float64]:
        """The probability of the nearest action to an act, given each holding."""
        known, shares = self.player.bucket_policies(state.observe(state.to_act))
        return np.asarray(shares[nearest(action, known)][self.classes(state)])

    def is_solved(self, state: State) -> bool:
        """Whether the betting so far is that of the game that was solved."""
        return self.player.is_solved(state.observe(state.to_act))


def nearest(action: Action, actions: Sequence[Action]) -> int:
    """The number of the action that one counts as: of its kind, the nearest in size; else a check or call."""
    kind = FOLD_CALL_RAISE[action.name]
    same = [number for number, each in enumerate(actions) if FOLD_CALL_RAISE[each.name] == kind]
    same = same or [number for number, each in enumerate(actions) if each.name in ("check", "call")]
    return min(same, key=lambda number: abs(actions[number].amount - action.amount))
