"""Cards, holdings, the 169 starting classes and the hand groups as small integers.

A card is ``4 * rank + suit``, ranks ``23456789TJQKA`` = 0..12, suits ``cdhs`` = 0..3. A holding is an
unordered pair of cards; every array of 1,326 is indexed by ``holding_index``. A starting class (AA, AKs, AKo,
...) is a cell of the 13 x 13 grid, ranks falling from the ace, suited above the diagonal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from operator import index
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from baycarp.errors import CardError, brief

if TYPE_CHECKING:  # at run time a fifth of the import time of baycarp
    from numpy.typing import NDArray

__all__ = [
    "CLASSES",
    "CLASS_OF",
    "DECK",
    "HAND_GROUPS",
    "HOLDINGS",
    "HOLDS",
    "RANKS",
    "SUITS",
    "Cards",
    "as_cards",
    "blocked_by",
    "cards",
    "class_index",
    "holding_index",
    "holding_indices",
    "text",
]

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK = tuple(rank + suit for rank in RANKS for suit in SUITS)
"""The 52 cards as text, by id."""

Cards: TypeAlias = "str | Iterable[int] | NDArray[np.integer]"
"""The cards in arguments of public functions: text, or ids."""

_TOKEN = re.compile(r"\s*(?:(10|[2-9TJQKAtjqka])([cdhsCDHS])|([CDHScdhs])(10|[2-9TJQKAtjqka]))\s*,?")


_IDS = {card: number for number, card in enumerate(DECK)}

LONGEST = 1024
"""The longest text of cards, in characters."""


def _parse(string: str) -> list[int]:
    if len(string) > LONGEST:
        raise CardError(f"cards {string[:20]!r}...: {len(string)} characters: expected at most {LONGEST}")
    try:  # as text() prints them
        return [_IDS[string[at : at + 2]] for at in range(0, len(string), 2)]
    except KeyError:
        return _parse_any(string)


def _parse_any(string: str) -> list[int]:
    ids, at = [], 0
    while at < len(string.rstrip()):
        token = _TOKEN.match(string, at)
        if token is None:
            column = len(string) - len(string[at:].lstrip()) + 1
            raise CardError(f"unknown card at column {column} of {string!r}: expected like 'Ah'")
        rank = token[1] or token[4]
        suit = token[2] or token[3]
        ids.append(4 * RANKS.index("T" if rank == "10" else rank.upper()) + SUITS.index(suit.lower()))
        at = token.end()
    return ids


def cards(string: str) -> NDArray[np.uint8]:
    """Read cards from text.

    ``10h`` and suit-first ``CA`` are also accepted, and blanks and commas between cards.

    Returns
    -------
    uint8 array, shape (n,)
        Ids in the order of the text.

    Raises
    ------
    CardError
        An unknown or a duplicate card.

    Examples
    --------
    >>> cards("AhKd")
    array([50, 45], dtype=uint8)
    """
    return as_cards(string)


def text(ids: Iterable[int] | NDArray[np.integer]) -> str:
    """Print cards, ``255`` (unseen) as ``??``.

    Examples
    --------
    >>> text([50, 45])
    'AhKd'
    """
    words = []
    for card in map(index, ids):
        if card != 255 and not 0 <= card < 52:
            raise CardError(f"card id {brief(card)}: expected 0..51")
        words.append("??" if card == 255 else DECK[card])
    return "".join(words)


def _whole(given: Iterable[int] | NDArray[np.integer], name: str) -> NDArray[np.integer]:
    try:
        ids = np.asarray(given if hasattr(given, "dtype") else [*islice(given, len(DECK) + 1)])
    except (TypeError, ValueError):
        raise CardError(f"{name}: expected text or card ids, got {brief(given)}") from None
    if ids.ndim != 1:
        raise CardError(f"{name}: expected one row of cards, got shape {ids.shape}")
    if ids.size and ids.dtype.kind not in "iu":
        raise CardError(f"{name}: expected whole card ids, got {brief(ids.tolist())}")
    return ids[: len(DECK) + 1]  # one of so many is wrong, or stands twice


def as_cards(
    given: Cards, name: str = "cards", count: int | tuple[int, ...] | None = None
) -> NDArray[np.uint8]:
    """Convert cards to checked ids, for every kernel.

    Parameters
    ----------
    given
        Text, or ids 0..51 in anything one-dimensional.
    name
        Name of the argument in errors.
    count
        The expected number, or numbers, of cards; None = any.

    Raises
    ------
    CardError
        An unknown card, a duplicate, or a wrong number.
    """
    if isinstance(given, str):
        ids: Sequence[int] = _parse(given)
    elif type(given) is tuple and set(map(type, given)) == {int}:
        ids = given
    else:
        ids = _whole(given, name).tolist()
    if ids and not 0 <= min(ids) <= max(ids) <= 51:
        wrong = next(card for card in ids if not 0 <= card <= 51)
        raise CardError(f"card id {brief(wrong)} in {name}: expected 0..51")
    if len(set(ids)) != len(ids):
        twice = next(card for i, card in enumerate(ids) if card in ids[:i])
        raise CardError(f"duplicate card {DECK[twice]!r} in {name} {text(ids)!r}")
    allowed = (count,) if isinstance(count, int) else count
    if allowed is not None and len(ids) not in allowed:
        raise CardError(
            f"{name} {text(ids)!r}: expected {' or '.join(map(str, allowed))} cards, got {len(ids)}"
        )
    return np.array(ids, np.uint8)


def holding_index(a: int, b: int) -> int:
    """The number 0..1325 of the holding {a, b}: ``hi * (hi - 1) / 2 + lo``."""
    hi, lo = (int(a), int(b)) if a > b else (int(b), int(a))  # one-byte ids would overflow
    return hi * (hi - 1) // 2 + lo


def holding_indices(pairs: NDArray[np.uint8]) -> NDArray[np.int64]:
    """``holding_index`` of many pairs of ids, shape (..., 2); int64, shape (...)."""
    high, low = pairs.max(axis=-1).astype(np.int64), pairs.min(axis=-1).astype(np.int64)
    return np.asarray(high * (high - 1) // 2 + low)


# Of bytes: NumPy's ways to find the pairs would load a quarter of a MiB.
_PAIRS = bytearray(card for high in range(52) for low in range(high) for card in (high, low))
HOLDINGS: NDArray[np.uint8] = np.frombuffer(_PAIRS, np.uint8).reshape(1326, 2)
"""The two cards of each holding, higher id first; uint8, shape (1326, 2)."""


HOLDS: NDArray[np.bool_] = np.zeros((52, 1326), np.bool_)
HOLDS[HOLDINGS.T, np.arange(1326)] = True
"""Whether a holding contains a card; bool, shape (52, 1326)."""


def blocked_by(cards: Iterable[int]) -> NDArray[np.bool_]:
    """Whether a holding contains one of some cards, given as ids; bool, shape (1326,).

    Examples
    --------
    >>> int(blocked_by([0, 1, 51]).sum())  # 1326 less the pairs of 49 cards
    150
    """
    return np.asarray(HOLDS[list(cards)].any(axis=0))


def class_index(a: int, b: int) -> int:
    """The starting class 0..168 of a holding: its cell in the grid, row by row from AA."""
    return int(CLASS_OF[holding_index(a, b)])


def _class_name(cell: int) -> str:
    row, column = divmod(cell, 13)
    high, low = RANKS[12 - min(row, column)], RANKS[12 - max(row, column)]
    return high + low + ("" if row == column else "s" if row < column else "o")


CLASSES = tuple(_class_name(cell) for cell in range(169))
"""The names of the 169 classes, by cell: AA, AKs, AQs, ..., AKo, KK, ..."""

_HIGH, _LOW = 12 - HOLDINGS.T // 4
_SUITED = np.equal(*HOLDINGS.T % 4)
CLASS_OF: NDArray[np.uint8] = np.where(_SUITED, 13 * _HIGH + _LOW, 13 * _LOW + _HIGH)
"""The class of each holding; uint8, shape (1326,)."""

_GROUPS = """
    1  1  2  2  3  5  5  5  5  5  5  5  5
    2  1  2  3  4  7  7  7  7  7  7  7  7
    3  4  1  3  4  5  7 10 10 10 10 10 10
    4  5  5  1  3  4  6  8 10 10 10 10 10
    6  6  6  5  2  4  5  7 10 10 10 10 10
    8  8  8  7  7  3  4  5  8 10 10 10 10
    9 10 10  8  8  7  4  5  6  8 10 10 10
    9 10 10 10 10 10  8  5  5  6  8 10 10
    9 10 10 10 10 10 10  8  5  6  7 10 10
    9 10 10 10 10 10 10 10  8  6  6  7 10
    9 10 10 10 10 10 10 10 10  8  7  7  8
    9 10 10 10 10 10 10 10 10 10 10  7  8
    9 10 10 10 10 10 10 10 10 10 10 10  7
"""

HAND_GROUPS: NDArray[np.uint8] = np.array(_GROUPS.split(), np.uint8)
"""The hand group 1..10 of each class; uint8, shape (169,).

Source: Unger (2011), figure B.1: Sklansky and Malmuth's groups 1-8, group 9 = A8o-A2o, group 10 =
the rest. It differs from the groups as published in three cells: K9s is 7 (published 6), 66 is 5 (6), 65s is
6 (5).
"""
