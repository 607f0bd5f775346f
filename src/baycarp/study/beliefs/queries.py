"""The queries of a belief: each player still in at the end of each street, by public observation.

A ``Model`` answers them. It is called with the public observation and returns the probability of each
of the 1,326 holdings.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from baycarp.card import holding_index
from baycarp.game import Event, HandOver, State
from baycarp.game.notation.hand import Hand, states
from baycarp.opponents.stats import Statistics
from baycarp.rules import PlayerView

__all__ = ["SHOWN", "BeliefQuery", "Model", "Watcher", "queries_of_session", "street_ends"]

SHOWN = (0, 3, 4, 5)
"""Cards of the board by street."""


class Model(Protocol):
    """The interface of a belief about a player's two cards; a function has it.

    Examples
    --------
    >>> import numpy as np
    >>> from baycarp.card import blocked_by
    >>> def anything(view: PlayerView, street: int) -> NDArray[np.float64]:
    ...     possible = ~blocked_by(view.observation.board)
    ...     return possible / possible.sum()
    >>> from baycarp.game.notation.acpc import parse_state
    >>> from baycarp.game.variant import Variant
    >>> hand = parse_state("STATE:0:rc/cc/rf:AhKd|7c7d/Qs7h2c/9h:-20|20:Ann|Bob", Variant.ring(2))
    >>> [len(np.flatnonzero(anything(m.view, m.street))) for m in queries_of_session([hand])]
    [1326, 1326, 1176, 1176]
    """

    def __call__(self, view: PlayerView, street: int) -> NDArray[np.float64]:
        """The probability of each holding.

        Parameters
        ----------
        view
            The player: ``view.position`` is its position, ``view.observation`` the public hand (no hole
            cards; the actions and the board up to the end of the street; names in ``players``),
            ``view.habits`` its ``PlayerStats`` from earlier hands of the session. ``baycarp.rules.read``
            computes readings of it.
        street
            The street that has just ended, 0 pre-flop .. 3 river. ``view.observation.street`` may be the next
            one already, its card not yet dealt.

        Returns
        -------
        float64 array, shape (1326,)
            By ``card.holding_index``: at least 0, summing to 1, and 0 where the board blocks.
        """
        ...


@runtime_checkable
class Watcher(Protocol):
    """A ``Model`` that learns from each finished hand, as the public observed it.

    It is queried about a hand before it receives the end of the hand.
    """

    def sit(self) -> None:
        """Begin a session without player models."""

    def learn(self, event: Event) -> None:
        """Learn from a finished hand: the actions, and the shown cards."""


@dataclass(frozen=True, slots=True)
class BeliefQuery:
    """One player at the end of one street: the input of a model, and the truth.

    Parameters
    ----------
    hand
        The number of the hand in the session, from 0: hands are independent, queries of one hand are not.
    street
        The street that has just ended, 0..3.
    view
        See ``Model``.
    holding
        Its holding, by ``card.holding_index``; -1 if unknown.
    showdown
        Whether its cards are shown at the end of the hand, so that a seated observer could learn from them.
    """

    hand: int
    street: int
    view: PlayerView
    holding: int
    showdown: bool


def queries_of_session(hands: Iterable[Hand]) -> Iterator[BeliefQuery]:
    """Every player still in at the end of every street, with its statistics since the first hand."""
    statistics = Statistics()
    for number, hand in enumerate(hands):
        ends, last = street_ends(hand)
        habits = {position: replace(statistics.of(name)) for position, name in enumerate(hand.players)}
        for street, state in enumerate(ends):
            public, board = state.copy(), bytes(state.board[: SHOWN[street]])
            public.known = (20 * b"\xff" + board).ljust(25, b"\xff")  # without later cards of the board
            observation = public.observe(None, hand.players, hand.id if isinstance(hand.id, int) else 0)
            for position in state.seats_in:
                holding = holding_index(*hand.holes[position]) if hand.holes[position] else -1
                shown = position in last.seats_in and len(ends) == 4 and holding >= 0
                view = PlayerView(observation, position, habits.get(position))
                yield BeliefQuery(number, street, view, holding, shown)
        statistics.observe(HandOver(last.observe(None, hand.players), ()))


def street_ends(hand: Hand) -> tuple[list[State], State]:
    """The states at the end of each street with two or more players still in; and the last state."""
    ends: list[State] = []
    for last in states(hand):
        if len(last.seats_in) > 1:
            ends += [last] * ((4 if last.is_over else last.street) - len(ends))
    return ends, last
