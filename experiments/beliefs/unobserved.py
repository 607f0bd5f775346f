"""A model at every decision point as if it had observed no hand of the player."""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from baycarp.opponents.network.statistics import PlayerStats
from baycarp.rules import PlayerView
from experiments.beliefs.queries import Model, Predictor, Watcher

__all__ = ["UNOBSERVED", "Unobserved", "with_unobserved"]

UNOBSERVED = ", no hand known"
"""After the name of a model: the same model without any earlier hand."""


@dataclass(frozen=True, slots=True)
class Unobserved:
    """A model that never learns, and sees no statistics of earlier hands.

    The first hands of sessions are too few decision points to judge what is believed of a new player; with
    this model every hand counts as a first one.

    Parameters
    ----------
    model
        The model; it is its own, nothing else teaches it.
    """

    model: Model

    def __call__(self, view: PlayerView, street: int) -> NDArray[np.float64]:
        """The belief; see ``queries.Model``."""
        return self.model(_first_hand(view), street)


@dataclass(frozen=True, slots=True)
class UnobservedPredictor(Unobserved):
    """The same for a model that predicts actions."""

    def predict(self, view: PlayerView) -> NDArray[np.float64]:
        """The next choice; see ``queries.Predictor``."""
        assert isinstance(self.model, Predictor)
        return self.model.predict(_first_hand(view))


def with_unobserved(models: Mapping[str, Model]) -> dict[str, Model]:
    """Each model, followed by its copy that has observed no hand."""
    found: dict[str, Model] = {}
    for name, model in models.items():
        copy = deepcopy(model)
        if isinstance(copy, Watcher):
            copy.sit()
        kind = UnobservedPredictor if isinstance(copy, Predictor) else Unobserved
        found |= {name: model, name + UNOBSERVED: kind(copy)}
    return found


def _first_hand(view: PlayerView) -> PlayerView:
    return view if view.habits is None else replace(view, habits=PlayerStats())
