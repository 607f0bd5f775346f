"""BayCaRP (Unger 2011, seed 000): a Bayesian network tells what the others hold, precedents tell what to do.

    Observation -> readings -> beliefs, one an opponent -> ranges -> strength and potential -> a case
                -> similar cases -> reuse -> action;    after the hand: revise, retain

BayCaRP1 and BayCaRP2 differ in the reuse policy alone: best summed outcome, majority vote. A model without a
network makes the control that the thesis lacked: everybody holds anything, and no case tells hand types.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from baycarp.agents.base import Decision, Plays
from baycarp.agents.ladder import Answer, Climb, Ladder, cheapest
from baycarp.agents.model import Model
from baycarp.bn.plan import Inference
from baycarp.budget import Budget
from baycarp.cases import (
    BestOutcome,
    Case,
    CaseBase,
    CaseStore,
    Distribution,
    Exponential,
    Feature,
    Linear,
    Pending,
    Policy,
    Posterior,
    Retrieved,
    Schema,
    local_similarities,
    retain,
    retrieve,
)
from baycarp.cases import Situation as Query
from baycarp.cases.similarity import Similarity
from baycarp.errors import ModelError
from baycarp.game.action import ACTIONS
from baycarp.game.event import Acted, Event
from baycarp.game.observation import Observation
from baycarp.game.variant import Variant
from baycarp.opponents.belief import Belief, RangeRule, anybody, believe, mean_types
from baycarp.opponents.ranges import TopGroups
from baycarp.opponents.stats import Statistics
from baycarp.rules import Seen, read
from baycarp.rules.hand import TYPES
from baycarp.rules.strength import relative_strength

__all__ = ["SCHEMAS", "WITHOUT_NETWORK", "BayCaRP", "Situation", "beliefs_of", "situation_of"]

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

TOP_FOUR = TopGroups(4)
"""The groups that make the range (section 5.3.4)."""

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


@dataclass(frozen=True, slots=True)
class Situation:
    """A decision to be made, as a case tells it.

    Parameters
    ----------
    street
        0..3.
    values
        By feature, what the street's schema expects.
    """

    street: int
    values: dict[str, Any]


def beliefs_of(
    seen: Observation, inference: Inference | None, statistics: Statistics, rule: RangeRule
) -> dict[int, Belief]:
    """What the deciding seat believes of each opponent still in, by position; without a network, nothing."""
    opponents = {
        who: player
        for who, player in enumerate(_names(seen))
        if who in seen.state.seats_in and who != seen.seat
    }
    if inference is None:
        return anybody(seen, opponents)
    return {
        who: believe(inference, Seen(seen, who, statistics.of(player)), rule, player)
        for who, player in opponents.items()
    }


def situation_of(
    seen: Observation,
    beliefs: Mapping[int, Belief],
    look_ahead: int = 2,
    schemas: Sequence[Schema] = SCHEMAS,
) -> Situation:
    """The features of the deciding seat's case (section 5.4.1); strength is measured against the beliefs.

    Parameters
    ----------
    seen
        The table, in the eyes of the seat that has to act.
    beliefs
        Of every opponent still in; not needed pre-flop.
    look_ahead
        Cards to come that the flop's potentials look at, 1 or 2.
    schemas
        By street, whose features are wanted.
    """
    assert seen.seat is not None
    street = seen.street
    names = [feature.name for feature in schemas[street].features]
    values: dict[str, Any] = dict(read(Seen(seen, seen.seat), [name for name in names if name in LARGEST]))
    if street:
        weights = [belief.weights for belief in beliefs.values()]
        hs, ppot, npot = relative_strength(seen.hole, seen.board, weights, look_ahead)
        measured = {"hand_strength": hs, "positive_potential": ppot, "negative_potential": npot}
        values |= {name: measured[name] for name in names if name in measured}
        if "opponent_hand_type" in names:
            values["opponent_hand_type"] = mean_types(beliefs)
    return Situation(street, values)


def _names(seen: Observation) -> tuple[str, ...]:
    return seen.players or tuple(f"seat {position}" for position in range(seen.variant.seats))


class BayCaRP:
    """The player of the thesis.

    Parameters
    ----------
    model
        Case-bases, and the network that describes their cases, or none. The agent learns into its own copy.
    policy
        How the retrieved cases become an action.
    rule
        How hand groups become a range.
    store
        Where what is learned is made to last; None = in memory only.
    learning
        Whether cases of its own decisions are retained at all.
    """

    plays = Plays(frozenset({"limit"}))

    def __init__(
        self,
        model: Model,
        policy: Policy,
        rule: RangeRule = TOP_FOUR,
        store: CaseStore | None = None,
        learning: bool = True,
    ) -> None:
        self.model, self.policy, self.rule, self.store, self.learning = model, policy, rule, store, learning
        self.casebases = {name: casebase.fork() for name, casebase in model.casebases.items()}
        self._schemas = tuple(self.casebases[name].schema for name in STREETS)
        self._inference = Inference(model.network) if model.network else None
        self._ladder = Ladder()
        self._begin()

    def sit(self, seat: int, variant: Variant, seed: int) -> None:
        """Take a seat: nobody is known yet, nothing is pending. The player draws no lots."""
        self._begin()

    def _begin(self) -> None:
        self._statistics = Statistics()
        self._pending = Pending()
        self._asked: tuple[Query, Observation] | None = None
        self._hero: tuple[int, int] | None = None  # the position and hand that is pending

    def decide(
        self, seen: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """Choose a legal action; see ``Agent.decide``.

        Answers are sought in order of worth, and the last that was done in time is given: the cheapest legal
        action; on the flop under a time limit, precedents found with potentials that look one card ahead; the
        precedents of the thesis. Without a limit the last is always done.
        """
        self.plays.verify_turn(seen)
        budget = budget or Budget(time=time_limit)
        climb = self._ladder.start(budget.start(), seen)
        climb.step("rules", cheapest)
        if seen.street == 1 and budget.time is not None:
            climb.step("glance", lambda at: self._reason(at, look_ahead=1))
        climb.step("precedents", lambda at: self._reason(at, look_ahead=2))
        return climb.decision()

    def _reason(self, climb: Climb, look_ahead: int) -> Answer:
        """Beliefs, strength, retrieval, reuse: one round of the thesis' reasoning."""
        seen, beliefs = climb.seen, self._believe(climb)
        with climb.stage("case") as said:
            situation = situation_of(seen, beliefs, look_ahead, self._schemas)
            said |= {name: _short(value) for name, value in situation.values.items()}
        casebase = self.casebases[STREETS[situation.street]]
        with climb.stage("retrieve") as said:
            query = casebase.schema.situation(situation.values)
            retrieved = retrieve(casebase, query)
            said |= _found(retrieved, casebase, query)
        with climb.stage("reuse") as said:
            legal = {action.name: action for action in seen.legal_actions()}
            chosen = self.policy(retrieved, casebase, legal, REPAIR)
            said |= {"policy": repr(self.policy), "votes": chosen.votes, "outcomes": chosen.outcomes}
        if chosen.choice is None:
            raise ModelError(f"case-base {casebase.schema.name!r} holds no case: expected a trained model")
        if look_ahead == 2:  # what is remembered is described in one way
            self._asked = (query, seen)
        return Answer(legal[chosen.choice], chosen.probabilities, _sentence(chosen, retrieved, self.policy))

    def _believe(self, climb: Climb) -> dict[int, Belief]:
        with climb.stage("beliefs") as said:
            beliefs = beliefs_of(climb.seen, self._inference, self._statistics, self.rule)
            said |= {belief.player: _told(belief) for belief in beliefs.values()}
        return beliefs

    def learn(self, event: Event) -> None:
        """Count what everybody does; keep the own decisions as cases, revised once the hand is over."""
        self._statistics.observe(event)
        if isinstance(event, Acted):
            self._keep(event)
        elif self._hero is not None and self._hero[1] == event.seen.hand:
            position, _ = self._hero
            won = position in event.seen.state.seats_in and (
                event.payoffs[position] + event.seen.state.committed[position] > 0
            )
            retain(self._pending.settle(won), self.casebases, self.store)
            self._hero = None

    def _keep(self, event: Acted) -> None:
        """Put the decision that was just carried out into temporary storage."""
        if self._asked is None or not self.learning:
            return
        query, seen = self._asked
        act = event.act
        if (seen.seat, seen.hand, seen.acts) != (act.seat, event.seen.hand, event.seen.acts):
            return
        hero = (act.seat, seen.hand)
        if hero != self._hero:
            self._hero, self._pending = hero, Pending()  # a hand that never ended teaches nothing
        case = Case(query, act.action.name, 0.0, provenance(seen))
        self._pending.add(STREETS[act.street], case, act.paid / seen.variant.small_bet)
        self._asked = None


