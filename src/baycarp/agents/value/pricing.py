"""The cheap valuation: what each action is worth by equity against the belief, and the price.

A call or check is worth the share of the pot that the own holding has, all-in; a bet or raise what the folds
to it win, and the share against the holdings that stay. What later streets add or take is not estimated: it
is the error, a share of the pot by street. After a call that ends the betting
nothing is left to come: the error is that of sampling alone.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.value.stages import ActionValue
from baycarp.card import CLASS_OF, blocked_by, class_index, holding_index
from baycarp.game import Action, Observation
from baycarp.game.state import State
from baycarp.kernels.preflop import class_equities
from baycarp.kernels.sampling import Sampler
from baycarp.kernels.strength import holding_equity

__all__ = ["PotShare", "by_equity", "last_share", "price", "share_of", "sharper"]

Array = NDArray[np.float64]

LATER = (0.2, 0.12, 0.08, 0.0)
"""By street, what the streets to come may add or take, as a share of the pot: one standard error."""

BETS = 0.25
"""The same of a bet or raise, and of acts to come on this street: the answers are those of a model's mean."""

DEALS = 6000
"""Deals of a sampled share, divided by the square of the number of opponents."""


@dataclass(frozen=True, slots=True)
class PotShare:
    """The share of the pot, 0..1, ties included, and its standard error."""

    mean: float
    error: float = 0.0


def share_of(observation: Observation, ranges: Mapping[int, Array], seed: int) -> PotShare:
    """The share of the own holding against ranges: exact against one, sampled against several.

    Parameters
    ----------
    observation
        Of the position to act.
    ranges
        By position, weights; float64, shape (1326,).
    seed
        Of the deals.
    """
    if len(ranges) == 1:
        return PotShare(_against(observation, next(iter(ranges.values()))))
    own = np.zeros(1326)
    own[holding_index(*observation.hole)] = 1
    sampler = Sampler([own, *ranges.values()], bytes(observation.board), seed)
    sampler.deal(max(DEALS // len(ranges) ** 2, 64))
    means, errors = sampler.shares()
    return PotShare(float(means[0]), max(float(errors[0]), 0.5 / sampler.deals))


def last_share(observation: Observation, values: Iterable[ActionValue]) -> float | None:
    """The share of the pot that a call or check is worth, where it ends the betting; else None."""
    last = next((value for value in values if _is_last(observation, value.action)), None)
    if last is None:
        return None
    after = observation.state.copy()
    paid = after.apply(last.action).paid
    return min(max((last.chips + paid) / _contested(after, observation.seat), 0.0), 1.0)


def sharper(
    observation: Observation, values: Iterable[ActionValue], others: Iterable[ActionValue]
) -> tuple[ActionValue, ...]:
    """The values of actions, but of a call or check that ends the betting the one with the smaller error.

    Against the same ranges such an action wins the same by every method.

    Parameters
    ----------
    observation
        Of the position to act.
    values, others
        By two methods.
    """
    by_action = {value.action: value for value in others}

    def chosen(value: ActionValue) -> ActionValue:
        other = by_action.get(value.action, value)
        return other if other.error < value.error and _is_last(observation, value.action) else value

    return tuple(map(chosen, values))


def _is_last(observation: Observation, action: Action) -> bool:
    """Whether an action is a call or check after which nobody acts."""
    if action.name not in ("check", "call"):
        return False
    after = observation.state.copy()
    after.apply(action)
    return after.to_act is None


def price(observation: Observation) -> float:
    """Chips to call divided by the chips that the call plays for; 0 where a check is free."""
    state = observation.state
    if not state.owed:
        return 0.0
    after = state.copy()
    paid = after.apply(after.named("call")).paid
    return paid / _contested(after, observation.seat)


def _contested(state: State, seat: int | None) -> int:
    """The chips that a position can win: of each player at most as many as it has put in itself."""
    assert seat is not None
    return sum(min(chips, state.committed[seat]) for chips in state.committed)


def by_equity(
    observation: Observation,
    ranges: Mapping[int, Array],
    share: PotShare,
    actions: Iterable[Action],
    folds: Callable[[State, int], Array],
) -> tuple[ActionValue, ...]:
    """The values of some actions.

    Parameters
    ----------
    observation
        Of the position to act.
    ranges, share
        The believed ranges by position, and the share of the pot against them.
    actions
        Legal ones.
    folds
        From a state and its position to act to the probability of its fold, by holding.
    """
    state = observation.state
    each = {seat: _against(observation, weights) for seat, weights in ranges.items()}
    found = []
    for action in actions:
        if action.name == "fold":
            found.append(ActionValue(action, 0.0))
            continue
        after = state.copy()
        paid = after.apply(action).paid
        if action.name in ("check", "call"):
            pot = _contested(after, observation.seat)
            closed = after.is_over or (after.to_act is None) or _all_in(after)
            later = 0.0 if closed else LATER[state.street] * pot
            behind = after.to_act is not None and after.street == state.street  # others still act
            later += BETS * pot if behind and not closed else 0.0
            found.append(ActionValue(action, share.mean * pot - paid, share.error * pot + later))
        else:
            found.append(_bet(observation, ranges, each, (action, after, paid), folds))
    return tuple(found)


def _bet(
    observation: Observation,
    ranges: Mapping[int, Array],
    each: Mapping[int, float],
    bet: tuple[Action, State, int],
    folds: Callable[[State, int], Array],
) -> ActionValue:
    """The value of a bet: all fold, or those that stay call, each as if alone."""
    action, after, paid = bet
    state, street = observation.state, observation.street
    deepest = max(state.committed[seat] + state.stacks[seat] for seat in ranges)
    returned = max(after.committed[observation.seat or 0] - deepest, 0)  # no opponent can match it
    paid -= returned
    follows = after.copy()
    staying = {seat: (1.0, share, 0) for seat, share in each.items()}
    while follows.to_act is not None and follows.street == street and follows.to_act in ranges:
        seat = follows.to_act
        weights = ranges[seat] / ranges[seat].sum()
        stays = weights * (1 - folds(follows, seat))
        total = float(stays.sum())
        owed = min(follows.owed, follows.stacks[seat])
        staying[seat] = (total, _against(observation, stays), owed) if total > 1e-9 else (0.0, 1.0, owed)
        follows.apply(follows.named("call" if follows.owed else "check"))
    every = prod(1 - stay for stay, _, _ in staying.values())  # all fold
    called = 1 - every
    won = prod(1 - stay + stay * equal for stay, equal, _ in staying.values()) - every
    size = after.pot - returned + sum(stay * owed for stay, _, owed in staying.values()) / max(called, 1e-9)
    chips = every * state.pot + won * size - called * paid
    return ActionValue(action, chips, BETS * (state.pot + paid))


def _all_in(after: State) -> bool:
    """Whether at most one player still in has chips to bet."""
    return sum(after.stacks[seat] > 0 for seat in after.seats_in) <= 1


def _against(observation: Observation, weights: Array) -> float:
    """The share against one range; before the flop by the classes of both holdings."""
    if observation.board:
        return float(holding_equity(bytes(observation.hole), bytes(observation.board), weights))
    shares = class_equities()[class_index(*observation.hole)][CLASS_OF]
    held = weights * ~blocked_by(observation.hole)
    return float(held @ shares / held.sum())
