"""Players by static rules: hand groups by position before the flop, fixed thresholds after it.

The rules of the RuleBot that CASEY equalled (Unger 2011, section 4.4.1) and of CASPER's opponents, the
Jagbots (Rubin and Watson 2007), are not published: everything here is our choice, based on the formula
player's first, second and fourth rules against uniform cards. The papers describe Jagbot only as loose and
aggressive.
"""

from dataclasses import dataclass

from baycarp.agents.anytime import Answer, Recorder
from baycarp.agents.base import Decision, Plays, Stateless
from baycarp.agents.sampling import legal_policy
from baycarp.agents.trace import HandGroupStage, StaticRuleStage
from baycarp.budget import Budget
from baycarp.card import HAND_GROUPS, class_index
from baycarp.game import Observation
from baycarp.kernels.strength import strength
from baycarp.rules.context import Spot, facing

__all__ = ["FOLDER", "JAGBOT", "MANIAC", "RULEBOT", "STATION", "RuleBot", "StaticRules"]


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
MANIAC = StaticRules(play=(9, 10, 10), raising=7, reraising=5, strong=0.5, good=0.2, bluff=0.25, price=0.5)
STATION = StaticRules(play=(9, 10, 10), raising=1, reraising=0, strong=0.95, good=0.8, price=0.3)
FOLDER = StaticRules(play=(2, 3, 4), raising=2, reraising=1, strong=0.9, good=0.65, price=1.5)
"""A maniac raises most hands, a calling station plays most hands and seldom raises, a folder plays few hands
and gives up most of them after the flop."""


class RuleBot(Stateless):
    """A player with static rules and without opponent models."""

    plays = Plays(frozenset({"limit"}))

    def __init__(self, rules: StaticRules = RULEBOT) -> None:
        self.rules = rules

    def decide(
        self, observation: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """Choose by hand group before the flop, by thresholds after it."""
        recorder = Recorder((budget or Budget(time=time_limit)).start())
        spot = facing(observation)
        self.plays.verify_turn(observation)
        decide = self._after_flop if spot.street else self._before_flop
        column, reason = decide(observation, spot, recorder)
        policy = legal_policy(observation, [float(column == k) for k in range(3)])
        return recorder.decision(Answer(max(policy, key=policy.__getitem__), policy, reason))

    def _before_flop(self, observation: Observation, spot: Spot, recorder: Recorder) -> tuple[int, str]:
        group = int(HAND_GROUPS[class_index(*map(int, observation.hole))])
        rules, cheap = self.rules, 2 * spot.owed <= spot.bet
        worst = rules.play[2 if cheap or spot.after < 2 else 1 if spot.after < 4 else 0]
        if group <= (rules.raising if spot.bets < 2 else rules.reraising):
            column = 2
        elif spot.owed == 0 or spot.invested:
            column = 1
        else:
            column = int(group <= (worst if spot.price < 2 else rules.raising))
        recorder.add(HandGroupStage(group, worst))
        return column, f"group {group}, worst played {worst}"

    def _after_flop(self, observation: Observation, spot: Spot, recorder: Recorder) -> tuple[int, str]:
        rules = self.rules
        hs, ppot, _ = strength(observation.hole, observation.board, None, ahead=1)
        hsn = hs**spot.opponents
        optimist, odds = hsn + (1 - hsn) * ppot, spot.owed / (spot.pot + spot.owed)
        semi_bluff_price = 2 * spot.bet / (spot.pot + 6 * spot.bet)  # as in the formula player's rule 3
        if optimist >= rules.strong:
            column, rule = (2 if spot.bets < 2 else 1), "strong"
        elif optimist >= rules.good and (spot.price < 2 or spot.invested):
            column, rule = (1 if spot.bets else 2), "good"
        elif rules.bluff is not None and not spot.owed and ppot >= rules.bluff * semi_bluff_price:
            column, rule = 2, "semi-bluff"
        elif spot.owed and (hsn if spot.last else ppot) >= rules.price * odds:
            column, rule = 1, "pot odds"
        else:
            column, rule = 0, "give up"
        recorder.add(StaticRuleStage(hs, ppot, optimist, odds, rule))
        return column, f"HS {hs:.2f}, PPot {ppot:.2f}, EHS' {optimist:.2f}, pot odds {odds:.2f}, rule {rule}"
