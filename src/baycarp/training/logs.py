"""Logs from any source, of any size: hands in sessions; bad hands are refused with a reason.

A hand is passed on as text: one process splits the files, several parse the hands.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

from baycarp.arena import session
from baycarp.errors import NotationError
from baycarp.game.notation.acpc import parse_state
from baycarp.game.notation.hand import Hand, Refusal, Refused, attempt, lines, replay
from baycarp.game.notation.phh import Section, read_section, sections
from baycarp.game.plays import Plays
from baycarp.game.variant import Variant

__all__ = ["Logs", "RawHand", "read"]

PHH, ACPC = (".phh", ".phhs"), (".log", ".acpc")
"""The suffixes of files, before ``.gz``."""


@dataclass(frozen=True, slots=True)
class RawHand:
    """A hand that is not parsed yet.

    Parameters
    ----------
    file
        The file of the hand.
    section
        Its place and text; an ACPC line has no name.
    phh
        Whether it is PHH; otherwise it is a line of an ACPC log.
    fault
        The error that ended the reading of the file; then there is no hand.
    """

    file: str
    section: Section
    phh: bool
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Logs:
    """Files of hands.

    Parameters
    ----------
    paths
        PHH and PHHS (``.phh``, ``.phhs``) and ACPC logs (every other name), ``.gz`` or not; a folder means
        its ``.phh``, ``.phhs``, ``.log`` and ``.acpc`` files, in the order of their names.
    variant
        The game of the ACPC logs, which do not contain it; PHH does.
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
            A missing path, a folder without logs, or an ACPC log without its game.
        """
        files = [file for path in self.paths for file in _files(path)]
        for file in files:
            if self.variant is None and not _is_phh(file):
                raise NotationError(f"{file}: an ACPC log needs its game, like 'holdem.limit.3p'")
        return files

    def sessions(self) -> Iterator[tuple[RawHand, ...]]:
        """The hands in their order, a session at a time; the last session has the rest."""
        raw_hands = islice(self._raw_hands(), self.hands)
        while hands := tuple(islice(raw_hands, session.HANDS)):
            yield hands

    def _raw_hands(self) -> Iterator[RawHand]:
        for file in self.files():
            try:
                if _is_phh(file):
                    yield from (
                        RawHand(str(file), section, True) for section in sections(lines(file, "replace"))
                    )
                else:
                    for number, line in enumerate(lines(file, "replace"), start=1):
                        if line.strip() and not line.startswith(("#", ";", "SCORE:")):
                            yield RawHand(str(file), Section("", number, line), False)
            except NotationError as error:
                yield RawHand(str(file), Section("", 0, ""), False, str(error))


LIMIT = Plays(frozenset({"limit"}))


def read(
    raw_hands: Iterable[RawHand], variant: Variant | None, refusal: Refusal, plays: Plays = LIMIT
) -> Iterator[Hand]:
    """Parse hands; ``refusal`` receives a ``Refused`` for each that is no finished hand of a game played."""
    for one in raw_hands:
        yield from attempt(partial(_read, one, variant, plays), f"{one.file}, {one.section.where}", refusal)


def _read(raw: RawHand, variant: Variant | None, plays: Plays) -> Hand:
    if raw.fault:
        raise Refused("file is cut short", raw.fault, raw.file)
    if raw.phh:
        hand = read_section(raw.section)
    else:
        assert variant is not None
        hand = parse_state(raw.section.body, variant)
    if not plays.fits(hand.variant):
        raise Refused("a game that is not played", f"{hand.variant.name}: expected {plays}")
    if not replay(hand).is_over:
        raise Refused("unfinished hand", f"{len(hand.actions)} actions: expected them to its end")
    return hand


def _is_phh(file: Path) -> bool:
    return Path(file.name.removesuffix(".gz")).suffix in PHH


def _files(path: Path) -> Sequence[Path]:
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise NotationError(f"{path}: no such file or folder")
    ends = tuple(end + packed for end in (*PHH, *ACPC) for packed in ("", ".gz"))
    found = sorted(file for file in path.rglob("*") if file.name.endswith(ends) and file.is_file())
    if not found:
        raise NotationError(f"{path}: expected files that end in {', '.join(ends)}")
    return found
