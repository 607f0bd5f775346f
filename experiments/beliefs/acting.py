"""Beliefs by hand -> action: one model for all players, or each player's own, which begins as its style's."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from baycarp.game.event import Event
from baycarp.opponents.actions.adapt import PlayerModel
from baycarp.opponents.actions.model import PlayerModels
from baycarp.opponents.actions.situations import CodedAct, hand_moves
from baycarp.opponents.actions.styles import Styles
from baycarp.opponents.reliance import USUAL, Confidence
from baycarp.rules import PlayerView
from experiments.beliefs.decision_points import Model, situation_of
from experiments.beliefs.next_actions import HandAction, next_choice
from experiments.populations.action_cells import HandRow, stack
from experiments.populations.action_em import fit
from experiments.populations.styles import fit_styles

__all__ = ["ACTING", "OnePlayerModel", "SeatedPlayerModels", "read_acts"]

ACTING = ("hand -> action", "its styles", "hand -> action, trained on all", "its styles, trained on all")
"""By name in the table: one model of all players, or a model of each player that begins with its style's.
Trained on a seated player's observations, folds with the cards hidden (EM), or on every card."""


class SeatedPlayerModels:
    """A model of each player, updated by a seated player's observations: ``Watcher`` and ``Predictor``.

    Parameters
    ----------
    styles, confidence
        As for ``opponents.actions.adapt.PlayerModel``.
    """

    def __init__(self, styles: Styles, confidence: Confidence = USUAL) -> None:
        self.styles, self.confidence = styles, confidence
        self.sit()

    def sit(self) -> None:
        """Begin a session without player models."""
        self._known = PlayerModels(self.styles, self.confidence)

    def learn(self, event: Event) -> None:
        """Learn from a finished hand."""
        self._known.learn(event)

    def __call__(self, view: PlayerView, street: int) -> NDArray[np.float64]:
        """The belief; see ``decision_points.Model``."""
        return self._known.posterior(view.observation, view.position, _name(view))

    def predict(self, view: PlayerView) -> NDArray[np.float64]:
        """The next choice; see ``decision_points.Predictor``."""
        return _next_choice(view, self._known.of(_name(view)))

    def __reduce__(self) -> tuple[type["SeatedPlayerModels"], tuple[Styles, Confidence]]:
        return SeatedPlayerModels, (self.styles, self.confidence)


class OnePlayerModel(HandAction):
    """One model of all players, which predicts actions as well: ``Predictor``."""

    __slots__ = ()

    def predict(self, view: PlayerView) -> NDArray[np.float64]:
        """The next choice; see ``decision_points.Predictor``."""
        held = self(view, view.observation.street)
        board, situation, group = view.observation.board, *situation_of(view)
        return next_choice(self.model, held, situation, board, group)


def _name(view: PlayerView) -> str:
    players = view.observation.players
    return players[view.position] if players else ""


def _next_choice(view: PlayerView, known: PlayerModel) -> NDArray[np.float64]:
    acts, variant, street = view.observation.acts, view.observation.variant, view.observation.street
    own_moves = [move for move in hand_moves(acts, variant).moves if move.seat == view.position]
    situation, group = situation_of(view)
    act = CodedAct(view.position, street, situation, 1)
    return known.predict(own_moves, act, tuple(view.observation.board), group)


def read_acts(rows: Sequence[HandRow], names: Sequence[str] = ACTING) -> dict[str, Model]:
    """Fit the named models of ``ACTING``.

    Parameters
    ----------
    rows
        Whole rows, one for each player and hand, with the cards.
    names
        The models to fit.
    """
    found: dict[str, Model] = {}
    for everything, alike, styled in ((False, *ACTING[:2]), (True, *ACTING[2:])):
        if {alike, styled} & set(names):
            cells = stack(rows)
            population = fit(cells, cells.true >= 0 if everything else cells.shown).model
            found[alike] = OnePlayerModel(population)
        if styled in names:
            styles = fit_styles({"all": rows}, everything=("all",) if everything else ())
            found[styled] = SeatedPlayerModels(styles)
    return {name: model for name, model in found.items() if name in names}
