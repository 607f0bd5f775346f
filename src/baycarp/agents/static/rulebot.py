"""Players by static rules: hand groups by position before the flop, fixed thresholds after it.

The rules of the RuleBot that CASEY equalled (Unger 2011, section 4.4.1) and of CASPER's opponents, the
Jagbots (Rubin and Watson 2007), are not published: everything here is our choice, based on the formula
player's first, second and fourth rules against uniform cards. The papers describe Jagbot only as loose and
aggressive.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.anytime import Answer, Recorder
from baycarp.agents.base import ClassPolicies, Decision, Plays, Stateless
from baycarp.agents.factory import Factory
from baycarp.agents.sampling import legal_policy
from baycarp.agents.terms import percent
from baycarp.agents.trace import Stage
from baycarp.budget import Budget
from baycarp.card import CLASS_OF, HAND_GROUPS, class_index
from baycarp.game import Observation, State, Variant
from baycarp.kernels.strength import strength
from baycarp.kernels.sweeps import sweep, sweep_potential
from baycarp.rules.betting.context import FOLD_CALL_RAISE, LimitSpot, facing

__all__ = ["JAGBOT", "RULEBOT", "RULE_PLAYERS", "HandGroupStage", "RuleBot", "StaticRuleStage", "StaticRules"]


@dataclass(frozen=True, slots=True)
class HandGroupStage(Stage, name="hand group"):
    """Pre-flop play by static rules: the hand group, and the worst group that is played; 1 is the best."""

    group: int
    worst_played: int


@dataclass(frozen=True, slots=True)
class StaticRuleStage(Stage, name="static rules"):
    """Play by static rules after the flop: HS, PPot, EHS' and pot odds, 0..1, and the rule that applied."""

    strength: float
    positive_potential: float
    optimistic: float
    pot_odds: float
    rule: str


@dataclass(frozen=True, slots=True)
class StaticRules:
    """The parameters of a rule player.

    Parameters
    ----------
    play
        The worst hand group played with four or more opponents between it and the button, with two or three,
        with none or one; the last holds for the blinds too when half a bet or less is owed.
    raising, reraising
        The worst group that raises, and that reraises.
    strong, good
        Thresholds on EHS' to raise and to bet, as in the formula player's rules 1 and 2.
    bluff
        The factor on the formula player's price of a semi-bluff; None = never.
    price
        The factor on the pot odds of a call: 0 = never folds after the flop, above 1 = folds more often.
    """

    play: tuple[int, int, int] = (4, 5, 6)
    raising: int = 3
    reraising: int = 1
    strong: float = 0.85
    good: float = 0.50
    bluff: float | None = None
    price: float = 1.0


RULEBOT = StaticRules()
JAGBOT = StaticRules(play=(6, 7, 8), raising=5, reraising=3, strong=0.65, good=0.35, bluff=0.5)


