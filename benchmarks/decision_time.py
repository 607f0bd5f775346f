"""The processor time of a decision, as a seat pays it in real play: hand after hand, every board new.

An agent takes a seat in recorded hands, another one each hand, and is asked wherever the player of that seat
decided. Three parts are timed apart: its decisions, the observation of every player's actions, and what it
learns once a hand is over. No other agent works in the process, so that nothing is cached by another seat.
"""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from baycarp.agents.base import Agent
from baycarp.arena.session import HANDS, Table, play_session
from baycarp.errors import TableError
from baycarp.game import Acted, Event, HandOver
from baycarp.game.notation.acpc import read_log
from baycarp.game.notation.hand import Hand, replay, states
from baycarp.game.variant import Variant

__all__ = ["Decided", "Times", "measure", "new_boards", "played"]

WARM = 50
"""Hands before the first that is timed: what is loaded once, and statistics of the players."""

FLOP = 3


@dataclass(frozen=True, slots=True)
class Decided:
    """The first decision of a seat on a street.

    Parameters
    ----------
    street, opponents
        0..3, and the opponents still in.
    seconds
        Processor time.
    """

    street: int
    opponents: int
    seconds: float


@dataclass(slots=True)
class Times:
    """What a seat costs.

    Parameters
    ----------
    first
        The first decision on each street: its board has not been met.
    decisions
        The number of all decisions, the later ones of a street included.
    deciding, observing, learning
        Processor seconds: of all decisions; of the actions of all players; of the ends of hands.
    """

    first: list[Decided]
    decisions: int = 0
    deciding: float = 0.0
    observing: float = 0.0
    learning: float = 0.0

    @property
    def seat(self) -> float:
        """Processor seconds a decision of everything that the seat costs."""
        return (self.deciding + self.observing + self.learning) / max(self.decisions, 1)


def played(specs: tuple[str, ...], hands: int, seed: int) -> list[Hand]:
    """Hands of the package's own agents, with all cards: session after session until there are enough."""
    names = tuple(f"{spec}{seat}" for seat, spec in enumerate(specs))
    table, found = Table(Variant.ring(len(specs)), names, specs, seed), list[Hand]()
    for number in range(-(-hands // HANDS)):
        found += read_log(play_session(table, number, min(HANDS, hands - len(found))).log, table.variant)
    return found


def new_boards(hands: Iterable[Hand], seats: int, seed: int) -> Iterator[Hand]:
    """The finished hands of a number of seats with names whose flops differ; numbered from 0.

    Hole cards that a record lacks are drawn from the rest of the deck, and so are the cards of a board that
    was not dealt to its end.
    """
    rng, flops, number = np.random.default_rng(seed), set[frozenset[int]](), 0
    for hand in hands:
        if hand.variant.seats != seats or not hand.players or not replay(hand).is_over:
            continue
        hand = _dealt(hand, rng)
        flop = frozenset(hand.board[:FLOP])
        if flop not in flops:
            flops.add(flop)
            yield replace(hand, id=number)
            number += 1


def _dealt(hand: Hand, rng: np.random.Generator) -> Hand:
    known = {card for cards in (*hand.holes, hand.board) for card in cards}
    rest = iter([card for card in rng.permutation(52).tolist() if card not in known])
    holes = tuple(hole or (next(rest), next(rest)) for hole in hand.holes)
    board = (*hand.board, *(next(rest) for _ in range(5 - len(hand.board))))
    return replace(hand, holes=holes, board=board)


def measure(agent: Agent, hands: Iterable[Hand], warm: int = WARM) -> Times:
    """Seat an agent, and time what it does in each hand, at another position each hand.

    Parameters
    ----------
    agent
        Of a kind that plays these hands.
    hands
        With all cards and names; those of ``new_boards``.
    warm
        The number of first hands that are not timed.

    Raises
    ------
    TableError
        No hand is left to time.
    """
    times = Times([])
    for number, hand in enumerate(hands):
        seats = hand.variant.seats
        if not number:
            agent.sit(0, hand.variant, 1)
        _sit_through(agent, hand, number % seats, times if number >= warm else Times([]))
    if not times.decisions:
        raise TableError(f"no decision to time: expected more than {warm} hands of these seats")
    return times


def _sit_through(agent: Agent, hand: Hand, position: int, times: Times) -> None:
    """One hand at one position."""
    final, number, street = replay(hand), int(hand.id), -1
    for state, act in zip(states(hand), final.acts, strict=False):
        if act.seat == position:
            observation = state.observe(position, hand.players, number)
            began = time.process_time()
            agent.decide(observation)
            seconds = time.process_time() - began
            times.decisions += 1
            times.deciding += seconds
            if state.street != street:
                street = state.street
                times.first.append(Decided(street, len(state.seats_in) - 1, seconds))
        times.observing += _learn(agent, Acted(state.observe(None, hand.players, number), act))
    times.learning += _learn(agent, HandOver(final.observe(None, hand.players, number), final.payoffs()))


def _learn(agent: Agent, event: Event) -> float:
    began = time.process_time()
    agent.learn(event)
    return time.process_time() - began
