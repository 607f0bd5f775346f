"""The share of the oracle's information that a model has: a line of ``experiments beliefs --oracle``."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from experiments.beliefs.columns import Judged
from experiments.beliefs.intervals import Figure, calibration, mean, ratio
from experiments.beliefs.scores import among

__all__ = ["Line", "line"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Line:
    """One model in the table.

    Parameters
    ----------
    name
        The model.
    rows
        The number of decision points.
    loss
        Log loss of the true holding, nats.
    gain
        The plain model's loss less this one, on the same decision points.
    share
        Share of oracle information, (loss of base - loss) / (loss of base - oracle), with an oracle.
    above_deal
        The same with the deal as the base.
    error
        Expected calibration error of the most probable hand group.
    brier, brier_type
        Brier scores of hand group and hand type.
    groups, types
        The share of decision points with the truth among the first 1, 2, ...; ties by share.
    """

    name: str
    rows: int
    loss: Figure
    gain: Figure
    share: Figure
    above_deal: Figure
    error: float
    brier: Figure
    brier_type: Figure
    groups: tuple[Figure, ...]
    types: tuple[Figure, ...]


def _share(judged: Judged, bottom: Array, loss: Array) -> Figure:
    most = bottom - judged.known
    oracle = ~np.isnan(most)
    return ratio(np.where(oracle, bottom - loss, 0.0), np.where(oracle, most, 0.0), judged.points.hand)


def line(judged: Judged, name: str, base: str, plain: str) -> Line:
    """Summarise a model.

    Parameters
    ----------
    judged
        The scores, with those of hand types.
    name, base, plain
        The model; the one by board and position alone; the one for gains.
    """
    mine, hands = judged.scores[name], judged.points.hand
    return Line(
        name,
        len(hands),
        mean(mine["loss"], hands),
        mean(judged.scores[plain]["loss"] - mine["loss"], hands),
        _share(judged, judged.scores[base]["loss"], mine["loss"]),
        _share(judged, judged.deal, mine["loss"]),
        calibration(mine["sure"], among(mine["group_above"], mine["group_tied"], 1)),
        mean(mine["brier"], hands),
        mean(mine["brier_type"], hands),
        tuple(mean(among(mine["group_above"], mine["group_tied"], k), hands) for k in (1, 2, 3, 4)),
        tuple(mean(among(mine["type_above"], mine["type_tied"], k), hands) for k in (1, 2, 3)),
    )
