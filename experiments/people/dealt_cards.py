"""Hidden cards of people, where all are recorded: policies by holding through exact Bayes, and rivals.

The first four fifths of the hands, in time, train everything; the last fifth is scored once. Beliefs are
those at the end of every street, of every player that acted and is still in the hand. Baselines: the deal,
and the shares of starting hands by street and position.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.measure import mean_by_hand
from baycarp.card import CLASS_OF, blocked_by
from baycarp.errors import ArgumentError
from baycarp.game.action import STREETS
from experiments.beliefs.scores import among, reciprocal, score
from experiments.people.dealt_policy import (
    LAST,
    LIMITS,
    CardPolicy,
    HiddenEM,
    beliefs,
    candidates,
    dealt_inputs,
    learn_dealt,
    learn_hidden,
)
from experiments.people.dealt_rows import DealtPoints, DealtRows
from experiments.people.untuned_trees import UntunedTrees

__all__ = ["DealtCards", "judge_dealt"]

Array = NDArray[np.float64]
Pair = tuple[float, float]

HIDDEN = "showdowns and folds"
"""The model whose training hides the holdings that were not shown."""

FIRST = (10, 50)
"""Numbers of the likeliest holdings that the truth may be among."""

SMOOTHED = 200.0
"""The weight of the deal, in decision points, in the shares of a street and position; our choice."""


@dataclass(frozen=True, slots=True)
class DealtCards:
    """Beliefs on the last fifth of the hands. Pairs are a mean and its 95 % margin by hand.

    Parameters
    ----------
    name
        Of the model.
    loss
        Log loss of the true holding, nats.
    streets
        The same at the end of each street.
    reciprocal
        The mean reciprocal rank of the truth among all holdings.
    among
        The share of truths among the 10 and the 50 likeliest holdings.
    points
        The number of beliefs.
    """

    name: str
    loss: Pair
    streets: tuple[Pair, ...]
    reciprocal: Pair
    among: tuple[Pair, ...]
    points: int


def judge_dealt(data: DealtRows, seed: int = 1, rival: bool = True) -> list[DealtCards]:
    """Train on the first four fifths of the hands, and score the last fifth.

    Parameters
    ----------
    data
        Decisions in time, with all holdings.
    seed
        Of draws and trees.
    rival
        Whether scikit-learn's trees are trained too, on all cards.

    Raises
    ------
    ArgumentError
        Fewer than five hands, or none of the last fifth to score.
    ImportError
        scikit-learn is not installed.
    """
    end = int(data.decisions.hands.max()) + 1
    train, test = data.of_hands(0, end * 4 // 5), data.of_hands(end * 4 // 5, end)
    if end < 5 or not len(test.points) or not len(train.points):
        raise ArgumentError(f"{end} hands: expected at least 5, of which the last fifth is scored")
    settings = HiddenEM(seed=seed)
    models = _policies(train, settings, rival)
    powers = [settings.power if name == HIDDEN else 1.0 for name in models]
    found = {"deal": _deal(test.points), "street and position": _shares(train, test.points)}
    found |= dict(zip(models, beliefs(list(models.values()), test, powers), strict=True))
    return [_scored(name, each, test) for name, each in found.items()]


def _policies(train: DealtRows, settings: HiddenEM, rival: bool) -> dict[str, CardPolicy]:
    rows, seed = train.decisions, settings.seed
    inputs = dealt_inputs(train, candidates(train, settings))
    dealt = inputs[:, 0]
    found: dict[str, CardPolicy] = {
        HIDDEN: learn_hidden(train, inputs, settings, replace(LAST, seed=seed)),
        "all cards": learn_dealt(train, dealt, replace(LIMITS, seed=seed)),
    }
    if rival:
        trees = UntunedTrees.of(np.hstack([rows.public, dealt]), rows.choices, seed)
        found["scikit-learn, all cards"] = trees.legal
    return found


def _deal(points: DealtPoints) -> Array:
    free = np.array([~blocked_by(board) for board in points.boards], np.float64)
    return np.asarray(free / free.sum(axis=1, keepdims=True))


def _shares(train: DealtRows, asked: DealtPoints) -> Array:
    """The shares of starting hands at the end of a street, by position, smoothed with the deal."""
    known, deal = train.points, np.bincount(CLASS_OF) / len(CLASS_OF)
    cells = int(max(known.positions.max(), asked.positions.max())) + 1
    counts = np.tile(SMOOTHED * deal, (len(STREETS) * cells, 1))
    classes = CLASS_OF[train.holdings[known.holders]]
    np.add.at(counts, (known.streets * cells + known.positions, classes), 1.0)
    by_holding = (counts / (deal * len(CLASS_OF)))[:, CLASS_OF]
    found = by_holding[asked.streets * cells + asked.positions] * _deal(asked)
    return np.asarray(found / found.sum(axis=1, keepdims=True))


def _scored(name: str, held: Array, test: DealtRows) -> DealtCards:
    points = test.points
    boards = np.full((len(points), 5), 255, np.uint8)
    for row, board in zip(boards, points.boards, strict=True):
        row[: len(board)] = board
    found = score(held, test.holdings[points.holders].astype(np.intp), boards)
    hands, loss, ranks = test.hands[points.holders], found["loss"], (found["above"], found["tied"])
    return DealtCards(
        name,
        mean_by_hand(loss, hands),
        tuple(
            mean_by_hand(loss[points.streets == n], hands[points.streets == n]) for n in range(len(STREETS))
        ),
        mean_by_hand(reciprocal(*ranks), hands),
        tuple(mean_by_hand(among(*ranks, first), hands) for first in FIRST),
        len(points),
    )
