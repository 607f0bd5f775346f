"""Control variates in AIVAT's manner, with all-in equity as the value function.

Burch, Schmid, Moravcik, Morrill and Bowling (2018), "AIVAT: a new variance reduction technique for agent
evaluation in imperfect information games". V and three constants are our choice; none can bias an estimate.

V of a hand is its all-in value (``showdowns``), so that V before a board card is exactly the mean of V after
it. A card matters more than the pot of its moment, because the pot grows: its effect is multiplied by what a
pot of that street typically grows by. The deal of the hole cards counts as equity in a typical final pot. To
V an action is worth only what it pays for staying in: a bet without a call yet goes back. So a
check and a raise of any size correct nothing, and what is corrected first is the draw between folding and
staying. Of a policy with several sizes of a bet, the draw between these is corrected besides: a size is worth
the hand's all-in value once every player still in has called it.

Unbiased is not always narrower: against players that fold at random with any holding, V forecasts little,
and the estimates may be wider than the payoffs. A policy must be the one that the action was drawn from.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import TableError
from baycarp.game import Action, State
from baycarp.game.showdowns import SHOWN, Showdowns

__all__ = ["FINAL_POT", "GROWTH", "Policies", "control", "less_luck"]

Policies: TypeAlias = Sequence[Mapping[Action, float] | None]
"""``Decision.policy`` of every act, in order; None where it is unknown."""

GROWTH = (1.0, 2.0, 2.0, 1.25)
"""Growth of a pot from the deal of a street's cards to the end; our choice, observed at limit tables."""

FINAL_POT = (4.0, 0.5)
"""A typical final pot in small bets: a constant, and a term for each seat; our choice, observed at limit
tables."""

FOLD = Action("fold")


def control(over: State, policies: Policies, seed: int) -> NDArray[np.float64]:
    """Chips won, less the luck of the cards and of the draws between folding, staying and sizes of a bet.

    Parameters
    ----------
    over
        A finished hand, every hole card known.
    policies
        Of every act; an act whose policy is unknown, or leaves nothing to chance, corrects nothing.
    seed
        Of the boards drawn before the flop: independent of the deck and of the agents (see ``stream``).

    Returns
    -------
    float64, by position
        They sum to 0.

    Raises
    ------
    CardError
        A hole card is unseen.
    TableError
        There are more or fewer policies than acts.
    IllegalAction
        A policy holds a size of a bet that was not legal.

    Examples
    --------
    >>> from baycarp.game.variant import Variant
    >>> hand = State(Variant.ring(2), deck="AhAd" "KsKc" "2s7h9d3cKd")
    >>> for word in ("call", "check") + 6 * ("check",):
    ...     _ = hand.apply(hand.named(word))
    >>> hand.payoffs(), control(hand, [None] * 8, seed=1).round(1)
    ((-2, 2), array([-1.5,  1.5]))
    """
    if len(policies) != len(over.acts):
        raise TableError(f"policies: expected one for each of {len(over.acts)} acts, got {len(policies)}")
    return less_luck(Showdowns(over, seed), over, policies)


def less_luck(showdowns: Showdowns, over: State, policies: Policies) -> NDArray[np.float64]:
    """``control`` with given all-in values: it has mean 0 if these are what the cards to come are worth."""
    state = over.begun()
    luck = _deal(showdowns, state) + _board(showdowns, state, 0)
    for act, policy in zip(over.acts, policies, strict=True):
        if policy is not None:
            if 0 < policy.get(FOLD, 0.0) < 1:
                luck += _fold(showdowns, state, policy[FOLD], act.action == FOLD)
            luck += _size(showdowns, state, policy, act.action)
        street = state.street
        state.apply(act.action)
        luck += _board(showdowns, state, street)
    return np.array(over.payoffs(), np.float64) - luck


def _deal(showdowns: Showdowns, state: State) -> NDArray[np.float64]:
    """Luck of the hole cards: all seats are alike to the dealer, so each expects an equal share."""
    seats = state.variant.seats
    pot = (FINAL_POT[0] + FINAL_POT[1] * seats) * state.variant.small_bet
    return pot * (showdowns.shares((), tuple(range(seats))) - 1 / seats)


def _board(showdowns: Showdowns, state: State, street: int) -> NDArray[np.float64]:
    """Luck of the board cards dealt since the betting of ``street``; a run-out deals several at once."""
    if state.street == street or len(state.seats_in) == 1:
        return np.zeros(state.variant.seats)
    after = showdowns.value(state, showdowns.board[: SHOWN[state.street]])
    # The expected growth of the pot: no more than the stacks allow, and none in a run-out.
    stacks = sorted(state.stacks[seat] for seat in state.seats_in)
    growth = min(GROWTH[state.street], 1 + sum(min(chips, stacks[-2]) for chips in stacks) / state.pot)
    return growth * (after - showdowns.value(state, showdowns.board[: SHOWN[street]]))


def _after(state: State, action: Action) -> State:
    after = state.copy()
    after.apply(action)
    return after


def _fold(showdowns: Showdowns, state: State, chance: float, folded: bool) -> NDArray[np.float64]:
    """Luck of the draw between a fold, of that chance, and staying in for what is owed."""
    board = showdowns.board[: SHOWN[state.street]]
    fold, stay = (showdowns.value(_after(state, state.named(name)), board) for name in ("fold", "call"))
    return (folded - chance) * (fold - stay)


def _size(
    showdowns: Showdowns, state: State, policy: Mapping[Action, float], done: Action
) -> NDArray[np.float64]:
    """Luck of the draw between sizes, given that it is a bet or raise; none where one size was certain."""
    sizes = {a: chance for a, chance in policy.items() if chance > 0 and a.name in ("bet", "raise")}
    if len(sizes) < 2 or done not in sizes:
        return np.zeros(state.variant.seats)
    whole = sum(sizes.values())
    values = {size: _called(showdowns, state, size) for size in sizes}
    return values[done] - sum(chance / whole * values[size] for size, chance in sizes.items())


def _called(showdowns: Showdowns, state: State, size: Action) -> NDArray[np.float64]:
    """The all-in value once every player still in has called that bet."""
    after = _after(state, size)
    while after.to_act is not None and after.street == state.street:
        after.apply(after.named("call"))
    return showdowns.value(after, showdowns.board[: SHOWN[state.street]])
