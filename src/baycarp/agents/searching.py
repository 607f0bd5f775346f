"""A turn as searches read it: the abstraction of tree search and look-ahead."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.game import Action, Observation
from baycarp.kernels.game import CALL, FOLD
from baycarp.opponents.moves.buckets import OUTS, Buckets
from baycarp.rules.features import coded

__all__ = ["SIZES", "SearchTurn"]

SIZES = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0)
"""Raises of the abstraction, in pots after the call, besides the least one and all-in."""


@dataclass(frozen=True, slots=True)
class SearchTurn:
    """A turn as a search reads it: codes of the acts so far, the sizes of raises, the kind of buckets."""

    observation: Observation
    acts: list[tuple[int, int]]
    sizes: tuple[float, ...]
    kind: Buckets = OUTS

    @classmethod
    def of(
        cls, observation: Observation, kind: Buckets = OUTS, sizes: Sequence[float] = SIZES
    ) -> "SearchTurn":
        """The turn of an observation; fixed limit has no ``sizes``."""
        sized = tuple(sizes) if observation.variant.betting == "no-limit" else ()
        return cls(observation, coded([act.action for act in observation.acts]), sized, kind)

    @property
    def buckets(self) -> NDArray[np.uint8]:
        """The bucket of each holding; shape (1326,)."""
        return self.kind.on(self.observation.board, self.observation.variant.seats)

    def action(self, kind: int, amount: int) -> Action:
        """The action of a move."""
        if kind == FOLD:
            return Action("fold")
        owed = self.observation.state.owed
        if kind == CALL:
            return Action("call", owed) if owed else Action("check")
        return Action(self.observation.legal_actions()[-1].name, amount)

    def begins_as(self, before: "SearchTurn") -> bool:
        """Whether the game and the stacks at the start are those of another turn."""
        own, then = self.observation.state, before.observation.state
        return own.variant == then.variant and own.begun().stacks == then.begun().stacks

    def follows(self, before: "SearchTurn") -> bool:
        """Whether it is a later turn of the same hand."""
        own, then, done = self.observation, before.observation, len(before.acts)
        played_on = (own.hand, own.seat, own.hole) == (then.hand, then.seat, then.hole)
        same = played_on and own.board[: len(then.board)] == then.board
        return same and done < len(self.acts) and self.acts[:done] == before.acts and self.begins_as(before)
