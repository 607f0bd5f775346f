"""CASPER (Rubin and Watson 2007): its tables, then the strategy that they make.

A case is one decision that was witnessed: its situation and the action, without an outcome. The actions of
all cases at or above the threshold, or else of the 20 most similar, are counted, and one is drawn by its
share (section 6).
"""

from collections.abc import Mapping

from baycarp.cases import Exponential, Feature, Linear, Proportional, Schema
from baycarp.errors import SchemaError, brief
from baycarp.game.action import ACTIONS, STREETS
from baycarp.rules.outcome import no_outcome
from baycarp.strategies.kinds import action_of_kind, kind_of_action
from baycarp.strategies.readings import Readings
from baycarp.strategies.spec import PROVENANCE, Strategy, feature

__all__ = ["CASPER", "DECAY", "LARGEST", "MEASURED", "WEIGHTS", "schemas"]

LARGEST = {
    "number_of_players": 8,
    "relative_position": 1,
    "players_acted": 9,
    "players_yet_to_act": 9,
    "street_bets_committed": 5,
    "street_bets_to_call": 5,
    "call_pot_odds": 0.5,
    "hand_rank": 168,
    "random_hand_strength": 1,
    "random_hand_ppot": 0.40,
    "random_hand_npot": 0.30,
    "pot_small_bets": 300,
    "previous_street_bets": 5,
}
"""Features and their largest difference, MAX_DIFF: the ranges of table 1. Its hand strength is the rank of
169 pre-flop, and the strength against one random hand after it."""

HAND_PICKED = {
    "number_of_players": (5, 5, 5, 5),
    "relative_position": (5, 5, 5, 5),
    "players_acted": (5, 5, 5, 5),
    "players_yet_to_act": (5, 5, 5, 5),
    "street_bets_committed": (5, 5, 5, 5),
    "street_bets_to_call": (5, 5, 5, 5),
    "call_pot_odds": (5, 5, 5, 5),
    "hand_rank": (50, 0, 0, 0),
    "random_hand_strength": (0, 80, 80, 80),
    "random_hand_ppot": (0, 80, 80, 0),
    "random_hand_npot": (0, 80, 80, 0),
    "pot_small_bets": (0, 5, 5, 5),
    "previous_street_bets": (0, 5, 5, 5),
}
"""Weights pre-flop, on flop, turn and river; 0 = absent (table 1). Section 6 prints a default of 5, and about
50 to 80 for strength and potential: which of them have 50 and which 80 is our choice, as in Unger (2011)."""

EVOLVED = HAND_PICKED | {
    "relative_position": (10, 5, 10, 5),
    "players_acted": (10, 5, 5, 5),
    "street_bets_committed": (5, 20, 10, 10),
    "street_bets_to_call": (10, 20, 10, 10),
    "call_pot_odds": (5, 5, 5, 40),
}
"""The best weights of Rubin's research on CASPER, as Unger (2011), section 5.4.3 and figure 5.8, has
them for the features in common; the others keep their default."""

WEIGHTS: Mapping[str, Mapping[str, tuple[int, int, int, int]]] = {
    "hand-picked": HAND_PICKED,
    "evolved": EVOLVED,
}
"""By name."""

DECAY = {
    "street_bets_committed": 4,
    "street_bets_to_call": 2,
    "hand_rank": 4,
    "random_hand_strength": 3,
    "random_hand_ppot": 2,
    "random_hand_npot": 2,
}
"""k of the features that are compared by exponential decay; the others are linear. Section 6 names one of
them, bets to call, and prints no k: these are those of Unger (2011), section 5.4.3."""

THRESHOLD = 0.97
FALLBACK = 20
"""Cases at or above the threshold, or else this number of the most similar (section 6)."""

MEASURED = frozenset({"hand_rank", "random_hand_strength", "random_hand_ppot", "random_hand_npot"})
"""Features that are computed from cards; the others are read off the table."""


def schemas(weights: str = "hand-picked", scaled: bool = False) -> Mapping[str, Schema]:
    """The case-bases by street.

    Parameters
    ----------
    weights
        One of ``WEIGHTS``.
    scaled
        Whether a difference is divided by its largest before it decays, exp(-k d / MAX_DIFF), as in Unger
        (2011), section 5.4.3; by default it decays as equation 2 prints it, exp(-k d).

    Raises
    ------
    SchemaError
        No such weights.

    Examples
    --------
    >>> schemas()["preflop"].threshold, len(schemas()["preflop"].features), len(schemas()["river"].features)
    (0.97, 8, 10)
    """
    if weights not in WEIGHTS:
        raise SchemaError(f"weights {brief(weights)}: expected one of {', '.join(WEIGHTS)}")
    return {
        name: Schema(name, _features(weights, street, scaled), ACTIONS, THRESHOLD, FALLBACK, PROVENANCE)
        for street, name in enumerate(STREETS)
    }


def _features(weights: str, street: int, scaled: bool) -> tuple[Feature, ...]:
    decaying = {name: Exponential(k, LARGEST[name] if scaled else 1) for name, k in DECAY.items()}
    return tuple(
        feature(name, weight[street], decaying.get(name) or Linear(LARGEST[name]))
        for name, weight in WEIGHTS[weights].items()
        if weight[street]
    )


CASPER = Strategy(
    name="casper",
    bases=schemas(),
    describe=Readings(),
    policy=Proportional(),
    outcome=no_outcome,
    action=action_of_kind,
    solution=kind_of_action,
    measured=MEASURED,
    price="street_bets_to_call",
    weightings={"evolved": tuple(schemas("evolved").values())},
    game="holdem.limit.9p.5bets",
)
"""One case-base a street, no opponent model; the action is drawn."""
