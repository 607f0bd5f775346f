"""The no-limit population: members of ``sizer`` by number, whose policies are known, and tables of them."""

import numpy as np

from baycarp.arena.session import Table
from baycarp.game.variant import Variant

__all__ = ["MEMBERS", "member", "tables"]

MEMBERS = 100
"""The size of the population: members 0 to 99 of ``agents.sizer_style.drawn``."""


def member(rng: np.random.Generator) -> str:
    """The specification of a drawn member.

    Examples
    --------
    >>> member(np.random.default_rng(1))
    'sizer(number=47)'
    """
    return _spec(int(rng.integers(MEMBERS)))


def tables(game: Variant, sessions: int, seed: int) -> list[Table]:
    """Tables of different members, one for each session; a member has the same name at all of them.

    Parameters
    ----------
    game
        A no-limit game.
    sessions
        The number of tables.
    seed
        Fixes players, seats and cards. The n-th table is the same, however many follow.

    Raises
    ------
    TableError
        A fixed-limit game.

    Examples
    --------
    >>> [table.players for table in tables(Variant.load("holdem.nolimit.2p.100bb"), 2, seed=1)]
    [('sizer-46', 'sizer-51'), ('sizer-33', 'sizer-51')]
    """
    found = [_table(game, number, seed) for number in range(sessions)]
    for table in found[:1]:
        table.verify_players()
    return found


def _table(game: Variant, number: int, seed: int) -> Table:
    rng = np.random.default_rng((seed, number))
    seated = rng.choice(MEMBERS, game.seats, replace=False).tolist()
    return Table(game, tuple(f"sizer-{each}" for each in seated), tuple(map(_spec, seated)), seed)


def _spec(number: int) -> str:
    return f"sizer(number={number})"
