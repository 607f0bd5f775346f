"""Outcome rules: the value of an action, once the hand is over.

``no_outcome``   nothing, for policies that use no outcome
``signed_cost``  the cost of the action, negative if the hand was lost (Unger 2011, sections 5.4.5 and 6.2.1)
``net``          chips won, less the chips paid from the action on; luck and later betting included
``payoff``       chips won in the whole hand (Rubin and Watson 2012, table 4)
``g_bucks``      equity against the believed ranges times the pot, less the price (Unger 2011, section 5.4.5,
                 proposes Galfond's G-bucks and did not build them)
``hindsight``    the same against the hole cards that were shown

Equity and pot are made exact by two choices of our own. Against several opponents equities are multiplied,
as strengths are. There is no betting to come: every player still in matches what has been bet, and the cards
are dealt to the end. So a fold is worth nothing, and a bet is worth more than a check where the player's
share of the pot is larger than a fair one.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import prod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.evaluation import equity
from baycarp.game import Act, Observation, State
from baycarp.game.action import STREETS

__all__ = [
    "BY_RANGES",
    "OUTCOMES",
    "HandResult",
    "OutcomeRule",
    "Stake",
    "g_bucks",
    "hindsight",
    "net",
    "no_outcome",
    "payoff",
    "played_for",
    "signed_cost",
    "street_results",
]


@dataclass(frozen=True, slots=True, eq=False)
class Stake:
    """An action, and its player's beliefs about the opponents at that time.

    Parameters
    ----------
    observation
        The hand just before, as the acting position observed it, its own hole cards included.
    act
        The action.
    ranges
        The holdings of every opponent still in, by position; float64, shape (1326,), dead cards removed.
    """

    observation: Observation
    act: Act
    ranges: Mapping[int, NDArray[np.float64]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HandResult:
    """The result of a hand for one position.

    Parameters
    ----------
    payoff
        Chips that the position won in the whole hand, net.
    won
        Whether the position took the pot, or a share of it.
    holes
        Hole cards that were shown, by position.
    streets
        Chips that each street brought, of sum ``payoff`` (``street_results``).
    """

    payoff: float
    won: bool
    holes: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    streets: tuple[float, ...] = (0.0,) * len(STREETS)


OutcomeRule: TypeAlias = Callable[[Stake, HandResult], float]
"""A rule that gives an action its outcome, in small bets."""


def no_outcome(stake: Stake, result: HandResult) -> float:
    """0, for strategies with cases without an outcome."""
    return 0.0


def signed_cost(stake: Stake, result: HandResult) -> float:
    """What the action cost, in small bets, negative if the hand was lost or given up.

    A free action is worth 0 in both cases. Source: Unger (2011), sections 5.4.5 and 6.2.1.
    """
    cost = stake.act.paid / stake.observation.variant.small_bet
    return cost if result.won or cost == 0 else -cost


def net(stake: Stake, result: HandResult) -> float:
    """Small bets that the action brought, less all that was paid from it on; 0 for a fold."""
    observation = stake.observation
    return (result.payoff + observation.state.committed[stake.act.seat]) / observation.variant.small_bet


def payoff(stake: Stake, result: HandResult) -> float:
    """Small bets won in the whole hand, net: a fold costs what has been paid before it.

    Source: Rubin and Watson (2012), table 4, where a fold has an outcome of -2.0.
    """
    return result.payoff / stake.observation.variant.small_bet


def g_bucks(stake: Stake, result: HandResult) -> float:
    """Small bets that the action could be expected to bring against the believed ranges; 0 for a fold."""
    return _expected(stake, {})


def hindsight(stake: Stake, result: HandResult) -> float:
    """As ``g_bucks``, with the hole cards that were shown in place of their player's range."""
    return _expected(stake, result.holes)


OUTCOMES: Mapping[str, OutcomeRule] = {
    "cost": signed_cost,
    "net": net,
    "payoff": payoff,
    "g-bucks": g_bucks,
    "hindsight": hindsight,
    "none": no_outcome,
}
"""By name."""

BY_RANGES = frozenset({g_bucks, hindsight})
"""The rules that use ``Stake.ranges``."""


def _expected(stake: Stake, holes: Mapping[int, tuple[int, ...]]) -> float:
    if stake.act.action.name == "fold":
        return 0.0
    observation = stake.observation
    holdings = {position: hole for position, hole in holes.items() if hole}
    share = prod(
        equity(observation.hole, holdings.get(position, weights), observation.board)
        for position, weights in stake.ranges.items()
    )
    return (share * played_for(observation, stake.act) - stake.act.paid) / observation.variant.small_bet


def street_results(state: State, seat: int, payoff: float) -> tuple[float, ...]:
    """Chips that each street brought a position: its share of what was bet there, less its own bets.

    Parameters
    ----------
    state
        Of a hand that is over; blinds and antes count as bet before the flop.
    seat
        The position.
    payoff
        What it won in the whole hand, net; the results of the streets sum to it.

    Examples
    --------
    >>> from baycarp.game import State, Variant
    >>> hand = State(Variant.ring(3))
    >>> for name in ("raise", "call", "fold", "check", "bet", "fold"):
    ...     _ = hand.apply(hand.named(name))
    >>> hand.payoffs()[2], street_results(hand, 2, hand.payoffs()[2])
    (6, (6.0, 0.0, 0.0, 0.0))
    """
    bets, own = np.zeros((2, len(STREETS)))
    bets[0] = sum(state.committed) - sum(act.paid for act in state.acts)
    own[0] = state.committed[seat] - sum(act.paid for act in state.acts if act.seat == seat)
    for act in state.acts:
        bets[act.street] += act.paid
        own[act.street] += act.paid if act.seat == seat else 0
    share = (payoff + state.committed[seat]) / bets.sum() if bets.any() else 0.0
    return tuple((share * bets - own).tolist())


def played_for(observation: Observation, act: Act) -> int:
    """Chips in the pot once every player still in has matched what has been bet.

    Examples
    --------
    >>> from baycarp.game.state import State
    >>> from baycarp.game.variant import Variant
    >>> hand = State(Variant.ring(3))  # the button acts first; blinds of 1 and 2
    >>> observation = hand.observe(2)
    >>> played_for(observation, hand.apply(hand.named("raise")))
    12
    """
    state = observation.state
    highest = max(*state.bets, state.bets[act.seat] + act.paid)
    answers = sum(
        min(state.stacks[position], highest - state.bets[position])
        for position in state.seats_in
        if position != act.seat
    )
    return state.pot + act.paid + answers
