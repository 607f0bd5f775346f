"""An act as a move: the betting situation of the actor, and its choice of three.

An action-conditioned model counts (situation, strength, choice). The situation is public and the
same for every holding; it sets the legal choices, too. Its states are our choice, made of what the papers'
networks and trees split by: price, position, players, initiative (Unger 2011, table 5.1; van der Kleij 2010,
appendix B).
"""

from collections.abc import Iterable
from functools import cache
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from baycarp.game import Act, Observation, Variant
from baycarp.rules.betting.acts import aggressor
from baycarp.rules.betting.context import FOLD_CALL_RAISE, LimitSpot, facing, spots
from baycarp.rules.income import IncomeGroup, income_group
from baycarp.rules.seat import POSITIONS, position

__all__ = [
    "LEGAL",
    "PRICES",
    "PRICE_OF",
    "SITUATIONS",
    "CodedAct",
    "HandMoves",
    "hand_moves",
    "is_legal",
    "situation",
    "to_move",
]

PRICES = ("free", "bet", "raised", "reraised", "capped")
"""The price of staying in: nothing, the first bet of the street (pre-flop the big blind), the second, more;
or anything where no player may raise any more."""

LEGAL: NDArray[np.bool_] = np.array([[False, True, True], *[[True, True, True]] * 3, [True, True, False]])
"""Whether fold, check or call, bet or raise is legal, by price."""

_PREFLOP = (len(PRICES), len(POSITIONS), 2, 2)
"""Price, position, whether another player is in already, whether the actor is."""

_LATER = (len(PRICES), 3, 2, 3)
"""Price; opponents 1, 2, 3+; whether the actor is last to act; the last raiser of the street before: none,
another, the actor."""

SITUATIONS = (int(np.prod(_PREFLOP)), *(int(np.prod(_LATER)),) * 3)
"""How many there are, by street."""

PRICE_OF: tuple[NDArray[np.intp], ...] = tuple(
    np.arange(count) // (count // len(PRICES)) for count in SITUATIONS
)
"""The price in each situation, as an index into ``PRICES``, by street."""


class CodedAct(NamedTuple):
    """One act of one player.

    Parameters
    ----------
    seat, street
        The actor's position, and the street.
    situation
        The situation: 0 .. SITUATIONS[street] - 1.
    choice
        0 fold, 1 check or call, 2 bet or raise.
    """

    seat: int
    street: int
    situation: int
    choice: int


def is_legal(act: CodedAct) -> bool:
    """Whether the tables have the choice: they have no fold where a check is free."""
    return bool(LEGAL[PRICE_OF[act.street][act.situation], act.choice])


class HandMoves(NamedTuple):
    """The moves of a limit hand.

    Parameters
    ----------
    moves
        Every act, in order.
    by_seat
        The moves of each player that acted, by position.
    income_groups
        Which income rates order the holdings of each player that acted, by position. They are those for as
        many players as it had to expect at its first action (Papp 1998, section 6.1).
    """

    moves: tuple[CodedAct, ...]
    by_seat: dict[int, tuple[CodedAct, ...]]
    income_groups: dict[int, IncomeGroup]


class _LastRead:
    """The hand that was read last: every seat reads the same acts, and a hand grows act by act."""

    hand: tuple[Variant | None, tuple[Act, ...], HandMoves] = (None, (), HandMoves((), {}, {}))


def hand_moves(acts: Iterable[Act], variant: Variant) -> HandMoves:
    """All moves of a limit hand; those of the hand that was read last are not computed again.

    Examples
    --------
    >>> from baycarp.game.state import State
    >>> hand = State(Variant.ring(2))
    >>> for name in ("call", "check"):
    ...     _ = hand.apply(hand.named(name))
    >>> found = hand_moves(hand.acts, hand.variant).moves
    >>> [(move.seat, move.choice, PRICES[PRICE_OF[0][move.situation]]) for move in found]
    [(1, 1, 'bet'), (0, 1, 'free')]
    """
    acts = tuple(acts)
    of, before, read = _LastRead.hand
    if variant is not of or acts[: len(before)] != before:
        before, read = (), HandMoves((), {}, {})
    if len(acts) > len(before):
        read = _longer(read, acts, variant)
        _LastRead.hand = variant, acts, read  # replaced as a whole, for other threads
    return read


def _longer(read: HandMoves, acts: tuple[Act, ...], variant: Variant) -> HandMoves:
    """The moves of a hand of which the first ones were read."""
    found = list(read.moves)
    by_seat = dict(read.by_seat)
    groups = dict(read.income_groups)
    last_raiser = {move.street: move.seat for move in found if move.choice == 2}
    for act, spot in islice(spots(acts, variant), len(found), None):
        seat, street, choice = act.seat, act.street, FOLD_CALL_RAISE[act.action.name]
        move = CodedAct(seat, street, situation(spot, variant.seats, last_raiser.get(street - 1)), choice)
        found.append(move)
        by_seat[seat] = (*by_seat.get(seat, ()), move)
        if choice == 2:
            last_raiser[street] = seat
        if seat not in groups:
            groups[seat] = income_group(spot.joined, spot.behind)
    return HandMoves(tuple(found), by_seat, groups)


def to_move(observation: Observation) -> int:
    """The situation of the observing player, which is to act."""
    raised = aggressor(observation, observation.street - 1)
    return situation(facing(observation), observation.variant.seats, raised)


def situation(spot: LimitSpot, seats: int, raised: int | None) -> int:
    """The number of a player's betting situation.

    Parameters
    ----------
    spot
        The situation.
    seats
        Of the game.
    raised
        The position that raised last on the street before; None = no raise.
    """
    if not spot.owed:
        price = 0
    elif not spot.can_raise:
        price = 4
    else:
        price = min(max(spot.bets, 1), 3)
    if spot.street == 0:
        place = _place(spot.seat, seats)
        return _number(price, place, spot.joined > 0, spot.invested, _PREFLOP)
    initiative = 0 if raised is None else 2 if raised == spot.seat else 1
    return _number(price, min(spot.opponents, 3) - 1, spot.behind == 0, initiative, _LATER)


@cache
def _place(seat: int, seats: int) -> int:
    return POSITIONS.index(position(seat, seats))


def _number(a: int, b: int, c: int, d: int, sizes: tuple[int, int, int, int]) -> int:
    """The index of a cell in a flat array of these sizes."""
    return ((a * sizes[1] + b) * sizes[2] + c) * sizes[3] + d
