"""A match: seats go round from hand to hand, cards come from a seed, every hand is logged."""

import re
import socket
import time
from collections.abc import Mapping, Sequence
from typing import TextIO

import numpy as np

from baycarp.agents.base import Agent
from baycarp.arena.acpc.remote import Remote
from baycarp.arena.acpc.wire import Wire
from baycarp.arena.decks import PLAYED
from baycarp.arena.hand import play_hand
from baycarp.arena.rotation import deals
from baycarp.budget import Budget
from baycarp.errors import NotationError, TableError
from baycarp.game.notation.acpc import format_state
from baycarp.game.notation.hand import Hand
from baycarp.game.state import State
from baycarp.game.variant import Variant

__all__ = ["accept", "deal_match", "listen", "verify_names"]

GREETING = 10.0
"""Seconds that a connection has for its version line."""

_VERSION = re.compile(r"VERSION:2\.[0-9]{1,9}\.[0-9]{1,9}")


def deal_match(
    variant: Variant,
    hands: int,
    seed: int,
    seats: Mapping[str, Agent],
    log: TextIO | None = None,
    budget: Budget | None = None,
) -> dict[str, int]:
    """Play a match between clients, agents of this package, or both.

    In hand h the player in seat s has position (s - h) mod n, as with the original dealer: the button goes
    round to the left. Cards depend on the seed, the hand and the position alone, so the same seed with the
    players in another order gives the duplicate.

    Parameters
    ----------
    variant
        The game; stacks are the same at the start of every hand.
    hands
        How many.
    seed
        Fixes every card, and the random draws of this package's agents.
    seats
        Players by name, in the order of their seats: a ``Remote``, or any agent, which is seated here.
    log
        Where to write a ``STATE`` line a hand, as it is played, then what clients did wrong as comments, then
        the ``SCORE``.
    budget
        Given to every decision of this package's agents.

    Returns
    -------
    dict of str to int
        Chips won by each player.

    Raises
    ------
    TableError
        The seats are not the game's, or an agent does not play it.

    Examples
    --------
    >>> from baycarp.agents.registry import load
    >>> deal_match(Variant.load("holdem.limit.3p"), 20, 1, {n: load("call") for n in ("Ann", "Bob", "Cleo")})
    {'Ann': 160, 'Bob': -155, 'Cleo': -5}
    """
    names, agents = tuple(seats), tuple(seats.values())
    verify_names(variant, names)
    for seat, agent in enumerate(agents):
        agent.plays.verify(variant)
        agent.sit(seat, variant, int(np.random.SeedSequence((seed, 0, seat)).generate_state(1)[0]))
    totals = dict.fromkeys(names, 0)
    for dealt in deals(names, seed, PLAYED, hands, first=0):
        hand, players, deck, seated = dealt.hand, dealt.names, dealt.deck, dealt.by_position(agents)
        for position, agent in enumerate(seated):
            if isinstance(agent, Remote):
                agent.deal(State(variant, deck=deck), position, hand)
        state = play_hand(State(variant, deck=deck), seated, players, hand, budget)
        for name, chips in zip(players, state.payoffs(), strict=True):
            totals[name] += chips
        _write(log, format_state(Hand.of(state, players, hand)))
    for name, agent in seats.items():
        if isinstance(agent, Remote):
            _write(log, f"# {name}: {agent.conduct}")
    _write(log, f"SCORE:{'|'.join(map(str, totals.values()))}:{'|'.join(totals)}")
    return totals


def _write(log: TextIO | None, line: str) -> None:
    if log is not None:
        log.write(line + "\n")
        log.flush()


def verify_names(variant: Variant, names: Sequence[str]) -> None:
    """Raise the reason if players of these names cannot be seated.

    Raises
    ------
    TableError
        There are too many or too few, two are the same, or one would break a line of the log.
    """
    if len(names) != variant.seats or len(set(names)) != len(names):
        raise TableError(
            f"players {', '.join(names)}: {variant.name} seats {variant.seats} of different names"
        )
    for name in names:
        if not re.fullmatch(r"[^:|\s]{1,64}", name):
            raise TableError(f"player {name!r}: expected at most 64 characters, no ':', '|' or blank")


def listen(host: str, ports: Sequence[int]) -> list[socket.socket]:
    """Open a port for each client; 0 = any that is free.

    Raises
    ------
    OSError
        One is not free.
    """
    doors: list[socket.socket] = []
    try:
        for port in ports:
            doors.append(socket.create_server((host, port)))
    except OSError as error:
        for door in doors:
            door.close()
        raise OSError(f"{host}:{port}: {error.strerror or error}") from error
    return doors


def accept(door: socket.socket, patience: float, since: float | None = None) -> Wire:
    """Await the client of a port, and close the port behind it.

    A connection that does not begin with a version line is closed, and the next one awaited.

    Parameters
    ----------
    patience
        Seconds that the client has to come.
    since
        From when on (``time.monotonic``); None = now.

    Raises
    ------
    TimeoutError
        No client came in ``patience`` seconds; the port is named.
    """
    until = patience + (time.monotonic() if since is None else since)
    with door:
        port = door.getsockname()[1]
        while (left := until - time.monotonic()) > 0:
            door.settimeout(left)
            try:
                connection, _ = door.accept()
            except TimeoutError:
                break
            if (wire := _greet(Wire(connection), min(left, GREETING))) is not None:
                return wire
    raise TimeoutError(f"port {port}: no client came in {patience:g} s")


def _greet(wire: Wire, patience: float) -> Wire | None:
    try:
        if _VERSION.fullmatch(wire.receive(patience)):
            return wire
    except (OSError, NotationError):
        pass
    wire.close()
    return None
