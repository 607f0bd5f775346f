"""P(win) of both forms of the post-flop network against equity with the same ranges.

Against one opponent the equity is exact; against several it is sampled. Beside the two forms stands what the
joint form leaves out: the cards of the board that both players share, and ties, which the network halves.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from baycarp.game import Variant
from baycarp.kernels.sampling import Sampler
from baycarp.kernels.strength import equity
from baycarp.opponents.gambler.draws import scare
from baycarp.opponents.gambler.reverse import FORMS, Networks, wins
from experiments.gambler.spots import Spot, spots

__all__ = ["Agreement", "agreement"]

Array = NDArray[np.float64]

DEALS = 4000
"""Sampled deals of an equity against several opponents: a standard error of 0.8 % at most."""


@dataclass(frozen=True)
class Agreement:
    """How near one form is to equity, at the decisions of one street and number of opponents.

    Parameters
    ----------
    form
        The form.
    street, opponents
        1 flop .. 3 river; one opponent, or 2 for two and more.
    spots
        Number of decisions.
    difference, bias
        Mean distance of P(win) and equity, and mean of P(win) - equity.
    ranks
        Spearman's rank correlation.
    """

    form: str
    street: int
    opponents: int
    spots: int
    difference: float
    bias: float
    ranks: float


def agreement(networks: Networks, variant: Variant, count: int, seed: int) -> list[Agreement]:
    """The agreement over ``count`` decisions after the flop, by form, street and number of opponents."""
    rows = [
        (spot.turn.spot.street, min(len(spot.reading.inside) - 1, 2), *_chances(spot, seed + number))
        for number, spot in enumerate(islice(_after_flop(networks, variant, seed), count))
    ]
    table = np.array(rows)
    out = []
    for street in (1, 2, 3):
        for opponents in (1, 2):
            part = table[(table[:, 0] == street) & (table[:, 1] == opponents)]
            if len(part) < 2:
                continue
            for number, form in enumerate(FORMS):
                gap = part[:, 3 + number] - part[:, 2]
                ranks = _ranks(part[:, 3 + number], part[:, 2])
                means = float(np.abs(gap).mean()), float(gap.mean())
                out.append(Agreement(form, street, opponents, len(part), *means, ranks))
    return out


def _after_flop(networks: Networks, variant: Variant, seed: int) -> Iterator[Spot]:
    return (spot for spot in spots(networks, variant, seed) if spot.turn.spot.street)


def _chances(spot: Spot, seed: int) -> tuple[float, ...]:
    """The equity of the player's holding, then P(win) of each form."""
    reading, hole = spot.reading, spot.state.hole_of(spot.seat)
    ranges = [reading.weights(seat, hole) for seat in sorted(reading.inside - {spot.seat})]
    own = np.zeros(len(ranges[0]))
    own[spot.holding] = 1
    if len(ranges) == 1:
        true = equity(own, ranges[0], reading.board)
    else:
        sampler = Sampler([own, *ranges], reading.board, seed)
        sampler.deal(DEALS)
        true = float(sampler.shares()[0][0])
    draws = reading.draws
    cell = int(draws.cell[spot.holding])
    pool = scare([draws.entry(weights).of(cell) for weights in ranges])
    shares = draws.shares[cell : cell + 1]
    return true, *(float(wins(form, shares, pool)[0]) for form in FORMS)


def _ranks(one: Array, other: Array) -> float:
    """Spearman's rank correlation; ties share their mean rank."""
    places = [
        (np.searchsorted(np.sort(of), of, "left") + np.searchsorted(np.sort(of), of, "right")) / 2
        for of in (one, other)
    ]
    return float(np.corrcoef(places[0], places[1])[0, 1])
