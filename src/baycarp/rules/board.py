"""Boards, and how their next card changes them: every board is in exactly one state of each reading."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial

from baycarp.card import RANKS, Cards, as_cards
from baycarp.rules.hand import RUN
from baycarp.rules.reading import PlayerView, Reading

__all__ = [
    "CHANGES",
    "FLOPS",
    "READINGS",
    "change",
    "flop",
    "flush",
    "flush_change",
    "straight",
    "straight_change",
]

FLOPS = ("AHigh", "ALow", "KHigh", "KLow", "QHigh", "QLow", "JHigh", "JLow", "Low")
"""The states of Board."""

CHANGES = ("FirstA", "FirstK", "FirstQ", "FirstJ", "Low", "HighPair", "MidPair", "LowPair")
"""The states of BoardChangeTurn and BoardChangeRiver."""

_JACK, _EIGHT = RANKS.index("J"), RANKS.index("8")


def flop(cards: Cards) -> str:
    """Name a flop by its highest card, and by whether a second high card (jack or better) lies beside it.

    A ten counts as low. Unger shows A89 (ALow), K86 (KLow), JK7 (KHigh) and T26 (Low); the other states,
    and pairs (KK7 is KHigh), are our choice, by the same rule.

    Parameters
    ----------
    cards
        Three cards, text or ids.

    Returns
    -------
    str
        One of ``FLOPS``.

    Raises
    ------
    CardError
        An unknown or a duplicate card, or not three.

    Source: Unger (2011), table 5.2, figure 6.1.

    Examples
    --------
    >>> flop("JhKc7s"), flop("Th2s6c")
    ('KHigh', 'Low')
    """
    return _flop(tuple(as_cards(cards, "flop", 3).tolist()))


@lru_cache(maxsize=64)
def _flop(cards: tuple[int, ...]) -> str:
    highest, second, _ = sorted((card // 4 for card in cards), reverse=True)
    if highest < _JACK:
        return "Low"
    return RANKS[highest] + ("High" if second >= _JACK else "Low")


def change(board: Cards) -> str:
    """Name the last card of a board: a rank that is there already, a first high card, or a low one.

    Such a rank makes a pair, high (jacks and better), mid (8-T) or low (2-7), or more than a pair.

    Parameters
    ----------
    board
        Four or five cards in the order in which they came, text or ids.

    Returns
    -------
    str
        One of ``CHANGES``.

    Raises
    ------
    CardError
        An unknown or a duplicate card, or a wrong number.

    Source: Unger (2011), section 5.3.2, table 5.2; in figure 6.1 a second ten is a MidPair. FirstJ is our
    choice.

    Examples
    --------
    >>> change("JhKc7s7c"), change("Th2s6cQc")
    ('LowPair', 'FirstQ')
    """
    return _change(tuple(as_cards(board, "board", (4, 5)).tolist()))


@lru_cache(maxsize=64)
def _change(board: tuple[int, ...]) -> str:
    *before, rank = (card // 4 for card in board)
    if rank in before:
        return "HighPair" if rank >= _JACK else "MidPair" if rank >= _EIGHT else "LowPair"
    return f"First{RANKS[rank]}" if rank >= _JACK else "Low"


# Flushes and straights that a board offers (Unger 2011, section 5.3.3: designed, not built).


def flush(board: Iterable[int]) -> str:
    """Name the most cards of one suit: one None, two Draw, three Possible, four Likely, five Flush.

    Examples
    --------
    >>> flush([0, 4, 9])
    'Draw'
    """
    suits = [card % 4 for card in board]
    return ("None", "Draw", "Possible", "Likely", "Flush")[max(map(suits.count, suits)) - 1]


def straight(board: Iterable[int]) -> str:
    """Name the longest sequence of ranks: one None, two Draw, three Possible, four Likely, five Straight.

    Only sequences without holes count, as Unger has it; the ace stands at both ends.

    Examples
    --------
    >>> straight([36, 40, 45])
    'Possible'
    """
    run = RUN[sum({1 << card // 4 for card in board})]
    return ("None", "Draw", "Possible", "Likely", "Straight")[run - 1]


def flush_change(board: Sequence[int]) -> str:
    """Name the transition that the last card made: ``None_Draw`` = a first draw came."""
    return f"{flush(board[:-1])}_{flush(board)}"


def straight_change(board: Sequence[int]) -> str:
    """Name the transition that the last card made: ``Draw_Likely`` = it joined two and one."""
    return f"{straight(board[:-1])}_{straight(board)}"


FLUSHES = ("None", "Draw", "Possible")
FLUSH_TURNS = (
    "None_None", "None_Draw", "Draw_Draw", "Draw_Possible", "Possible_Possible", "Possible_Likely",
)  # fmt: skip
FLUSH_RIVERS = (
    "None_Draw", "Draw_Draw", "Draw_Possible",
    "Possible_Possible", "Possible_Likely", "Likely_Likely", "Likely_Flush",
)  # fmt: skip
STRAIGHT_TURNS = (
    "None_None", "None_Draw", "None_Possible",
    "Draw_Draw", "Draw_Possible", "Draw_Likely",
    "Possible_Possible", "Possible_Likely",
)  # fmt: skip
STRAIGHT_RIVERS = (
    "None_None", "None_Draw", "None_Possible",
    "Draw_Draw", "Draw_Possible", "Draw_Likely", "Draw_Straight",
    "Possible_Possible", "Possible_Likely", "Possible_Straight",
    "Likely_Likely", "Likely_Straight",
)  # fmt: skip


def _of_board(cards: int, name: Callable[[tuple[int, ...]], str], view: PlayerView) -> str | None:
    board = view.board(cards)
    return name(board) if board else None


_TYPES, _DRAWS = "Unger (2011), table 5.2, figure 6.1", "Unger (2011), section 5.3.3"

READINGS = (
    Reading("Board", FLOPS, partial(_of_board, 3, _flop), f"{_TYPES}; our choice in part"),
    Reading("BoardChangeTurn", CHANGES, partial(_of_board, 4, _change), _TYPES),
    Reading("BoardChangeRiver", CHANGES, partial(_of_board, 5, _change), _TYPES),
    Reading("FlushBoardFlop", FLUSHES, partial(_of_board, 3, flush), _DRAWS),
    Reading("FlushChangeTurn", FLUSH_TURNS, partial(_of_board, 4, flush_change), _DRAWS),
    Reading("FlushChangeRiver", FLUSH_RIVERS, partial(_of_board, 5, flush_change), _DRAWS),
    Reading("StraightBoardFlop", FLUSHES, partial(_of_board, 3, straight), _DRAWS),
    Reading("StraightChangeTurn", STRAIGHT_TURNS, partial(_of_board, 4, straight_change), _DRAWS),
    Reading("StraightChangeRiver", STRAIGHT_RIVERS, partial(_of_board, 5, straight_change), _DRAWS),
)
