"""The name of a hand, as players say it, and its best five cards."""

from collections.abc import Callable, Sequence
from itertools import combinations

from baycarp.card import RANKS, Cards, as_cards
from baycarp.kernels.hands import rank

__all__ = ["RANK_NAMES", "best_five", "hand_name", "hand_names", "plural"]

RANK_NAMES = (
    *("two", "three", "four", "five", "six", "seven", "eight"),
    *("nine", "ten", "jack", "queen", "king", "ace"),
)
"""The names of the ranks, from the lowest."""


def best_five(cards: Cards) -> tuple[int, ...]:
    """The five of five to seven cards that count, in the order in which they are read.

    Sets of one rank come first, then higher ranks; the ace of a five-high straight is last.

    Parameters
    ----------
    cards
        5, 6 or 7 cards, text or ids.

    Returns
    -------
    five ints
        Card ids. Of equal choices the one with the higher suits.

    Raises
    ------
    CardError
        An unknown or a duplicate card, or a wrong number.

    Examples
    --------
    >>> from baycarp.card import text
    >>> text(best_five("AhKd7c7s2h2dTs"))
    '7s7c2h2dAh'
    """
    given = sorted(as_cards(cards, "cards", (5, 6, 7)).tolist(), reverse=True)
    choices = list(combinations(given, 5))
    ranks = rank(choices).tolist()
    best = choices[ranks.index(max(ranks))]
    held = [card // 4 for card in best]
    if held == _WHEEL:
        return (*best[1:], best[0])
    return tuple(sorted(best, key=lambda card: (-held.count(card // 4), -card)))


def hand_name(cards: Cards) -> str:
    """The name of the best five of five to seven cards.

    Parameters, errors and the choice of the five are those of ``best_five``. Kickers are not named: two hands
    of one name may differ by them, see ``hand_names``.

    Examples
    --------
    >>> hand_name("QhQd3c3s2h"), hand_name("TsThTd4c4dAhKs"), hand_name("5h4s3d2cAh9h")
    ('two pair, queens and threes', 'full house, tens over fours', 'five-high straight')
    """
    return _name(cards)[0]


def hand_names(hands: Sequence[Cards]) -> list[str]:
    """The names of hands that are compared: where one name is of unlike hands, the card that decides follows.

    Parameters
    ----------
    hands
        Each as for ``hand_name``.

    Examples
    --------
    >>> hand_names(["AsAh9d7c2h", "AdAc9h6c2d", "KsKh9d7c2h"])
    ['pair of aces, seven kicker', 'pair of aces, six kicker', 'pair of kings']
    """
    read = [_name(hand) for hand in hands]
    return [
        name + _kicker(five, [other for like, other in read if like == name and other != five])
        for name, five in read
    ]


def _kicker(five: list[int], rivals: list[list[int]]) -> str:
    """The first card in which a hand differs from the nearest of its rivals."""
    if not rivals:
        return ""
    first = max(next(at for at in range(5) if five[at] != rival[at]) for rival in rivals)
    return f", {RANK_NAMES[five[first]]} kicker"


def _name(cards: Cards) -> tuple[str, list[int]]:
    """The name of a hand, and the ranks of its five."""
    five = best_five(cards)
    held = [card // 4 for card in five]
    return _NAMES[rank(five) >> 12](RANK_NAMES[held[0]], [plural(number) for number in held]), held


def plural(number: int) -> str:
    """The name of several cards of a rank, 0 (two) to 12: ``sixes``."""
    name = RANK_NAMES[number]
    return name + ("es" if name == "six" else "s")


_NAMES: dict[int, Callable[[str, list[str]], str]] = {
    1: lambda high, _: f"{high} high",
    2: lambda _, of: f"pair of {of[0]}",
    3: lambda _, of: f"two pair, {of[0]} and {of[2]}",
    4: lambda _, of: f"three of a kind, {of[0]}",
    5: lambda high, _: f"{high}-high straight",
    6: lambda high, _: f"{high}-high flush",
    7: lambda _, of: f"full house, {of[0]} over {of[3]}",
    8: lambda _, of: f"four of a kind, {of[0]}",
    9: lambda high, _: "royal flush" if high == "ace" else f"{high}-high straight flush",
}
"""By the category of ``rank``; from the name of the first card, and the plurals of all five."""

_WHEEL = [RANKS.index(rank) for rank in "A5432"]
