"""The value of a hand: strength, potential, expected strength, equity."""

from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from math import prod
from typing import Any, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from baycarp.card import (
    CLASS_OF,
    HOLDINGS,
    HOLDS,
    Cards,
    as_cards,
    blocked_by,
    class_index,
    holding_index,
)
from baycarp.card import text as text_of
from baycarp.errors import CardError, RangeError, brief
from baycarp.kernels import preflop, sweeps
from baycarp.kernels import strength as kernel
from baycarp.ranges import Range

__all__ = [
    "Side",
    "Weighted",
    "as_side",
    "blockers",
    "equity",
    "equity_map",
    "expected_strength",
    "hand_strength",
    "potential",
    "strength",
]


Weighted: TypeAlias = "str | Range | NDArray[np.floating] | Sequence[float]"
"""A range: its text, a ``Range``, or its 1,326 weights by holding index, finite and at least 0."""

Side: TypeAlias = "Weighted | Cards"
"""A range, or one holding: two cards as text or ids."""


def strength(hole: Cards, board: Cards, *ranges: Weighted, ahead: int = 2) -> tuple[float, float, float]:
    """Measure hand strength and both potentials in one pass.

    Strength (HS) is the probability of being ahead of every opponent now, ties counted half; positive
    potential (PPot) that of getting ahead of one from behind; negative potential (NPot) of falling behind.

    Parameters
    ----------
    hole
        Two cards, text or ids.
    board
        Three, four or five cards, text or ids.
    *ranges
        One for each opponent; none = one opponent with any two cards. Holdings that share a card with hole or
        board do not count.
    ahead
        The cards to come in the potentials: 2 (to the river), 1 (Billings' PPot1), or 0 (strength only); at
        most the number of cards to come.

    Returns
    -------
    hs, ppot, npot
        Each 0..1. Several opponents: the product of the strengths, the mean of the potentials. A potential is
        0 if there is no holding to overtake, and on the river.

    Raises
    ------
    CardError
        An unknown or a duplicate card, or a wrong number.
    RangeError
        No range, or a range without a holding beside the known cards.
    ArgumentError
        ``ahead`` out of range.

    References
    ----------
    Billings, Papp, Schaeffer and Szafron (1998), "Opponent modeling in poker"; Papp (1998), section 5.2;
    Unger (2011), section 6.2.1. Totals count holdings times futures, PPot is over behind + tied / 2 and NPot
    over ahead + tied / 2, as in Billings et al.; the mean over opponents is our choice.

    Examples
    --------
    >>> [round(x, 3) for x in strength("AdQc", "3h4cJh")]
    [0.585, 0.208, 0.274]
    """
    if not ranges:
        return kernel.strength(hole, board, None, ahead)
    weights = [_weights_of(given, f"range {number}") for number, given in enumerate(ranges, 1)]
    strengths, gains, losses = zip(*kernel.strengths(hole, board, weights, ahead), strict=True)
    return prod(strengths), sum(gains) / len(ranges), sum(losses) / len(ranges)


def hand_strength(hole: Cards, board: Cards, *ranges: Weighted) -> float:
    """Measure the probability of being ahead now; parameters, errors and sources as for ``strength``.

    Examples
    --------
    >>> round(hand_strength("AdQc", "3h4cJh"), 3)
    0.585
    """
    return strength(hole, board, *ranges, ahead=0)[0]


def potential(hole: Cards, board: Cards, *ranges: Weighted, ahead: int = 2) -> tuple[float, float]:
    """Measure (PPot, NPot); parameters, errors and sources as for ``strength``.

    Examples
    --------
    >>> [round(x, 3) for x in potential("8d7d", "9d6c2d", ahead=1)]
    [0.408, 0.075]
    """
    return strength(hole, board, *ranges, ahead=ahead)[1:]


