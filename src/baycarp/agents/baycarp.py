"""BayCaRP (Unger 2011, seed 000): a Bayesian network tells what the others hold, precedents tell what to do.

    Observation -> readings -> beliefs, one an opponent -> ranges -> strength and potential -> a case
                -> similar cases -> reuse -> action;    after the hand: revise, retain

BayCaRP1 and BayCaRP2 differ in the reuse policy alone: best summed outcome, majority vote. A model without a
network makes the control that the thesis lacked: everybody holds anything, and no case tells hand types.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from baycarp.agents.base import Decision, Plays
from baycarp.agents.choice import draw, explored, generator
from baycarp.agents.grounds import cite, told_of, weighed
from baycarp.agents.ladder import Answer, Climb, Ladder, cheapest
from baycarp.agents.model import Model
from baycarp.agents.schemas import LARGEST, REPAIR, SCHEMAS, STREETS, provenance
from baycarp.bn.plan import Inference
from baycarp.budget import Budget
from baycarp.cases import (
    BestOutcome,
    Case,
    CaseBase,
    CaseStore,
    Distribution,
    Expected,
    Pending,
    Policy,
    Retrieved,
    Schema,
    SignedCost,
    combine,
    local_similarities,
    retain,
    retrieve,
)
from baycarp.cases import Situation as Query
from baycarp.errors import ModelError
from baycarp.game.action import Action
from baycarp.game.event import Acted, Event
from baycarp.game.observation import Observation
from baycarp.game.variant import Variant
from baycarp.opponents.belief import Belief, RangeRule, mean_types
from baycarp.opponents.ranges import TopGroups
from baycarp.opponents.reads import Reads, read_all, strangers
from baycarp.opponents.styles import Styles
from baycarp.rules import Seen, read
from baycarp.rules.strength import relative_strength
from baycarp.rules.worth import REVISIONS, Stake, worths

__all__ = ["BayCaRP", "Situation", "situation_of"]

TOP_FOUR = TopGroups(4)
"""The groups that make the range (section 5.3.4)."""


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
        Whether cases of its own decisions are retained at all. Whoever learns may begin with no case: where
        none is near enough, and the fall-back finds fewer than it wants, any legal action is as likely as
        another (as CASEY began: section 4.3.2). Whoever does not learn takes the cheapest action there.
    revise
        What their outcome is, one of ``rules.worth.REVISIONS``; None = as in the model's cases.
    experts
        Models whose case-bases are asked too: what all of them say is combined. They are not learned into.
    styles
        Believe by hand -> action, a model of each opponent that begins as his style's; None = by the network.
    explore
        With this probability, 0..1, any legal action, each as likely as another: a memory that holds only
        what was thought best never learns that something else is better. The probability with which the
        action was drawn is in the decision's policy, and kept with its case.

    Raises
    ------
    ModelError
        No such rule of revision, an expert whose cases are of another schema, or ``explore`` out of range.
    """

    plays = Plays(frozenset({"limit"}))

    def __init__(
        self,
        model: Model,
        policy: Policy,
        rule: RangeRule = TOP_FOUR,
        store: CaseStore | None = None,
        learning: bool = True,
        revise: str | None = None,
        experts: Sequence[Model] = (),
        styles: Styles | None = None,
        explore: float = 0.0,
    ) -> None:
        self.model, self.policy, self.rule, self.store, self.learning = model, policy, rule, store, learning
        self.revise, self.explore = revise or model.revise, explore
        if not 0 <= explore <= 1:
            raise ModelError(f"explore {explore!r}: expected a probability, 0..1")
        if self.revise not in REVISIONS:
            raise ModelError(f"revise {self.revise!r}: expected one of {', '.join(REVISIONS)}")
        self.casebases = {name: casebase.fork() for name, casebase in model.casebases.items()}
        self.schemas = tuple(self.casebases[name].schema for name in STREETS)
        self.experts, self.styles = tuple(experts), styles
        known = [expert.casebases for expert in experts]
        for name, schema in zip(STREETS, self.schemas, strict=True):
            if any(name not in each or each[name].schema != schema for each in known):
                raise ModelError(f"experts: expected case-bases of the model's schemas, as {name!r}")
        self._seed = 0
        self.inference = Inference(model.network) if model.network else None
        self._ladder = Ladder()
        self._begin()

    def sit(self, seat: int, variant: Variant, seed: int) -> None:
        """Take a seat: nobody is known yet, nothing is pending."""
        self._seed = seed
        self._begin()

    def _begin(self) -> None:
        self.reads = strangers(self.inference, self.rule, self.styles)
        self.glance = self.reads  # the network is cheaper to ask than styles are
        if self.styles and self.inference:
            self.glance = strangers(self.inference, self.rule)
        self._open()
        self._asked: tuple[Query, Observation, dict[int, Belief]] | None = None
        self._hero: tuple[int, int] | None = None  # the position and hand that is pending

    def _open(self) -> None:
        """Begin an episode: nothing is pending."""
        self._pending = Pending(Expected() if self.revise != "cost" else SignedCost())
        self._stakes: list[Stake] = []

    def decide(
        self, seen: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """Choose a legal action; see ``Agent.decide``.

        Answers are sought in order of worth, and the last that was done in time is given: the cheapest legal
        action; under a time limit precedents at a glance, with potentials that look one card ahead and, who
        reads by acts, opponents read by the network; the precedents of the thesis. Without a limit the last
        is always done.
        """
        self.plays.verify_turn(seen)
        budget = budget or Budget(time=time_limit)
        climb = self._ladder.start(budget.start(), seen)
        climb.step("rules", cheapest)
        if budget.time is not None and (seen.street == 1 or self.glance is not self.reads):
            climb.step("glance", lambda at: self._reason(at, look_ahead=1))
        climb.step("precedents", lambda at: self._reason(at, look_ahead=2))
        return climb.decision()

    def _reason(self, climb: Climb, look_ahead: int) -> Answer:
        """Beliefs, strength, retrieval, reuse: one round of the thesis' reasoning."""
        seen, beliefs = climb.seen, self._believe(climb, self.reads if look_ahead == 2 else self.glance)
        with climb.stage("case") as said:
            situation = situation_of(seen, beliefs, look_ahead, self.schemas)
            said |= {name: _short(value) for name, value in situation.values.items()}
        casebase = self.casebases[STREETS[situation.street]]
        with climb.stage("retrieve") as said:
            query = casebase.schema.situation(situation.values)
            retrieved = retrieve(casebase, query)
            said |= _found(retrieved)
            # Found out when the trace is read: a case-base only grows, so that its cases are what they were.
            said.later = lambda: {"nearest": _nearest(retrieved, casebase, query)}
        with climb.stage("reuse") as said:
            legal = {action.name: action for action in seen.legal_actions()}
            told = [self.weigh(query, retrieved, casebase, legal), *self.consult(query, casebase, legal)]
            chosen = combine(told) if self.experts else told[0]
            share = self._share(chosen, retrieved, casebase)
            if chosen.choice is None and share < 1:
                raise ModelError(
                    f"case-base {casebase.schema.name!r} holds no case: expected a trained model"
                )
            name = chosen.choice or next(iter(legal))
            chances = explored(chosen.probabilities, list(legal), share)
            said |= weighed(self.policy, legal, told, chosen) | ({"explore": share} if share else {})
            if chances[name] < 1:  # a mixed strategy draws its lots
                said["lot"] = generator(self._seed, seen).random()
                name = draw(chances, said["lot"])
            said.later = lambda: {
                "cited": told_of(retrieved, casebase, cite(self.policy, retrieved, casebase, told[0], name))
            }
        if look_ahead == 2:  # what is remembered is described in one way
            self._asked = (query, seen, beliefs)
        if share == 1 > self.explore:
            few = f"{sum(chosen.votes.values())} cases to go by"
            return Answer(legal[name], chances, f"{few}, too few: any legal action, by lot")
        if not chosen.probabilities.get(name):
            return Answer(legal[name], chances, "explored: no similar case speaks for it")
        return Answer(legal[name], chances, _sentence(name, chosen, retrieved, self.policy))

    def _share(self, chosen: Distribution, retrieved: Retrieved, own: CaseBase) -> float:
        """How much is explored: everything, by whoever learns, where even the fall-back lacks cases."""
        few = retrieved.fell_back and sum(chosen.votes.values()) < own.schema.fallback
        return 1.0 if self.learning and (few or not chosen) else self.explore

    def weigh(
        self, query: Query, retrieved: Retrieved, own: CaseBase, legal: Mapping[str, Action]
    ) -> Distribution:
        """What the own precedents say."""
        return self.policy(retrieved, own, legal, REPAIR)

    def consult(self, query: Query, own: CaseBase, legal: Mapping[str, Action]) -> Iterator[Distribution]:
        """What the experts' precedents say."""
        for expert in self.experts:
            casebase = expert.casebases[own.schema.name]
            yield self.policy(retrieve(casebase, query), casebase, legal, REPAIR)

    def _believe(self, climb: Climb, reads: Reads) -> dict[int, Belief]:
        with climb.stage("beliefs") as said:
            beliefs = read_all(reads, climb.seen)
            said |= {belief.player: _told(belief) for belief in beliefs.values()}
        return beliefs

    def learn(self, event: Event) -> None:
        """Count what everybody does; keep the own decisions as cases, revised once the hand is over."""
        for reads in {self.reads, self.glance}:
            reads.learn(event)
        if isinstance(event, Acted):
            self._keep(event)
        elif self._hero is not None and self._hero[1] == event.seen.hand:
            position, _ = self._hero
            won = position in event.seen.state.seats_in and (
                event.payoffs[position] + event.seen.state.committed[position] > 0
            )
            shown = {who: event.seen.state.hole_of(who) for who in event.seen.state.seats_in}
            told = worths(self._stakes, self.revise, event.payoffs[position], shown)
            retain(self._pending.settle(won, told), self.casebases, self.store)
            self._hero = None

    def _keep(self, event: Acted) -> None:
        """Put the decision that was just carried out into temporary storage."""
        if self._asked is None or not self.learning:
            return
        query, seen, beliefs = self._asked
        act = event.act
        if (seen.seat, seen.hand, seen.acts) != (act.seat, event.seen.hand, event.seen.acts):
            return
        hero = (act.seat, seen.hand)
        if hero != self._hero:
            self._hero = hero
            self._open()  # a hand that never ended teaches nothing
        case = Case(query, act.action.name, 0.0, provenance(seen))
        self._pending.add(STREETS[act.street], case, act.paid / seen.variant.small_bet)
        self._stakes.append(Stake(seen, act, {who: belief.weights for who, belief in beliefs.items()}))
        self._asked = None


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


def _found(retrieved: Retrieved) -> dict[str, Any]:
    """What was retrieved, for the trace: how many, and how."""
    return {
        "cases": len(retrieved),
        "of": retrieved.stored,
        "looked at": retrieved.scored,
        "fell back": retrieved.fell_back or not len(retrieved),
    }


def _nearest(retrieved: Retrieved, casebase: CaseBase, query: Query) -> list[dict[str, Any]]:
    """The five nearest of what was retrieved, for the trace, feature by feature."""
    columns, five = casebase.schema.columns, slice(5)
    alike = local_similarities(casebase, query, retrieved.ids[five]).T.tolist()
    return [
        case | dict(zip(columns, line, strict=True))
        for case, line in zip(told_of(retrieved, casebase, five), alike, strict=True)
    ]


def _sentence(choice: str, chosen: Distribution, retrieved: Retrieved, policy: Policy) -> str:
    cases = sum(chosen.votes.values())
    alike = "most similar cases, none above the threshold" if retrieved.fell_back else "similar cases"
    if isinstance(policy, BestOutcome):
        return f"the best outcome, {chosen.outcomes[choice]:+.1f} small bets, in {cases} {alike}"
    return f"{chosen.votes[choice]} of {cases} {alike} did so"
