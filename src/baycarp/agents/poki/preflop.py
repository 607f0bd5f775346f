"""Play before the flop by income rates, as the Loki players do it (Papp 1998, section 6.1; Peña 1999).

The number of players to expect picks the income-rate table and a row of constants; position raises the
thresholds; the most aggressive strategy whose threshold the hand's income rate reaches is chosen at the first
action and kept for the street.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

from baycarp.agents.anytime import Recorder
from baycarp.agents.trace import Stage
from baycarp.card import CLASSES, class_index
from baycarp.game.state import Observation
from baycarp.rules.betting.context import LimitSpot, opening
from baycarp.rules.income import TABLES, income_group, income_rates

__all__ = [
    "IN_WORDS",
    "LEVELS",
    "PUBLISHED",
    "THRESHOLDS",
    "IncomeStage",
    "Preflop",
    "StreetPlan",
    "answer",
    "chosen",
    "shares",
    "thresholds",
]


@dataclass(frozen=True, slots=True)
class IncomeStage(Stage, name="income rate"):
    """Pre-flop play by income rates: the hand's rate, the least rate of each strategy, and the one chosen."""

    hand: str
    income_table: str
    income_rate: float
    position: int
    thresholds: Mapping[str, float]
    strategy: str


class StreetPlan(IntEnum):
    """Plans for the street, by aggression; only the small blind, with half a bet paid, uses the two Calls."""

    MAKE0 = 0
    """Check; fold to any price."""
    CALL1 = 1
    """Call one bet; fold to more, unless the player has put chips in voluntarily."""
    MAKE1 = 2
    """As Call1, but bet where there is no bet yet."""
    CALL2 = 3
    """Call any price."""
    MAKE2 = 4
    """Raise while fewer than two bets were made, else call."""
    MAKE4 = 5
    """Raise to the cap, else call."""


IN_WORDS = {
    StreetPlan.MAKE0: "check, or to fold to a bet,",
    StreetPlan.CALL1: "call one bet with",
    StreetPlan.MAKE1: "bet or call once with",
    StreetPlan.CALL2: "call any bet with",
    StreetPlan.MAKE2: "raise once or call with",
    StreetPlan.MAKE4: "raise as often as allowed with",
}
"""The plans in a sentence about the hand."""


RAISES_BELOW = {StreetPlan.MAKE1: 1, StreetPlan.MAKE2: 2, StreetPlan.MAKE4: math.inf}
"""The number of bets made below which a strategy bets or raises; the other strategies never do."""

LEVELS = ("loose", "moderate", "tight")

THRESHOLDS: dict[tuple[int, StreetPlan], tuple[float, tuple[float, float, float]]] = {
    (2, StreetPlan.MAKE1): (-50, (10, 25, 50)),
    (2, StreetPlan.MAKE2): (150, (10, 25, 50)),
    (2, StreetPlan.MAKE4): (300, (0, 0, 0)),
    (4, StreetPlan.MAKE1): (50, (10, 25, 50)),
    (4, StreetPlan.MAKE2): (200, (10, 25, 50)),
    (4, StreetPlan.MAKE4): (580, (0, 0, 0)),
    (7, StreetPlan.MAKE1): (0, (30, 50, 70)),
    (7, StreetPlan.MAKE2): (450, (10, 25, 50)),
    (7, StreetPlan.MAKE4): (900, (0, 0, 0)),
}
"""Base, and increment by position for each of ``LEVELS``, by income-rate table and strategy.

Confirmed by the texts are the bases of table 4 and its tight Make2 increment (Papp 1998, 6.1; Peña 1999); the
other cells are recalled from Papp's table B.1 and are to be read as starting values.
"""


@dataclass(frozen=True, slots=True)
class Preflop:
    """Where a player has its thresholds.

    Parameters
    ----------
    level
        One of ``LEVELS``.
    shift
        Added to all, income-rate points; the parameter is our choice.
    raising
        Added beside it to the thresholds of raising, Make2 and Make4; our choice.
    """

    level: str = "moderate"
    shift: float = 0.0
    raising: float = 0.0


PUBLISHED = Preflop()
"""The moderate thresholds, none shifted."""


