"""The next action of people, predicted: boosted trees with readings of the players, and rivals.

The first four fifths of the hands in time train everything; the rounds and the weight of a mean are chosen
on the last fifth of those. The last fifth of all hands is scored once.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.measure import mean_by_hand
from baycarp.errors import ArgumentError
from baycarp.trees import log_losses
from experiments.people.boosted_actions import ActionModel
from experiments.people.boosting import Boosting
from experiments.people.predict import UntunedTrees
from experiments.recipes.people_reading import readings, with_effects
from experiments.recipes.people_rows import CELLS, PeopleRows

__all__ = ["LIMITS", "Scored", "calibration_error", "judge_people"]

Array = NDArray[np.float64]

LIMITS = Boosting(rounds=400, rate=0.05, depth=6, least=20.0, prior=30.0, rows=0.6)
"""Of an ensemble; the number of rounds is the most that are compared."""

STEP = 25
"""Numbers of rounds that are compared are its multiples."""

SHARES = tuple(tenth / 10 for tenth in range(11))
"""Weights of the trees with readings that are compared."""

BINS = 10
"""Intervals of probability in which predictions and actions are compared."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A model of next actions on the last fifth of the hands.

    Parameters
    ----------
    name
        Of the model.
    loss, gain
        Log loss in nats; the loss of the table of situations less this. Means and 95 % margins by hand.
    right
        The share of decisions whose likeliest action was made, and its margin.
    calibration
        The expected calibration error, 0..1.
    """

    name: str
    loss: tuple[float, float]
    gain: tuple[float, float]
    right: tuple[float, float]
    calibration: float


def calibration_error(probabilities: Array, choices: NDArray[np.integer]) -> float:
    """The mean distance of a probability from the share of its actions, over intervals and classes, 0..1."""
    made = np.arange(probabilities.shape[1]) == choices[:, None]
    of = np.minimum((BINS * probabilities).astype(int), BINS - 1).ravel()
    apart = np.bincount(of, (made - probabilities).ravel(), BINS)
    return float(np.abs(apart).sum() / made.size)


def judge_people(rows: PeopleRows, seed: int = 1, rival: bool = True) -> list[Scored]:
    """Train on the first four fifths of the hands, and score the last fifth.

    Parameters
    ----------
    rows
        The decisions, in time.
    seed
        Of the trees.
    rival
        Whether scikit-learn's trees are trained too.

    Raises
    ------
    ArgumentError
        Fewer than five hands, or a part of them without a decision of each kind.
    ImportError
        scikit-learn is not installed.
    """
    hands = int(rows.hands.max()) + 1
    if hands < 5:
        raise ArgumentError(f"{hands} hands: expected at least 5, of which the last fifth is scored")
    end = hands * 4 // 5
    effects, players = readings(rows, end)
    rows = replace(rows, effects=effects, players=players)
    train, test = rows[rows.hands < end], rows[rows.hands >= end]
    if not len(train) or not len(test):
        raise ArgumentError(f"{len(train)} and {len(test)} decisions to train and to score: expected some")
    found = {"table of situations": _table(train, test)} | _ours(train, test, seed)
    if rival:
        found["scikit-learn, unknown"] = _rival(train, test, known=False, seed=seed)
        found["scikit-learn, known"] = _rival(train, test, known=True, seed=seed)
    base = log_losses(found["table of situations"], test.choices)
    return [_scored(name, each, base, test) for name, each in found.items()]


def _ours(train: PeopleRows, test: PeopleRows, seed: int) -> dict[str, Array]:
    """The probabilities of the test decisions by our models."""
    late = train[_validated(train)]
    unknown, early_unknown = _trained(train, test, known=False, seed=seed)
    known, early_known = _trained(train, test, known=True, seed=seed)
    effects, early_effects = (
        with_effects(each, rows.effects, rows.owed) for each, rows in ((unknown, test), (early_unknown, late))
    )
    share = _share(early_effects, early_known, late.choices)
    return {
        "players unknown": unknown,
        "effects of players": effects,
        "players known": known,
        "both": _pooled(effects, known, share),
    }


def _inputs(rows: PeopleRows, known: bool) -> Array:
    return np.hstack([rows.public, rows.players]) if known else rows.public


def _trained(train: PeopleRows, test: PeopleRows, known: bool, seed: int) -> tuple[Array, Array]:
    """The probabilities of the test decisions, and of those that the rounds are chosen on."""
    inputs = _inputs(train, known)
    rounds, validated = _chosen(inputs, train, seed)
    model = ActionModel.of(inputs, train.choices, train.owed, replace(LIMITS, rounds=rounds, seed=seed))
    return model(_inputs(test, known), test.owed), validated


def _validated(rows: PeopleRows) -> NDArray[np.bool_]:
    return rows.hands >= (int(rows.hands.max()) + 1) * 4 // 5


def _chosen(inputs: Array, rows: PeopleRows, seed: int) -> tuple[int, Array]:
    """The number of rounds with the least loss on the last fifth, and its probabilities."""
    outside = _validated(rows)
    asked, early, late = inputs[outside], rows[~outside], rows[outside]
    model = ActionModel.of(inputs[~outside], early.choices, early.owed, replace(LIMITS, seed=seed))
    found = {rounds: model.first(rounds)(asked, late.owed) for rounds in range(STEP, LIMITS.rounds + 1, STEP)}
    best = min(found, key=lambda rounds: float(log_losses(found[rounds], late.choices).mean()))
    return best, found[best]


def _pooled(one: Array, other: Array, share: float) -> Array:
    """The normalised geometric mean of two predictions; ``share`` is the weight of the second, 0..1."""
    pooled = one ** (1 - share) * other**share
    return np.asarray(pooled / pooled.sum(axis=1, keepdims=True))


def _share(one: Array, other: Array, choices: NDArray[np.uint8]) -> float:
    """The weight of the second prediction with the least loss of the choices."""
    return min(SHARES, key=lambda share: float(log_losses(_pooled(one, other, share), choices).mean()))


def _table(train: PeopleRows, test: PeopleRows) -> Array:
    """The shares of the actions in each cell of public features, with one more of each legal."""
    counts = np.ones((CELLS, 3))
    np.add.at(counts, (train.cells, train.choices), 1.0)
    return _legal(counts[test.cells], test)


def _rival(train: PeopleRows, test: PeopleRows, known: bool, seed: int) -> Array:
    trees = UntunedTrees.of(_inputs(train, known), train.choices, seed)
    return trees.legal(_inputs(test, known), test.owed)


def _legal(chances: Array, rows: PeopleRows) -> Array:
    chances = np.maximum(chances, 1e-9)
    chances[~rows.owed, 0] = 0
    return np.asarray(chances / chances.sum(axis=1, keepdims=True))


def _scored(name: str, probabilities: Array, base: Array, test: PeopleRows) -> Scored:
    losses = log_losses(probabilities, test.choices)
    right = (probabilities.argmax(axis=1) == test.choices).astype(float)
    loss, gain, share = (mean_by_hand(each, test.hands) for each in (losses, base - losses, right))
    return Scored(name, loss, gain, share, calibration_error(probabilities, test.choices))
