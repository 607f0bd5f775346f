"""What the next card makes of a hand: histograms of strength, and clusters by earth mover's distance.

The distance of two histograms over one line is the L1 distance of their cumulative sums.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.card import HOLDINGS
from baycarp.kernels.arguments import seeded
from baycarp.kernels.sweeps import sweep, sweep_expected_batch

__all__ = [
    "BINS",
    "Centres",
    "cluster",
    "cumulative",
    "histograms",
    "nearest",
    "nearest_of",
    "nearest_rows",
    "next_strengths",
    "sample_points",
]

Centres: TypeAlias = tuple[tuple[float, ...], ...]
"""Centres of clusters; of cumulative histograms the share of next cards below each bin's end."""

BINS = 30
"""Bins of a histogram, of one length over 0..1."""


def next_strengths(board: tuple[int, ...]) -> NDArray[np.float32]:
    """E[HS^2] of every holding after each next card.

    Parameters
    ----------
    board
        Three or four cards.

    Returns
    -------
    float32 array, shape (1326, cards)
        0..1; nan where the holding is blocked.
    """
    squares = _squares(board, [card for card in range(52) if card not in board], slice(None))
    return np.ascontiguousarray(squares.T, np.float32)


def nearest_of(board: tuple[int, ...], holding: int, centres: NDArray[np.float32]) -> int:
    """The centre nearest to the histogram of one holding that the board does not block, as ``nearest``."""
    left = [card for card in range(52) if card not in (*board, *HOLDINGS[holding].tolist())]
    strengths = _squares(board, left, holding).astype(np.float32)
    return int(nearest_rows(cumulative(histograms(strengths[None])), centres)[0])


def _squares(board: tuple[int, ...], cards: list[int], of: int | slice) -> NDArray[np.float64]:
    """E[HS^2] of some holdings after each of some cards: shape (cards, ...)."""
    boards = np.array([(*board, card) for card in cards], np.uint8)
    if len(board) == 4:
        return np.array([sweep(each)[of] for each in boards]) ** 2
    squares: NDArray[np.float64] = sweep_expected_batch(boards)[1][:, of]
    return squares


def histograms(strengths: NDArray[np.float32]) -> NDArray[np.uint8]:
    """The histograms of rows of strengths: uint8, shape (rows, BINS); nan is not counted."""
    rows = len(strengths)
    known = ~np.isnan(strengths)
    bins = np.minimum(np.where(known, strengths, 0) * BINS, BINS - 1).astype(np.int64)
    flat = (np.arange(rows)[:, None] * BINS + bins)[known]
    return np.bincount(flat, minlength=rows * BINS).reshape(rows, BINS).astype(np.uint8)


def cumulative(counts: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The cumulative sums of histograms, without the last, which is 1: float32, shape (rows, BINS - 1)."""
    sums = np.cumsum(counts, axis=1, dtype=np.int64)
    return (sums[:, :-1] / np.maximum(sums[:, -1:], 1)).astype(np.float32)


def nearest(strengths: NDArray[np.float32], centres: NDArray[np.float32]) -> NDArray[np.int64]:
    """The centre nearest to each row's histogram, the first of equals: int64, shape (rows,)."""
    counts = histograms(strengths)
    _, first, group = np.unique(
        counts.view(np.dtype((np.void, BINS))).ravel(), return_index=True, return_inverse=True
    )
    return nearest_rows(cumulative(counts[first]), centres)[group]


def nearest_rows(points: NDArray[np.float32], centres: NDArray[np.float32]) -> NDArray[np.int64]:
    """The centre of the least L1 distance to each point, the first of equals."""
    if len(points) < len(centres):
        return np.array([np.abs(centres - point).sum(axis=1).argmin() for point in points], np.int64)
    best = np.zeros(len(points), np.int64)
    least = np.full(len(points), np.inf, np.float32)
    for number, centre in enumerate(centres):
        distance = np.abs(points - centre).sum(axis=1)
        closer = distance < least
        best[closer], least[closer] = number, distance[closer]
    return best


def cluster(points: NDArray[np.float32], count: int, seed: int, rounds: int = 25) -> Centres:
    """Centres of clusters by k-means under the L1 distance: of cumulative histograms, the earth mover's.

    Parameters
    ----------
    points
        float32, shape (n, k).
    count
        Clusters, at most n.
    seed
        Of the beginnings (k-means++: far points are likelier).
    rounds
        At most; it ends earlier if no point moves.

    Returns
    -------
    tuple of tuples
        In descending order of their sums, for histograms that of ascending mean strength. The centre of a
        cluster is the mean of its points; an empty cluster begins anew at the point farthest from its centre.
    """
    draw = seeded(seed)
    centres = [points[int(draw.integers(len(points)))]]
    least = np.abs(points - centres[0]).sum(axis=1)
    while len(centres) < count:
        chances = least.astype(np.float64) ** 2
        chosen = int(np.searchsorted(np.cumsum(chances), draw.random() * chances.sum(), side="right"))
        centres.append(points[min(chosen, len(points) - 1)])
        np.minimum(least, np.abs(points - centres[-1]).sum(axis=1), out=least)
    places, table = np.full(len(points), -1), np.array(centres, np.float32)
    for _ in range(rounds):
        now = nearest_rows(points, table)
        if (now == places).all():
            break
        places = now
        for number in range(count):
            members = points[places == number]
            far = np.abs(points - table[places]).sum(axis=1).argmax() if not len(members) else 0
            table[number] = members.mean(axis=0) if len(members) else points[far]
    order = np.argsort(-table.sum(axis=1), kind="stable")
    return tuple(tuple(round(float(number), 5) for number in table[place]) for place in order)


def sample_points(size: int, boards: int, seed: int) -> NDArray[np.float32]:
    """Cumulative histograms of holdings on sampled boards, 50 a board.

    Parameters
    ----------
    size
        Cards of a board, 3 or 4.
    boards
        Their number.
    seed
        Of boards and holdings.

    Returns
    -------
    float32 array, shape (50 * boards, BINS - 1)
    """
    draw, made = seeded(seed), []
    for _ in range(boards):
        strengths = next_strengths(tuple(draw.permutation(52)[:size].tolist()))
        live = np.flatnonzero(~np.isnan(strengths).all(axis=1))
        made.append(histograms(strengths[draw.choice(live, 50, replace=False)]))
    return cumulative(np.concatenate(made))
