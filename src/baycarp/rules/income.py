"""Income rates: what the 169 starting hands earn if all players stay to the end (Papp 1998; Peña 1999).

``IRn = 1000 * (n * share - 1)``: the average profit per unit staked, times 1000, when n players all put in
one bet and the hand is checked down; ``share`` is the hand's pot share against n - 1 random holdings. Three
tables serve every number of players: IR2 for two, IR4 for three and four, IR7 for five and more.
"""

from enum import IntEnum
from functools import cache

import numpy as np
from numpy.typing import NDArray

from baycarp.card import CLASS_OF, CLASSES
from baycarp.files import packaged, parse_csv

__all__ = ["TABLES", "IncomeGroup", "income_group", "income_rates", "percentiles"]

TABLES = (2, 4, 7)
"""The numbers of players for which the rates were computed."""


class IncomeGroup(IntEnum):
    """Which income rates order the holdings: an index into ``TABLES``, not a number of players or seats."""

    IR2 = 0
    """Two players."""
    IR4 = 1
    """Three or four."""
    IR7 = 2
    """Five or more."""


LATECOMER = 0.6
"""Expected players for each player yet to act (Papp 1998, appendix B)."""


def income_group(joined: int, behind: int) -> IncomeGroup:
    """The rates for the number of players to expect: the player itself, those in, 0.6 for each behind.

    Rounding to the nearest number is our choice.

    Examples
    --------
    >>> [income_group(joined, behind).name for joined, behind in ((0, 7), (1, 2), (0, 1))]
    ['IR7', 'IR4', 'IR2']
    """
    expected = int(1 + joined + LATECOMER * behind + 0.5)
    if expected <= 2:
        return IncomeGroup.IR2
    return IncomeGroup.IR4 if expected <= 4 else IncomeGroup.IR7


@cache
def income_rates() -> NDArray[np.float64]:
    """The rates by ``IncomeGroup`` and starting class; float64, shape (3, 169), read-only."""
    rates = np.full((len(TABLES), len(CLASSES)), np.nan)
    lines = packaged("data", "income_rates.csv").decode().splitlines()
    names, *rows = parse_csv(line for line in lines if not line.startswith("#"))
    for row in (dict(zip(names, each, strict=True)) for each in rows):
        rates[:, CLASSES.index(row["class"])] = [float(row[f"ir{players}"]) for players in TABLES]
    rates.flags.writeable = False
    return rates


@cache
def percentiles() -> NDArray[np.float64]:
    """The percentile of every holding among the 1,326: 0 the worst, 1 the best, equals share the middle.

    By ``IncomeGroup``; float64, shape (3, 1326), read-only.
    """
    rates = income_rates()[:, CLASS_OF]
    order = np.sort(rates, axis=1)
    twice = [
        np.searchsorted(row, of, "left") + np.searchsorted(row, of, "right")
        for row, of in zip(order, rates, strict=True)
    ]
    places: NDArray[np.float64] = np.array(twice) / (2 * rates.shape[1])
    places.flags.writeable = False
    return places
