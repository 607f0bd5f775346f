"""No model of the opponents: every holding is as likely as another."""

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from baycarp.bn.inference import Inference
from baycarp.card import blocked_by
from baycarp.game import Event, Observation
from baycarp.opponents.belief import NONE, Belief
from baycarp.opponents.model import OpponentModel, OpponentModelSpec

__all__ = ["UniformModel", "new_opponent_model"]


class UniformModel(OpponentModel):
    """Every opponent may hold any two hidden cards."""

    def believe(self, observation: Observation, position: int, player: str) -> Belief:
        """Any two cards."""
        weights: NDArray[np.float64] = np.where(blocked_by([*observation.hole, *observation.board]), 0.0, 1.0)
        return Belief(position, player, {}, NONE, NONE, weights)

    def suppose(
        self, observation: Observation, position: int, player: str, evidence: Mapping[str, str]
    ) -> Belief:
        """Any two cards."""
        return self.believe(observation, position, player)

    def possible(
        self, observation: Observation, position: int, player: str, evidence: Mapping[str, str]
    ) -> Iterator[tuple[str, str | None]]:
        """None."""
        return iter(())

    def learn(self, event: Event) -> None:
        """Nothing is learned."""


def new_opponent_model(spec: OpponentModelSpec | None, inference: Inference | None) -> OpponentModel:
    """The opponent model of a specification; None = every holding is as likely as another."""
    return spec.new(inference) if spec else UniformModel()
