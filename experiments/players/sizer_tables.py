"""Tables of the no-limit population, one for each session."""

from baycarp.arena.session import Table
from baycarp.game.variant import Variant
from baycarp.training.sizers import table_of_members

__all__ = ["tables"]


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
    found = [table_of_members(game, number, seed) for number in range(sessions)]
    for table in found[:1]:
        table.verify_players()
    return found
