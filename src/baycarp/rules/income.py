"""Income rates: what the 169 starting hands earn when everybody stays to the end (Papp 1998; Peña 1999).

``IRn = 1000 * (n * share - 1)``: the average profit per unit staked, times 1000, when n players all put in
one bet and the hand is checked down; ``share`` is the hand's pot share against n - 1 random holdings. Three
tables serve every number of players: IR2 for two, IR4 for three and four, IR7 for five and more.
"""

import csv
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from baycarp.card import CLASS_OF, CLASSES

__all__ = ["TABLES", "group", "income_rates", "percentiles"]

TABLES = (2, 4, 7)
"""The numbers of players for which the rates were computed; a group is an index into them."""

LATECOMER = 0.6
"""Expected players for each who has yet to act (Papp 1998, appendix B)."""


def group(joined: int, behind: int) -> int:
    """The table for the number of players to expect: the player himself, those in, 0.6 for each behind.

    Rounding to the nearest number is our own choice.

    Examples
    --------
    >>> group(joined=0, behind=7), group(joined=1, behind=2), group(joined=0, behind=1)
    (2, 1, 0)
    """
    expected = int(1 + joined + LATECOMER * behind + 0.5)
    return 0 if expected <= 2 else 1 if expected <= 4 else 2


@cache
def income_rates() -> NDArray[np.float64]:
    """The rates by group and starting class; float64, shape (3, 169), read-only."""
    rates = np.full((len(TABLES), len(CLASSES)), np.nan)
    lines = (files("baycarp") / "data" / "income_rates.csv").read_text("utf-8").splitlines()
    for row in csv.DictReader(line for line in lines if not line.startswith("#")):
        rates[:, CLASSES.index(row["class"])] = [float(row[f"ir{players}"]) for players in TABLES]
    rates.flags.writeable = False
    return rates


@cache
def percentiles() -> NDArray[np.float64]:
    """The place of every holding among the 1,326, by group: 0 the worst, 1 the best, equals share the middle.

    float64, shape (3, 1326), read-only.
    """
    rates = income_rates()[:, CLASS_OF]
    order = np.sort(rates, axis=1)
    below = np.array([np.searchsorted(row, of, "left") for row, of in zip(order, rates, strict=True)])
    upto = np.array([np.searchsorted(row, of, "right") for row, of in zip(order, rates, strict=True)])
    places: NDArray[np.float64] = (below + upto) / (2 * rates.shape[1])
    places.flags.writeable = False
    return places
