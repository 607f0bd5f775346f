"""A case player whose decisions an architecture makes."""

from pathlib import Path
from typing import Self

from baycarp.agents.anytime import Answer, Recorder
from baycarp.agents.cases.case_player import CasePlayer
from baycarp.cases import CaseBase, Retrieved, Situation, retrieve
from baycarp.game import Event
from baycarp.strategies.episode import DecisionPoint
from baycarp.strategies.model import Model
from baycarp.strategies.spec import Strategy

__all__ = ["Coupled", "Features"]


class Features:
    """BN-CBR-2: what the reader computes are features of a case, and the similar cases decide.

    The base of all architectures: it changes nothing of a case player, so that this is BayCaRP2, or with no
    reader the cases alone. Tight, horizontal: the network takes I and A, the cases take D and more of I, and
    give C.
    """

    @classmethod
    def of(cls, folder: Path | None) -> Self:
        """The architecture with the models of a folder; None = of the shipped model, which needs no more."""
        return cls()

    def begin(self, player: "Coupled") -> None:
        """Begin a session of a player."""

    def learn(self, event: Event) -> None:
        """Learn from an event."""

    def similar(self, casebase: CaseBase, situation: Situation) -> Retrieved:
        """The cases that a situation retrieves."""
        return retrieve(casebase, situation)

    def answer(self, player: "Coupled", point: DecisionPoint, recorder: Recorder) -> Answer:
        """The answer to a described decision; its stages are recorded."""
        found = self.similar(player.casebases[point.schema.name], point.situation)
        return player.reuse.decide(point, player.query(point, found, recorder), recorder)


class Coupled(CasePlayer):
    """A case player with an architecture. It stores no case of its own decisions: arms keep equal cases.

    Parameters
    ----------
    strategy, model
        As of a case player; the strategy's opponent model is the reader.
    architecture
        Makes the decisions.
    """

    def __init__(self, strategy: Strategy, model: Model, architecture: Features) -> None:
        self.architecture = architecture
        super().__init__(strategy, model, learning=False)

    def begin(self, seed: int) -> None:
        """Begin a session: the opponent models are new, nothing is pending."""
        super().begin(seed)
        self.architecture.begin(self)

    def learn(self, event: Event) -> None:
        """Update the opponent models."""
        super().learn(event)
        self.architecture.learn(event)

    def similar(self, casebase: CaseBase, situation: Situation) -> Retrieved:
        """The cases that the architecture retrieves."""
        return self.architecture.similar(casebase, situation)

    def answer(self, point: DecisionPoint, recorder: Recorder) -> Answer:
        """The architecture's answer."""
        return self.architecture.answer(self, point, recorder)
