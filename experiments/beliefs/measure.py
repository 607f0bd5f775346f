"""Models' beliefs at the decision points of held-out sessions, scored; the input of every table.

A model is queried as a seated player would: with the public observation, and after it has received the ends
of all earlier hands of the session, folded hole cards hidden.
"""

from collections.abc import Container, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from baycarp.game.notation.hand import Hand
from baycarp.rules import PlayerView
from baycarp.rules.hand import TYPES, hand_types
from experiments.beliefs.columns import Judged, Rows, board_of, name_of
from experiments.beliefs.decision_points import (
    DecisionPoint,
    Model,
    Predictor,
    WatchedHand,
    Watcher,
    decision_points,
    watched_hands,
)
from experiments.beliefs.oracle import Oracle
from experiments.beliefs.scores import FLOOR, score, score_types, type_masses

__all__ = ["judge_session", "known_of_session", "oracle_of_session"]

Array = NDArray[np.float64]

BATCH = 256
"""Beliefs that are scored together."""


def judge_session(
    hands: Sequence[Hand],
    models: Mapping[str, Model],
    known: Array | None = None,
    players: Container[str] | None = None,
    types: bool = False,
) -> Judged:
    """Score every model at the decision points of a session with known cards, and predictions of actions.

    Parameters
    ----------
    hands
        In order; limit, or no-limit, whose pre-flop is judged (``preflop.limit_preflop``).
    models
        By name. A ``Watcher`` receives each hand; a ``Predictor`` predicts actions.
    known
        Of ``known_of_session``; None = no oracle.
    players
        The names of the judged players; None = all.
    types
        Whether hand types are scored, which takes as long as all other scores. A model with a method
        ``types(view, street)`` returns their 17 probabilities; otherwise they are those of its holdings.
    """
    rows, batches = Rows(), {name: _Batches(model, types) for name, model in models.items()}
    predictors = {name: model for name, model in models.items() if isinstance(model, Predictor)}
    chosen: dict[str, list[float]] = {name: [] for name in predictors}
    known_places: list[int] = []
    place = -1
    for watched in _learned(hands, models):
        for point in watched.points:
            place += 1
            if point.holding >= 0 and _judged(point.view, players):
                known_places.append(place)
                rows.add_point(point)
                for batch in batches.values():
                    batch.add(point)
        for action in watched.actions:
            if _judged(action.view, players):
                rows.add_action(action)
                for name, model in predictors.items():
                    chance = model.predict(action.view)[action.choice]
                    chosen[name].append(-float(np.log(max(chance, FLOOR))))
    losses = np.full(len(known_places), np.nan) if known is None else known[known_places]
    scores = {name: batch.scores() for name, batch in batches.items()}
    return Judged(scores, rows.points(), rows.actions(chosen), losses)


def known_of_session(hands: Sequence[Hand], players: Mapping[str, str]) -> Array:
    """The oracle's loss at each decision point of a session, nats; nan where it has no belief.

    Parameters
    ----------
    hands
        In order.
    players
        The specification of each, by name.
    """
    found = oracle_of_session(hands, players)
    return np.array([np.nan if belief is None else -np.log(belief[m.holding]) for m, belief in found])


def oracle_of_session(
    hands: Sequence[Hand], players: Mapping[str, str]
) -> Iterator[tuple[DecisionPoint, Array | None]]:
    """Each decision point of a session with the oracle's belief; None where it has none. See ``Oracle``."""
    found = list(map(Oracle(players).after, hands))
    for point in decision_points(hands):
        yield point, found[point.hand].get((point.street, point.view.position))


def _learned(hands: Sequence[Hand], models: Mapping[str, Model]) -> Iterator[WatchedHand]:
    """The hands of a session; a ``Watcher`` receives each after its decision points."""
    watchers = [model for model in models.values() if isinstance(model, Watcher)]
    predicts = any(isinstance(model, Predictor) for model in models.values())
    for watcher in watchers:
        watcher.sit()
    for watched in watched_hands(hands, predicts):
        yield watched
        for watcher in watchers:
            watcher.learn(watched.over)


def _judged(view: PlayerView, players: Container[str] | None) -> bool:
    return players is None or name_of(view) in players


class _Batches:
    """The beliefs of one model, scored ``BATCH`` at a time."""

    def __init__(self, model: Model, types: bool) -> None:
        self._model, self._types = model, types
        self._beliefs: list[Array] = []
        self._masses: list[Array] = []
        self._truths: list[tuple[int, int]] = []
        self._boards: list[bytes] = []
        self._parts: list[Mapping[str, Array]] = []

    def add(self, point: DecisionPoint) -> None:
        belief, board, made = self._model(point.view, point.street), point.view.observation.board, 0
        if self._types:
            given = getattr(self._model, "types", lambda view, street: None)(point.view, point.street)
            mass, made = np.full(len(TYPES), np.nan), 0
            if board:
                mass = type_masses(belief, board) if given is None else given
                made = int(hand_types(list(board))[point.holding])
            self._masses.append(mass)
        self._beliefs.append(belief)
        self._truths.append((point.holding, made))
        self._boards.append(board_of(point.view))
        if len(self._beliefs) == BATCH:
            self._score()

    def _score(self) -> None:
        truths = np.array(self._truths, np.intp).reshape(-1, 2)
        boards = np.frombuffer(b"".join(self._boards), np.uint8).reshape(-1, 5)
        part = dict(score(np.array(self._beliefs or np.empty((0, 1326))), truths[:, 0], boards))
        if self._types:
            part |= score_types(np.array(self._masses or np.empty((0, len(TYPES)))), truths[:, 1])
        self._parts.append(part)
        self._beliefs, self._masses, self._truths, self._boards = [], [], [], []

    def scores(self) -> Mapping[str, Array]:
        if self._beliefs or not self._parts:
            self._score()
        return {name: np.concatenate([part[name] for part in self._parts]) for name in self._parts[0]}
