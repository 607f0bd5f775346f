"""Beliefs by hand -> action: one model for all players, or each player's own, which begins as its style's."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from baycarp.game.event import Event
from baycarp.opponents.adapt import USUAL, Pace
from baycarp.opponents.player_models import PlayerModels
from baycarp.opponents.styles import Styles
from baycarp.rules import PlayerView
from baycarp.study.beliefs.queries import Model
from baycarp.study.compare import HandAction
from baycarp.train.actions import fit
from baycarp.train.cells import HandRow, stack
from baycarp.train.styles import STYLES, fit_styles, group, habits

__all__ = ["ACTING", "SeatedPlayerModels", "read_acts"]

ACTING = ("hand -> action", "its styles", "hand -> action, taught by all", "its styles, taught by all")
"""By name in the table: all players alike, or a model of each player that begins as its style's.
Trained on what a seated player observes, folds with the cards hidden (EM), or by every card."""


class SeatedPlayerModels:
    """A model of each player, kept from hand to hand by a seated player's observations: a ``Watcher``.

    Parameters
    ----------
    styles, pace
        As for ``opponents.adapt.PlayerModel``.
    """

    def __init__(self, styles: Styles, pace: Pace = USUAL) -> None:
        self.styles, self.pace = styles, pace
        self.sit()

    def sit(self) -> None:
        """Begin a session without player models."""
        self._known = PlayerModels(self.styles, self.pace)

    def learn(self, event: Event) -> None:
        """Take in a hand that is over."""
        self._known.learn(event)

    def __call__(self, view: PlayerView, street: int) -> NDArray[np.float64]:
        """The belief; see ``queries.Model``."""
        return self._known.posterior(view.observation, view.position, view.observation.players[view.position])


def read_acts(rows: Sequence[HandRow], names: Sequence[str] = ACTING) -> dict[str, Model]:
    """Fit those of ``ACTING`` that are named.

    Parameters
    ----------
    rows
        Whole rows, one a player and hand, cards known.
    names
        The models to fit.
    """
    found: dict[str, Model] = {}
    for everything, alike, styled in ((False, *ACTING[:2]), (True, *ACTING[2:])):
        if not {alike, styled} & set(names):
            continue
        cells = stack(rows)
        population = fit(cells, cells.true >= 0 if everything else cells.shown).model
        found[alike] = HandAction(population)
        if styled in names:
            styles = fit_styles(rows, group(*habits(rows), STYLES), population, everything=everything)
            found[styled] = SeatedPlayerModels(styles)
    return {name: found[name] for name in ACTING if name in names and name in found}
