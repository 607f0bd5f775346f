"""Which decks are dealt for what, so that none serves two purposes.

A deck is ``deal(seed, session, hand, n)``. The number of a session determines its purpose, so that with one
seed no agent is measured on decks that it has learned from.
"""

from baycarp.errors import TableError

__all__ = ["HELD_OUT", "LEARNED", "PLAYED", "SEED", "STUDIED", "numbers"]

EACH = 1_000_000
"""Sessions for each purpose."""

LEARNED = 0
"""The first session that models are made from."""

HELD_OUT = LEARNED + EACH
"""The first on which it is measured what was learned."""

PLAYED = HELD_OUT + EACH
"""The first that is played for its result: in matches, tournaments, experiments."""

STUDIED = PLAYED + EACH
"""The first that is played before that: to choose the players, or to train opponent models."""

SEED = 2**63 - 1
"""The greatest seed."""


def numbers(first: int, count: int) -> range:
    """So many sessions for one purpose, from its ``first`` on.

    Raises
    ------
    TableError
        More than there are.

    Examples
    --------
    >>> numbers(HELD_OUT, 3)
    range(1000000, 1000003)
    """
    if count > EACH:
        raise TableError(f"{count} sessions: expected at most {EACH}; other decks have other purposes")
    return range(first, first + count)
