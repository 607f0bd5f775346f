"""Clusters of players as an opponent model: the belief by the moves of a hand, whatever their sizes.

The search reads its opponents by the same ``reading.Reader``; here its joint probability of cluster and
holding is summed over the clusters.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from baycarp.bn.inference import Inference
from baycarp.bn.network import Network
from baycarp.game import Event, HandOver, Observation
from baycarp.opponents.acts import CHOICES, ActsModel
from baycarp.opponents.belief import Belief, belief_of
from baycarp.opponents.model import OpponentModelSpec
from baycarp.opponents.moves.individual import KINDS, PredictedAct
from baycarp.opponents.moves.players import Players, load_players
from baycarp.opponents.moves.reading import Reader
from baycarp.rules.features import SITUATIONS

__all__ = ["ByMoves", "MovesModel"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ByMoves(OpponentModelSpec):
    """The clusters of players of van der Kleij (2010), chapter 6, as an opponent model.

    Parameters
    ----------
    players
        The models of the clusters; None = those that come with the package.
    adaptive
        Whether it learns from finished hands; otherwise every player remains a new one.
    """

    players: Players | None = None
    adaptive: bool = True
    kind: ClassVar[str] = "moves"
    needs_network: ClassVar[bool] = False

    @property
    def files(self) -> tuple[str, ...]:
        """The models of the clusters."""
        return (f"players {self._loaded().digest}",)

    def new(self, inference: Inference | None) -> "MovesModel":
        """An opponent model that has observed nothing yet."""
        return MovesModel(Reader(self._loaded()), self.adaptive)

    def digest(self, network: Network | None) -> str:
        """The first digits of the digest of the clusters."""
        return self._loaded().digest[:16]

    def _loaded(self) -> Players:
        return self.players or load_players()


class MovesModel(ActsModel):
    """One seat's reading of all players.

    Parameters
    ----------
    reader
        Of the hands at the table.
    adaptive
        Whether it learns from finished hands.

    Examples
    --------
    >>> from baycarp.game.notation.observe import observe
    >>> text = "MATCHSTATE:0:0:r300c/:AhKd|/Qs7d2c"
    >>> belief = ByMoves().new(None).believe(observe(text, game="holdem.nolimit.2p.100bb"), 1, "")
    >>> list(belief.evidence.values())
    ['bets or raises']
    """

    choices: ClassVar[tuple[str, ...]] = CHOICES[1:]

    def __init__(self, reader: Reader, adaptive: bool = True) -> None:
        self.reader = reader
        self.adaptive = adaptive

    def believe(self, observation: Observation, position: int, player: str) -> Belief:
        """The belief about the opponent's cards."""
        own = self._acts(observation, position)
        held = self.reader.joint(observation)[position].sum(axis=0)
        return belief_of((position, player), _evidence(own), held, observation.board)

    def supposed(
        self, observation: Observation, position: int, player: str, evidence: Mapping[str, str]
    ) -> Array:
        """Weights of the holdings if the acts were those of the evidence."""
        own = self._acts(observation, position)
        likelihood: Array = np.ones(())
        for act, (label, done) in zip(own, _evidence(own).items(), strict=True):
            if label in evidence:
                choice = evidence[label]
                same = slice(act.choice, act.choice + 1)
                columns = same if choice == done else KINDS[CHOICES.index(choice)]
                likelihood = likelihood * act.chances[:, :, columns].sum(axis=2)[:, act.buckets]
        return np.asarray(self.reader.held(observation, position, likelihood).sum(axis=0))

    def learn(self, event: Event) -> None:
        """Learn from a finished hand and the cards shown; other events are ignored."""
        if self.adaptive and isinstance(event, HandOver):
            self.reader.learn(event.observation)

    def _acts(self, observation: Observation, position: int) -> Sequence[PredictedAct]:
        return self.reader.moves(observation).get(position, ())


def _evidence(acts: Sequence[PredictedAct]) -> dict[str, str]:
    """The acts of a player, for the record: number, situation, and choice."""
    return {
        f"{number}. {SITUATIONS[act.situation]}": CHOICES[min(act.choice, len(CHOICES) - 1)]
        for number, act in enumerate(acts, start=1)
    }
