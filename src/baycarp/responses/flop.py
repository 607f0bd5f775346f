"""The value of a best response from one flop on, exact over every turn and river.

A walk of the public tree with a value for each of the 1,326 holdings: Johanson, Waugh, Bowling and Zinkevich
(2011), "Accelerating best response calculation in large extensive games".
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import ClassPolicies
from baycarp.card import HOLDINGS, HOLDS
from baycarp.game import State, Variant
from baycarp.kernels.hands import rank
from baycarp.kernels.response import ENDS, Street, add_values, zeros
from baycarp.responses.betting import Seat
from baycarp.responses.suits import IMAGES, fixing, next_cards

__all__ = ["Dealer", "flop_values"]

_ORDER = np.arange(1326, dtype=np.uint16)
DECK = tuple(range(52))


@dataclass(frozen=True, slots=True)
class BoardHoldings:
    """The holdings on a board, as ``kernels.response.Street`` takes them."""

    holding: NDArray[np.uint16]
    cards: NDArray[np.uint8]
    cell: NDArray[np.uint16]
    rank: NDArray[np.uint16] | None
    image: NDArray[np.uint16]
    holdings: int = 1326


@dataclass(frozen=True, slots=True)
class Dealer:
    """The cards of a game and the classes of an opponent's holdings.

    Parameters
    ----------
    player
        The opponent.
    variant
        Its game, heads-up fixed limit.
    deck
        The cards, ids; with fewer than 52 all suits have the same ranks.
    """

    player: ClassPolicies
    variant: Variant
    deck: tuple[int, ...] = DECK

    def left(self, *dealt: int) -> list[int]:
        """The cards that are not dealt."""
        return [card for card in self.deck if card not in dealt]

    def chances(self, board: Sequence[int]) -> int:
        """The cards that may be dealt next to a board and two holdings."""
        return len(self.deck) - len(board) - 4

    def on(self, board: Sequence[int], permutations: Sequence[int]) -> BoardHoldings:
        """The holdings on a board of 3, 4 or 5 cards; in order of their ranks on 5.

        Parameters
        ----------
        board
            Ids.
        permutations
            The images of the board: places in ``suits.IMAGES``.
        """
        free = HOLDS[self.left(*board)].sum(axis=0) == 2
        holding = _ORDER[free]
        ranks: NDArray[np.uint16] | None = None
        if len(board) == 5:
            hands = np.empty((len(holding), 7), np.uint8)
            hands[:, :5], hands[:, 5:] = board, HOLDINGS[holding]
            found = np.asarray(rank(hands))
            order = np.argsort(found, kind="stable")
            holding, ranks = holding[order], found[order]
        return BoardHoldings(
            holding,
            HOLDINGS[holding],
            self.classes(board)[holding],
            ranks,
            IMAGES[list(permutations)][:, holding],
        )

    def classes(self, board: Sequence[int]) -> NDArray[np.uint16]:
        """The opponent's class of each holding on a board."""
        state = State(self.variant)
        for name in ("call", *("check",) * (1 + 2 * (len(board) - 3))):
            state.apply(state.named(name))
        state.deal(board=list(board))
        return self.player.hand_classes(state)


def flop_values(
    dealer: Dealer, seats: Sequence[Seat], flop: Sequence[int], reach: Sequence[NDArray[np.float64]]
) -> NDArray[np.float64]:
    """The values of all holdings on a flop, of a best response from there on.

    Parameters
    ----------
    dealer
        Cards and opponent.
    seats
        The responder's positions.
    flop
        Three ids.
    reach
        By seat the opponent's reach of the flop, by sequence before it and holding; shape (lanes, 1326).

    Returns
    -------
    float64 array, shape (seats, lanes, 1326)
        The expected chips times reach, summed over the opponent's holdings: not divided by their number.
    """
    starts = [_lanes(each) for each in reach]
    values = [zeros(1, 1326) for _ in seats]
    board = dealer.on(flop, (0,))
    streets = [Street(board, seat.streets[0], seat.position == 0) for seat in seats]
    reached = [street.reach(start) for street, start in zip(streets, starts, strict=True)]
    ended = [zeros(ENDS, 1326) for _ in seats]
    for turn in next_cards(dealer.left(*flop), fixing(flop)):
        _add_turn(dealer, seats, (*flop, turn.card), turn.permutations, (reached, ended))
    for street, start, end, value in zip(streets, starts, ended, values, strict=True):
        street.add_value(start, end / dealer.chances(flop), value)
    return np.array([value[0].T for value in values])


def _lanes(reach: NDArray[np.float64]) -> NDArray[np.float64]:
    lanes = zeros(1, 1326)
    lanes[0, :, : len(reach)] = reach.T
    return lanes


Rows = list[NDArray[np.float64]]
"""By seat: reach or value, shape (groups, 1326, lanes)."""


def _add_turn(
    dealer: Dealer,
    seats: Sequence[Seat],
    cards: Sequence[int],
    images: Sequence[int],
    rows: tuple[Rows, Rows],
) -> None:
    """Add the values of a board of four cards, and of its images, to the second of the rows."""
    reach, value = rows
    board = dealer.on(cards, images)
    streets = [Street(board, seat.streets[1], seat.position == 0) for seat in seats]
    reached = [street.reach(start) for street, start in zip(streets, reach, strict=True)]
    rivers = next_cards(dealer.left(*cards), fixing(cards[:3], cards[3:]))
    boards = [dealer.on((*cards, river.card), river.permutations) for river in rivers]
    for seat, street, start, after, sums in zip(seats, streets, reach, reached, value, strict=True):
        ended = zeros(ENDS * ENDS, 1326)
        last = [Street(each, seat.streets[2], seat.position == 0) for each in boards]
        add_values(last, after, None, ended)
        street.add_value(start, ended / dealer.chances(cards), sums)
