"""Logs from any source, of any size: hands in sessions; bad hands are refused with a reason."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from baycarp.arena import session
from baycarp.errors import NotationError
from baycarp.game.notation import door
from baycarp.game.notation.hand import Hand, Refusal, Refused, attempt, replay
from baycarp.game.notation.sources import text_files
from baycarp.game.plays import Plays
from baycarp.game.variant import Variant

__all__ = ["LogEntry", "Logs", "read"]

LogEntry: TypeAlias = "Hand | Refused"
"""A hand of a log, or the reason why it is none."""

LIMIT = Plays(frozenset({"limit"}))


@dataclass(frozen=True, slots=True)
class Logs:
    """Files of hands.

    Parameters
    ----------
    paths
        Files, folders and archives of every format that ``game.notation.door`` reads.
    variant
        The game of ACPC logs; None = the one that they name or show.
    hands
        The greatest number of hands read; None = all.
    """

    paths: tuple[Path, ...]
    variant: Variant | None = None
    hands: int | None = None

    def files(self) -> list[Path]:
        """The files, folders opened.

        Raises
        ------
        NotationError
            A missing path, or a folder without files.
        """
        files = []
        for path in self.paths:
            found = text_files(path)
            if not found:
                raise NotationError(f"{path}: expected files of hands")
            files += found
        return files

    def sessions(self) -> Iterator[tuple[LogEntry, ...]]:
        """The hands in their order, a session at a time; the last session has the rest."""
        entries = islice(self._entries(), self.hands)
        while hands := tuple(islice(entries, session.HANDS)):
            yield hands

    def _entries(self) -> Iterator[LogEntry]:
        for path in self.paths:
            refusals = _Refusals()
            for hand in door.read(path, refusals.add, self.variant):
                yield from refusals.taken()
                yield hand
            yield from refusals.taken()


@dataclass(slots=True)
class _Refusals:
    """Refusals between two hands; of very many only the first of each reason is kept."""

    pending: list[Refused] = field(default_factory=list)
    first: dict[str, Refused] = field(default_factory=dict)

    def add(self, refused: Refused) -> None:
        known = self.first.setdefault(refused.reason, refused)
        self.pending.append(refused if len(self.pending) < session.HANDS else known)

    def taken(self) -> list[Refused]:
        taken, self.pending = self.pending, []
        return taken


def read(entries: Iterable[LogEntry], refusal: Refusal, plays: Plays = LIMIT) -> Iterator[Hand]:
    """The finished hands of games played; ``refusal`` receives a ``Refused`` for each other entry."""
    for entry in entries:
        if isinstance(entry, Refused):
            refusal(entry)
        else:
            yield from attempt(partial(_verified, entry, plays), f"hand {entry.id}", refusal)


def _verified(hand: Hand, plays: Plays) -> Hand:
    if not plays.fits(hand.variant):
        raise Refused("a game that is not played", f"{hand.variant.name}: expected {plays}")
    if not replay(hand).is_over:
        raise Refused("unfinished hand", f"{len(hand.actions)} actions: expected them to its end")
    return hand
