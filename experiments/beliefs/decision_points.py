"""The decision points of a belief: each player still in at the end of each street, by public observation.

A ``Model`` answers them. It is called with the public observation and returns the probability of each
of the 1,326 holdings.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from baycarp.card import holding_index
from baycarp.game import Event, HandOver, Observation, State
from baycarp.game.notation.hand import Hand, states
from baycarp.opponents.actions.situations import hand_moves, to_move
from baycarp.opponents.network.statistics import PlayerStats, Statistics
from baycarp.rules import PlayerView
from baycarp.rules.betting.context import FOLD_CALL_RAISE, facing
from baycarp.rules.income import IncomeGroup, income_group
from experiments.beliefs.preflop import limit_preflop

__all__ = [
    "SHOWN",
    "DecisionPoint",
    "Model",
    "ObservedAction",
    "Predictor",
    "WatchedHand",
    "Watcher",
    "decision_points",
    "situation_of",
    "street_ends",
    "watched_hands",
]

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
    >>> [len(np.flatnonzero(anything(m.view, m.street))) for m in decision_points([hand])]
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


@runtime_checkable
class Predictor(Protocol):
    """A ``Model`` that predicts actions, too."""

    def predict(self, view: PlayerView) -> NDArray[np.float64]:
        """The probabilities of fold, check or call, bet or raise of a player that is to act.

        Parameters
        ----------
        view
            As for ``Model``, before the action.

        Returns
        -------
        float64 array, shape (3,)
            It sums to 1; an illegal choice has probability 0.
        """
        ...


@dataclass(frozen=True, slots=True)
class DecisionPoint:
    """One player at the end of one street: the input of a model, and the truth.

    Parameters
    ----------
    hand
        The number of the hand in the session, from 0. Decision points of one hand are dependent.
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


@dataclass(frozen=True, slots=True)
class ObservedAction:
    """One action of one player.

    Parameters
    ----------
    hand
        The number of the hand in the session, from 0.
    view
        The player before the action, as for ``Model``.
    choice
        0 fold, 1 check or call, 2 bet or raise.
    """

    hand: int
    view: PlayerView
    choice: int


@dataclass(frozen=True, slots=True)
class WatchedHand:
    """One hand of a session as a model is tested on it, and learns from it afterwards.

    Parameters
    ----------
    points
        Where beliefs are evaluated.
    actions
        The actions, for models that predict them.
    over
        Its end as the public observed it.
    """

    points: tuple[DecisionPoint, ...]
    actions: tuple[ObservedAction, ...]
    over: HandOver


def decision_points(hands: Iterable[Hand]) -> Iterator[DecisionPoint]:
    """Every player still in at the end of every street, with its statistics since the first hand."""
    for watched in watched_hands(hands, actions=False):
        yield from watched.points


def watched_hands(hands: Iterable[Hand], actions: bool = True) -> Iterator[WatchedHand]:
    """The hands of a session with their decision points; of a no-limit hand the pre-flop (``limit_preflop``).

    Parameters
    ----------
    hands
        Finished, in order. A no-limit hand without a limit counterpart is passed over; its number is kept.
    actions
        Whether the actions are returned as well.
    """
    statistics = Statistics()
    for number, hand in enumerate(hands):
        followed = (hand, None) if hand.variant.betting == "limit" else limit_preflop(hand)
        if followed is None:
            continue
        hand, over = followed
        ends, last = street_ends(hand)
        over = over or HandOver(last.observe(None, hand.players), ())
        habits: list[PlayerStats | None] = [replace(statistics.of(name)) for name in hand.players]
        habits = habits or [None] * hand.variant.seats
        shown = over.observation.state.hole_of
        points = [
            DecisionPoint(
                number,
                street,
                PlayerView(observation, position, habits[position]),
                holding_index(*hand.holes[position]) if hand.holes[position] else -1,
                bool(shown(position)),
            )
            for street, state in enumerate(ends)
            for observation in [_public(state, street, hand)]
            for position in state.seats_in
        ]
        observed = _actions(number, hand, habits) if actions else ()
        yield WatchedHand(tuple(points), tuple(observed), over)
        statistics.observe(over)


def _public(state: State, street: int, hand: Hand) -> Observation:
    """The public observation of a state, without later cards of the board."""
    public, board = state.copy(), bytes(state.board[: SHOWN[street]])
    public.known = (20 * b"\xff" + board).ljust(25, b"\xff")
    return public.observe(None, hand.players, hand.id if isinstance(hand.id, int) else 0)


def _actions(number: int, hand: Hand, habits: Sequence[PlayerStats | None]) -> Iterator[ObservedAction]:
    for state, action in zip(states(hand), hand.actions, strict=False):
        position = state.to_act
        assert position is not None
        view = PlayerView(_public(state, state.street, hand), position, habits[position])
        yield ObservedAction(number, view, FOLD_CALL_RAISE[action.name])


def situation_of(view: PlayerView) -> tuple[int, IncomeGroup]:
    """The situation of a player that is to act, and its holdings' income rates."""
    public = view.observation
    seated = Observation(public.state, view.position, public.players, public.hand)
    first = hand_moves(public.acts, public.variant).income_groups.get(view.position)
    spot = facing(seated)
    return to_move(seated), income_group(spot.joined, spot.behind) if first is None else first


def street_ends(hand: Hand) -> tuple[list[State], State]:
    """The states at the end of each street with two or more players still in; and the last state."""
    ends: list[State] = []
    for last in states(hand):
        if len(last.seats_in) > 1:
            ends += [last] * ((4 if last.is_over else last.street) - len(ends))
    return ends, last
