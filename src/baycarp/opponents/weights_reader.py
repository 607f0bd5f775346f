"""The contract of a reader of opponents: it hands over the weights of an opponent's holdings, and no more.

Strength, potential and hand types follow from the weights by one path, whatever formed them, so that readers
can be exchanged and the difference is the reader's alone.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from baycarp.bn.inference import Inference
from baycarp.bn.network import Network
from baycarp.game import Event, Observation
from baycarp.opponents.belief import Belief, belief_of
from baycarp.opponents.model import OpponentModel, OpponentModelSpec
from baycarp.opponents.uniform import new_opponent_model

__all__ = ["ByWeights", "WeightsModel"]


@dataclass(frozen=True, slots=True)
class ByWeights(OpponentModelSpec):
    """The weights of another model's holdings; groups and hand types are those of the weights.

    Parameters
    ----------
    reader
        The model that forms them; None = weight 1 on every holding.
    """

    reader: OpponentModelSpec | None = None

    @property
    def kind(self) -> str:
        """The reader's, marked: the same reader describes cases otherwise without the contract."""
        return f"weights of {self.reader.kind if self.reader else 'none'}"

    @property
    def needs_network(self) -> bool:
        """Whether the reader is made of a fitted network."""
        return self.reader is not None and self.reader.needs_network

    @property
    def files(self) -> tuple[str, ...]:
        """Those of the reader."""
        return self.reader.files if self.reader else ()

    def new(self, inference: Inference | None) -> OpponentModel:
        """An opponent model that has observed nothing yet."""
        return WeightsModel(new_opponent_model(self.reader, inference))

    def digest(self, network: Network | None) -> str:
        """The reader's."""
        return self.reader.digest(network) if self.reader else ""

    def without_adaptation(self) -> OpponentModelSpec:
        """The same with a reader that learns from no finished hand."""
        return replace(self, reader=self.reader.without_adaptation() if self.reader else None)


class WeightsModel(OpponentModel):
    """Beliefs that follow from the weights of another model.

    Parameters
    ----------
    reader
        The model that forms the weights.
    """

    def __init__(self, reader: OpponentModel) -> None:
        self.reader = reader

    def believe(self, observation: Observation, position: int, player: str) -> Belief:
        """The belief that follows from the reader's weights."""
        return self.believe_all(observation, {position: player})[position]

    def believe_all(self, observation: Observation, opponents: Mapping[int, str]) -> dict[int, Belief]:
        """The belief about each of several opponents."""
        read = self.reader.believe_all(observation, opponents)
        return {position: _from_weights(belief, observation.board) for position, belief in read.items()}

    def suppose(
        self, observation: Observation, position: int, player: str, evidence: Mapping[str, str]
    ) -> Belief:
        """The belief under other evidence."""
        return _from_weights(self.reader.suppose(observation, position, player, evidence), observation.board)

    def possible(
        self, observation: Observation, position: int, player: str, evidence: Mapping[str, str]
    ) -> Iterator[tuple[str, str | None]]:
        """As the reader has it."""
        return self.reader.possible(observation, position, player, evidence)

    def learn(self, event: Event) -> None:
        """The reader learns."""
        self.reader.learn(event)


def _from_weights(belief: Belief, board: tuple[int, ...]) -> Belief:
    held = belief.weights / belief.weights.sum()
    return belief_of((belief.position, belief.player), belief.evidence, held, board)
