"""The names of a record, as features of cases and nodes of networks, in the words of players."""

import re
from collections.abc import Mapping

from baycarp.opponents.network.meanings import state_meaning

__all__ = [
    "act_words",
    "feature_words",
    "node_words",
    "percent",
    "policy_words",
    "seen_words",
    "state_words",
    "value_words",
]

_SHARE, _PLACE, _SMALL_BLINDS, _SMALL_BETS = "share", "place", "small blinds", "small bets"

_FEATURES: Mapping[str, tuple[str, str]] = {
    "number_of_players": ("players dealt in", ""),
    "players_in_hand": ("opponents still in", ""),
    "players_acted": ("opponents that have acted", ""),
    "players_yet_to_act": ("opponents still to act", ""),
    "relative_position": ("place in the order of play", _PLACE),
    "bets_committed": ("put in on this street", _SMALL_BLINDS),
    "bets_to_call": ("price of a call", _SMALL_BLINDS),
    "bets_total": ("pot", _SMALL_BLINDS),
    "street_bets_committed": ("bets put in on this street", ""),
    "street_bets_to_call": ("bets to call", ""),
    "previous_street_bets": ("bets and raises on the street before", ""),
    "pot_small_bets": ("pot", _SMALL_BETS),
    "pot_odds": ("pot odds", _SHARE),
    "call_pot_odds": ("pot odds of a call", _SHARE),
    "hand_rank": ("rank of the starting hand, 1 the best", ""),
    "hand_strength": ("hand strength", _SHARE),
    "random_hand_strength": ("hand strength against any two cards", _SHARE),
    "positive_potential": ("chance to come from behind", _SHARE),
    "random_hand_ppot": ("chance to come from behind, of all hands", _SHARE),
    "negative_potential": ("chance to be overtaken", _SHARE),
    "random_hand_npot": ("chance to be overtaken, of all hands", _SHARE),
    "opponent_hand_type": ("likeliest hands against it", ""),
    "holding": ("cards", ""),
    "share of the pot": ("share of the pot", _SHARE),
}
"""Features of cases, and the unit of each."""

_NODES: Mapping[str, str] = {
    "VPIP": "hands played",
    "PFR": "hands raised before the flop",
    "Aggression": "bets and raises",
    "Action": "action",
    "PricedAction": "action by its price",
    "PotOdds": "worst price called",
    "Position": "position",
    "Board": "flop",
    "BoardChange": "card",
    "FlushBoard": "cards of a suit",
    "FlushChange": "cards of a suit",
    "StraightBoard": "run of ranks",
    "StraightChange": "run of ranks",
}
"""Nodes without their street."""

_STREETS = {"Flop": "on the flop", "Turn": "on the turn", "River": "on the river"}
_BEFORE_FLOP = {"Action", "PricedAction", "PotOdds"}

_POLICIES = (
    ("Otherwise(policy=", "where there are some, "),
    ("Majority()", "what most of them did"),
    ("Proportional()", "as often as they did"),
    ("BestOutcome(by='sum')", "what brought most in all"),
    ("BestOutcome(by='mean')", "what brought most on average"),
    ("MostSimilar()", "what the most similar ones did"),
)
"""Choices among cases, by the beginning of the ``repr`` of each."""

_ACT = re.compile(r"[0-9]+\. (?P<street>\w+), facing (?P<facing>.+)")
_DONE = {"folds": "folds", "checks or calls": ("checks", "calls"), "bets or raises": ("bets", "raises")}
_HUMPS = re.compile(r"(?<=[a-z])(?=[A-Z0-9])|(?<=[A-Z])(?=[A-Z][a-z])|_")

_STATES = {"Busted": "no pair", "FlushD_StraightD": "flush draw and straight draw"}


def percent(share: float) -> str:
    """A share in whole per cents; in tenths below ten, where there is less than one of them in words.

    Examples
    --------
    >>> percent(0.5), percent(0.0437), percent(0.0002), percent(0.0)
    ('50 %', '4.4 %', 'less than 0.1 %', '0 %')
    """
    if 0 < share < 0.0005:
        return "less than 0.1 %"
    return f"{100 * share:.{int(0 < share < 0.0995)}f} %"


