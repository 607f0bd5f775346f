"""What a case of BayCaRP looks like and how cases are compared (seed 000, sections 5.4, 6.2.1)."""

from dataclasses import replace
from typing import Any

from baycarp.cases import Exponential, Feature, Linear, Posterior, Schema
from baycarp.cases.similarity import Similarity
from baycarp.game.action import ACTIONS
from baycarp.game.observation import Observation
from baycarp.rules.hand import TYPES

__all__ = ["LARGEST", "REPAIR", "SCHEMAS", "STREETS", "WITHOUT_NETWORK", "provenance"]

STREETS = ("preflop", "flop", "turn", "river")

WEIGHTS = {
    "number_of_players": (5, 5, 5, 5),
    "players_in_hand": (10, 5, 5, 5),
    "players_yet_to_act": (5, 5, 5, 5),
    "relative_position": (10, 5, 10, 5),
    "bets_committed": (5, 20, 10, 10),
    "bets_to_call": (10, 20, 10, 10),
    "bets_total": (0, 5, 5, 15),
    "pot_odds": (5, 5, 5, 40),
    "hand_rank": (50, 0, 0, 0),
    "hand_strength": (0, 80, 80, 80),
    "opponent_hand_type": (0, 5, 5, 5),
    "positive_potential": (0, 80, 80, 0),
    "negative_potential": (0, 80, 80, 0),
}
"""The weight of each feature pre-flop, on flop, turn and river; 0 = absent (figure 5.8)."""

DECAY = {
    "bets_committed": 4,
    "bets_to_call": 2,
    "hand_rank": 4,
    "hand_strength": 3,
    "positive_potential": 2,
    "negative_potential": 2,
}
"""k of the features that are compared by exponential decay; the others are linear (section 5.4.3)."""

LARGEST = {
    "number_of_players": (8, 8, 8, 8),
    "players_in_hand": (9, 9, 9, 9),
    "players_yet_to_act": (9, 9, 9, 9),
    "relative_position": (1, 1, 1, 1),
    "bets_committed": (6, 6, 12, 12),
    "bets_to_call": (8, 8, 16, 16),
    "bets_total": (1, 16, 32, 48),
    "pot_odds": (0.5, 0.5, 0.5, 0.5),
    "hand_rank": (168, 168, 168, 168),
}
"""The largest difference of a feature, by street (MAX_DIFF), in small blinds where it counts bets: ours, the
seed does not print them, but for the 168 ranks. Strength and potential: 1."""

THRESHOLDS = (0.95, 0.93, 0.91, 0.90)
"""Cases at or above it are reused, by street (section 6.2.1)."""

PROVENANCE = (
    ("session", "<i4", 1),
    ("hand", "<i4", 1),
    ("player", "<i2", 1),
    ("board", "<u1", 5),
    ("hole", "<u1", 2),
)
"""Where a case comes from: features that are never compared (section 6.2.1)."""

REPAIR = {
    "fold": ("check",),
    "check": ("call",),
    "call": ("check",),
    "bet": ("raise", "call", "check"),
    "raise": ("bet", "call", "check"),
}
"""How a retrieved action that is not legal now is read: as its neighbour. Ours."""


def _similarity(name: str, street: int) -> Similarity:
    if name == "opponent_hand_type":
        return Posterior(TYPES, slots=3)
    largest = LARGEST.get(name, (1, 1, 1, 1))[street]
    return Exponential(DECAY[name], largest) if name in DECAY else Linear(largest)


def _schema(street: int) -> Schema:
    features = tuple(
        Feature(name, weights[street], _similarity(name, street))
        for name, weights in WEIGHTS.items()
        if weights[street]
    )
    return Schema(STREETS[street], features, ACTIONS, THRESHOLDS[street], provenance=PROVENANCE)


SCHEMAS = tuple(_schema(street) for street in range(4))
"""One case-base a street (section 5.4.1)."""

WITHOUT_NETWORK = tuple(
    replace(schema, features=tuple(f for f in schema.features if f.name != "opponent_hand_type"))
    for schema in SCHEMAS
)
"""The same where no network tells the opponents' hand types."""


def provenance(seen: Observation, session: int = -1) -> dict[str, Any]:
    """Where a case was met: watched session (-1 = own play), hand, position, board and hole (255 = none).

    A hand that 32 bits cannot number, as card rooms do, is numbered 0.
    """
    hand = seen.hand if abs(seen.hand) < 2**31 else 0
    board = (*seen.board, *(255,) * (5 - len(seen.board)))
    return {"session": session, "hand": hand, "player": seen.seat, "board": board, "hole": seen.hole}
