"""The default agent: it decides by what each action is worth; cases propose and explain.

    beliefs -> retrieved cases -> prior -> values of the actions -> what is worse removed -> action

A model decides as far as it is trusted: at a ring by the hands known of the opponents, a hand at a time.
Heads-up, where the game is solved, the prior is the solved strategy, the blueprint: it is kept to as far as
nothing is known of the opponent. With the weight ``p``, the risk times the evidence earned, the best answer
to what is known of the opponent takes its place, for a whole hand at a time. On the river, and under a long
limit on the turn, the rest of the hand is solved anew, with an opponent that follows its model by ``p``.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import replace
from functools import cached_property
from math import hypot
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.anytime import Answer, Anytime, Recorder, Tier
from baycarp.agents.base import Decision
from baycarp.agents.cases.case_player import CasePlayer
from baycarp.agents.resolve.solve import ITERATIONS, Resolved
from baycarp.agents.sampling import generator
from baycarp.agents.searching import SearchTurn
from baycarp.agents.solved.equilibrium import Equilibrium, EquilibriumNL
from baycarp.agents.value.blueprint import FollowedBlueprint
from baycarp.agents.value.continuations import continuations_digest
from baycarp.agents.value.evidence import Evidence
from baycarp.agents.value.lookahead import LookAhead
from baycarp.agents.value.pricing import PotShare, by_equity, last_share, share_of
from baycarp.agents.value.readings import BySizes, ByStyles, TableReading
from baycarp.agents.value.removal import holds_best, settled
from baycarp.agents.value.resolving import action_values, can_be_resolved, resolved, turn_solve
from baycarp.agents.value.spot import Valued, ValueSpot
from baycarp.agents.value.stages import ActionValue
from baycarp.budget import Budget
from baycarp.card import blocked_by, holding_index
from baycarp.errors import ModelError, brief
from baycarp.game import ACTIONS, Action, Event, HandOver, Observation, Variant
from baycarp.game.plays import Plays
from baycarp.kernels.arguments import MOST_SEED, whole
from baycarp.kernels.preflop import class_equities
from baycarp.opponents.belief import Belief, belief_of
from baycarp.opponents.model import opponents_of

__all__ = ["CASES", "LOOK_AHEAD", "PLAYOUTS", "RESTRICTED", "RE_SOLVE", "ValuePlayer"]

Array = NDArray[np.float64]

ValueTier: TypeAlias = Callable[[ValueSpot, Recorder], Answer | None]

CASES, LOOK_AHEAD, RE_SOLVE, RESTRICTED = "cases", "look-ahead", "re-solve", "restricted re-solve"
"""Names of the tiers above the cheapest action; the last is a re-solve with an opponent that follows its
model."""

PLAYOUTS = 1000
"""Of a look-ahead without a limit; another number scales the iterations of a re-solve, too."""

CHUNK = 25
"""Playouts between two readings of the clock."""

LONGEST = 20
"""A look-ahead under a time limit has at most so many times ``PLAYOUTS``."""

SIZES = 2
"""Of the sizes of a bet that are proposed, the likeliest that the cheap tier values; others count as the
nearest."""

ABSTRACTED = 0.05
"""The error of a share against the blueprint's range: its buckets hold holdings of different worth."""

SOLVES = {(RE_SOLVE, 2): 0.35, (RE_SOLVE, 3): 0.02, (RESTRICTED, 2): 2.0, (RESTRICTED, 3): 0.05}
"""Seconds that a re-solve is expected to take before the first one, by street."""

TURN = {RE_SOLVE: 0.4, RESTRICTED: 2.0}
"""Seconds that a decision must have for a re-solve of the turn to be tried."""

FOLLOWS = 4.5
"""The check of a re-solve of the turn and its values take as long as so many rounds."""

FEWEST = 30
"""Iterations of a re-solve of the river, at least."""

TRUSTED = 0.01
"""With less trust the prior alone decides: there is no look-ahead, and a re-solve is not restricted."""

FAMILIAR = 50
"""The hands of an opponent after which, without a blueprint, its model and the prior weigh alike."""


