"""The start of EM over hidden holdings: the strongest bet and raise, the weakest check and fold.

They do so as often as all players do. Only the order of the holdings is assumed, and it is not trusted
wholly: a share of every probability is that of all holdings. Source: our choice, beside the start of van der
Kleij (2010), section 5.5.1.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from baycarp.opponents.moves.tree_policy import MoveRows, fit_policy
from baycarp.rules.features import MOVES, SITUATIONS
from baycarp.trees import Growth

__all__ = ["ordered_start"]

Array = NDArray[np.float64]

POOLED = Growth(4, 50.0)
"""The limits of the trees without buckets that the ordered start scales to."""

TRUST = 0.7
"""How far the ordered start is the order of strength; the rest is what all players do."""

NOISE = 0.7
"""The standard deviation of the logarithm of the random start's factor, by situation, bucket and action."""


def ordered_start(
    choices: MoveRows, stretches: Callable[[int], Array], rng: np.random.Generator | None = None
) -> Array:
    """The probability of the actions made, by bucket: folds from the bottom, bets and raises from the top.

    Parameters
    ----------
    choices
        The decisions.
    stretches
        By street, the ends of each bucket in the ranking of holdings, as ``StreetBuckets.stretches``.
    rng
        Of a random start; None = the ordered one.

    Returns
    -------
    float64, shape (n, most buckets of a street)
    """
    table = fit_policy(choices, POOLED)(choices)
    found = np.zeros(
        (len(choices), max(stretches(street).shape[1] for street in range(len(SITUATIONS) // 2)))
    )
    for situation in range(len(SITUATIONS)):
        at = np.flatnonzero(choices.situations == situation)
        low, high = stretches(situation // 2)
        everyone, move = table[at], choices.moves[at]
        bold = everyone[:, 2:].sum(axis=1, keepdims=True)
        fold = np.clip((everyone[:, :1] - low) / (high - low), 0, 1)
        raised = np.clip((high - (1 - bold)) / (high - low), 0, 1)
        usual = everyone[np.arange(len(at)), move][:, None]
        ordered = np.select(
            [move[:, None] == 0, move[:, None] == 1], [fold, 1 - fold - raised], raised * usual / bold
        )
        trust = TRUST if rng is None else rng.uniform(0.2, 0.9)
        mixed = trust * np.maximum(ordered, 0) + (1 - trust) * usual
        if rng is not None:
            mixed *= np.exp(rng.normal(0, NOISE, (len(MOVES), len(low))))[move]
        found[at, : len(low)] = mixed
    return found
