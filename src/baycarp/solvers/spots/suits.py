"""Suits that a spot does not tell apart: boards that differ by them alone are solved once."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from baycarp.card import HOLDINGS, holding_indices

__all__ = ["ALL_DIFFERENT", "interchangeable", "swapped", "swapped_cards"]

ALL_DIFFERENT = (0, 1, 2, 3)


def swapped(one: int, other: int) -> NDArray[np.int64]:
    """The holding that each holding becomes when two suits change places; int64, shape (1326,).

    Examples
    --------
    >>> from baycarp.card import holding_index, as_cards
    >>> becomes = swapped(0, 3)
    >>> int(becomes[holding_index(*as_cards("AcKd"))]) == holding_index(*as_cards("AsKd"))
    True
    """
    return holding_indices(_swap(HOLDINGS, one, other))


def swapped_cards(cards: Sequence[int], one: int, other: int) -> list[int]:
    """Cards when two suits change places."""
    return [int(card) for card in _swap(np.array(cards, np.uint8), one, other)]


def _swap(cards: NDArray[np.uint8], one: int, other: int) -> NDArray[np.uint8]:
    suits = cards % 4
    moved = np.where(suits == one, other, np.where(suits == other, one, suits))
    return (cards - suits + moved).astype(np.uint8)


def interchangeable(
    board: Sequence[int],
    weights: Iterable[NDArray[np.floating]],
    holds: Callable[[int, int], bool] = lambda one, other: True,
) -> tuple[int, int, int, int]:
    """Number the suits: equal numbers, equal suits.

    Parameters
    ----------
    board
        The cards of the spot's start.
    weights
        By holding, shape (1326,), of everything that is given by holding and that depends on no other card.
    holds
        Whether all else is the same when two suits change places.

    Examples
    --------
    >>> from baycarp.card import as_cards
    >>> interchangeable(as_cards("Td9d6h").tolist(), [np.ones(1326)])
    (0, 1, 2, 0)
    """
    given = list(weights)
    found = list(ALL_DIFFERENT)
    for other in range(1, 4):
        for one in range(other):
            if found[one] == one and _is_same(board, given, one, other) and holds(one, other):
                found[other] = one
                break
    return found[0], found[1], found[2], found[3]


def _is_same(board: Sequence[int], weights: list[NDArray[np.floating]], one: int, other: int) -> bool:
    if {*swapped_cards(board, one, other)} != {*board}:
        return False
    becomes = swapped(one, other)
    return all(np.array_equal(each, each[becomes]) for each in weights)
