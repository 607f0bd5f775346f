"""What an action is worth: the thesis' G-bucks (seed 000, section 5.4.5), hindsight, and what it brought.

Galfond's G-bucks are the equity against the range that an opponent may hold, times the pot that is played
for, less the price. The thesis proposed them for its cases and did not build them. Equity and pot are made
exact here by two rules of ours. Several opponents: the product of the equities against each, as strength
is. Betting to come: there is none; everybody who is still in matches what has been bet, and the cards are
dealt to the end. So a fold is worth nothing, and a bet is worth more than a check where our share is larger
than a fair one. What an action brought, net of what was paid from it on, leaves nothing out, neither the
betting to come nor luck, which only many cases average out.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from baycarp.game.action import Act
from baycarp.game.observation import Observation
from baycarp.kernels.measure import equity

__all__ = ["BELIEVED", "REVISIONS", "Stake", "played_for", "worths"]

REVISIONS = ("cost", "net", "g-bucks", "hindsight")
"""What an action is held to have been worth: what it cost, signed by who won, the rule of seed 000, section
6.2.1; all that it brought; its worth against the ranges that were believed; its worth against the cards that
were shown."""

BELIEVED = ("g-bucks", "hindsight")
"""Which of them ask what was believed."""


@dataclass(frozen=True, slots=True, eq=False)
class Stake:
    """An action and what was believed when it was done.

    Parameters
    ----------
    seen
        The table just before, in the eyes of the seat that acted, its own cards with it.
    act
        What it did.
    ranges
        The holdings of every opponent still in, by position; float64, shape (1326,), known cards removed.
    """

    seen: Observation
    act: Act
    ranges: Mapping[int, NDArray[np.float64]]

    def worth(self, shown: Mapping[int, tuple[int, ...]] | None = None) -> float:
        """Small bets that the action could be expected to bring; 0 for a fold.

        Parameters
        ----------
        shown
            By position, hole cards that have come to light since: they stand for the range.
        """
        if self.act.action.name == "fold":
            return 0.0
        hole, board = self.seen.hole, self.seen.board
        holdings = {who: hole for who, hole in (shown or {}).items() if hole}
        share = prod(equity(hole, holdings.get(who, weights), board) for who, weights in self.ranges.items())
        return (share * played_for(self.seen, self.act) - self.act.paid) / self.seen.variant.small_bet

    def net(self, payoff: float) -> float:
        """Small bets that it brought, less all that was paid from it on; 0 for a fold.

        Parameters
        ----------
        payoff
            Chips that the seat won in the whole hand, net.
        """
        return (payoff + self.seen.state.committed[self.act.seat]) / self.seen.variant.small_bet


def worths(
    stakes: Iterable[Stake], revise: str, payoff: float, shown: Mapping[int, tuple[int, ...]]
) -> list[float]:
    """What each action of one seat in one hand was worth, once it is over.

    Parameters
    ----------
    stakes
        The actions.
    revise
        One of ``REVISIONS``; of ``"cost"`` there is nothing to say.
    payoff, shown
        As in ``Stake.net`` and, for hindsight, ``Stake.worth``.
    """
    if revise == "cost":
        return []
    if revise == "net":
        return [stake.net(payoff) for stake in stakes]
    return [stake.worth(shown if revise == "hindsight" else None) for stake in stakes]


def played_for(seen: Observation, act: Act) -> int:
    """Chips in the pot once everybody who is still in has matched what has been bet.

    Examples
    --------
    >>> from baycarp.game.state import State
    >>> from baycarp.game.variant import Variant
    >>> hand = State(Variant.ring(3))  # the button acts first; blinds of 1 and 2
    >>> seen = hand.observe(2)
    >>> played_for(seen, hand.apply(hand.named("raise")))
    12
    """
    state = seen.state
    highest = max(*state.bets, state.bets[act.seat] + act.paid)
    answers = sum(
        min(state.stacks[who], highest - state.bets[who]) for who in state.seats_in if who != act.seat
    )
    return state.pot + act.paid + answers
