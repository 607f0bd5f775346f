"""Clusters of players as an opponent model: the belief by the moves of a hand, whatever their sizes.

The search reads its opponents by the same ``reading.Reader``; here its joint probability of cluster and
holding is summed over the clusters.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from baycarp.bn.inference import Inference
from baycarp.bn.network import Network
from baycarp.game import Event, HandOver, Observation
from baycarp.opponents.belief import Belief, belief_of, other_acts
from baycarp.opponents.model import OpponentModel, OpponentModelSpec
from baycarp.opponents.moves.individual import KINDS, PredictedAct
from baycarp.opponents.moves.players import Players, load_players
from baycarp.opponents.moves.reading import Reader
from baycarp.rules.features import SITUATIONS

__all__ = ["ByMoves", "MovesModel"]

Array = NDArray[np.float64]

CHOICES = ("folds", "checks or calls", "bets or raises")
"""The choices that are told apart in the evidence, as ``individual.KINDS``: sizes are not."""


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


class MovesModel(OpponentModel):
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

    def __init__(self, reader: Reader, adaptive: bool = True) -> None:
        self.reader = reader
        self.adaptive = adaptive

    def believe(self, observation: Observation, position: int, player: str) -> Belief:
        """The belief about the opponent's cards."""
        own = self._acts(observation, position)
        held = self.reader.joint(observation)[position].sum(axis=0)
        return belief_of((position, player), _evidence(own), held, observation.board)

    def suppose(
        self, observation: Observation, position: int, player: str, evidence: Mapping[str, str]
    ) -> Belief:
        """The belief if the opponent had acted otherwise, and all others as they did."""
        weights = self._supposed(observation, position, evidence)
        held = weights / weights.sum()
        return belief_of((position, player), dict(evidence), held, observation.board)

    def possible(
        self, observation: Observation, position: int, player: str, evidence: Mapping[str, str]
    ) -> Iterator[tuple[str, str | None]]:
        """Other acts that the clusters hold possible: a player still in has not folded."""
        return other_acts(
            evidence,
            CHOICES[1:],
            lambda supposed: float(self._supposed(observation, position, supposed).sum()),
        )

    def learn(self, event: Event) -> None:
        """Learn from a finished hand and the cards shown; other events are ignored."""
        if self.adaptive and isinstance(event, HandOver):
            self.reader.learn(event.observation)

    def _acts(self, observation: Observation, position: int) -> Sequence[PredictedAct]:
        return self.reader.moves(observation).get(position, ())

    def _supposed(self, observation: Observation, position: int, evidence: Mapping[str, str]) -> Array:
        """The weight of each holding if the acts were those of the evidence; others are left out."""
        own = self._acts(observation, position)
        likelihood: Array = np.ones(())
        for act, (label, done) in zip(own, _evidence(own).items(), strict=True):
            if label in evidence:
                choice = evidence[label]
                columns = slice(act.choice, act.choice + 1) if choice == done else _columns(choice)
                likelihood = likelihood * act.chances[:, :, columns].sum(axis=2)[:, act.buckets]
        return np.asarray(self.reader.held(observation, position, likelihood).sum(axis=0))


def _evidence(acts: Sequence[PredictedAct]) -> dict[str, str]:
    """The acts of a player, for the record: number, situation, and choice."""
    return {
        f"{number}. {SITUATIONS[act.situation]}": CHOICES[min(act.choice, len(CHOICES) - 1)]
        for number, act in enumerate(acts, start=1)
    }


def _columns(choice: str) -> slice:
    return KINDS[CHOICES.index(choice)]
