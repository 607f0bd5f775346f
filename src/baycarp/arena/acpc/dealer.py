"""A match: seats rotate from hand to hand, cards come from a seed, every hand is logged."""

import re
from collections.abc import Mapping, Sequence
from typing import TextIO

import numpy as np

from baycarp.agents.base import Agent
from baycarp.arena.acpc.remote import Remote
from baycarp.arena.decks import PLAYED
from baycarp.arena.hand import play_hand
from baycarp.arena.rotation import deals
from baycarp.budget import Budget
from baycarp.errors import TableError, brief
from baycarp.files.escaped import is_text
from baycarp.game.notation.acpc import format_state
from baycarp.game.notation.hand import Hand
from baycarp.game.state import State
from baycarp.game.variant import Variant

__all__ = ["deal_match", "verify_names"]


def deal_match(
    variant: Variant,
    hands: int,
    seed: int,
    seats: Mapping[str, Agent],
    log: TextIO | None = None,
    budget: Budget | None = None,
) -> dict[str, int]:
    """Play a match between clients, agents of this package, or both.

    In hand h the player in seat s has position (s - h) mod n, as with the original dealer: the button moves
    to the left. Cards depend on the seed, the hand and the position alone, so the same seed with the
    players in another order gives the duplicate.

    Payoffs are whole chips: the odd chips of a split pot go one each to its first winners left of the button.
    The original dealer divides a pot exactly and writes fractions, so the two scores differ there, by less
    than a chip a pot.

    Parameters
    ----------
    variant
        The game; stacks are the same at the start of every hand.
    hands
        Number of hands.
    seed
        Fixes every card, and the random draws of this package's agents.
    seats
        Players by name, in the order of their seats: a ``Remote``, or any agent, which is seated here.
    log
        Receives a ``STATE`` line after each hand, then the faults of the clients as comments, then the
        ``SCORE``.
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
        agent.plays.verify(variant, f"player {names[seat]!r}")
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
    """Raise the reason where players of these names cannot be seated.

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
        if not re.fullmatch(r"[^:|\s]{1,64}", name) or not is_text(name):
            raise TableError(f"player {brief(name)}: expected at most 64 characters, no ':', '|' or blank")
