"""Boards up to the names of the suits: 1,755 flops, 16,432 boards of four cards, 134,459 of five."""

from functools import cache
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from baycarp.card import Cards, as_cards

__all__ = ["canonical", "canonical_boards", "canonical_codes", "renamed_holdings"]

ORDERS = np.array(list(permutations(range(4))), np.uint8)
"""The 24 renamings of the suits: the new suit of each suit."""

_CARDS = np.arange(52, dtype=np.uint8)
RENAMED = (_CARDS - _CARDS % 4) + ORDERS[:, _CARDS % 4]
"""uint8, shape (24, 52): each card under each renaming."""


def canonical(board: Cards) -> tuple[tuple[int, ...], int]:
    """The first of a board's renamings, its cards ascending, and the renaming that leads to it.

    Parameters
    ----------
    board
        Three, four or five cards, text or ids; their order does not count.

    Returns
    -------
    cards, renaming
        Card ids; a row of ``renamed_holdings``.

    Examples
    --------
    >>> canonical("KsKh2h")[0] == canonical("2dKdKc")[0]
    True
    """
    cards = as_cards(board, "board", (3, 4, 5))
    forms = np.sort(RENAMED[:, cards], axis=1)
    best = min(range(len(forms)), key=lambda order: forms[order].tolist())
    return tuple(forms[best].tolist()), best


def canonical_codes(boards: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """A number for the ``canonical`` form of each of many boards of one size, and the renamings.

    Parameters
    ----------
    boards
        uint8, shape (n, cards).

    Returns
    -------
    codes, renamings
        int64, shape (n,): equal for boards that differ by suits alone, ascending as ``canonical_boards``;
        rows of ``renamed_holdings``.

    Examples
    --------
    >>> codes, _ = canonical_codes(np.array([[51, 47, 3], [50, 46, 2]], np.uint8))  # one suit, and another
    >>> bool(codes[0] == codes[1])
    True
    """
    forms = np.sort(RENAMED[:, boards], axis=2) @ _digits(boards.shape[1])
    best = forms.argmin(axis=0)
    return forms[best, np.arange(len(boards))], best


def _digits(size: int) -> NDArray[np.int64]:
    digits: NDArray[np.int64] = 52 ** np.arange(size - 1, -1, -1)
    return digits


@cache
def renamed_holdings() -> NDArray[np.int64]:
    """The index of every holding after each renaming of the suits: int64, shape (24, 1326)."""
    high = np.repeat(np.arange(52), np.arange(52))
    low = np.concatenate([np.arange(card) for card in range(52)])
    one, other = RENAMED[:, high].astype(np.int64), RENAMED[:, low].astype(np.int64)
    top, bottom = np.maximum(one, other), np.minimum(one, other)
    holdings: NDArray[np.int64] = top * (top - 1) // 2 + bottom
    return holdings


@cache
def canonical_boards(size: int) -> NDArray[np.uint8]:
    """All canonical boards of three or four cards, in ascending order: uint8, shape (boards, size).

    Examples
    --------
    >>> len(canonical_boards(3))
    1755
    """
    every = np.array(list(combinations(range(52), size)), np.uint8)
    digits = _digits(size)
    codes = every @ digits
    least = codes.copy()
    for order in RENAMED[1:]:
        np.minimum(least, np.sort(order[every], axis=1) @ digits, out=least)
    boards: NDArray[np.uint8] = every[codes == least]
    return boards
