"""All-in values: the worth of a hand to each player without further bets and folds.

``all_in`` averages the run-outs, once all bets are in (van der Kleij 2010, section 6.2.4).
"""

from collections.abc import Iterable
from copy import copy

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import CardError
from baycarp.game.seats import seat_names
from baycarp.game.state import State
from baycarp.kernels import preflop
from baycarp.kernels.runout import runout

__all__ = ["SHOWN", "Showdowns", "all_in"]

SHOWN = (0, 3, 4, 5)
"""Board cards that lie on the table, by street."""

BOARDS = 1000
"""Boards drawn where a value before the flop is sampled: the standard error of a share is below 0.016."""

RUN_OUTS = 10_000
"""Boards drawn where three or more are all-in before the flop; two are computed exactly."""


class Showdowns:
    """The all-in values of one hand whose cards are known.

    All hole cards that are known, those of players that have folded too, are out of the deck.

    Parameters
    ----------
    over
        The finished hand.
    seed
        Of the boards that are drawn before the flop; from the flop on values are exact.
    boards
        How many are drawn; None = exact there too (tens of milliseconds).
    every
        Whether every hole card must be known, or those of the players still in.

    Raises
    ------
    CardError
        A hole card that must be known is unseen.
    """

    def __init__(self, over: State, seed: int, boards: int | None = BOARDS, every: bool = True) -> None:
        self.holes = over.holes
        for seat in range(over.variant.seats) if every else over.seats_in:
            if not self.holes[seat]:
                raise CardError(
                    f"hole cards of {seat_names(over.variant)[seat]}: expected two, they are hidden"
                )
        self.board = over.board
        self._seed, self._boards = seed, boards
        self._shares: dict[tuple[tuple[int, ...], tuple[int, ...]], NDArray[np.float64]] = {}

    def exchanged(self) -> "Showdowns":
        """The same cards, dealt the other way round."""
        other = copy(self)
        other.holes, other._shares = self.holes[::-1], {}
        return other

    def value(self, state: State, board: tuple[int, ...]) -> NDArray[np.float64]:
        """Chips that each wins over the hand if the betting ends in ``state`` with that much of the board.

        Every layer of the pot is shared by its own contenders. float64 by position, summing to 0.
        """
        layers = state.layers()
        self._find(board, (contenders for _, contenders in layers))
        won = -np.array(state.committed, np.float64)
        for chips, contenders in layers:
            won[list(contenders)] += chips * self._shares[board, contenders]
        return won

    def shares(self, board: tuple[int, ...], contenders: tuple[int, ...]) -> NDArray[np.float64]:
        """Shares of one pot, in the order of the contenders."""
        self._find(board, [contenders])
        return self._shares[board, contenders]

    def _find(self, board: tuple[int, ...], sets: Iterable[tuple[int, ...]]) -> None:
        """Share the pots of all these sets on the same boards."""
        new = [contenders for contenders in sets if (board, contenders) not in self._shares]
        if not new:
            return
        players = sorted(set().union(*new))
        dead = [card for seat, hole in enumerate(self.holes) if seat not in players for card in hole]
        if len(players) == 2 and not (board or dead or self._boards):
            one, other = (self.holes[seat] for seat in players)
            if (lead := preflop.lead(one, other)) is not None:  # a look-up
                share = (preflop.BOARDS + lead) / (2 * preflop.BOARDS)
                self._shares[board, tuple(players)] = np.array([share, 1 - share])
                new = [contenders for contenders in new if len(contenders) == 1]
                self._shares |= {(board, contenders): np.ones(1) for contenders in new}
                return
        masks = [sum(1 << players.index(seat) for seat in contenders) for contenders in new]
        boards, seed = (None, None) if board or self._boards is None else (self._boards, self._seed)
        rows = runout([self.holes[seat] for seat in players], board, masks, dead, boards, seed)
        for contenders, row in zip(new, rows, strict=True):
            self._shares[board, contenders] = row[[players.index(seat) for seat in contenders]]


def all_in(over: State, seed: int, every: bool = True) -> NDArray[np.float64]:
    """Chips won, had every run-out paid each player its share of the pots that it contended for.

    Parameters
    ----------
    over
        A finished hand.
    seed
        Of the boards drawn where three or more were all-in before the flop.
    every
        Whether every hole card must be known. Else those of the players still in; and where others are known,
        too, boards are drawn also for two that are all-in before the flop, which is faster.

    Returns
    -------
    float64, by position
        The payoffs, where the betting went on to the river or the hand ended by a fold. Elsewhere their
        average over the boards; an odd chip stays where the cards have sent it.

    Raises
    ------
    CardError
        A hole card that must be known is unseen.

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
    two = len(over.seats_in) == 2 and (every or over.holes.count(()) == over.variant.seats - 2)
    showdowns = Showdowns(over, seed, None if two else RUN_OUTS, every)
    return payoffs - (showdowns.value(over, over.board) - showdowns.value(over, over.board[: SHOWN[street]]))
