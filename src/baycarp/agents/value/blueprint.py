"""The blueprint heads-up: a solved strategy followed through a hand, with the holdings of both positions."""

from collections.abc import Sequence
from copy import copy
from math import log

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import Decision
from baycarp.agents.policy import smallest
from baycarp.agents.resolve.blueprint import LimitTables, NoLimitTables, nearest
from baycarp.agents.resolve.own import OwnRange
from baycarp.agents.solved.equilibrium import Equilibrium, EquilibriumNL
from baycarp.budget import Budget
from baycarp.game import Action, Observation, Variant
from baycarp.game.state import State

__all__ = ["FollowedBlueprint"]

Array = NDArray[np.float64]

NEAR = 1.5
"""The greatest ratio of the stacks of a hand and of the solved game that it is played by."""

SMOOTH = 0.01
"""The share of uniform play in the blueprint's actions, so that no single action excludes it."""


class FollowedBlueprint:
    """A solved strategy of a game for two.

    Parameters
    ----------
    player
        Plays it.
    """

    def __init__(self, player: Equilibrium | EquilibriumNL) -> None:
        self.player = player
        self.tables = NoLimitTables(player) if isinstance(player, EquilibriumNL) else LimitTables(player)
        self._range, self._by_kind = OwnRange(self._chance), OwnRange(self._kind)
        self._hand: tuple[object, ...] = ()
        self._classes: dict[tuple[int, ...], NDArray[np.uint16]] = {}

    def sit(self, seat: int, variant: Variant, seed: int) -> None:
        """Take a seat; see ``Agent.sit``."""
        if self.player.plays.fits(variant):
            self.player.sit(seat, variant, seed)
        self._hand = ()

    def fits(self, state: State) -> bool:
        """Whether a hand has the betting that was solved, and stacks near those there."""
        if not self.player.plays.fits(state.variant):
            return False
        solved = self.player.solution_of(state).betting.variant
        if solved.stacks is None:
            return True
        paid = zip(state.committed, state.stacks, strict=True)
        depth = min(map(sum, paid)) / state.variant.big_blind
        return abs(log(depth * solved.big_blind / min(solved.stacks))) <= log(NEAR)

    def aside(self) -> "FollowedBlueprint":
        """A copy that knows the same: what it records leaves this one as it is."""
        other = copy(self)
        other._range = self._range.beside(other._chance)
        return other

    def decide(self, observation: Observation) -> Decision:
        """The blueprint's own decision."""
        return self.player.decide(observation, budget=Budget())

    def decided(self, observation: Observation, actions: Sequence[Action], policy: Array) -> None:
        """Record the policy of another decision of the hand: shape (actions, 1326)."""
        self._begin(observation)
        self._range.decided(observation.state, actions, policy)

    def reach(self, observation: Observation, state: State, seat: int) -> Array:
        """The probability of the acts of a position up to a state, given each of its holdings; (1326,)."""
        self._begin(observation)
        return self._range.at(state, seat)

    def likelihood(self, observation: Observation, seat: int) -> Array:
        """As ``reach``, of the kinds of the acts of a hand: all sizes of a bet together."""
        self._begin(observation)
        return self._by_kind.at(observation.state, seat)

    def _begin(self, observation: Observation) -> None:
        hand = observation.hand, observation.variant, observation.players
        if hand != self._hand:
            self._hand, self._classes = hand, {}
            self._range.begin()

    def _chance(self, state: State, action: Action) -> Array:
        """The probability of an act, given each holding."""
        if not isinstance(self.player, EquilibriumNL):
            return self._kind(state, action)
        known, shares = self.player.bucket_policies(state.observe(state.to_act))
        return self._by_holding(state, shares[nearest(action, known)])

    def _kind(self, state: State, action: Action) -> Array:
        """The probability of an act of its kind, given each holding."""
        each = tuple(smallest(state.observe(state.to_act)).values())
        return self._by_holding(state, self.tables.table(state, each)[:, nearest(action, each)])

    def _by_holding(self, state: State, shares: Array) -> Array:
        if state.board not in self._classes:
            self._classes[state.board] = self.tables.classes(state)
        return np.asarray(((1 - SMOOTH) * shares + SMOOTH / 3)[self._classes[state.board]])