def feature_words(name: str) -> str:
    """A feature of a case in words; of another name its parts.

    Examples
    --------
    >>> feature_words("hand_strength"), feature_words("opponent_hand_type 2"), feature_words("to_call")
    ('hand strength', 'likeliest hands against it 2', 'to call')
    """
    stem, space, number = name.rpartition(" ")
    if space and re.fullmatch("[0-9]+", number):
        return f"{feature_words(stem)} {number}"
    return _FEATURES[name][0] if name in _FEATURES else name.replace("_", " ")


def value_words(name: str, value: float | str | None) -> str:
    """The value of a feature in words and with its unit; None = not known.

    Examples
    --------
    >>> value_words("hand_strength", 0.812), value_words("relative_position", 1.0)
    ('81 %', 'last')
    """
    if value is None:
        return "unknown"
    if isinstance(value, str):
        return value if name == "holding" else state_words(name, value)
    unit = _FEATURES.get(name, ("", ""))[1]
    if unit == _SHARE:
        return percent(value)
    if unit == _PLACE:
        return {0.0: "first", 1.0: "last"}.get(value, f"after {percent(value)} of the others")
    return f"{value:.3g} {unit}".rstrip()


def node_words(node: str) -> str:
    """An observation of an opponent in words: a node of a network, or a situation in which it acted.

    Examples
    --------
    >>> node_words("ActionTurn"), node_words("2. flop, facing a bet"), node_words("VPIP")
    ('action on the turn', '2. flop, facing a bet', 'hands played')
    """
    if _ACT.fullmatch(node):
        return node
    for ending, where in _STREETS.items():
        if (stem := node.removesuffix(ending)) != node and stem in _NODES:
            return f"{_NODES[stem]} {where}"
    words = _NODES.get(node, _HUMPS.sub(" ", node).lower())
    return f"{words} before the flop" if node in _BEFORE_FLOP else words


def state_words(node: str, state: str) -> str:
    """What was observed at a node, in words.

    Examples
    --------
    >>> state_words("VPIP", "a30_40"), state_words("ActionFlop", "DonkBet"), state_words("", "LowPair")
    ('30 to 40 %', 'donk bet', 'low pair')
    """
    if found := _ACT.fullmatch(node):
        return _done(found["facing"], state)
    if node == "Board" or re.match("a[0-9]", state):
        return state_meaning(node, state)
    return _STATES.get(state, _HUMPS.sub(" ", state).lower().replace("hand group", "group"))


def act_words(node: str, state: str) -> str:
    """What an opponent did, in words; "" where the node is no act.

    Examples
    --------
    >>> act_words("5. river, facing no bet", "bets or raises"), act_words("1. preflop, facing a bet", "folds")
    ('bets on the river', 'folds before the flop')
    """
    found = _ACT.fullmatch(node)
    if not found:
        return ""
    street = found["street"]
    where = "before the flop" if street == "preflop" else f"on the {street}"
    return f"{_done(found['facing'], state)} {where}"


def seen_words(node: str, state: str) -> str:
    """An observation of an opponent and what was seen.

    Examples
    --------
    >>> seen_words("5. river, facing no bet", "bets or raises"), seen_words("VPIP", "a30_40")
    ('5. river, facing no bet: bets', 'hands played: 30 to 40 %')
    """
    return f"{node_words(node)}: {state_words(node, state)}"


def policy_words(policy: str) -> str:
    """The choice among cases, from the ``repr`` of its policy.

    Examples
    --------
    >>> policy_words("Majority()"), policy_words("Drawn(power=2)")
    ('what most of them did', 'Drawn(power=2)')
    """
    for start, words in _POLICIES:
        if policy.startswith(start):
            rest = policy.removeprefix(start)
            return words + (policy_words(rest) if words.endswith(", ") else "")
    return policy


def _done(facing: str, state: str) -> str:
    done = _DONE.get(state, state)
    return done if isinstance(done, str) else done[not facing.startswith("no ")]