@overload
def expected_strength(hole: Cards, board: Cards = "") -> tuple[float, float]: ...
@overload
def expected_strength(hole: None, board: Cards = "") -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
def expected_strength(
    hole: "Cards | None", board: Cards = ""
) -> tuple[float, float] | tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Measure E[HS] and E[HS^2]: strength on the final board, over all final boards, against any holding.

    E[HS] is all-in equity against one random holding; E[HS^2] rates a draw above a made hand of equal equity.

    Parameters
    ----------
    hole
        Two cards, text or ids; None = every holding at once, far faster than one by one.
    board
        None, three, four or five cards, text or ids. Without a board the answer is looked up.

    Returns
    -------
    mean, square
        Each 0..1; of every holding: float64, shape (1326,), nan where the board blocks.

    Raises
    ------
    CardError
        An unknown or a duplicate card, or a wrong number.

    References
    ----------
    Johanson (2007), "Robust strategies and counter-strategies"; Rubin and Watson (2012), where it is Sartre's
    hand strength.

    Examples
    --------
    >>> [round(x, 4) for x in expected_strength("AhKd", "Qs7d2c")]
    [0.5565, 0.355]
    >>> [round(x, 4) for x in expected_strength("AhKd")]
    [0.6532, 0.4862]
    """
    table = as_cards(board, "board", (0, 3, 4, 5))
    if len(table):
        return sweeps.sweep_expected(table) if hole is None else kernel.expected_strength(hole, table)
    mean, square = preflop.class_strengths()
    if hole is None:
        return mean[CLASS_OF], square[CLASS_OF]
    cell = class_index(*as_cards(hole, "hole", 2).tolist())
    return float(mean[cell]), float(square[cell])


def as_side(given: Any, name: str) -> NDArray[np.float64]:
    """The weights of a range, or of the one holding that is given as cards; checked."""
    return kernel.as_weights(_weights_of(given, name), name)


def _weights_of(given: Any, name: str) -> Any:
    """The same, a range unchecked."""
    weights = getattr(given, "weights", given)
    if not isinstance(given, str) and np.shape(weights) != (2,):
        return weights
    if isinstance(given, str):
        try:
            return _text_weights(given)
        except RangeError as error:
            raise RangeError(f"{name}: {error}") from error
    hi, lo = as_cards(given, name, 2)
    single = np.zeros(1326)
    single[holding_index(int(hi), int(lo))] = 1
    return single


@lru_cache(maxsize=256)
def _text_weights(text: str) -> NDArray[np.float64]:
    """The weights of a range, or of one holding in any spelling of ``card.cards``."""
    with suppress(CardError):
        high, low = as_cards(text, "holding", 2).tolist()
        return Range(text_of((high, low))).weights
    return Range(text).weights


def equity_map(a: Side, b: Side, board: Cards = "") -> NDArray[np.float64]:
    """Measure the equity of every holding of ``a`` all-in against ``b``; exact, over all boards.

    Parameters are those of ``equity``. On a flop a holding takes about a millisecond.

    Returns
    -------
    float64, shape (1326,)
        0..1; nan for a holding that is not in ``a``, that the board blocks, or that leaves ``b`` nothing.

    Examples
    --------
    >>> found = equity_map("AhKd, QQ", "77+", "Qs7d2c")
    >>> [round(float(found[holding_index(*as_cards(each))]), 3) for each in ("AhKd", "QhQd")]
    [0.184, 0.97]
    """
    table = as_cards(board, "board", (0, 3, 4, 5))
    ours, theirs = as_side(a, "a"), as_side(b, "b")
    found = np.full(1326, np.nan)
    for holding in np.flatnonzero((ours > 0) & ~blocked_by(table)):
        with suppress(RangeError):  # the holding and the board block the whole of b
            if len(table):
                found[holding] = kernel.holding_equity(HOLDINGS[holding], table, theirs)
            else:
                found[holding] = preflop.equity(np.arange(1326) == holding, theirs)
    return found


def blockers(a: Side, b: Side, board: Cards = "") -> NDArray[np.float64]:
    """Measure the share of ``b`` that each holding of ``a`` makes impossible.

    Parameters are those of ``equity``.

    Returns
    -------
    float64, shape (1326,)
        0..1, by weight; nan for a holding that is not in ``a`` or that the board blocks.

    Raises
    ------
    CardError, RangeError
        As for ``equity``.

    Examples
    --------
    >>> round(float(blockers("AhKh", "AA, KK, AKs")[holding_index(*as_cards("AhKh"))]), 3)  # 7 of 16
    0.438
    """
    live = ~blocked_by(as_cards(board, "board", (0, 3, 4, 5)))
    ours, theirs = as_side(a, "a") * live, as_side(b, "b") * live
    if not theirs.any():
        raise RangeError(f"b: no holding is left beside the board {brief(board, 40)}")
    by_card = HOLDS @ theirs
    blocked = by_card[HOLDINGS].sum(axis=1) - theirs  # the same holding contains both cards
    return np.where(ours > 0, blocked / theirs.sum(), np.nan)


def equity(a: Side, b: Side, board: Cards = "") -> float:
    """Measure the share of the pot that ``a`` wins all-in against ``b``; exact, over all boards.

    Parameters
    ----------
    a, b
        A range, its 1,326 weights, or one holding as text or ids. A pair of holdings counts with the product
        of its weights, pairs that share a card do not count.
    board
        None, three, four or five cards, text or ids. Without a board the answer is looked up.

    Returns
    -------
    float
        0..1, ties counted half; ``equity(a, b) + equity(b, a) == 1``.

    Raises
    ------
    CardError
        An unknown or a duplicate card, or a wrong number.
    RangeError
        Something that is neither range nor holding, or ranges of which no two holdings can meet.

    Examples
    --------
    >>> round(equity("AhKd", np.ones(1326), "Qs7d2c"), 4)
    0.5565
    >>> equity("AhAd", "KsKc") == (1_388_072 + 6_538 / 2) / 1_712_304
    True
    """
    if isinstance(board, str) and not board:
        lead = preflop.lead(a, b)
        if lead is not None:
            return (preflop.BOARDS + lead) / (2 * preflop.BOARDS)
    elif isinstance(a, str) != isinstance(b, str):
        with suppress(CardError, RangeError):  # what is wrong is named below, with its side
            return _of_holding(a, b, board) if isinstance(a, str) else 1 - _of_holding(b, a, board)
    table = as_cards(board, "board", (0, 3, 4, 5))
    ours, theirs = _weights_of(a, "a"), _weights_of(b, "b")
    return kernel.equity(ours, theirs, table) if len(table) else preflop.equity(ours, theirs)


def _of_holding(hole: Any, weights: Any, board: Cards) -> float:
    """The equity of a holding, as text, against a range on a board of three or more cards."""
    return kernel.holding_equity(hole, board, _weights_of(weights, "weights"))
