"""The nodes of the shipped networks, and their states, in words."""

import re
from collections.abc import Mapping

from baycarp.card import CLASSES, HAND_GROUPS

__all__ = ["node_meaning", "state_meaning"]

_STREETS = {"Flop": "on the flop", "Turn": "on the turn", "River": "on the river", "Final": "on the river"}

_FIRST = {
    **dict.fromkeys(("Action", "PricedAction", "PotOdds"), " before the flop"),
    "HandType": " on the flop",
}
"""The street of nodes whose names do not name it."""

_NODES: Mapping[str, str] = {
    "Position": "the player's position before the flop; the button is always late",
    "VPIP": "per cent of earlier hands into which the player put chips of its own will before the flop",
    "PFR": "per cent of earlier hands that the player raised before the flop",
    "Aggression": "per cent of earlier hands, of those with a decision there, that the player bet or raised",
    "Action": "the player's most aggressive action",
    "PricedAction": "the player's most aggressive action, calls divided by price",
    "PotOdds": "the worst price at which the player called, in per cent of the pot after the call",
    "Board": "the flop: its highest card, and whether a second card is a jack or better",
    "BoardChange": "what the new card changes",
    "FlushBoard": "the most cards of one suit",
    "FlushChange": "the most cards of one suit, before and after the new card",
    "StraightBoard": "the longest run of ranks without a hole",
    "StraightChange": "the longest run of ranks without a hole, before and after the new card",
    "HandGroup": "the group of the player's hole cards, 1 the strongest",
    "HandClass": "the player's starting hand, one of 169",
    "HandType": "the type of the player's best five cards",
    "PartialHand": "the player's draws",
    # Gambler's networks (Matthews 2005)
    "hole": "the player's starting hand, one of 169",
    "group": "the group of the starting hand by power rating, 1 the strongest",
    "position": "where the player acts",
    "early-action": "the most aggressive action of the players in early position",
    "mid-action": "the most aggressive action of the players in middle position",
    "strategy": "the thresholds of the groups to play and to raise, by position and earlier actions",
    "recommend": "the action before the player's bias",
    "bias": "the player's tendency",
    "action": "the player's action",
    "stakes": "the price of a call as a share of the pot after it, rounded",
    "win": "whether the player's final hand wins",
    "player-draws": "the category in which the player's hand ends",
    "opponents-draw": "the category of the strongest opponent's final hand",
    "bigger": "whether the player's hand of this category is the greater of two of it",
    "higher": "whether an opponent ends in a category above this one",
    "won": "whether the player wins with a hand of this category or a higher one",
}
"""By name without street or category."""

_STATES: Mapping[str, str] = {
    "Blinds": "small or big blind",
    "Early": "the first third of the others to act",
    "Middle": "the second third",
    "Late": "the last third, and the button",
    "Bet": "the first bet of the street",
    "ContinuationBet": "the first bet, by the last to raise before the flop",
    "DonkBet": "the first bet, before the last to bet or raise on the street before has acted",
    "Raise": "the second bet of the street; before the flop the big blind is the first",
    "CheckRaise": "a raise after a check on the street",
    "ThreeBet": "the third bet, or a later one that does not end the raising",
    "Cap": "the raise that ends the raising",
    "CallHalf": "a call of half a bet, in the small blind",
    "CallRaise": "a call of a raise, after the flop or more",
    "CallThreeBet": "a call of a three-bet or more",
    "NoCall": "the player did something else",
    "Busted": "no pair",
    "LowPair": "a pair of 22 to 77",
    "MidPair": "a pair of 88 or 99",
    "TenPair": "a pair of tens",
    "JackPair": "a pair of jacks",
    "QueenPair": "a pair of queens",
    "KingPairWeak": "a pair of kings, no other card a ten or better",
    "KingPairStrong": "a pair of kings, another card a ten or better",
    "AcePairWeak": "a pair of aces, no other card a ten or better",
    "AcePairStrong": "a pair of aces, another card a ten or better",
    "FlushD_StraightD": "a flush draw and a straight draw",
}
"""States with one meaning at every node; others are words of the game, or described below."""

_CHANGES: Mapping[str, str] = {
    **{f"First{rank}": f"the first {rank} of the board" for rank in "AKQJ"},
    "Low": "a new rank, ten or lower",
    "HighPair": "a rank of the board again, jack or better",
    "MidPair": "a rank of the board again, 8 to 10",
    "LowPair": "a rank of the board again, 2 to 7",
}

_COUNTS = {
    "None": "one",
    "Draw": "two",
    "Possible": "three",
    "Likely": "four",
    "Flush": "five",
    "Straight": "five",
}


def node_meaning(node: str) -> str:
    """What a node of a shipped network stands for; "" for a node that is not of them.

    Examples
    --------
    >>> node_meaning("ActionTurn")
    "the player's most aggressive action on the turn"
    """
    if node in _NODES:
        return _NODES[node] + _FIRST.get(node, "")
    for ending, where in _STREETS.items():
        if node.endswith(ending) and (stem := node.removesuffix(ending)) in _NODES:
            return f"{_NODES[stem]} {where}"
    stem, _, category = node.partition(" ")
    known = _NODES.get(stem)
    if not category or known is None:
        return ""
    if stem in ("player-draws", "opponents-draw"):
        return f"whether {'the player' if stem == 'player-draws' else 'an opponent'} ends with {category}"
    return f"{known}: {category}"


def state_meaning(node: str, state: str) -> str:
    """What a state of a node stands for; "" where the state is a word of the game, or the node is unknown.

    Examples
    --------
    >>> state_meaning("VPIP", "a20_30"), state_meaning("HandGroup", "HandGroup1")
    ('20 to 30 %', 'AA, AKs, KK, QQ, JJ')
    """
    if node == "HandGroup":
        number = int(state.removeprefix("HandGroup"))
        return ", ".join(name for name, group in zip(CLASSES, HAND_GROUPS, strict=True) if group == number)
    if share := re.fullmatch("a([0-9]+)_([0-9]+)", state):
        return f"{share[1]} to {share[2]} %"
    if node == "Board":
        return _flop(state)
    if node.startswith("BoardChange"):
        return _CHANGES.get(state, "")
    if node.startswith(("Flush", "Straight")):
        return " then ".join(_COUNTS[part] for part in state.split("_"))
    return _STATES.get(state, "")


def _flop(state: str) -> str:
    if state == "Low":
        return "no card above a ten"
    beside = "a jack or better" if state.endswith("High") else "no card above a ten"
    return f"{state[0]} highest, beside it {beside}"