def thresholds(
    group: int, position: int, small_blind: bool = False, style: Preflop = PUBLISHED
) -> dict[StreetPlan, float]:
    """The least income rate for each strategy, cheapest first.

    Parameters
    ----------
    group
        Index of the income-rate table.
    position
        Opponents in between the player and the button: 0 for the dealer.
    small_blind
        Whether the player is the small blind. Its thresholds for Call1 (Make1 less 100) and Call2 (the mean
        of Make1 and Make2) are our choice.
    style
        Where the player has its thresholds.

    Examples
    --------
    >>> {s.name: t for s, t in thresholds(1, position=0).items()}
    {'MAKE0': -inf, 'MAKE1': 50.0, 'MAKE2': 200.0, 'MAKE4': 580.0}
    """
    least = {StreetPlan.MAKE0: float("-inf")}
    for strategy in (StreetPlan.MAKE1, StreetPlan.MAKE2, StreetPlan.MAKE4):
        base, increments = THRESHOLDS[TABLES[group], strategy]
        least[strategy] = base + increments[LEVELS.index(style.level)] * position + style.shift
    least[StreetPlan.MAKE2] += style.raising
    least[StreetPlan.MAKE4] += style.raising
    if small_blind:
        least[StreetPlan.CALL1] = least[StreetPlan.MAKE1] - 100
        least[StreetPlan.CALL2] = (least[StreetPlan.MAKE1] + least[StreetPlan.MAKE2]) / 2
    return dict(sorted(least.items()))


def shares(rate: float, least: dict[StreetPlan, float], mixing: float = 0.0) -> dict[StreetPlan, float]:
    """The probability of each strategy for a hand whose income rate is blurred by +- ``mixing``.

    Blurring is our form of "pre-flop deception": a uniform number in [-mixing, mixing] is added to the rate
    once a hand.
    """
    found, bolder = dict[StreetPlan, float](), 0.0
    for strategy in sorted(least, reverse=True):
        reached = _at_most(least[strategy], rate, mixing)
        found[strategy] = max(reached - bolder, 0.0)
        bolder = max(bolder, reached)
    return dict(sorted(found.items()))


def _at_most(threshold: float, rate: float, mixing: float) -> float:
    """The probability that rate + uniform(-mixing, mixing) >= threshold."""
    if mixing == 0 or threshold == float("-inf"):
        return float(rate >= threshold)
    return min(max((rate + mixing - threshold) / (2 * mixing), 0.0), 1.0)


def answer(strategy: StreetPlan, spot: LimitSpot) -> int:
    """The action of a strategy in a spot: 0 fold (or check), 1 call (or check), 2 bet or raise."""
    if strategy is StreetPlan.MAKE0:
        return 0 if spot.owed else 1
    if strategy <= StreetPlan.MAKE1 and spot.price >= 2 and not spot.invested:
        return 0
    return 2 if spot.can_raise and spot.bets < RAISES_BELOW.get(strategy, 0) else 1


def chosen(
    observation: Observation,
    spot: LimitSpot,
    style: Preflop,
    mixing: float,
    uniform: float,
    recorder: Recorder,
) -> tuple[tuple[float, float, float], int, IncomeStage]:
    """The triple before the flop, the column that is played, and the stage, which is recorded.

    Parameters
    ----------
    observation, spot
        The observation of the player to act, and its betting situation.
    style, mixing
        As in ``thresholds`` and ``shares``.
    uniform
        A number in [0, 1), the same for the whole street, by which the blurred rate is drawn.
    """
    first, cell = opening(observation), class_index(*map(int, observation.hole))
    view = first or spot
    group = income_group(view.joined, view.behind)
    rate = float(income_rates()[group, cell])
    small_blind = spot.seat == (observation.variant.button if observation.variant.seats == 2 else 0)
    least = thresholds(group, view.after, small_blind, style)
    blurred = rate + mixing * (2 * uniform - 1)
    plan = max(strategy for strategy, threshold in least.items() if blurred >= threshold)
    triple = [0.0, 0.0, 0.0]
    mixture = shares(rate, least, mixing) if first is None else {plan: 1.0}
    for strategy, share in mixture.items():
        triple[answer(strategy, spot)] += share
    limits = {strategy.name: threshold for strategy, threshold in least.items() if threshold > float("-inf")}
    stage = IncomeStage(
        CLASSES[cell], group.name, rate, view.after, limits, plan.name, seconds=recorder.lap()
    )
    recorder.add(stage)
    return (triple[0], triple[1], triple[2]), answer(plan, spot), stage
