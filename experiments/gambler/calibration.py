"""Inferred hole cards against those dealt, where every player plays by the networks."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.card import CLASS_OF, holding_index
from baycarp.game import Variant
from baycarp.opponents.gambler.preflop import preflop_network
from baycarp.opponents.gambler.reverse import Networks
from experiments.gambler.spots import hands

__all__ = ["Calibration", "calibration"]

Array = NDArray[np.float64]

BINS = 20
DRAWS = 20


@dataclass(frozen=True)
class Calibration:
    """Predicted probabilities of the six groups of hole cards, and how often the holding is of the group.

    Parameters
    ----------
    error
        The expected calibration error over bins of equal width, 0..1.
    noise
        The error of a model that is calibrated perfectly: the mean over 20 truths drawn from the predictions.
    bins
        float64, shape (bins, 3): predictions, their mean, and the share that is true.
    log_loss, uniform
        Nats of the true holding: of the posterior, and of the cards dealt alone.
    posteriors
        Number of posteriors.
    """

    error: float
    noise: float
    bins: Array
    log_loss: float
    uniform: float
    posteriors: int


def calibration(networks: Networks, variant: Variant, count: int, seed: int) -> Calibration:
    """The calibration at the end of ``count`` hands, of every player that acted, beside the board."""
    groups = preflop_network().cpt("group").argmax(axis=1)[CLASS_OF]
    sure, right, losses, base = [], [], [], []
    for state, reading in hands(networks, variant, count, seed):
        for seat in sorted({move.act.seat for move in reading.moves}):
            weights, holding = reading.weights(seat), holding_index(*state.hole_of(seat))
            sure.append(np.bincount(groups, weights, 6))
            right.append(np.arange(6) == groups[holding])
            losses.append(-np.log(weights[holding]))
            base.append(np.log(np.count_nonzero(weights)))
    predicted: Array = np.concatenate(sure)
    true: Array = np.concatenate(right).astype(np.float64)
    rng = np.random.default_rng(seed)
    which: NDArray[np.intp] = np.minimum((predicted * BINS).astype(np.intp), BINS - 1)
    by_chance = [
        _error(which, predicted, np.concatenate([rng.multinomial(1, each / each.sum()) for each in sure]))
        for _ in range(DRAWS)
    ]
    number = np.bincount(which, minlength=BINS).astype(np.float64)
    means = [np.bincount(which, values, BINS) / np.maximum(number, 1) for values in (predicted, true)]
    return Calibration(
        _error(which, predicted, true),
        float(np.mean(by_chance)),
        np.column_stack([number, *means]),
        float(np.mean(losses)),
        float(np.mean(base)),
        len(losses),
    )


def _error(which: NDArray[np.intp], predicted: Array, true: Array | NDArray[np.int64]) -> float:
    gaps = np.abs(np.bincount(which, predicted) - np.bincount(which, true))
    return float(gaps.sum() / len(which))
