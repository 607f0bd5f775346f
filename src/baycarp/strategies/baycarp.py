"""The strategies of Unger (2011): BayCaRP1, BayCaRP2, and the package's default, ``baycarp``.

First the tables of the paper (sections 5.4 and 6.2.1), then what they make: BayCaRP1 takes the best summed
outcome and BayCaRP2 the majority of the retrieved cases; ``baycarp`` is BayCaRP2 with the action-conditioned
opponent model. The coupling is BN-CBR-2 of Bruland et al. (Unger 2011, sections 4.1 and 4.2.2): tight,
network before cases, since what the network computes is an input of the case description. Without a network
every holding is as likely as another, and no case has hand types: the control that the paper lacks.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from baycarp.cases import BestOutcome, Exponential, Linear, Majority, PredictedStates, Schema
from baycarp.cases.similarity import Similarity
from baycarp.errors import ModelError
from baycarp.game import ACTIONS, Observation
from baycarp.game.action import STREETS
from baycarp.opponents.belief import mean_types
from baycarp.opponents.model import OpponentModelSpec
from baycarp.opponents.network.model import ByNetwork
from baycarp.rules import PlayerView, read
from baycarp.rules.hand import TYPES
from baycarp.rules.outcome import signed_cost
from baycarp.rules.strength import relative_strength
from baycarp.strategies.kinds import action_of_kind, kind_of_action
from baycarp.strategies.spec import PROVENANCE, Beliefs, FastTier, Strategy, feature

__all__ = [
    "BAYCARP1",
    "BAYCARP2",
    "MEASURED",
    "SCHEMAS",
    "WITHOUT_NETWORK",
    "DescribeRanges",
    "believing",
    "without_adaptation",
]

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
"""The largest difference of a feature, by street (MAX_DIFF), in small blinds where it counts bets: our
choice, since the paper prints only the 168 ranks. Strength and potential: 1."""

THRESHOLDS = (0.95, 0.93, 0.91, 0.90)
"""Cases at or above it are reused, by street (section 6.2.1)."""


def _similarity(name: str, street: int) -> Similarity:
    if name == "opponent_hand_type":
        return PredictedStates(TYPES, slots=3)
    largest = LARGEST.get(name, (1, 1, 1, 1))[street]
    return Exponential(DECAY[name], largest) if name in DECAY else Linear(largest)


def _schema(street: int) -> Schema:
    features = tuple(
        feature(name, weights[street], _similarity(name, street))
        for name, weights in WEIGHTS.items()
        if weights[street]
    )
    return Schema(STREETS[street], features, ACTIONS, THRESHOLDS[street], provenance=PROVENANCE)


SCHEMAS = tuple(_schema(street) for street in range(4))
"""One case-base a street (section 5.4.1)."""

MEASURED = frozenset(
    {"hand_rank", "hand_strength", "positive_potential", "negative_potential", "opponent_hand_type"}
)
"""Features that are computed from cards, not read off the table."""


@dataclass(frozen=True, slots=True)
class DescribeRanges:
    """The features of a case (section 5.4.1); strength is measured against the believed ranges.

    Parameters
    ----------
    look_ahead
        Cards to come in the flop's potentials, 1 or 2.
    """

    look_ahead: int = 2

    def __call__(self, observation: Observation, beliefs: Beliefs, schema: Schema) -> Mapping[str, Any]:
        """The value of every feature of the schema; see ``strategies.spec.Describe``."""
        assert observation.seat is not None
        names = [feature.name for feature in schema.features]
        shown = PlayerView(observation, observation.seat)
        values: dict[str, Any] = dict(read(shown, [name for name in names if name in LARGEST]))
        if observation.street:
            weights = [belief.weights for belief in beliefs.values()]
            hs, ppot, npot = relative_strength(observation.hole, observation.board, weights, self.look_ahead)
            measured = {"hand_strength": hs, "positive_potential": ppot, "negative_potential": npot}
            values |= {name: measured[name] for name in names if name in measured}
            if "opponent_hand_type" in names:
                values["opponent_hand_type"] = mean_types(beliefs)
        return values


FLOP, EVERY = frozenset({1}), frozenset(range(4))

BAYCARP2 = Strategy(
    name="baycarp",
    bases={schema.name: schema for schema in SCHEMAS},
    describe=DescribeRanges(),
    policy=Majority(),
    outcome=signed_cost,
    action=action_of_kind,
    solution=kind_of_action,
    opponents=ByNetwork(),
    fast=FastTier(DescribeRanges(look_ahead=1), ByNetwork(), FLOP),
    believed=frozenset({1, 2, 3}),
    measured=MEASURED,
)
"""Majority vote. The fast tier's potentials look one card ahead."""

BAYCARP1 = replace(BAYCARP2, policy=BestOutcome())
"""Best summed outcome."""

WITHOUT_NETWORK = replace(
    BAYCARP2,
    name="baycarp-without-network",
    bases={
        name: replace(schema, features=tuple(f for f in schema.features if f.name != "opponent_hand_type"))
        for name, schema in BAYCARP2.bases.items()
    },
    opponents=None,
    fast=FastTier(DescribeRanges(look_ahead=1), None, FLOP),
)
"""Every holding is as likely as another."""


def believing(strategy: Strategy, spec: OpponentModelSpec) -> Strategy:
    """The strategy with another opponent model.

    Where it is not the network, the fast tier, which is cheaper then on every street, keeps the network.

    Raises
    ------
    ModelError
        A strategy without an opponent model.

    Examples
    --------
    >>> believing(BAYCARP2, ByNetwork()) == BAYCARP2
    True
    """
    if strategy.opponents is None or strategy.fast is None:
        raise ModelError(f"strategy {strategy.name!r}: has no opponent model: expected one that has")
    if spec.needs_network:
        return replace(strategy, opponents=spec, fast=replace(strategy.fast, opponents=spec, streets=FLOP))
    return replace(strategy, opponents=spec, fast=replace(strategy.fast, streets=EVERY))


def without_adaptation(strategy: Strategy) -> Strategy:
    """The strategy with opponent models that never learn from a finished hand: every player is a new one.

    Raises
    ------
    ModelError
        A strategy without an opponent model that learns.

    Examples
    --------
    >>> without_adaptation(BAYCARP2).opponents
    ByNetwork(rule=TopGroups(count=4), adaptive=False, earned=False)
    """
    spec, fast = strategy.opponents, strategy.fast
    if spec is None or fast is None:
        raise ModelError(f"strategy {strategy.name!r}: expected one with an opponent model that learns")
    cheap = fast.opponents.without_adaptation() if fast.opponents else None
    return replace(strategy, opponents=spec.without_adaptation(), fast=replace(fast, opponents=cheap))
