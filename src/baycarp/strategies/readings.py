"""Descriptions that need no beliefs: every feature of a case is a reading."""

from collections.abc import Mapping
from dataclasses import dataclass

from baycarp.cases import Schema
from baycarp.game.state import Observation
from baycarp.opponents.belief import Belief
from baycarp.rules import PlayerView, read

__all__ = ["Readings"]


@dataclass(frozen=True, slots=True)
class Readings:
    """The readings that a schema's features are named after."""

    def __call__(
        self, observation: Observation, beliefs: Mapping[int, Belief], schema: Schema
    ) -> Mapping[str, str | float]:
        """The value of every feature of the schema.

        Parameters
        ----------
        observation
            The hand, as the position to act observes it.
        beliefs
            Not used.
        schema
            Of the case-base that the decision uses; a feature that is not observed is left out.
        """
        assert observation.seat is not None
        return read(PlayerView(observation, observation.seat), [feature.name for feature in schema.features])
