"""Hole cards: group and rank before the flop, type and partial hand on a board."""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache, partial
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from baycarp.card import (
    CLASS_OF,
    CLASSES,
    HAND_GROUPS,
    HOLDINGS,
    RANKS,
    Cards,
    as_cards,
    blocked_by,
    holding_index,
)
from baycarp.kernels.hands import rank
from baycarp.kernels.sweeps import rank_holdings
from baycarp.rules.income import income_rates
from baycarp.rules.reading import Interval, PlayerView, Reading

__all__ = [
    "BLOCKED",
    "GROUPS",
    "GROUP_OF",
    "PARTIAL_HANDS",
    "READINGS",
    "RUN",
    "TYPES",
    "class_ranks",
    "hand_types",
    "partial_hands",
]

GROUPS = tuple(f"HandGroup{number}" for number in range(1, 11))
"""The states of HandGroup, strongest first."""


GROUP_OF: NDArray[np.uint8] = HAND_GROUPS[CLASS_OF] - np.uint8(1)
"""The group of each holding, as an index into ``GROUPS``; uint8, shape (1326,).

Sklansky and Malmuth's groups 1-8, 9 = A8o-A2o, 10 = the rest: ``card.HAND_GROUPS``.
"""

TYPES = (
    "Busted",
    "LowPair",
    "MidPair",
    "TenPair",
    "JackPair",
    "QueenPair",
    "KingPairWeak",
    "KingPairStrong",
    "AcePairWeak",
    "AcePairStrong",
    "TwoPair",
    "ThreeOfAKind",
    "Straight",
    "Flush",
    "FullHouse",
    "FourOfAKind",
    "StraightFlush",
)
"""The 17 states of HandType, HandTypeTurn and HandTypeFinal (Unger 2011, table 7.3), weakest first."""

BLOCKED = 255
"""The type of a holding of which a card lies on the board."""

PARTIAL_HANDS = ("None", "FlushDraw", "StraightDraw", "FlushD_StraightD")


# Before the flop.


@cache
def class_ranks() -> NDArray[np.uint8]:
    """The rank 1..169 of each starting class by its income rate against six others: AA 1, JTs 18, 72o 169.

    uint8, shape (169,). Source: Unger (2011), section 5.4.3, which gives AA and JTs; the order is of IR7,
    the last of the tables (Papp 1998, appendix A).
    """
    ranks = np.empty(169, np.uint8)
    ranks[np.argsort(-income_rates()[-1], kind="stable")] = np.arange(1, 170)
    return ranks


# On a board.

_RANK_BITS = np.left_shift(1, np.arange(13))

