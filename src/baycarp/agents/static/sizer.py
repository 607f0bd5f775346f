"""The no-limit rule player: a known, mixed policy over strength, potential, price, position and stack.

Before the flop a hand is a percentile of the 1,326 by income rates, and is compared with the share of hands
that is played in the spot. After it the strength against random holdings is discounted by the number of
opponents and by their bets, and compared with thresholds and pot odds. Every comparison is a probability, so
the policy of ``Decision`` is the distribution that the action is drawn from. A bet is one of ``SIZES``, drawn
around the usual size of the style, which grows with the strength of the hand. All formulas are our choice.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp import evaluation
from baycarp.agents.anytime import Answer, Recorder
from baycarp.agents.base import Agent, Decision, Plays, Seeded
from baycarp.agents.factory import Factory, Setting
from baycarp.agents.sampling import draw, generator
from baycarp.agents.static.sizer_style import SizerStyle, drawn
from baycarp.agents.trace import Stage
from baycarp.budget import Budget
from baycarp.card import holding_index
from baycarp.errors import ModelError, brief
from baycarp.game import Action, Observation, Variant
from baycarp.kernels.strength import strength
from baycarp.rules.betting.sizes import KLEIJ, BetRange, Sizes
from baycarp.rules.income import income_group, percentiles

__all__ = ["SIZER", "SIZES", "Sizer", "SizerSpot", "SizingStage", "mixture"]

SIZES = Sizes((*KLEIJ.proportions, ("v", 5.0)), all_in="a", minimum="m")
"""The bets of the player: the least one, those of van der Kleij (2010), five times the pot, all-in."""

OPENED = 0.75
"""The share of hands that is played with one player behind; it falls as the reciprocal of their number."""

DEFENDED = 0.5
"""The share of hands that is played heads-up against one raise of the pot."""

RERAISED = 0.4
"""The factor on that share for each further raise."""

Triple: TypeAlias = tuple[float, float, float]
"""Probabilities of fold, of check or call, and of bet or raise."""


@dataclass(frozen=True, slots=True)
class SizingStage(Stage, name="sizing"):
    """Play by no-limit rules.

    Parameters
    ----------
    strength
        Of the hand as the rules count it, 0..1.
    pot_odds
        0..1; 0 = a check is free.
    stack_to_pot
        Chips left, of the pot.
    shares
        Probability of fold, of check or call, and of bet or raise.
    sizes
        Probability of each size of a bet, by its letter.
    """

    strength: float
    pot_odds: float
    stack_to_pot: float
    shares: Mapping[str, float]
    sizes: Mapping[str, float]


class SizerSpot(NamedTuple):
    """The betting situation of the player to act. Amounts are chips.

    Parameters
    ----------
    street
        0 pre-flop to 3 river.
    owed, pot
        What a call adds; all chips in before it.
    stack
        Chips that the player has left.
    made
        Bets and raises of the street; pre-flop the big blind is the first.
    faced
        Bets and raises of opponents since the flop.
    opponents, behind
        The others still in, and those of them that have not acted on the street.
    invested
        Whether the player has put chips in voluntarily on the street.
    """

    street: int
    owed: int
    pot: int
    stack: int
    made: int
    faced: int
    opponents: int
    behind: int
    invested: bool

    @classmethod
    def of(cls, observation: Observation) -> "SizerSpot":
        """The spot of the observing player, which is to act."""
        state, seat = observation.state, observation.seat
        assert seat is not None
        others, street = set(state.seats_in) - {seat}, state.street
        acted = {act.seat for act in state.acts if act.street == street}
        faced = sum(
            act.seat != seat and act.street > 0 and act.action.name in ("bet", "raise") for act in state.acts
        )
        invested = any(act.seat == seat and act.street == street and act.paid for act in state.acts)
        behind = len(others - acted - set(state.all_in))
        return cls(
            street,
            state.owed,
            state.pot,
            state.stacks[seat],
            state.bets_made,
            faced,
            len(others),
            behind,
            invested,
        )

    @property
    def odds(self) -> float:
        """Pot odds: what a call adds, of the pot that it makes; 0 = it is free."""
        return self.owed / (self.pot + self.owed)

    @property
    def risk(self) -> float:
        """The part of the stack that a call costs, 0..1."""
        return min(self.owed / self.stack, 1.0)


class Sizer(Seeded):
    """A no-limit rule player.

    Parameters
    ----------
    style
        The playing style.

    Examples
    --------
    >>> from baycarp.game import State, Variant
    >>> hand = State(Variant.load("holdem.nolimit.6p.100bb"))
    >>> hand.deal({2: "AhAd"})
    >>> decision = Sizer().decide(hand.observe(2))
    >>> {action.amount: round(share, 2) for action, share in decision.policy.items() if share >= 0.1}
    {225: 0.11, 288: 0.35, 350: 0.36, 475: 0.12}
    """

    plays = Plays(frozenset({"no-limit"}))

    def __init__(self, style: SizerStyle | None = None) -> None:
        self.style = style or SizerStyle()
        self._ranges: tuple[NDArray[np.float64], ...] = ()

    def sit(self, seat: int, variant: Variant, seed: int) -> None:
        """Take a seat; see ``Agent.sit``."""
        super().sit(seat, variant, seed)
        self._ranges = ()

    def suppose(self, ranges: Mapping[int, NDArray[np.float64]]) -> None:
        """Measure strength against these ranges in place of any two cards; see ``agents.base.Supposing``."""
        self._ranges = tuple(ranges.values())

    def decide(
        self, observation: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """Draw an action from the policy; see ``Agent.decide``."""
        recorder = Recorder((budget or Budget(time=time_limit)).start())
        self.plays.verify_turn(observation)
        policy, stage = self._policy(observation, recorder)
        action = draw(policy, generator(self._seed, observation).random())
        reason = (
            f"strength {stage.strength:.2f}, pot odds {stage.pot_odds:.2f}: {policy[action]:.0%} of the time"
        )
        return recorder.decision(Answer(action, policy, reason))

    def _policy(
        self, observation: Observation, recorder: Recorder
    ) -> tuple[dict[Action, float], SizingStage]:
        """The probability of every action that may be taken, and the numbers that it comes from."""
        spot, style = SizerSpot.of(observation), self.style
        answer = _after_flop if spot.street else _before_flop
        held, (fold, call, bet) = answer(observation, spot, style, self._ranges)
        legal = BetRange.of(observation.state)
        if legal is None:
            call, bet = call + bet, 0.0
        policy = {Action("check"): call}
        if spot.owed:
            policy = {Action("fold"): fold, Action("call", spot.owed): call}
        sizes = mixture(legal, spot, style, held) if legal else {}
        actions = SIZES.actions(legal) if legal else {}
        policy |= {actions[letter]: bet * share for letter, share in sizes.items()}
        shares = {"fold": fold, "call": call, "bet": bet}
        stack = spot.stack / spot.pot
        stage = SizingStage(held, spot.odds, stack, shares, sizes, seconds=recorder.lap())
        recorder.add(stage)
        return policy, stage


class _Population(Factory):
    """A style from the settings alone; with a number, that member of the population, and settings over it."""

    def settings(self) -> tuple[Setting, ...]:
        """Those of a style, and the number."""
        meaning = "Of a member of the population; other settings are set over its own."
        return (*super().settings(), Setting("number", None, meaning))

    def __call__(self, number: int | None = None, **given: Any) -> Agent:
        """The player with these settings."""
        if number is not None and type(number) is not int:
            raise ModelError(f"number={brief(number)}: expected int | None")
        style = SizerStyle() if number is None else drawn(number)
        return Factory(Sizer, self.about, style=style)(**given)


SIZER = _Population(Sizer, "no-limit rules with bet sizes, a member of a population", style=SizerStyle)


def _above(value: float, threshold: float, width: float) -> float:
    """The probability that a value counts as above a threshold: a logistic curve of that width."""
    return 1 / (1 + math.exp(min(max((threshold - value) / width, -40.0), 40.0)))


def _among(held: float, share: float, style: SizerStyle) -> float:
    """The probability that a percentile counts as among the best share, whose border is narrow if it is."""
    share = min(share, 0.97)
    return _above(held, 1 - share, style.mixing * share**0.5)


def _before_flop(
    observation: Observation, spot: SizerSpot, style: SizerStyle, ranges: Sequence[NDArray[np.float64]]
) -> tuple[float, Triple]:
    """The percentile of the hand, and the probabilities of fold, check or call, and raise."""
    holding = holding_index(*map(int, observation.hole))
    if ranges:  # by equity against them all
        worth = np.prod([evaluation.equity_map(np.ones(1326), each) for each in ranges], axis=0)
        held = float(np.nanmean(worth < worth[holding]))
    else:
        group = income_group(spot.opponents - spot.behind, spot.behind)
        held = float(percentiles()[group][holding])
    late = 1 + 0.5 * style.position * (1 - 2 * spot.behind / spot.opponents)
    if spot.made <= 1:
        share = style.looseness * late * OPENED / max(spot.behind, 1)
        raised = share * (0.22 + 0.55 * style.aggression) * (1 + 0.6 / max(spot.behind, 1))
        if spot.odds < 0.3:  # a part of a blind
            share += 0.15 * style.stickiness * (1 - spot.risk) / spot.opponents
    else:
        share = style.looseness * late * DEFENDED * RERAISED ** (spot.made - 2)
        share *= spot.opponents**-0.85 * (2 / observation.variant.seats) ** 0.5
        share *= (
            (1 - spot.odds) / 0.67 * (1 - 0.7 * spot.risk)
        )  # two thirds: the pot odds of a pot-sized raise
        raised = share * (0.14 + 0.4 * style.aggression) * spot.opponents**-0.6
        if spot.invested:  # the hand was among those played before
            share *= 1.6
    bet = _among(held, raised, style)
    bet += (1 - bet) * 0.2 * style.bluffing * min(raised, 1.0) * (1 - spot.risk)
    return held, _triple(_among(held, share, style) if spot.owed else 1.0, bet)


def _after_flop(
    observation: Observation, spot: SizerSpot, style: SizerStyle, ranges: Sequence[NDArray[np.float64]]
) -> tuple[float, Triple]:
    """The discounted strength of the hand, and the probabilities of fold, check or call, and bet or raise."""
    if ranges:  # they know of the bets already
        held, gains, _ = evaluation.strength(observation.hole, observation.board, *ranges)
    else:
        now, gains = _strength(observation.hole, observation.board)
        held = now ** (spot.opponents**0.85 + 0.8 * min(spot.faced, 3))
    held += (1 - held) * gains * 0.6
    later = 0.04 * (spot.street - 1)
    if not spot.owed:
        last = float(not spot.behind)
        eager = 0.3 * style.aggression + 0.1 * style.position * last + later
        bet = _above(held, 0.93 - eager, style.mixing)
        bet += (1 - bet) * style.bluffing * (0.2 + 0.6 * gains) * (0.6 + 0.6 * last) / spot.opponents
        return held, _triple(1.0, bet)
    price = spot.odds + 0.16 * (1 - style.stickiness) + later
    price *= 1 - 0.4 * spot.risk * (1 - spot.odds)  # the less is left to lose, the lighter the call
    bet = _above(held, 0.96 - 0.14 * style.aggression, style.mixing / 2)
    bet += (1 - bet) * 0.15 * style.bluffing * gains * (1 - spot.risk)
    return held, _triple(_above(held, price, style.mixing), bet)


def _triple(played: float, bet: float) -> Triple:
    """Fold, check or call, bet or raise: no hand is bet that is not played."""
    bet = min(bet, played)
    return 1 - played, played - bet, bet


def mixture(legal: BetRange, spot: SizerSpot, style: SizerStyle, held: float) -> Mapping[str, float]:
    """The distribution over the letters of a bet, for a hand of a strength.

    Parameters
    ----------
    legal
        The bets that the rules allow.
    spot
        The betting situation.
    style
        The playing style.
    held
        The strength of the hand, 0..1.

    Returns
    -------
    dict
        Probability by letter of ``SIZES``, of those that exist; they sum to 1.
    """
    usual = math.log(style.size if spot.street else style.opening) + style.growth * (held - 0.7)
    known = SIZES.at(legal)
    apart = {letter: (math.log(known[letter]) - usual) / style.spread for letter in SIZES.actions(legal)}
    nearest = min(map(abs, apart.values()))  # so that the largest weight is 1, however far it is
    weights = {letter: math.exp((nearest**2 - each**2) / 2) for letter, each in apart.items()}
    shares, total = dict[str, float](), sum(weights.values())
    for letter, weight in weights.items():
        whole = known[letter] * legal.pot >= style.commitment * legal.most
        letter = SIZES.all_in if whole else letter
        shares[letter] = shares.get(letter, 0.0) + weight / total
    return shares


@lru_cache(maxsize=2**9)
def _strength(hole: tuple[int, ...], board: tuple[int, ...]) -> tuple[float, float]:
    """Strength and positive potential of a hand against one random holding, with the next card."""
    now, gains, _ = strength(hole, board, None, ahead=1)
    return now, gains
