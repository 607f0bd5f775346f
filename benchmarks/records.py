"""Records of hands, as experiments and benchmarks take them."""

from itertools import chain, islice
from pathlib import Path

from baycarp.arena import session
from baycarp.errors import NotationError
from baycarp.game.notation.hand import Hand
from baycarp.game.plays import Plays
from baycarp.game.variant import Variant
from baycarp.training.logs import LIMIT, Logs, read

__all__ = ["sessions_of"]


def sessions_of(
    path: Path, variant: Variant | None, most: int | None = None, plays: Plays = LIMIT
) -> list[list[Hand]]:
    """The hands of a record, in sessions of 500 in their order; bad hands are left out.

    Records of people have shown cards only: folded holdings are missing from them. Bad hands are not counted
    here but where models are trained (``training.account``).

    Parameters
    ----------
    path
        A path for ``Logs``.
    variant
        The game of an ACPC log; None = the one that it names or shows.
    most
        The greatest number of hands read; None = all.
    plays
        The games that are read.

    Raises
    ------
    NotationError
        A record that cannot be read, or one without a hand of these games.
    """
    entries = chain.from_iterable(Logs((path,), variant).sessions())
    found = read(entries, lambda refused: None, plays)
    hands, length = list(islice(found, most)), session.HANDS
    if not hands:
        raise NotationError(f"{path}: expected hands of {plays}, found none that can be read")
    return [hands[first : first + length] for first in range(0, len(hands), length)]
