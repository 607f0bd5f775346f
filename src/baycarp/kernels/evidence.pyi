from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from baycarp.card import Cards

__all__ = [
    "alternatives",
    "by_holding",
    "by_hypothesis",
    "mixed_choices",
    "strength_buckets",
    "sum_by_label",
    "weigh_top_labels",
]

_Act = tuple[NDArray[np.uint8], NDArray[np.float32]]
"""An observed act: the bucket of each holding on its street's board, shape (1326,), 255 = blocked; and the
probability of the act by bucket and hypothesis, shape (buckets, hypotheses). Acts of one street share the
array of buckets."""

def by_holding(
    players: Sequence[tuple[Sequence[_Act], NDArray[np.float64], float]], known: Cards
) -> NDArray[np.float64]:
    """The probability of the acts of players, given each holding.

    Parameters
    ----------
    players
        Of each player its acts in the hand, the weight of each hypothesis, and the share of the deal, 0..1.
    known
        Cards that no player holds.

    Returns
    -------
    float64 array, shape (players, 1326)
        The sum over hypotheses of weight times the product over the acts, of which the share of the deal is
        replaced by the mean over the holdings; 0 for holdings with a known card or a blocked one.

    Raises
    ------
    ArgumentError
        Arrays of other shapes, a bucket without a row, or acts of more than four streets.
    """

def by_hypothesis(
    acts: Sequence[_Act], hypotheses: int, known: Cards, holding: int = -1
) -> NDArray[np.float64]:
    """The probability of a player's acts under each hypothesis, given a holding, or (-1) the mean over all.

    Returns
    -------
    float64 array, shape (hypotheses,)

    Raises
    ------
    ArgumentError
        As there; a holding that is blocked.
    """

def alternatives(
    acts: Sequence[_Act],
    last: tuple[NDArray[np.uint8], NDArray[np.float32]],
    weights: NDArray[np.float64],
    known: Cards,
    holding: int = -1,
) -> NDArray[np.float64]:
    """The probability of a player's acts and of each alternative of one more, over all hypotheses.

    Parameters
    ----------
    acts, known, holding
        As in ``by_hypothesis``.
    last
        The bucket of each holding; and by alternative, bucket and hypothesis the probability of the act,
        float32, shape (alternatives, buckets, hypotheses).
    weights
        Of the hypotheses.

    Returns
    -------
    float64 array, shape (alternatives,)

    Raises
    ------
    ArgumentError
        As there; no alternative or hypothesis.
    """

def mixed_choices(
    table: NDArray[np.float32], weights: NDArray[np.float32], buckets: NDArray[np.uint8]
) -> NDArray[np.float32]:
    """Mix the tables of several powers, and divide by the sum over the choices.

    Parameters
    ----------
    table
        Float32, shape (3, powers, buckets, hypotheses).
    weights
        At least 0; float32, shape (3, powers).
    buckets
        Of each cell by power; uint8, shape (powers, cells).

    Returns
    -------
    float32 array, shape (3, cells, hypotheses)
        Sums to 1 over the choices, or is 0 where the sum is.

    Raises
    ------
    ArgumentError
        Shapes that do not agree, a bucket without a row, or no cell.
    """

def strength_buckets(
    hs: NDArray[np.float64], ppot: NDArray[np.float64], edges: NDArray[np.float64], draw: float
) -> NDArray[np.uint8]:
    """The bucket of every holding by effective strength, ``hs + (1 - hs) ppot``, draws apart.

    Parameters
    ----------
    hs, ppot
        float64, shape (1326,); nan where blocked.
    edges
        float64, rising, 1 to 126: a bucket begins at each.
    draw
        A holding with ``hs`` below one half and ``ppot`` from here on is a draw.

    Returns
    -------
    uint8 array, shape (1326,)
        The number of edges that the strength reaches; of a draw ``len(edges) + 1`` more; 255 = blocked.

    Raises
    ------
    ArgumentError
        Arrays of other shapes.
    """

def sum_by_label(weights: NDArray[np.float64], label: NDArray[np.uint8], labels: int) -> NDArray[np.float64]:
    """Sum the weights of each row, of shape (n, 1326), by the label of the holding; shape (n, labels).

    Holdings with a label from ``labels`` on do not count.
    """

def weigh_top_labels(
    chances: NDArray[np.float64], counts: Sequence[int], label: NDArray[np.uint8], known: Cards
) -> list[NDArray[np.float64] | None]:
    """The holdings of the likeliest labels of each row: 1, all others 0.

    Parameters
    ----------
    chances
        The probability of each label; float64, shape (rows, labels), 1 to 64 labels.
    counts
        The number of labels of each row, 1 to all; of equal labels the first counts as the likelier one.
        While no holding is left, the next label is added.
    label
        Of each holding; uint8, shape (1326,). Holdings with another label have weight 0.
    known
        Cards that no holding has; one that has any has weight 0.

    Returns
    -------
    list of float64 array, shape (1326,)
        One for each row: rows of the same labels share one array. None where no label has a holding.

    Raises
    ------
    ArgumentError, CardError
        Arrays of other shapes, a count out of range; an unknown or a duplicate card.
    """
