"""DIVAT's manner, for heads-up limit: the luck of the cards, where a baseline bets what they are worth.

Billings and Kan (2006), "A tool for the direct assessment of poker decisions"; Zinkevich, Bowling, Bard, Kan
and Billings (2006), "Optimal unbiased estimators for evaluating agent performance". A round is judged by the
all-in value that the actual betting has reached, less the one that a baseline reaches from the same start,
both seats betting by fixed thresholds on their own cards. The sum of these differences is the payoff less the
luck of the cards, ``value(baseline's betting now) - value(actual betting before)``.

The mean of that luck is not 0, because betting on the cards to come is worth something to the player ahead.
Its mean is subtracted too, so that the estimate is unbiased: for hole cards by exchanging them, for each
round's board cards by other cards, drawn independently. The thresholds are our choice.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from baycarp.card import CLASS_OF, class_index, holding_index
from baycarp.game.plays import Plays
from baycarp.game.showdowns import SHOWN, Showdowns
from baycarp.game.state import State
from baycarp.kernels.arguments import seeded
from baycarp.kernels.game import CALL, FOLD, RAISE
from baycarp.kernels.sweeps import sweep
from baycarp.rules.income import income_rates

__all__ = ["PLAYS", "baseline", "divat"]

PLAYS = Plays(frozenset({"limit"}), fewest=2, most=2)
"""The games that it can judge."""

MAKE = (0.6, 0.8, 0.9, 0.95)
"""The strength with which the baseline makes the first, second, third, fourth bet or raise of a street."""

STAY = (0.1, 0.3, 0.35, 0.4)
"""The strength below which it folds to a bet, by street."""

DRAWS = 8
"""Other cards for the estimate of the mean luck of a round's cards."""


def divat(over: State, seed: int) -> NDArray[np.float64]:
    """Chips won in heads-up limit, less the luck of the cards as a baseline would have bet on them.

    Parameters, result and errors are those of ``control.control``; another game is a ``TableError``.

    Examples
    --------
    >>> from baycarp.game.variant import Variant
    >>> hand = State(Variant.ring(2), deck="AhAd" "KsKc" "2s7h9d3cKd")
    >>> for word in ["call"] + 7 * ["check"]:
    ...     _ = hand.apply(hand.named(word))
    >>> hand.payoffs(), divat(hand, seed=1).round()
    ((-2, 2), array([ 8., -8.]))
    """
    PLAYS.verify(over.variant)
    showdowns = Showdowns(over, seed)
    rng = seeded(seed)
    state = over.begun()
    luck = _deal(showdowns, state) + _board(showdowns, state, 0, rng)
    for act in over.acts:
        street = state.street
        state.apply(act.action)
        luck += _board(showdowns, state, street, rng)
    return np.array(over.payoffs(), np.float64) - luck


def baseline(state: State, strengths: Sequence[float]) -> State:
    """The state once both have bet by the thresholds to the end of the street."""
    street, after = state.street, state.copy()
    while not after.is_over and after.street == street:
        owed, least, _, bets = after.bounds()
        made, held = bets - (street == 0), strengths[after.to_act or 0]
        if least and held >= MAKE[min(made, len(MAKE) - 1)]:
            after.act(RAISE, least)
        else:
            after.act(FOLD if owed and held < STAY[street] else CALL, 0)
    return after


def _deal(showdowns: Showdowns, state: State) -> NDArray[np.float64]:
    """Luck of the hole cards: half of what they are worth more than the same cards the other way round."""
    actual, exchanged = (
        dealt.value(baseline(state, [_ranks()[class_index(*hole)] for hole in dealt.holes]), ())
        for dealt in (showdowns, showdowns.exchanged())
    )
    return (actual - exchanged) / 2


def _board(showdowns: Showdowns, state: State, street: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Luck of the cards dealt since the betting of ``street``, the baseline's betting on them included."""
    if state.street == street or len(state.seats_in) == 1:
        return np.zeros(2)
    before = showdowns.board[: SHOWN[street]]
    after = showdowns.board[: SHOWN[state.street]]
    luck = showdowns.value(state, after) - showdowns.value(state, before)
    if state.is_over:
        return luck
    known = {*before, *showdowns.holes[0], *showdowns.holes[1]}
    deck = [card for card in range(52) if card not in known]
    luck += _gain(showdowns, state, after)
    for _ in range(DRAWS):
        drawn = rng.choice(deck, len(after) - len(before), replace=False)
        luck -= _gain(showdowns, state, (*before, *drawn.tolist())) / DRAWS
    return luck


def _gain(showdowns: Showdowns, state: State, board: tuple[int, ...]) -> NDArray[np.float64]:
    """The value of the baseline's betting on these cards."""
    strengths = sweep(board)
    held = [float(strengths[holding_index(*hole)]) for hole in showdowns.holes]
    return showdowns.value(baseline(state, held), board) - showdowns.value(state, board)


@cache
def _ranks() -> tuple[float, ...]:
    """Strength before the flop by starting class: the share of all holdings that earn less heads-up, 0..1."""
    rates = income_rates()[0]
    held = np.bincount(CLASS_OF, minlength=169) / len(CLASS_OF)
    return tuple(float(held @ ((rates < rate) + 0.5 * (rates == rate))) for rate in rates)
