"""What Gambler's networks share: stakes, recommend, bias and action.

The tables of the paper are unpublished; those here are our choice. No probability of a choice is below
``FLOOR``, so that a player that errs is possible and can be inferred.
"""

from collections.abc import Sequence
from itertools import product

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "ACTING",
    "ACTIONS",
    "BIASES",
    "FLOOR",
    "PLACES",
    "STAKES",
    "STAKES_STATES",
    "action_table",
    "floored",
    "recommend_table",
    "recommendations",
    "stakes_state",
    "wariness",
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

ACTING = ("early-action", "mid-action", "late-action")
"""The most aggressive act of the others on the street, by their place in its order: the nodes that section 7
proposes to add after the flop."""

WARY = (0.03, 0.02, 0.01)
"""Added by a bet or raise of each of ``ACTING`` to the probability of winning that an action needs, and taken
off where it has checked and nothing is to call (our choice)."""

BOLD, BOLDER = 0.42, 0.5
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


def recommend_table(acting: bool = False) -> Array:
    """P(recommend | win, stakes, position); shape (2, 12, 3, 3), ``acting`` given too (2, 12, 3, 3, 3, 3, 3).

    Examples
    --------
    >>> neutral = recommend_table(acting=True)[:, :, :, 0, 0, 0]
    >>> bool((neutral == recommend_table()).all())
    True
    """
    acts = [*product(range(len(ACTIONS)), repeat=len(ACTING))] if acting else [()]
    rows = [
        [
            [recommendations(odds, place, wariness(odds, each)) for each in acts]
            for place in range(len(PLACES))
        ]
        for odds in STAKES
    ]
    table = np.moveaxis(np.array(rows), -2, 0)
    return table.reshape(*table.shape[:3], *(len(ACTIONS) for _ in acts[0]), len(ACTIONS))


def wariness(odds: float, acts: Sequence[int]) -> float:
    """The sum of ``WARY`` over the acts of others, codes of ``ACTIONS``; 0 = none of them has acted."""
    signs = 0, 0 if odds else -1, 1
    return sum(weight * signs[act] for weight, act in zip(WARY, acts, strict=False))


def recommendations(odds: float, place: int, wary: float = 0.0) -> Array:
    """P(recommend | win) at pot odds, which need not be those of a state; shape (2, 3).

    Fold and call are equally likely exactly when P(win) is the pot odds (plus ``CAUTION`` and ``wary``), call
    and raise when it is the bound of a raise: two linear equations for P(fold | win = no) and P(raise | win =
    yes).

    Parameters
    ----------
    odds
        ``owed / (pot + owed)``, 0..0.5; 0 = a check is free.
    place
        The code of the position: 0..2.
    wary
        See ``wariness``.
    """
    caution = CAUTION[place] + wary
    return _choices(odds + caution if odds else 0.0, BOLD + BOLDER * odds + caution)


SURE = 0.9
"""The largest P(raise | win = yes); where more would be needed, a raise without a win is likelier instead."""


def _choices(low: float, high: float) -> Array:
    """P(recommend | win) for two bounds of P(win): fold = call at ``low``, call = raise at ``high``.

    With P(fold) = (1 - w) f + w FLOOR and P(raise) = (1 - w) r + w s, the bounds are two linear equations:
    2 P(fold) + P(raise) = 1 at ``low`` (for a free check, f = FLOOR), P(fold) + 2 P(raise) = 1 at ``high``.
    """
    folds = [2 * (1 - low), low, 1 - low, 1 - 2 * low * FLOOR] if low else [1.0, 0.0, 0.0, FLOOR]
    raises = [1 - high, 2 * high, 2 * (1 - high), 1 - high * FLOOR]
    equations = np.array([folds, raises])
    fold, sure = np.linalg.solve(equations[:, :2], equations[:, 3] - FLOOR * equations[:, 2])
    bluff = FLOOR
    if sure > SURE:
        sure = SURE
        fold, bluff = np.linalg.solve(equations[:, [0, 2]], equations[:, 3] - SURE * equations[:, 1])
    return np.array([[fold, 1 - fold - bluff, bluff], [FLOOR, 1 - FLOOR - sure, sure]])
