"""A blueprint that is re-solved from the turn on: its policies at every public state."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.resolve.blueprint import Blueprint, nearest
from baycarp.agents.resolve.own import OwnRange
from baycarp.agents.resolve.promises import Promises, promises
from baycarp.agents.resolve.solve import Resolved, solve
from baycarp.agents.resolve.subgame import Subgame
from baycarp.errors import VariantError
from baycarp.game import Action, State
from baycarp.game.state import SHOWN
from baycarp.solvers.spots.betting import Step

__all__ = ["ResolvedHands"]

_Root: TypeAlias = tuple[str, tuple[int, ...], int, tuple[Step, ...]]
"""The betting and the board at the root, the position that re-solves, and a line that the tree lacked."""

KEPT = 4
"""Re-solves that are kept, of the hands in play; one of the turn takes some 100 MB."""


class ResolvedHands:
    """The policies of a blueprint that is re-solved at the start of the turn, and again of the river.

    On the turn the opponent is promised its best-response values against the blueprint, on the river those
    against the re-solve of the turn. The policies depend on the public state alone.

    Parameters
    ----------
    blueprint
        It decides before the turn, and where a player is all-in.
    safe
        Whether anything is promised.
    root
        The first street that is re-solved: 2 turn, 3 river.
    """

    def __init__(self, blueprint: Blueprint, safe: bool = True, root: int = 2) -> None:
        self.blueprint, self.safe, self.root = blueprint, safe, root
        self._own, self._other = OwnRange(self._chance), OwnRange(self._believed)
        self._kept: dict[_Root, Resolved] = {}

    def shares(self, state: State, actions: Sequence[Action]) -> NDArray[np.float64]:
        """The shares of these actions of the player to act, by holding; see ``subgame.Shares``."""
        assert state.to_act is not None
        solved = self.at(state, state.to_act)
        if solved is None:
            return self.blueprint.table(state, actions)[self.blueprint.classes(state)].T
        return solved.policy[[solved.actions.index(action) for action in actions]]

    def at(self, state: State, seat: int) -> Resolved | None:
        """The re-solve of the street for a position, at a decision; None = the blueprint decides."""
        if state.street < self.root:
            return None
        try:
            subgame = Subgame.of(state)
        except VariantError:
            return None
        root = self._root(subgame, seat)
        return replace(root, subgame=subgame)

    def _chance(self, state: State, action: Action) -> NDArray[np.float64]:
        """The probability of an act of the player to act, by its own re-solve."""
        assert state.to_act is not None
        return self._by(state.to_act, state, action)

    def _believed(self, state: State, action: Action) -> NDArray[np.float64]:
        """The same, as the other position expects it."""
        assert state.to_act is not None
        return self._by(1 - state.to_act, state, action)

    def _by(self, seat: int, state: State, action: Action) -> NDArray[np.float64]:
        solved = self.at(state, seat)
        if solved is None:
            return self.blueprint.chance(state, action)
        return np.asarray(solved.policy[nearest(action, solved.actions)])

    def _root(self, subgame: Subgame, seat: int) -> Resolved:
        start = subgame.start
        key = start.betting, start.board, seat, subgame.added
        if key not in self._kept:
            found = self._solve(subgame, seat)
            while len(self._kept) >= KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = found
        return self._kept[key]

    def _solve(self, subgame: Subgame, seat: int) -> Resolved:
        start, player = subgame.start, subgame.seats.index(seat)
        ranges = self._own.at(start, seat), self._other.at(start, 1 - seat)
        promised = self._promises(subgame, seat, ranges[0]) if self.safe else None
        return solve(subgame, player, ranges, promised=promised)

    def _promises(self, subgame: Subgame, seat: int, own: NDArray[np.float64]) -> Promises | None:
        """What is promised: by the turn's re-solve, or by the blueprint; None = the blueprint was left."""
        start = subgame.start
        turn = self._turn(start, seat) if start.street == 3 else None
        if turn is not None:
            return turn.promises(subgame) if turn.safe else None
        if not self.blueprint.is_solved(start):
            return None
        return promises(subgame, self.blueprint, subgame.seats.index(seat), own)

    def _turn(self, start: State, seat: int) -> Resolved | None:
        """The re-solve of the turn before a river."""
        last = start.begun()
        acts = start.acts[:-1]
        for act in acts:
            last.apply(act.action)
        last.deal(board=start.board[: SHOWN[2]])
        return self.at(last, seat)
