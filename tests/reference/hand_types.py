"""Hand types by enumeration: every five cards of a hand, classified by the rules of poker."""

from itertools import combinations

from baycarp.card import as_cards, holding_index
from baycarp.rules.hand import GROUP_OF, GROUPS

ORDER = ("high", "pair", "two", "three", "straight", "flush", "full", "four", "straightflush")


def five(cards):
    """The category of five cards and the ranks that decide it, as a sortable tuple."""
    ranks = sorted((card // 4 for card in cards), reverse=True)
    groups = sorted(set(ranks), key=lambda rank: (-ranks.count(rank), -rank))
    shape = [ranks.count(rank) for rank in groups]
    flush = len({card % 4 for card in cards}) == 1
    straight = ranks == list(range(ranks[0], ranks[0] - 5, -1)) or ranks == [12, 3, 2, 1, 0]
    if straight and flush:
        kind = "straightflush"
    elif shape == [4, 1]:
        kind = "four"
    elif shape == [3, 2]:
        kind = "full"
    elif flush:
        kind = "flush"
    elif straight:
        kind = "straight"
    else:
        kind = {3: "three", 2: "two" if shape[1] == 2 else "pair", 1: "high"}[shape[0]]
    if kind in ("straight", "straightflush"):
        groups = [3] if ranks[:2] == [12, 3] else groups
    return ORDER.index(kind), groups


def slow_hand_type(hole, board):
    kind, ranks = max(five(hand) for hand in combinations([*hole, *board], 5))
    kind = ORDER[kind]
    if kind != "pair":
        return {"high": "Busted", "two": "TwoPair", "three": "ThreeOfAKind", "straight": "Straight",
                "flush": "Flush", "full": "FullHouse", "four": "FourOfAKind",
                "straightflush": "StraightFlush"}[kind]  # fmt: skip
    pair, *kickers = ranks
    if pair >= 11:
        return ("King", "Ace")[pair - 11] + "Pair" + ("Strong" if any(k >= 8 for k in kickers) else "Weak")
    if pair < 8:
        return "LowPair" if pair < 6 else "MidPair"
    return ("TenPair", "JackPair", "QueenPair")[pair - 8]


def hand_group(hole):
    """The name of the group of two cards."""
    return GROUPS[GROUP_OF[holding_index(*as_cards(hole, "hole", 2))]]
