"""Hands of people, in sessions: the same measures, with models trained on people and on bots.

Only cards that were shown are known there, so that folded holdings are missing from training and test.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from baycarp.arena.session import HANDS
from baycarp.errors import NotationError
from baycarp.game.notation.hand import Hand, Refused
from baycarp.game.notation.irc import read_archive
from baycarp.game.variant import Variant
from baycarp.train.logs import Logs, read

__all__ = ["sessions_of"]


def sessions_of(path: Path, variant: Variant | None, most: int) -> list[list[Hand]]:
    """The hands of a record, in sessions of 500 in their order; those that cannot be used are left out.

    Parameters
    ----------
    path
        An archive of the IRC database (``.tar``, ``.tar.gz``), or what ``train.logs.Logs`` reads.
    variant
        The game of an ACPC log.
    most
        Hands that are read, at most.

    Raises
    ------
    NotationError
        A record that cannot be read, or fewer hands in it than two sessions have.
    """
    hands: Iterable[Hand]
    if ".tar" in path.suffixes:
        hands = read_archive(path, _leave)
    else:
        logs = Logs((path,), variant, most)
        hands = (hand for texts in logs.sessions() for hand in read(texts, variant, _leave))
    sessions = list(_parted(iter(islice(hands, most))))
    if len(sessions) < 2:
        raise NotationError(f"{path}: expected more than {HANDS} hands: half train, half test")
    return sessions


def _parted(hands: Iterator[Hand]) -> Iterator[list[Hand]]:
    while part := list(islice(hands, HANDS)):
        yield part


def _leave(refused: Refused) -> None:
    """Bad hands are counted where models are trained (``train.account``), not here."""
