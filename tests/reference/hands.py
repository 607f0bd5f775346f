"""Ranks of hands by definition."""

from collections import Counter
from itertools import combinations


def rank_five(cards):
    """Five cards as a tuple that orders hands: category 1..9, then the ranks that count, most first."""
    ranks = sorted((card // 4 for card in cards), reverse=True)
    groups = sorted(Counter(ranks).items(), key=lambda group: (group[1], group[0]), reverse=True)
    shape, order = [n for _, n in groups], [rank for rank, _ in groups]
    flush = len({card % 4 for card in cards}) == 1
    straight = len(order) == 5 and (order[0] - order[4] == 4 or order == [12, 3, 2, 1, 0])
    if straight:
        return (9 if flush else 5, 3 if order[:2] == [12, 3] else order[0])
    shapes = {(4, 1): 8, (3, 2): 7, (3, 1, 1): 4, (2, 2, 1): 3, (2, 1, 1, 1): 2, (1,) * 5: 1}
    return (6 if flush else shapes[tuple(shape)], *order)


def rank(cards):
    """The best five of the cards."""
    return max(rank_five(five) for five in combinations(cards, 5))