class RuleBot(Stateless, ClassPolicies):
    """A player with static rules and without opponent models."""

    plays = Plays(frozenset({"limit"}))

    def __init__(self, rules: StaticRules = RULEBOT) -> None:
        self.rules = rules

    def decide(
        self, observation: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """Choose by hand group before the flop, by thresholds after it."""
        recorder = Recorder((budget or Budget(time=time_limit)).start())
        self.plays.verify_turn(observation)
        spot = facing(observation)
        decide = self._after_flop if spot.street else self._before_flop
        column, reason = decide(observation, spot, recorder)
        policy = legal_policy(observation, [float(column == k) for k in range(3)])
        return recorder.decision(Answer(max(policy, key=policy.__getitem__), policy, reason))

    def hand_classes(self, state: State) -> NDArray[np.uint16]:
        """See ``ClassPolicies``; heads-up only.

        The hand group before the flop; after it the intervals between the thresholds of the game in which
        EHS' lies, and the potential, on the river the strength.
        """
        if not state.board:
            return HAND_GROUPS[CLASS_OF].astype(np.uint16) - 1
        edges = _edges(self.rules, state.variant, state.street)
        hs, ppot = (sweep(state.board), 0.0) if state.street == 3 else sweep_potential(state.board)[:2]
        optimist = np.searchsorted(_levels(self.rules), hs + (1 - hs) * ppot, side="right")
        decisive = hs if state.street == 3 else ppot
        return (optimist * (len(edges) + 1) + np.searchsorted(edges, decisive, side="right")).astype(
            np.uint16
        )

    def class_policies(self, state: State) -> NDArray[np.float64]:
        """See ``ClassPolicies``: each class is decided at the lower end of its interval."""
        observation = state.observe(state.to_act)
        spot = facing(observation)
        policies = np.zeros((3, 3))
        for column in range(3):
            legal = legal_policy(observation, [float(column == k) for k in range(3)])
            for action, probability in legal.items():
                policies[column, FOLD_CALL_RAISE[action.name]] += probability
        if not spot.street:
            return policies[[self._by_group(group, spot)[0] for group in range(1, 11)]]
        edges = _edges(self.rules, state.variant, spot.street)
        cells = product((-np.inf, *_levels(self.rules)), (-np.inf, *edges))
        if spot.last:
            return policies[[self._by_strength(spot, optimist, hs, 0.0)[0] for optimist, hs in cells]]
        return policies[[self._by_strength(spot, optimist, np.nan, ppot)[0] for optimist, ppot in cells]]

    def _before_flop(self, observation: Observation, spot: LimitSpot, recorder: Recorder) -> tuple[int, str]:
        group = int(HAND_GROUPS[class_index(*map(int, observation.hole))])
        column, worst = self._by_group(group, spot)
        recorder.add(HandGroupStage(group, worst, seconds=recorder.lap()))
        return column, f"a hand of group {group}, of those to group {worst} that are played"

    def _by_group(self, group: int, spot: LimitSpot) -> tuple[int, int]:
        """The column of a hand group before the flop, and the worst group that is played."""
        rules, cheap = self.rules, 2 * spot.owed <= spot.bet
        worst = rules.play[2 if cheap or spot.after < 2 else 1 if spot.after < 4 else 0]
        if group <= (rules.raising if spot.bets < 2 else rules.reraising):
            return 2, worst
        if spot.owed == 0 or spot.invested:
            return 1, worst
        return int(group <= (worst if spot.price < 2 else rules.raising)), worst

    def _after_flop(self, observation: Observation, spot: LimitSpot, recorder: Recorder) -> tuple[int, str]:
        hs, ppot, _ = strength(observation.hole, observation.board, None, ahead=1)
        hsn = hs**spot.opponents
        optimist, odds = hsn + (1 - hsn) * ppot, _odds(spot)
        column, rule = self._by_strength(spot, optimist, hsn, ppot)
        recorder.add(StaticRuleStage(hs, ppot, optimist, odds, rule, seconds=recorder.lap()))
        good = f"ahead of {percent(hsn)}, with its draws {percent(optimist)}"
        return column, f"{good}; pot odds {percent(odds)}, rule {rule}"

    def _by_strength(self, spot: LimitSpot, optimist: float, hsn: float, ppot: float) -> tuple[int, str]:
        """The column of an EHS', a strength (read on the river alone) and a potential, and its rule."""
        rules = self.rules
        if optimist >= rules.strong:
            return (2 if spot.bets < 2 else 1), "strong"
        if optimist >= rules.good and (spot.price < 2 or spot.invested):
            return (1 if spot.bets else 2), "good"
        if rules.bluff is not None and not spot.owed and ppot >= rules.bluff * _semi_bluff_price(spot):
            return 2, "semi-bluff"
        if spot.owed and (hsn if spot.last else ppot) >= rules.price * _odds(spot):
            return 1, "pot odds"
        return 0, "give up"


RULE_PLAYERS: Mapping[str, Factory] = {
    "rule": Factory(RuleBot, "static rules, tight", rules=RULEBOT),
    "jag": Factory(RuleBot, "static rules, loose and aggressive", rules=JAGBOT),
    "maniac": Factory(
        RuleBot,
        "static rules: raises most hands",
        rules=StaticRules(
            play=(9, 10, 10), raising=7, reraising=5, strong=0.5, good=0.2, bluff=0.25, price=0.5
        ),
    ),
    "station": Factory(
        RuleBot,
        "static rules: plays most hands and seldom raises",
        rules=StaticRules(play=(9, 10, 10), raising=1, reraising=0, strong=0.95, good=0.8, price=0.3),
    ),
    "folder": Factory(
        RuleBot,
        "static rules: gives up most hands after the flop",
        rules=StaticRules(play=(2, 3, 4), raising=2, reraising=1, strong=0.9, good=0.65, price=1.5),
    ),
}
"""By name."""


class _Price(NamedTuple):
    """What a decision costs, in chips: a part of ``LimitSpot``."""

    owed: int
    pot: int
    bet: int


def _odds(spot: LimitSpot | _Price) -> float:
    return spot.owed / (spot.pot + spot.owed)


def _semi_bluff_price(spot: LimitSpot | _Price) -> float:
    """As in the formula player's rule 3."""
    return 2 * spot.bet / (spot.pot + 6 * spot.bet)


def _levels(rules: StaticRules) -> list[float]:
    return sorted({rules.good, rules.strong})


@lru_cache(maxsize=64)
def _edges(rules: StaticRules, variant: Variant, street: int) -> tuple[float, ...]:
    """The thresholds of a street on potential, on the river on strength, in a game heads-up."""
    found = set()
    for price in _prices(variant)[street]:
        if price.owed:
            found.add(rules.price * _odds(price))
        elif rules.bluff is not None and street < 3:
            found.add(rules.bluff * _semi_bluff_price(price))
    return tuple(sorted(found))


@lru_cache(maxsize=4)
def _prices(variant: Variant) -> tuple[frozenset[_Price], ...]:
    found: tuple[set[_Price], ...] = (set(), set(), set(), set())
    for state in _decisions(variant):
        found[state.street].add(_Price(state.owed, state.pot, variant.raise_sizes[state.street]))
    return tuple(map(frozenset, found))


def _decisions(variant: Variant) -> Iterator[State]:
    """Every state of a limit game in which a player is to act, without cards: heads-up there are 6,378."""
    waiting = [State(variant)]
    while waiting:
        state = waiting.pop()
        yield state
        for action in state.legal_actions():
            after = state.copy()
            after.apply(action)
            if not after.is_over:
                waiting.append(after)
