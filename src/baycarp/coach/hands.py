"""The hands that are reviewed: of a log, or of the folder that a session in the browser was recorded in."""

import json
from pathlib import Path

from baycarp.arena.journal import Journal
from baycarp.errors import BaycarpError, JournalError
from baycarp.files import open_regular, parse_json
from baycarp.game import Variant
from baycarp.game.notation.hand import Hand, Refusal
from baycarp.game.variant import shipped
from baycarp.web.review import MOST, read
from baycarp.web.sitting import Seating, Sitting

__all__ = ["read_hands", "read_seating"]

JOURNAL = "play.journal"

LONGEST = 1 << 16
"""Greatest length of a header, in bytes."""


def read_hands(path: Path, game: str, refusal: Refusal | None = None) -> list[Hand]:
    """The first ``MOST`` hands of a log, or the finished ones of a folder of ``baycarp play``.

    A folder has the actions alone: its session is played again, which takes as long as the agents' decisions.

    Raises
    ------
    NotationError
        A log without a hand, or without ``refusal`` with one that cannot be read.
    JournalError
        A folder without a session of a shipped game, or without a finished hand.
    OSError
        The file cannot be opened.
    """
    if not path.is_dir():
        return read(path, game, refusal)
    seating = read_seating(path)
    with Journal(path / JOURNAL, seating.header()) as journal:
        hands = [each.record() for each in Sitting(seating, journal).finished[:MOST]]
    if not hands:
        raise JournalError(f"{path / JOURNAL}: expected at least one finished hand")
    return hands


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
        adviser, seed, limit = str(header["adviser"]), int(header["seed"]), header["time_limit"]
        limit = None if limit is None else float(limit)
        usual = Variant.ring(len(specs) + 1)  # the game without --game; a shipped one may have its name
        games = [usual] if usual.name == name else []
        for variant in (*games, *([Variant.load(name)] if name in shipped() else [])):
            seating = Seating(variant, names, specs, adviser, seed, limit)
            if json.loads(json.dumps(dict(seating.header()))) == header:
                return seating
        raise ValueError(f"another table than its game {name!r} and agents make")
    except (ValueError, KeyError, TypeError, AttributeError, BaycarpError) as error:
        detail = f"expected the session of a shipped game: {str(error)[:200]}"
        raise JournalError(f"{path}: {detail}") from error
