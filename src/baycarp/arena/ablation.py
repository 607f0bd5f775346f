"""Arms of an experiment: one agent after the other in one seat, with the same opponents and decks."""

from collections.abc import Sequence
from dataclasses import replace

from baycarp.arena.match import Match, seatings
from baycarp.arena.series import Series
from baycarp.arena.session import HANDS, Table

__all__ = ["arms"]


def arms(table: Table, specs: Sequence[str], hands: int = HANDS, duplicate: bool = True) -> Series:
    """One match an agent, in which it is the table's first player; all in the same seatings.

    Parameters
    ----------
    table
        The other players and the rules; the agent of its first player is not used.
    specs
        The agents of the first player, one for each arm.
    hands
        Of a session.
    duplicate
        Whether each session is played in all seatings, rather than as the players are named.
    """
    tables = (replace(table, specs=(spec, *table.specs[1:])) for spec in specs)
    return Series(
        tuple(Match(each, seatings(each.variant.seats) if duplicate else (), hands) for each in tables)
    )
