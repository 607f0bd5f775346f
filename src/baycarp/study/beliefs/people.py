"""Hands of people, in sessions: the same measures, with models trained on people and on bots.

Only shown cards are known, so that folded holdings are missing from training and test.
"""

from itertools import chain, islice
from pathlib import Path

from baycarp.arena.session import HANDS
from baycarp.errors import NotationError
from baycarp.game.notation.hand import Hand, Refused
from baycarp.game.notation.irc import read_archive
from baycarp.game.variant import Variant
from baycarp.train.logs import Logs, read

__all__ = ["sessions_of"]


def sessions_of(path: Path, variant: Variant | None, most: int) -> list[list[Hand]]:
    """The hands of a record, in sessions of 500 in their order; bad hands are left out.

    Bad hands are not counted here but where models are trained (``train.account``).

    Parameters
    ----------
    path
        An archive of the IRC database (``.tar``, ``.tar.gz``), or a path for ``train.logs.Logs``.
    variant
        The game of an ACPC log.
    most
        The greatest number of hands read.

    Raises
    ------
    NotationError
        A record that cannot be read, or one with fewer hands than two sessions.
    """
    refused = list[Refused]()
    if ".tar" in path.suffixes:
        found = read_archive(path, refused.append)
    else:
        texts = chain.from_iterable(Logs((path,), variant, most).sessions())
        found = read(texts, variant, refused.append)
    hands = list(islice(found, most))
    if len(hands) <= HANDS:
        raise NotationError(f"{path}: expected more than {HANDS} hands: half train, half test")
    return [hands[first : first + HANDS] for first in range(0, len(hands), HANDS)]
