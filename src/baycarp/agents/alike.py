"""A bot that plays like a player: by the model that was learned from the player's hands.

Every action is drawn by the probabilities of the player's model for its own holding
(``opponents.moves.learned``); it reads no opponent.
"""

from baycarp.agents.anytime import Answer, Recorder
from baycarp.agents.base import Decision, Plays, Seeded
from baycarp.agents.factory import Factory
from baycarp.agents.mcts import policy_of
from baycarp.agents.sampling import draw, generator
from baycarp.budget import Budget
from baycarp.game import Observation
from baycarp.opponents.moves.players import SHIPPED, load_players

__all__ = ["ALIKE", "Alike"]


class Alike(Seeded):
    """A player that acts as the player of a model.

    Parameters
    ----------
    model
        The file of ``stats.player(NAME).model().save(FILE)``; None = the shipped models' players together.

    Raises
    ------
    ModelError
        The file cannot be read.
    """

    plays = Plays(frozenset({"limit", "no-limit"}), 2, 9)

    def __init__(self, model: str | None = None) -> None:
        self.players = load_players(SHIPPED if model is None else model)

    @property
    def loaded_from(self) -> list[str]:
        """The digest of its file."""
        return [f"model {self.players.digest}"]

    def decide(
        self, observation: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """Draw an action by the model; see ``Agent.decide``."""
        self.plays.verify_turn(observation)
        recorder = Recorder((budget or Budget(time=time_limit)).start())
        bucket, policy = policy_of(self.players, observation)
        action = draw(policy, generator(self._seed, observation).random())
        count = self.players.buckets.count
        reason = f"bucket {bucket + 1} of {count} by strength, as the player of the model acts"
        return recorder.decision(Answer(action, policy, reason))


ALIKE = Factory(Alike, "plays like a player of your hands, by a learned model: alike(model='FILE')")
