"""All-in equity: once all bets are in, further cards are averaged out (van der Kleij 2010, section 6.2.4)."""

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.variance.showdowns import SHOWN, Showdowns
from baycarp.game.state import State

__all__ = ["all_in"]

BOARDS = 10_000
"""Boards drawn where three or more are all-in before the flop; two are computed exactly."""


def all_in(over: State, seed: int) -> NDArray[np.float64]:
    """Chips won, had every run-out paid each player its share of the pots that it contended for.

    Parameters
    ----------
    over
        A finished hand, every hole card known.
    seed
        Of the boards drawn where three or more were all-in before the flop.

    Returns
    -------
    float64, by position
        The payoffs, where the betting went on to the river or the hand ended by a fold. Elsewhere their
        average over the boards; an odd chip stays where the cards have sent it.

    Raises
    ------
    CardError
        A hole card is unseen.

    Examples
    --------
    >>> from baycarp.game.variant import Variant
    >>> deck = "AhAd" "KsKc" "2s7h9d3c" "Kd"
    >>> hand = State(Variant.ring(2, betting="no-limit", stacks=(100, 100)), deck=deck)
    >>> for word in ("call", "check", "check", "check", "check", "check", "bet", "call"):
    ...     _ = hand.apply(hand.named(word))
    >>> all_in(hand, 0)
    array([-4.,  4.])
    """
    payoffs = np.array(over.payoffs(), np.float64)
    street = over.acts[-1].street if over.acts else 0
    if over.street == street or len(over.seats_in) == 1:
        return payoffs
    showdowns = Showdowns(over, seed, None if len(over.seats_in) == 2 else BOARDS)
    return payoffs - (showdowns.value(over, over.board) - showdowns.value(over, over.board[: SHOWN[street]]))
