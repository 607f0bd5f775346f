"""Sessions: the unit of parallel work, because agents learn within one and start afresh with the next."""

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, wait
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import Decision
from baycarp.agents.registry import load
from baycarp.arena.hand import play_hand
from baycarp.arena.tally import Tally
from baycarp.arena.workers import CONTEXT, processes
from baycarp.budget import Budget
from baycarp.errors import TableError
from baycarp.game.notation.acpc import format_state
from baycarp.game.notation.hand import Hand
from baycarp.game.state import State
from baycarp.game.variant import Variant
from baycarp.kernels.game import deal

__all__ = ["HANDS", "Played", "Table", "play_session", "play_sessions", "split"]

HANDS = 500
"""Hands of a session, at most."""


@dataclass(frozen=True, slots=True)
class Table:
    """Who sits where, under which rules, with which seed.

    Parameters
    ----------
    variant
        The rules; ``variant.seats`` players sit down.
    players
        Names by seat at the table; the button moves one seat a hand.
    specs
        What each seat's agent is loaded from (``baycarp.load``).
    seed
        With the session's and the hand's number it fixes every card and every draw.
    budget
        Given to every decision; None leaves each agent its own.
    """

    variant: Variant
    players: tuple[str, ...]
    specs: tuple[str, ...]
    seed: int = 0
    budget: Budget | None = None

    def __post_init__(self) -> None:
        seats = self.variant.seats
        if not len(self.players) == len(self.specs) == seats:
            raise TableError(
                f"{self.variant.name} seats {seats}: got {len(self.players)} names, {len(self.specs)} agents"
            )
        if len(set(self.players)) != seats:
            raise TableError(f"players: expected different names, got {self.players}")


@dataclass(frozen=True, slots=True)
class Played:
    """A session that was played: chips won by hand and seat, counts by seat, and its log.

    Parameters
    ----------
    number
        The session's.
    net
        int64, shape (hands, seats): chips won, by seat at the table.
    tallies
        By seat at the table.
    log
        One ACPC ``STATE`` line a hand, every hole card included.
    """

    number: int
    net: NDArray[np.int64]
    tallies: tuple[Tally, ...]
    log: tuple[str, ...] = field(repr=False)


def split(hands: int) -> tuple[int, int]:
    """Sessions, and hands of each: as few sessions as will hold the hands, all of one length.

    Examples
    --------
    >>> split(40), split(1000), split(1200), split(1001)
    ((1, 40), (2, 500), (3, 400), (3, 334))
    """
    count = -(-hands // HANDS)
    return count, -(-hands // count)


def play_session(
    table: Table, number: int, hands: int = HANDS, tick: Callable[[int], None] = lambda hand: None
) -> Played:
    """Play one session: agents sit down with fresh statistics, the button goes round, hand after hand."""
    variant, seats = table.variant, table.variant.seats
    agents = [load(spec) for spec in table.specs]
    for seat, agent in enumerate(agents):
        agent.plays.verify(variant)
        agent.sit(seat, variant, int(np.random.SeedSequence((table.seed, number, seat)).generate_state(1)[0]))
    net = np.zeros((hands, seats), np.int64)
    tallies = tuple(Tally() for _ in range(seats))
    log = []
    for hand in range(hands):
        order = [(hand + 1 + position) % seats for position in range(seats)]
        names = tuple(table.players[seat] for seat in order)
        state = play_hand(
            variant,
            [agents[seat] for seat in order],
            deal(table.seed, number, hand, 2 * seats + 5),
            names,
            number * hands + hand,
            table.budget,
            partial(_consulted, tallies, order),
        )
        payoffs = state.payoffs()
        for position, seat in enumerate(order):
            net[hand, seat] = payoffs[position]
            tallies[seat].count(state, position, payoffs[position])
        log.append(format_state(Hand.of(state, names, number * hands + hand)))
        tick(hand + 1)
    return Played(number, net, tallies, tuple(log))


def _consulted(tallies: Sequence[Tally], order: Sequence[int], state: State, decision: Decision) -> None:
    """Count a decision that asked a case-base; its trace says whether it had to fall back."""
    for stage in decision.trace:
        if stage.name == "retrieve" and state.to_act is not None:
            tallies[order[state.to_act]].consult(state.street, bool(stage.said["fell back"]))


def play_sessions(
    table: Table,
    numbers: Sequence[int],
    hands: int = HANDS,
    workers: int = 1,
    tick: Callable[[int], None] = lambda played: None,
) -> Generator[Played, None, None]:
    """Play sessions in ``workers`` processes and give each as it is finished, in whatever order.

    What a session holds depends on (seed, session, hand) alone, so sorting by ``number`` gives the same for
    any number of workers. ``tick`` hears now and then how many hands have been played in all. An interruption
    loses only the sessions under way; close the generator (``contextlib.closing``), which ends the workers.
    """
    if workers == 1:
        for index, number in enumerate(numbers):
            yield play_session(table, number, hands, partial(_tick, tick, index * hands))
        return
    counter = CONTEXT.Value("q", 0)
    with processes(workers, _join, counter) as pool:
        waiting = {pool.submit(_play_counted, table, number, hands) for number in numbers}
        while waiting:
            finished, waiting = wait(waiting, timeout=0.2, return_when=FIRST_COMPLETED)
            tick(counter.value)
            yield from (future.result() for future in finished)


def _tick(tick: Callable[[int], None], before: int, hand: int) -> None:
    tick(before + hand)


_counter: Any = None
"""In a worker: the number of hands that all workers have played."""


def _join(counter: Any) -> None:
    global _counter
    _counter = counter


def _count(_hand: int) -> None:
    with _counter.get_lock():
        _counter.value += 1


def _play_counted(table: Table, number: int, hands: int) -> Played:
    return play_session(table, number, hands, _count)
