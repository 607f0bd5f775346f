"""Boards that differ by the names of suits: one of each, and its images."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from baycarp.card import blocked_by, text
from baycarp.errors import TableError
from baycarp.solvers.buckets.boards import RENAMED, canonical_boards, canonical_codes, renamed_holdings

__all__ = ["FLOPS", "IMAGES", "Dealt", "fixing", "flops", "next_cards", "verify_suits"]

IMAGES: NDArray[np.uint16] = renamed_holdings().astype(np.uint16)
"""The holding that each renaming of the suits makes of each holding; uint16, shape (24, 1326)."""

FLOPS = 22_100
"""Flops of three cards of 52."""


@dataclass(frozen=True, slots=True)
class Dealt:
    """A card to come that stands for those that differ from it by suits.

    Parameters
    ----------
    card
        Its id.
    permutations
        For each of these cards one renaming of the suits that makes it of ``card``: rows of ``RENAMED``; the
        first is 0.
    """

    card: int
    permutations: tuple[int, ...]


def flops() -> dict[tuple[int, ...], int]:
    """The 1,755 flops that differ by more than suits, each with the number of flops that it stands for.

    Examples
    --------
    >>> classes = flops()
    >>> len(classes), sum(classes.values())
    (1755, 22100)
    """
    every = np.array(list(combinations(range(52), 3)), np.uint8)
    _, counts = np.unique(canonical_codes(every)[0], return_counts=True)
    return dict(zip(map(tuple, canonical_boards(3).tolist()), counts.tolist(), strict=True))


def fixing(*parts: Sequence[int]) -> tuple[int, ...]:
    """The permutations of suits that change none of these sets of cards: a flop, a turn card.

    Examples
    --------
    >>> len(fixing([0, 4, 8])), len(fixing([0, 5, 10]))
    (6, 1)
    """
    return tuple(
        number
        for number, row in enumerate(RENAMED)
        if all({int(row[card]) for card in part} == set(part) for part in parts)
    )


def next_cards(deck: Sequence[int], permuted: Sequence[int]) -> list[Dealt]:
    """One card of each orbit of a set of cards under permutations, with a permutation for each of the orbit.

    Parameters
    ----------
    deck
        The cards, closed under the permutations.
    permuted
        Places in ``RENAMED``, 0 among them.
    """
    found, seen = [], set[int]()
    for card in deck:
        if card in seen:
            continue
        images: dict[int, int] = {}
        for number in sorted(permuted):
            images.setdefault(int(RENAMED[number, card]), number)
        seen.update(images)
        found.append(Dealt(card, tuple(sorted(images.values()))))
    return found


def verify_suits(classes: Callable[[Sequence[int]], NDArray[np.uint16]], flop: Sequence[int]) -> None:
    """Raise the reason if a player's classes depend on the names of suits, as a sample of boards shows.

    Parameters
    ----------
    classes
        The class of each holding by board.
    flop
        The sample: this flop, and a turn and a river after it.

    Raises
    ------
    TableError
        The classes of a board and of an image differ.
    """
    rest = [card for card in range(52) if card not in flop]
    number = 1 + sum(flop) % 23
    for board in (tuple(flop), (*flop, rest[7]), (*flop, rest[7], rest[30])):
        image = RENAMED[number, list(board)].tolist()
        free = ~blocked_by(board)
        if (classes(board)[free] != classes(image)[IMAGES[number, free]]).any():
            raise TableError(
                f"classes of holdings on {text(board)} and {text(image)} differ: expected classes that do "
                "not depend on the names of suits"
            )
