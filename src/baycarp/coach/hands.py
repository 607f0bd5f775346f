"""The hands that are reviewed: of a log, or of the folder that a session in the browser was recorded in."""

from collections.abc import Iterator
from pathlib import Path

from baycarp.arena.journal import Recorded
from baycarp.errors import BaycarpError, JournalError
from baycarp.files import as_plain, open_regular, parse_json
from baycarp.game import Variant
from baycarp.game.notation import door
from baycarp.game.notation.hand import Hand, Refusal
from baycarp.game.variant import shipped
from baycarp.kernels.arguments import MOST_SEED, real, whole
from baycarp.web import review
from baycarp.web.review import MOST
from baycarp.web.sitting import Finished, Seating, Sitting

__all__ = ["is_session", "read", "read_hands", "read_played", "read_seating"]

JOURNAL = "play.journal"

LONGEST = 1 << 16
"""Greatest length of a header, in bytes."""


def read(
    source: door.HandSource, refusal: Refusal | None = None, game: str | Path | Variant | None = None
) -> Iterator[Hand]:
    """Read hands as ``game.notation.door.read`` does, or the finished ones of a folder of ``baycarp play``.

    Of such a folder hands with help are left out: they are in no statistic.

    A file, a folder, an archive, ``-`` for standard input or a text: the format is recognised by its content.

    Parameters
    ----------
    source, refusal, game
        As of ``game.notation.door.read``.

    Raises
    ------
    NotationError
        No such file, or without ``refusal`` the first hand or file that cannot be read.
    VariantError
        A game that does not exist.
    JournalError
        The session of a folder is damaged, or of no shipped game.

    Examples
    --------
    >>> [str(action) for hand in read("STATE:0:rf:AhKd|7c2d:-10|10:Ann|Bob") for action in hand.actions]
    ['raise to 20', 'fold']
    """
    if is_session(source):
        return (each.record() for each in _session(Path(source)) if not each.is_aided)
    return door.read(source, refusal, game)


def is_session(source: door.HandSource) -> bool:
    """Whether a path is a folder that ``baycarp play`` wrote."""
    try:
        return (Path(source) / JOURNAL).is_file()
    except (OSError, ValueError):  # a text
        return False


def _session(folder: Path) -> list[Finished]:
    """The finished hands. The session may go on meanwhile."""
    seating = read_seating(folder)
    recorded = Recorded.of(folder / JOURNAL, seating.header())
    return Sitting(seating, recorded, folder=folder).finished


def read_played(
    path: Path, game: str | None = None, refusal: Refusal | None = None
) -> tuple[list[Hand], frozenset[int]]:
    """The first ``MOST`` hands of a log, or the finished ones of a folder of ``baycarp play``.

    Such a folder has the actions alone: its session is played again, which takes as long as the agents'
    decisions.

    Returns
    -------
    hands
        In order.
    aided
        The indices of those that count nowhere; see ``web.sitting.Finished``.

    Raises
    ------
    NotationError
        A log without a hand, or without ``refusal`` with one that cannot be read.
    JournalError
        A session of no shipped game, or without a finished hand.
    """
    if not is_session(path):
        return review.read(path, game, refusal), frozenset()
    found = _session(path)[:MOST]
    if not found:
        raise JournalError(f"{path / JOURNAL}: expected at least one finished hand")
    aided = frozenset(at for at, each in enumerate(found) if each.is_aided)
    return [each.record() for each in found], aided


def read_hands(path: Path, game: str | None = None, refusal: Refusal | None = None) -> list[Hand]:
    """The hands of ``read_played``, those with help included."""
    return read_played(path, game, refusal)[0]


def read_seating(folder: Path) -> Seating:
    """The table of a session, from the header of its journal.

    Raises
    ------
    JournalError
        A folder without a session of a shipped game.
    OSError
        The journal cannot be opened.
    """
    path = folder / JOURNAL
    try:
        with open_regular(path) as file:
            line = file.readline(LONGEST)
        header = parse_json(line.partition(b" ")[2])
        name = str(header["variant"])
        if not all(letter.isalnum() or letter in "._" for letter in name):
            raise ValueError(f"game {name[:40]!r}")
        names, specs = (tuple(map(str, header[key])) for key in ("names", "specs"))
        adviser, seed, limit = str(header["adviser"]), header["seed"], header["time_limit"]
        seed = whole(seed, "seed", 0, MOST_SEED)
        limit = None if limit is None else real(limit, "time_limit")
        usual = Variant.ring(len(specs) + 1)  # the game without --game; a shipped one may have its name
        games = [usual] if usual.name == name else []
        for variant in (*games, *([Variant.load(name)] if name in shipped() else [])):
            seating = Seating(variant, names, specs, adviser, seed, limit)
            if as_plain(dict(seating.header())) == header:
                return seating
        raise ValueError(f"another table than its game {name!r} and agents make")
    except (ValueError, KeyError, TypeError, AttributeError, BaycarpError) as error:
        detail = f"expected the session of a shipped game: {str(error)[:200]}"
        raise JournalError(f"{path}: {detail}") from error