class ValuePlayer:
    """A player that decides by the values of its actions.

    Parameters
    ----------
    cases
        The player whose retrieved cases propose at fixed limit, with the action-conditioned opponent model.
    risk
        The weight, 0..1, at full evidence, of the best answer to an opponent's model heads-up; the rest is
        the blueprint's. With no evidence every risk plays the blueprint. 0.9 is the least tenth that wins
        80 % of the most from the archetypes of Leduc hold'em.

    Raises
    ------
    ModelError
        A risk out of range.
    """

    plays = Plays(frozenset({"limit", "no-limit", "pot-limit"}), 2, 10)

    def __init__(self, cases: CasePlayer, risk: float = 0.9) -> None:
        if not 0 <= risk <= 1:
            raise ModelError(f"risk {brief(risk)}: expected a weight, 0..1")
        self.cases, self.risk = cases, risk
        self._styles = ByStyles(cases)
        self._anytime = Anytime()
        for (name, street), seconds in SOLVES.items():
            self._anytime.expect(name, street, seconds)
        self._begin(0)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.cases!r}, risk {self.risk}>"

    @property
    def loaded_from(self) -> list[str]:
        """The digests of its files."""
        solved = [each for blueprint in self._blueprints.values() for each in blueprint.player.loaded_from]
        known = [f"players {self._sizes.players.digest}", f"continuations {continuations_digest()}"]
        return [*self.cases.loaded_from, *known, *solved]

    @property
    def size(self) -> str:
        """The size of its models."""
        solved = sum(blueprint.player.solution.steps.size for blueprint in self._blueprints.values())
        return f"{self.cases.size}, solved strategies of {solved:,} probabilities"

    @cached_property
    def _sizes(self) -> BySizes:
        return BySizes()

    @cached_property
    def _blueprints(self) -> dict[str, FollowedBlueprint]:
        return {player.betting: FollowedBlueprint(player) for player in (Equilibrium(), EquilibriumNL())}

    def sit(self, seat: int, variant: Variant, seed: int) -> None:
        """Take a seat: the opponents are unknown."""
        self.plays.verify(variant)
        self._begin(seed)
        self._reading(variant)  # what is made once is made before the first decision
        class_equities()
        if variant.seats == 2 and (blueprint := self._blueprints.get(variant.betting)):
            blueprint.sit(seat, variant, seed)

    def _begin(self, seed: int) -> None:
        self._seed = whole(seed, "seed", 0, MOST_SEED)
        self._evidence, self._hands = Evidence(), Counter[str]()
        self._seen: Observation | None = None  # at the last decision
        self._turn: tuple[SearchTurn, Resolved] | None = None  # of the hand
        self._supposed = False
        self._styles.begin(seed)
        if "_sizes" in self.__dict__:
            self._sizes.begin(seed)

    def _reading(self, variant: Variant) -> TableReading:
        return self._styles if variant.betting == "limit" else self._sizes

    def _blueprint(self, observation: Observation) -> FollowedBlueprint | None:
        """The blueprint of the hand, where it is solved; None where the belief is replaced."""
        if observation.variant.seats != 2 or self._supposed:
            return None
        found = self._blueprints.get(observation.variant.betting)
        return found if found and found.fits(observation.state) else None

    def decide(
        self, observation: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """Choose a legal action; see ``Agent.decide``.

        Tiers: the cheapest legal action; the cases, valued by equity against the belief and the price; a
        look-ahead against the opponents' models; heads-up, where a blueprint exists, a re-solve of the river,
        and under a limit that suffices of the turn. Without a time limit the work is counted: a look-ahead,
        or the re-solve of the river.
        """
        self.plays.verify_turn(observation)
        budget = budget or Budget(time=time_limit)
        self._seen = observation if observation.players else None
        spots: list[ValueSpot] = []

        def tier(answer: ValueTier) -> Tier:
            def answered(observation: Observation, recorder: Recorder) -> Answer | None:
                if not spots:
                    spots.append(self._spot(observation, Recorder(recorder.meter)))
                return answer(spots[0], recorder)

            return answered

        tiers = {name: tier(answer) for name, answer in self._tiers(observation, budget).items()}
        found = self._anytime.decide(budget.start(), observation, tiers, first="rules")
        if found.action.name == "fold" and holds_best(observation):  # no tier but the cheapest does so
            call = observation.state.named("call")
            return replace(found, action=call, policy={call: 1.0}, reason="no holding beats it now")
        return found

    def _tiers(self, observation: Observation, budget: Budget) -> dict[str, ValueTier]:
        """The tiers above the cheapest action, in order of worth; without a clock the last one alone."""
        tiers: dict[str, ValueTier] = {CASES: self._by_equity}
        blueprint = self._blueprint(observation)
        if self._looks_ahead(observation, blueprint):
            tiers[LOOK_AHEAD] = self._by_look_ahead
        if blueprint and can_be_resolved(observation):
            if observation.street == 3:
                tiers.pop(LOOK_AHEAD, None)
            name = RESTRICTED if self._trust(observation, blueprint) else RE_SOLVE
            if observation.street == 3 or (budget.time or 0.0) >= TURN[name]:
                tiers[name] = self._by_resolve
        return dict([list(tiers.items())[-1]]) if budget.time is None else tiers

    def _looks_ahead(self, observation: Observation, blueprint: FollowedBlueprint | None) -> bool:
        if self._supposed or observation.variant.betting == "pot-limit":
            return False
        return self._trust(observation, blueprint) >= TRUSTED

    def _trust(self, observation: Observation, blueprint: FollowedBlueprint | None) -> float:
        """The weight of the best answer to the opponents' models: risk and evidence, or the hands known."""
        names = list(opponents_of(observation).values())
        if blueprint is not None:
            weight = self.risk * self._evidence.earned(names[0])
            return weight if weight >= TRUSTED else 0.0
        known = [self._hands[name] / (self._hands[name] + FAMILIAR) for name in names]
        return sum(known) / len(known)

    def _spot(self, observation: Observation, recorder: Recorder) -> ValueSpot:
        proposed, beliefs = self._reading(observation.variant).propose(observation, recorder)
        prior, stages = proposed.policy, tuple(recorder.stages)
        ranges = {seat: belief.weights for seat, belief in beliefs.items()}
        blueprint, error = self._blueprint(observation), 0.0
        trust = self._trust(observation, blueprint)
        if blueprint is not None:
            solved = blueprint.decide(observation)
            prior, stages = solved.policy, (*solved.trace, *stages)
            (opponent,), error = ranges, ABSTRACTED
            ranges = {opponent: self._mixed(observation, blueprint, beliefs[opponent], trust)}
        share = share_of(observation, ranges, int(generator(self._seed, observation).integers(2**63)))
        share = PotShare(share.mean, max(share.error, error))
        priced = share, self._priced(observation, prior, ranges, share)
        return ValueSpot(observation, prior, ranges, trust, blueprint is not None, self._seed, priced, stages)

    def _mixed(
        self, observation: Observation, blueprint: FollowedBlueprint, belief: Belief, trust: float
    ) -> Array:
        """The holdings of an opponent that plays the blueprint, or with the weight of the trust its model."""
        believed = belief.weights
        free = ~blocked_by((*observation.hole, *observation.board))
        held = blueprint.reach(observation, observation.state, belief.position) * free
        return np.asarray((1 - trust) * held / held.sum() + trust * believed / believed.sum())

    def _priced(
        self,
        observation: Observation,
        prior: Mapping[Action, float],
        ranges: Mapping[int, Array],
        share: PotShare,
    ) -> tuple[ActionValue, ...]:
        """The values of the actions by equity and price."""
        reading, names = self._reading(observation.variant), opponents_of(observation)
        sized = [action for action in prior if action.name in ("bet", "raise")]
        likely = sorted(sized, key=lambda action: -prior[action])[:SIZES]
        actions = {*observation.legal_actions(), *likely}
        ordered = sorted(actions, key=lambda action: (ACTIONS.index(action.name), action.amount))
        return by_equity(
            observation,
            ranges,
            share,
            ordered,
            lambda state, seat: reading.folds(observation, state, names[seat]),
        )

    def _by_equity(self, spot: ValueSpot, recorder: Recorder) -> Answer:
        """The prior without what equity and price hold to be worse."""
        return spot.answer(recorder, Valued("equity", spot.priced[1]))

    def _by_look_ahead(self, spot: ValueSpot, recorder: Recorder) -> Answer:
        """The prior without what a look-ahead holds to be worse."""
        observation, budget = spot.observation, recorder.meter.budget
        seed = int(generator(self._seed, observation).integers(2**63))
        search = LookAhead(observation, self._reading(observation.variant).model, seed)
        most = budget.playouts or (PLAYOUTS if budget.time is None else LONGEST * PLAYOUTS)

        exact = {value.action: value for value in spot.priced[1] if not value.error}

        def valued() -> Valued:
            """So far; results that happen to be alike are no reason to hold them exact."""
            least = observation.state.pot / search.playouts
            found = search.values()
            values = tuple(
                exact.get(value.action) or replace(value, error=max(value.error, least)) for value in found
            )

            def apart(one: int, other: int) -> float:
                if {values[one].action, values[other].action} & exact.keys():
                    return hypot(values[one].error, values[other].error)
                return max(search.difference_error(one, other), least)

            return Valued(LOOK_AHEAD, values, apart)

        def chunk() -> bool:
            search.run(max(2, min(CHUNK, most - search.playouts)))
            return search.playouts >= most or settled(valued().values, valued().apart)

        recorder.repeat(chunk)
        return spot.answer(recorder, valued())

    def _by_resolve(self, spot: ValueSpot, recorder: Recorder) -> Answer | None:
        """The rest of the hand solved anew; None = the turn was not solved in time."""
        observation, blueprint = spot.observation, self._blueprint(spot.observation)
        assert blueprint is not None
        found = self._resolved(spot, blueprint, recorder)
        if found is None:
            return None
        blueprint.decided(observation, found.actions, found.policy)
        shares = found.policy[:, holding_index(*observation.hole)].tolist()
        policy = dict.fromkeys(found.actions, 0.0)
        for action, share in zip(found.actions, shares, strict=True):
            policy[action] += share
        values = action_values(found, observation)
        valued = Valued(RE_SOLVE, values, safe=found.safe, share=last_share(observation, values))
        return spot.answer(recorder, valued, policy)

    def _resolved(self, spot: ValueSpot, blueprint: FollowedBlueprint, recorder: Recorder) -> Resolved | None:
        observation, here = spot.observation, SearchTurn.of(spot.observation)
        reading = self._reading(observation.variant)
        if observation.street == 2:
            found = self._turn_resolved(spot, blueprint, recorder)
            self._turn = (here, found) if found else None
            return found
        turn = self._turn[1] if self._turn and here.follows(self._turn[0]) else None
        playouts = recorder.meter.budget.playouts or PLAYOUTS
        betting = "limit" if observation.variant.betting == "limit" else "no-limit"
        iterations = max(FEWEST, round(min(1.0, playouts / PLAYOUTS) * ITERATIONS[betting][5]))
        return resolved(observation, blueprint, reading, spot.trust, iterations, turn)

    def _turn_resolved(
        self, spot: ValueSpot, blueprint: FollowedBlueprint, recorder: Recorder
    ) -> Resolved | None:
        """The turn, by the rounds that leave time for what follows them; None = it does not suffice."""
        meter, reading = recorder.meter, self._reading(spot.observation.variant)
        began = meter.spent()
        solve = turn_solve(spot.observation, blueprint, reading, spot.trust)
        posed = meter.spent()
        if meter.left() < posed - began:  # what follows takes as long, at least
            return None
        solve.round()
        one = meter.spent() - posed
        if meter.left() < (2 + FOLLOWS) * one:
            return None
        recorder.repeat(solve.round, keep=FOLLOWS * one)
        return solve.found()

    def learn(self, event: Event) -> None:
        """Learn from the acts and the holdings shown: evidence against the blueprint, models, cases."""
        observation = event.observation
        if isinstance(event, HandOver):
            self._turn = None
            self._hands.update(observation.players)
            if blueprint := self._blueprint(observation):
                self._weigh(observation, blueprint)
        self._reading(observation.variant).learn(event)

    def _weigh(self, observation: Observation, blueprint: FollowedBlueprint) -> None:
        """Weigh the acts of the opponent by the blueprint and by its model, which learns them later."""
        if not observation.players:
            return
        own, known, me = self._seen, observation.board, ""
        if own is not None and own.seat is not None:
            me = own.players[own.seat]
            if (own.hand, own.players) == (observation.hand, observation.players):
                known += own.hole
        for seat in {act.seat for act in observation.acts}:
            name = observation.players[seat]
            if name == me:
                continue
            held = np.where(blocked_by(known), 0.0, 1.0)
            if shown := observation.state.hole_of(seat):
                held = np.zeros(1326)
                held[holding_index(*shown)] = 1
            solved = blueprint.likelihood(observation, seat)
            model = self._reading(observation.variant).likelihood(observation, (seat, name))
            self._evidence.learn(name, solved, model, held / held.sum())

    def beliefs(self, observation: Observation) -> Mapping[int, Belief]:
        """The belief about each opponent still in, by position: what a decision is made against."""
        found = self._reading(observation.variant).beliefs(observation)
        blueprint = self._blueprint(observation)
        if blueprint is None or observation.seat is None:
            return found
        trust = self._trust(observation, blueprint)
        return {
            seat: belief_of(
                (seat, belief.player),
                belief.evidence,
                self._mixed(observation, blueprint, belief, trust),
                observation.board,
            )
            for seat, belief in found.items()
        }

    def suppose(self, ranges: Mapping[int, Array]) -> None:
        """Replace the belief about the holdings of opponents; see ``agents.base.Supposing``.

        Actions are valued by equity and price then, since no model acts by such a range.
        """
        self._supposed = bool(ranges)
        self._styles.suppose(ranges)
        self._sizes.suppose(ranges)

    def aside(self) -> "ValuePlayer":
        """A copy that knows the same: its decisions and suppositions leave this player as it is."""
        other = copy(self)
        other.cases, other._styles = copy(self.cases), copy(self._styles)
        other._styles.cases = other.cases
        other._sizes = copy(self._sizes)
        other._blueprints = {name: blueprint.aside() for name, blueprint in self._blueprints.items()}
        return other
