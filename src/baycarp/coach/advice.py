"""What the page shows of one decision: the spot, the action taken, what is right there, and the cost."""

from dataclasses import dataclass

from baycarp.agents.value.stages import ActionValue
from baycarp.game import Action, Observation

__all__ = ["Advice"]


@dataclass(frozen=True, slots=True, eq=False)
class Advice:
    """One decision of the player, judged.

    Parameters
    ----------
    observation
        What the player observed. Its ``hand`` is the number of the hand in the log, from 0, and
        ``len(observation.acts)`` the index of the action in it.
    taken
        The action of the player.
    best
        The right actions, the best first: those within the error of the best, and those that the agent mixes.
    cost
        Big blinds that ``taken`` lost beside the best action; 0 where it is right.
    error
        The standard error of the difference, in big blinds; 0 = exact.
    sentence
        Why, in one sentence.
    theme
        The name of the theme that the mistake belongs to; empty = none.
    values
        Of every action, in chips.
    """

    observation: Observation
    taken: Action
    best: tuple[Action, ...]
    cost: float
    error: float
    sentence: str
    theme: str = ""
    values: tuple[ActionValue, ...] = ()

    @property
    def right(self) -> bool:
        """Whether the player's action counts as right."""
        return self.cost == 0