_SUITED = np.array(
    [(np.equal(HOLDINGS % 4, suit) * _RANK_BITS[HOLDINGS // 4]).sum(1) for suit in range(4)], np.uint16
)
"""The ranks that each holding has in each suit, as 13 bits; shape (4, 1326)."""


def _runs() -> NDArray[np.uint8]:
    ranks = np.arange(8192)
    run, longest = ranks << 1 | ranks >> 12, np.zeros(8192, np.uint8)  # the ace stands at both ends
    for _ in range(5):
        longest += run != 0
        run = run & run >> 1
    return longest


RUN: NDArray[np.uint8] = _runs()
"""The longest sequence without holes in 13 bits of ranks, its length five at most; uint8, shape (8192,)."""

_ONE_PAIR = (*[1] * 6, 2, 2, 3, 4, 5, 6, 8)
"""The type of a pair of each rank, its kicker weak."""

_TEN, _KING = RANKS.index("T"), RANKS.index("K")


def hand_types(board: Cards) -> NDArray[np.uint8]:
    """Type the best five cards of every holding and a board, wherever its cards lie.

    Pairs go by rank: LowPair 22-77, MidPair 88-99, TenPair, and so on. A pair of kings or aces is strong when
    any of its three left-over cards, the board's included, is a ten or better. Busted: no pair or better.

    Parameters
    ----------
    board
        Three to five cards, text or ids.

    Returns
    -------
    uint8 array, shape (1326,), read-only
        Indices into ``TYPES``, by holding; ``BLOCKED`` where a card lies on the board.

    Raises
    ------
    CardError
        An unknown or a duplicate card, or a wrong number.

    Source: Unger (2011), tables 5.1 and 7.3, figure 6.1 (TenPair).

    Examples
    --------
    >>> from baycarp.card import cards
    >>> types = hand_types("Th2s6c")
    >>> TYPES[types[holding_index(*cards("QsQh").tolist())]]
    'QueenPair'
    """
    return _types(tuple(as_cards(board, "board", (3, 4, 5)).tolist()))


@lru_cache(maxsize=1024)
def _types(board: tuple[int, ...]) -> NDArray[np.uint8]:
    types = _type_of_rank().take(rank_holdings(board))
    types.flags.writeable = False  # cached
    return types


@cache
def _type_of_rank() -> NDArray[np.uint8]:
    """The type of every hand rank of ``kernels.hands``, ``BLOCKED`` of 0; uint8, shape (40960,)."""
    of_category = np.array([0, 0, 0, *range(TYPES.index("TwoPair"), len(TYPES))], np.uint8)
    types: NDArray[np.uint8] = of_category[np.arange(len(of_category) << 12) >> 12]
    three = np.array(list(combinations(range(12), 3)))
    for pair, name in enumerate(_ONE_PAIR):
        kickers = three + (three >= pair)  # of the other ranks
        hands = np.empty((len(three), 5), np.uint8)
        hands[:, 0], hands[:, 1], hands[:, 2:] = 4 * pair, 4 * pair + 1, 4 * kickers + (2, 3, 2)
        types[rank(hands)] = name + (kickers.max(axis=1) >= _TEN) * (pair >= _KING)
    types[0] = BLOCKED  # no hand has this rank
    return types


def partial_hands(board: Cards) -> NDArray[np.uint8]:
    """Name the draw of every holding to one card: four of a suit, or four ranks in sequence without a hole.

    As for types, it does not matter where the cards lie. A made flush has no straight draw beside it, a made
    straight may have a flush draw. All is as for ``hand_types``, on three or four cards: indices into
    ``PARTIAL_HANDS``.

    Source: Unger (2011), section 5.3.3 (designed, not built); straights "in the simplest form" are its words
    too.

    Examples
    --------
    >>> from baycarp.card import cards
    >>> PARTIAL_HANDS[partial_hands("Th7h2c")[holding_index(*cards("9h8h").tolist())]]
    'FlushD_StraightD'
    """
    return _partial_hands(tuple(as_cards(board, "board", (3, 4)).tolist()))


@lru_cache(maxsize=1024)
def _partial_hands(board: tuple[int, ...]) -> NDArray[np.uint8]:
    cards = np.array(board)
    lying = np.bincount(cards % 4, minlength=4)
    suited = (lying[:, None] + np.bitwise_count(_SUITED)).max(axis=0)
    ranks = np.bitwise_or.reduce(_SUITED) | np.bitwise_or.reduce(_RANK_BITS[cards // 4])
    codes: NDArray[np.uint8] = ((suited == 4) + 2 * ((RUN[ranks] == 4) & (suited < 5))).astype(np.uint8)
    codes[blocked_by(cards)] = BLOCKED
    codes.flags.writeable = False  # cached
    return codes


# The readings.


def _of_hole(states: Sequence[str], codes: NDArray[np.uint8], view: PlayerView) -> str | None:
    return states[codes[holding_index(*view.hole)]] if view.hole else None


def _on_board(
    states: Sequence[str], codes: Callable[[tuple[int, ...]], NDArray[np.uint8]], cards: int, view: PlayerView
) -> str | None:
    board = view.board(cards)
    return states[codes(board)[holding_index(*view.hole)]] if view.hole and board else None


def _rank(view: PlayerView) -> float | None:
    return float(class_ranks()[CLASS_OF[holding_index(*view.hole)]]) if view.hole else None


_TABLES, _PARTIAL = "Unger (2011), tables 5.1, 7.3", "Unger (2011), section 5.3.3"

READINGS = (
    Reading(
        "HandGroup", GROUPS, partial(_of_hole, GROUPS, GROUP_OF), "Unger (2011), section 5.3.2, figure B.1"
    ),
    Reading(
        "HandClass",
        CLASSES,
        partial(_of_hole, CLASSES, CLASS_OF),
        "our choice; the abstraction is the topic of Unger (2011), section 8.1.3",
    ),
    Reading("HandType", TYPES, partial(_on_board, TYPES, _types, 3), _TABLES),
    Reading("HandTypeTurn", TYPES, partial(_on_board, TYPES, _types, 4), _TABLES),
    Reading("HandTypeFinal", TYPES, partial(_on_board, TYPES, _types, 5), _TABLES),
    Reading("PartialHandFlop", PARTIAL_HANDS, partial(_on_board, PARTIAL_HANDS, _partial_hands, 3), _PARTIAL),
    Reading("PartialHandTurn", PARTIAL_HANDS, partial(_on_board, PARTIAL_HANDS, _partial_hands, 4), _PARTIAL),
    Reading(
        "hand_rank", Interval(1, 169, "rank"), _rank, "Unger (2011), section 5.4.1; Papp 1998, appendix A"
    ),
)
