"""Opponent models whose evidence is the opponent's own acts in the hand, each with its choice."""

from collections.abc import Iterator, Mapping
from typing import ClassVar

from baycarp.game import Observation
from baycarp.opponents.belief import LEAST, Belief, Chances, belief_of
from baycarp.opponents.model import OpponentModel

__all__ = ["CHOICES", "ActsModel"]

CHOICES = ("folds", "checks or calls", "bets or raises")
"""The choices of an act in the evidence."""


class ActsModel(OpponentModel):
    """A model that weighs holdings by any choices at the opponent's acts."""

    choices: ClassVar[tuple[str, ...]] = CHOICES
    """Those that are compared at an act."""

    def supposed(
        self, observation: Observation, position: int, player: str, evidence: Mapping[str, str]
    ) -> Chances:
        """The probability of the evidence given each holding, up to a factor; acts that it lacks are ignored.

        Returns
        -------
        float64, shape (1326,)
            0 where a card is known.
        """
        raise NotImplementedError

    def suppose(
        self, observation: Observation, position: int, player: str, evidence: Mapping[str, str]
    ) -> Belief:
        """The belief if the opponent had acted otherwise, and all others as they did."""
        weights = self.supposed(observation, position, player, evidence)
        return belief_of((position, player), dict(evidence), weights / weights.sum(), observation.board)

    def possible(
        self, observation: Observation, position: int, player: str, evidence: Mapping[str, str]
    ) -> Iterator[tuple[str, str | None]]:
        """Other acts that the model holds possible: a player still in has not folded."""
        for act, done in evidence.items():
            masses = {
                choice: float(self.supposed(observation, position, player, {**evidence, act: choice}).sum())
                for choice in self.choices
            }
            for choice, mass in masses.items():
                if choice not in (done, CHOICES[0]) and mass >= LEAST * sum(masses.values()):
                    yield act, choice
