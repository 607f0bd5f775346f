"""BN-CBR-1, on/off nodes: the network decides which cases are active (Unger 2011, sections 4.1 and 4.2.1)."""

from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.anytime import Answer, Recorder
from baycarp.agents.couplings.player import Coupled, Features
from baycarp.agents.trace import Stage
from baycarp.bn import Inference
from baycarp.cases import CaseBase, Retrieved, Situation, retrieve
from baycarp.cases.similarity import NONE
from baycarp.errors import ModelError
from baycarp.game import Event
from baycarp.opponents.belief import mean_types
from baycarp.opponents.model import believe_all
from baycarp.opponents.uniform import new_opponent_model
from baycarp.rules.hand import TYPES
from baycarp.strategies.episode import DecisionPoint
from baycarp.strategies.model import Model, load_model

__all__ = ["Filtered", "SwitchStage"]

MASS = 0.9
"""The hand types with this share of the probability are on; our choice."""


@dataclass(frozen=True, slots=True)
class SwitchStage(Stage, name="switches"):
    """The types that the network leaves on, and how many of the stored cases are."""

    types: tuple[str, ...]
    on: int
    stored: int


class Filtered(Features):
    """BN-CBR-1: the network switches cases on and off, and hides all else; the active ones decide.

    Loose, horizontal: the network takes I and A (the opponents' acts and habits) and gives D*, one switch a
    case; the cases take the rest of I, strength against any two cards among them, and give C. A case is on if
    the type that the network held likeliest when it was made is among the likeliest now. Before the flop no
    opponent has a hand type, and every case is on.

    Parameters
    ----------
    read
        The model of the same cases as the network read them, in the same order.
    mass
        The share of probability of the types that are on; 1 = every case is.
    """

    def __init__(self, read: Model, mass: float = MASS) -> None:
        self.read, self.mass = read, mass
        self._inference = Inference(read.network) if read.network else None
        self._types: tuple[int, ...] | None = None

    @classmethod
    def of(cls, folder: Path | None) -> Self:
        """With the model of the folder that the network read."""
        if folder is None:
            raise ModelError("filter: expected a folder with the models of all readers")
        return cls(load_model(folder / "network"))

    def begin(self, player: Coupled) -> None:
        """The network has observed nothing yet."""
        self._reader = new_opponent_model(self.read.strategy.opponents, self._inference)

    def learn(self, event: Event) -> None:
        """The network learns habits."""
        self._reader.learn(event)

    def answer(self, player: Coupled, point: DecisionPoint, recorder: Recorder) -> Answer:
        """The answer of the active cases."""
        self._types = self._on(point) if point.observation.street else None
        base = player.casebases[point.schema.name]
        names = tuple(TYPES[code] for code in self._types or ())
        on = int(self._active(base).sum())
        recorder.add(SwitchStage(names, on, len(base), seconds=recorder.lap()))
        return super().answer(player, point, recorder)

    def similar(self, casebase: CaseBase, situation: Situation) -> Retrieved:
        """The similar cases that are on; where none reaches the threshold, the most similar that are."""
        active = self._active(casebase)
        found = _kept(retrieve(casebase, situation), active)
        if len(found) and not found.fell_back:
            return found
        few = casebase.schema.fallback
        every = _kept(retrieve(casebase, situation, 0.0, max(1, len(casebase))), active)
        return Retrieved(every.ids[:few], every.similarities[:few], True, every.scored, every.stored)

    def _on(self, point: DecisionPoint) -> tuple[int, ...]:
        """The fewest types with the mass, likeliest first; with all of it every type."""
        types = mean_types(believe_all(self._reader, point.observation))
        if self.mass >= 1:
            return tuple(range(len(TYPES)))
        sums = np.cumsum(list(types.values()))
        count = int(np.searchsorted(sums, self.mass * sums[-1])) + 1
        return tuple(TYPES.index(name) for name in list(types)[:count])

    def _active(self, casebase: CaseBase) -> NDArray[np.bool_]:
        """Whether each stored case is on; bool, shape (cases,). Where none would be, every case is."""
        if self._types is None:
            return np.ones(len(casebase), np.bool_)
        first = self.read.casebases[casebase.schema.name].columns()["codes"][0]
        active = np.isin(first, self._types) | (first == NONE)
        return np.asarray(active if active.any() else ~active)


def _kept(found: Retrieved, active: NDArray[np.bool_]) -> Retrieved:
    """The retrieved cases that are on; a watched case's id is its place."""
    on = active[found.ids]
    return Retrieved(found.ids[on], found.similarities[on], found.fell_back, found.scored, found.stored)
