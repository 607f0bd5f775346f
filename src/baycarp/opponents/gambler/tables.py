"""What Gambler's networks share: stakes, recommend, bias and action.

The tables of the paper are unpublished; those here are our choice. No probability of a choice is below
``FLOOR``, so that a player who errs is possible and can be inferred.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "ACTIONS",
    "BIASES",
    "FLOOR",
    "PLACES",
    "STAKES",
    "STAKES_STATES",
    "action_table",
    "floored",
    "recommend_table",
    "stakes_state",
]

Array = NDArray[np.float64]

ACTIONS = ("fold", "call", "raise")
"""States of recommend and action; a check is a call, a bet is a raise."""

BIASES = ("loose", "normal", "tight")

FLOOR = 0.01
"""The least probability of any recommendation and of any action."""

SHIFTED = 0.25
"""The share of a recommendation that a loose or tight bias moves one step (the paper: "sometimes")."""

STAKES = (0.0, 0.04, 0.07, 0.1, 0.13, 0.16, 0.2, 0.25, 0.3, 0.36, 0.43, 0.5)
"""Pot odds, ``owed / (pot + owed)``, of the states of stakes."""

STAKES_STATES = ("free", *(f"{odds:.2f}" for odds in STAKES[1:]))

PLACES = ("early", "middle", "late")
"""States of position after the flop: how many of the others still in act later on the street."""

CAUTION = (0.03, 0.015, 0.0)
"""Added by position to the probability of winning that a bet needs: riskier bets are avoided early."""

BOLD, BOLDER = 0.55, 0.5
"""The probability of winning from which a raise is recommended, for a free bet; and its slope in pot odds."""


def stakes_state(owed: int, pot: int) -> int:
    """The code of the nearest stakes; only a free check is ``free``.

    Examples
    --------
    >>> STAKES_STATES[stakes_state(5, 40)]  # the paper's 40:5: one win in nine, not in eight, breaks even
    '0.10'
    """
    if not owed:
        return 0
    return 1 + int(np.argmin(np.abs(np.array(STAKES[1:]) - owed / (pot + owed))))


def floored(table: ArrayLike) -> Array:
    """Rows over three choices, mixed so that none is below ``FLOOR``."""
    return np.asarray((1 - 3 * FLOOR) * np.asarray(table, np.float64) + FLOOR)


def action_table() -> Array:
    """P(action | recommend, bias); shape (3, 3, 3)."""
    same, up, down = np.eye(3), np.eye(3)[[1, 2, 2]], np.eye(3)[[0, 0, 1]]
    loose, tight = (SHIFTED * moved + (1 - SHIFTED) * same for moved in (up, down))
    return floored(np.stack([loose, same, tight], axis=1))


def recommend_table() -> Array:
    """P(recommend | win, stakes, position); shape (2, 12, 3, 3).

    Fold and call are equally likely exactly when P(win) is the pot odds (plus ``CAUTION``), call and raise
    when it is the bound of a raise: two linear equations for P(fold | win = no) and P(raise | win = yes).
    """
    table = np.empty((2, len(STAKES), len(PLACES), 3))
    for stakes, odds in enumerate(STAKES):
        for place, caution in enumerate(CAUTION):
            bold = BOLD + BOLDER * odds + caution
            fold, rise = _folds_and_raises(odds + caution if odds else 0.0, bold)
            table[0, stakes, place] = fold, 1 - fold - FLOOR, FLOOR
            table[1, stakes, place] = FLOOR, 1 - rise - FLOOR, rise
    return table


def _folds_and_raises(folds_below: float, raises_from: float) -> tuple[float, float]:
    """P(fold | win = no) and P(raise | win = yes) for two bounds; for a free check, fold has the floor."""
    low, high = folds_below, raises_from
    if not low:
        # call = raise at `high`: 2 raise + fold = 1
        return FLOOR, (1 - FLOOR - 2 * (1 - high) * FLOOR) / (2 * high)
    # 2 fold + raise = 1 at `low`, fold + 2 raise = 1 at `high`
    equations = [[2 * (1 - low), low], [1 - high, 2 * high]]
    right = [1 - 2 * low * FLOOR - (1 - low) * FLOOR, 1 - high * FLOOR - 2 * (1 - high) * FLOOR]
    fold, rise = np.linalg.solve(equations, right).tolist()
    return min(fold, 1 - 2 * FLOOR), min(rise, 1 - 2 * FLOOR)
