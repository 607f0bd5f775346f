"""Hole cards on a board in 284 categories: what is made, how many hole cards make it, and the draws.

Rubin and Watson (2012), section 5.2.1, had 284 categories, expert-defined, of "the type of hand the player
currently has, together with information about the drawing potential"; their list is lost. These are ours:

nothing made    overcards {0, 1, 2} x flush draw {none, backdoor, draw} x straight draw {none, gutshot, open}
one pair        its nine types x hole cards in it {0, 1, 2} x the same draws
better          its seven types x whether both hole cards take part

A draw needs a hole card: a flush draw is four cards of a suit, a backdoor one three, on the flop alone; an
open straight draw is completed by two ranks or more (a double gutshot too), a gutshot by one. On the river
there are no draws.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from baycarp.card import HOLDINGS, Cards, as_cards, blocked_by
from baycarp.rules.hand import BLOCKED, RUN, TYPES, hand_types

__all__ = ["CATEGORIES", "UNUSED", "categories"]

UNUSED = 65_535
"""The category of a holding of which a card lies on the board."""

FLUSH_DRAWS = ("", "backdoor", "flush draw")
STRAIGHT_DRAWS = ("", "gutshot", "open")
_TWO_PAIR = TYPES.index("TwoPair")


def _name(*parts: str) -> str:
    return ", ".join(part for part in parts if part)


CATEGORIES: tuple[str, ...] = (
    *(
        _name(made, flush, straight)
        for pair in TYPES[:_TWO_PAIR]
        for made in (
            [f"{n} overcards" for n in range(3)] if pair == "Busted" else [f"{pair} by {n}" for n in range(3)]
        )
        for flush in FLUSH_DRAWS
        for straight in STRAIGHT_DRAWS
    ),
    *(f"{made}{both}" for made in TYPES[_TWO_PAIR:] for both in ("", " by both")),
)
"""Their names: 3 x 9, 9 x 3 x 9 and 7 x 2."""

_BITS = np.left_shift(1, np.arange(13))
_HIGH, _LOW = (HOLDINGS // 4).astype(np.intp).T
_SUIT_HIGH, _SUIT_LOW = (HOLDINGS % 4).T
_OWN = _BITS[_HIGH] | _BITS[_LOW]


def categories(board: Cards) -> NDArray[np.uint16]:
    """The categories of all holdings on a board; the parameter and its errors are those of ``hand_types``.

    Returns
    -------
    uint16 array, shape (1326,), read-only
        Indices into ``CATEGORIES``; ``UNUSED`` where a card lies on the board.

    Examples
    --------
    >>> from baycarp.card import cards, holding_index
    >>> CATEGORIES[categories("Qh7h2c")[holding_index(*cards("AhKh"))]]
    '2 overcards, flush draw'
    """
    return _categories(tuple(sorted(as_cards(board, "board", (3, 4, 5)).tolist())))


@lru_cache(maxsize=256)
def _categories(board: tuple[int, ...]) -> NDArray[np.uint16]:
    cards = np.array(board)
    types, ranks = hand_types(board).astype(np.intp), cards // 4
    counts = np.bincount(ranks, minlength=13)
    drawn = 3 * _flush_draws(cards) + _straight_draws(ranks)
    overcards = (ranks.max() < _HIGH).astype(np.intp) + (ranks.max() < _LOW)
    in_pair = np.where(_HIGH == _LOW, 2, (counts[_HIGH] > 0).astype(np.intp) + (counts[_LOW] > 0))
    weak = 27 * types + 9 * np.where(types == 0, overcards, in_pair) + drawn
    strong = 27 * _TWO_PAIR + 2 * (types - _TWO_PAIR) + _by_both(cards, types, counts)
    found = np.where(types < _TWO_PAIR, weak, strong)
    codes = np.where(types == BLOCKED, UNUSED, found).astype(np.uint16)
    codes.flags.writeable = False  # cached
    return codes


def _flush_draws(cards: NDArray[np.intp]) -> NDArray[np.intp]:
    """0 none, 1 backdoor, 2 draw."""
    if len(cards) == 5:
        return np.zeros(1326, np.intp)
    lying = np.bincount(cards % 4, minlength=4)
    same = _SUIT_HIGH == _SUIT_LOW
    most = np.maximum(lying[_SUIT_HIGH] + 1 + same, lying[_SUIT_LOW] + 1 + same)
    return np.where(most == 4, 2, (most == 3) & (len(cards) == 3)).astype(np.intp)


def _straight_draws(ranks: NDArray[np.intp]) -> NDArray[np.intp]:
    """0 none, 1 one rank completes a straight with a hole card, 2 several do."""
    if len(ranks) == 5:
        return np.zeros(1326, np.intp)
    lying = int(np.bitwise_or.reduce(_BITS[ranks]))
    completing = np.zeros(1326, np.intp)
    for bit in _BITS:
        alone = RUN[lying | int(bit)] == 5
        completing += (RUN[_OWN | lying | int(bit)] == 5) & ~alone
    return np.where(RUN[_OWN | lying] == 5, 0, np.minimum(completing, 2))


def _by_both(cards: NDArray[np.intp], types: NDArray[np.intp], counts: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Whether both hole cards take part in two pair or better."""
    pocket = _HIGH == _LOW
    paired = pocket | ((counts[_HIGH] > 0) & (counts[_LOW] > 0))
    lying = int(np.bitwise_or.reduce(_BITS[cards // 4]))
    run_high, run_low = (RUN[lying | _BITS[own]] < 5 for own in (_HIGH, _LOW))
    suit = int(np.bincount(cards % 4).argmax())
    of_suit = (suit == _SUIT_HIGH) & (suit == _SUIT_LOW)
    by_type = {
        "TwoPair": paired,
        "ThreeOfAKind": pocket,
        "Straight": run_high & run_low,
        "Flush": of_suit,
        "FullHouse": paired,
        "FourOfAKind": pocket,
        "StraightFlush": of_suit,
    }
    both = np.zeros(1326, np.bool_)
    for name, used in by_type.items():
        made = types == TYPES.index(name)
        both[made] = used[made]
    return both & ~blocked_by(cards.tolist())