def provenance(seen: Observation, session: int = -1) -> dict[str, Any]:
    """Where a case was met: watched session (-1 = own play), hand, position, board and hole (255 = none)."""
    board = (*seen.board, *(255,) * (5 - len(seen.board)))
    return {"session": session, "hand": seen.hand, "player": seen.seat, "board": board, "hole": seen.hole}


def _told(belief: Belief) -> dict[str, Any]:
    """A belief for the trace: what was seen, and the likeliest groups and types."""
    groups = sorted(belief.groups.items(), key=lambda item: -item[1])
    types = sorted(belief.types.items(), key=lambda item: -item[1])
    return {
        "seen": belief.evidence,
        "hand groups": dict(groups[:4]),
        "hand types": dict(types[:3]),
        "holdings": int(np.count_nonzero(belief.weights)),
    }


def _short(value: Any) -> Any:
    return dict(list(value.items())[:3]) if isinstance(value, dict) else value


def _found(retrieved: Retrieved, casebase: CaseBase, query: Query) -> dict[str, Any]:
    """What was retrieved, for the trace: how many, how, and the five nearest feature by feature."""
    ids, (now, schema) = retrieved.ids[:5], (casebase.snapshot(), casebase.schema)
    rows = now.rows(ids)
    columns = {
        "case": ids.tolist(),
        "similarity": retrieved.similarities[:5].tolist(),
        "action": [schema.solutions[code] for code in now.solutions[rows].tolist()],
        "outcome": now.outcomes[rows].tolist(),
        **dict(zip(schema.columns, local_similarities(casebase, query, ids).tolist(), strict=True)),
    }
    return {
        "cases": len(retrieved),
        "of": retrieved.stored,
        "looked at": retrieved.scored,
        "exact": retrieved.exact,
        "fell back": retrieved.fell_back,
        "nearest": [dict(zip(columns, line, strict=True)) for line in zip(*columns.values(), strict=True)],
    }


def _sentence(chosen: Distribution, retrieved: Retrieved, policy: Policy) -> str:
    cases = sum(chosen.votes.values())
    choice = chosen.choice or ""
    alike = "most similar cases, none above the threshold" if retrieved.fell_back else "similar cases"
    if isinstance(policy, BestOutcome):
        return f"the best outcome, {chosen.outcomes[choice]:+.1f} small bets, in {cases} {alike}"
    return f"{chosen.votes[choice]} of {cases} {alike} did so"
