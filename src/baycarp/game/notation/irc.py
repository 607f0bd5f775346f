"""The IRC poker database: hands of people, fixed limit, in three tables that are joined here. Read only.

    hdb       time set game players  players/pot at flop, turn, river, showdown  board
    hroster   time players names
    pdb       name time players position  actions by street  bankroll chips-in chips-won  cards if shown

Actions are letters: B blind, f fold, k check, b bet, c call, r raise, Q quit, K kicked; ``-`` none. A is no
action: it records that the one before it put the player all-in.

Position 1 is the first left of the button (our 0). It posts the small blind and position 2 the big one; where
the small blind is dead, position 1 posts the big blind. **Heads-up, position 1 is the small blind and is
called first on every street**: the order of a ring, not reverse blinds.
"""

import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from os import PathLike
from pathlib import Path

from baycarp.errors import NotationError, reason
from baycarp.files import decimal_text, read_bytes
from baycarp.files.archives import is_tar_of, tar_members
from baycarp.game.action import STREETS
from baycarp.game.notation.hand import Hand, Refusal, Refused, Transcript, attempt, card_ids
from baycarp.game.seats import seat_names
from baycarp.game.variant import Variant

__all__ = ["is_database", "read_archive", "read_tables"]

TABLES = ("hdb", "hroster", "pdb")
GONE = frozenset("KQ")
_NUMBER = re.compile(r"[0-9]{1,18}")
SEATS = 10
"""The most seats of a game here; the server knew tables of twelve."""
LARGEST, RATIO = 1 << 26, 50
"""The tables have at most this number of bytes in all, or this multiple of the archive's if that is more."""


def read_archive(path: str | PathLike[str], refusal: Refusal | None = None) -> Iterator[Hand]:
    """Read the hands of a tar (packed or not) or a folder that holds the three tables.

    Parameters
    ----------
    path
        The archive; its files are read, never unpacked to disk. The third table may be a folder ``pdb`` with
        a file ``pdb.NAME`` for each player, as the database has it.
    refusal
        Called with each hand that cannot be joined or replayed, as a ``Refused`` whose reason can be counted;
        without it the first one is raised.

    Raises
    ------
    NotationError
        The archive cannot be read, or lacks a table.
    """
    texts: dict[str, list[str]] = {}
    try:
        for table, rows in _unpacked(Path(path)):
            texts.setdefault(table, []).append(rows)
    except (OSError, ValueError) as error:
        raise NotationError(f"{path}: cannot be read: {reason(error)}") from error
    missing = [table for table in TABLES if table not in texts]
    if missing:
        raise NotationError(f"{path}: expected the tables {', '.join(TABLES)}, found no {missing[0]}")
    hdb, hroster, pdb = ("".join(texts[table]) for table in TABLES)
    yield from read_tables(hdb, hroster, pdb, refusal, f"{path}/")


def read_tables(
    hdb: str, hroster: str, pdb: str, refusal: Refusal | None = None, where: str = ""
) -> Iterator[Hand]:
    """Join the three tables, given as text; hands come in the order of ``hdb``; ``where`` they are from."""
    rosters = (line.split(maxsplit=SEATS + 3) for line in hroster.splitlines())
    names = {fields[0]: fields[2 : SEATS + 3] for fields in rosters if fields}
    rows: dict[str, list[list[str]]] = {}
    for line in pdb.splitlines():
        fields = line.split()
        if len(fields) > 1:
            rows.setdefault(fields[1], []).append(fields)
    for number, line in enumerate(hdb.splitlines(), start=1):
        if fields := line.split():
            place = f"{where}hdb line {number} (hand {fields[0][:20]})"
            yield from attempt(partial(_join, fields, names, rows), place, refusal)


def is_database(path: Path) -> bool:
    """Whether a path is a folder with the three tables, or an archive whose first file is one of them."""
    try:
        if path.is_dir():
            return (path / "hdb").is_file() and (path / "hroster").is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False
    return is_tar_of(path, _table)


def _table(name: str) -> str:
    """The table that a file belongs to; "" = none."""
    *folders, file = name.split("/")
    if file in TABLES:
        return file
    return "pdb" if folders[-1:] == ["pdb"] and file.startswith("pdb.") else ""


def _unpacked(path: Path) -> Iterator[tuple[str, str]]:
    if path.is_dir():
        for file in sorted(path.rglob("*")):
            if file.is_file() and (table := _table(file.relative_to(path).as_posix())):
                yield table, read_bytes(file, LARGEST * 16).decode("ascii")
        return
    for name, data in tar_members(path, _table, max(LARGEST, RATIO * path.stat().st_size)):
        yield _table(name), data.decode("ascii")


@dataclass(frozen=True, slots=True)
class _Row:
    """One player's row of ``pdb``."""

    name: str
    position: int
    blind: bool
    actions: tuple[str, ...]
    bankroll: int
    paid: int
    won: int
    hole: tuple[int, ...]


def _row(fields: list[str]) -> _Row:
    if len(fields) not in (11, 13):
        raise Refused("broken player row", f"{len(fields)} fields: expected 11, or 13 with cards")
    try:
        position, bankroll, paid, won = (int(decimal_text(fields[at])) for at in (3, 8, 9, 10))
    except ValueError as error:
        raise Refused("broken player row", str(error)) from error
    actions = tuple(word.strip("-").lstrip("B").replace("A", "") for word in fields[4:8])
    hole = card_ids("".join(fields[11:]))
    return _Row(fields[0], position, fields[4].startswith("B"), actions, bankroll, paid, won, hole)


def _join(fields: list[str], names: Mapping[str, list[str]], rows: Mapping[str, list[list[str]]]) -> Hand:
    if len(fields) < 8 or not (_NUMBER.fullmatch(fields[0]) and _NUMBER.fullmatch(fields[3])):
        raise Refused("broken hand row", f"{' '.join(fields)[:80]!r}")
    time, seats = fields[0], int(fields[3])
    if not 2 <= seats <= SEATS:
        raise Refused("more than ten seats" if seats > SEATS else "broken hand row", f"{seats} players")
    found = rows.get(time, [])
    if len(found) > SEATS:  # before all are read, for each of many lines with the time of one hand
        raise Refused("player rows missing", f"{len(found)} rows for {seats} players")
    players = sorted(map(_row, found), key=lambda row: row.position)
    if [row.position for row in players] != list(range(1, seats + 1)):
        raise Refused("player rows missing", f"{len(players)} rows for {seats} players")
    if sorted(names.get(time, [])) != sorted(row.name for row in players):
        roster = " ".join(name[:20] for name in names.get(time, []))
        raise Refused("roster of others", f"{roster!r}: expected the players of the hand")
    script = Transcript(
        _variant(seats, _blinds(players)),
        tuple(row.bankroll for row in players),
        tuple(row.hole for row in players),
        card_ids("".join(fields[8:]), 0, 3, 4, 5),
    )
    _play(script, players)
    return script.hand(
        stacks=tuple(row.bankroll for row in players),
        players=tuple(row.name for row in players),
        payoffs=tuple(row.won - row.paid for row in players),
        id=int(time),
    )


def _blinds(players: list[_Row]) -> int:
    """How many blinds were posted: two, or the big blind alone."""
    posted = [row.position for row in players if row.blind]
    if posted not in ([1], [1, 2]):
        raise Refused("blinds out of place", f"posted by {posted}: expected positions 1 and 2, or 1 alone")
    return len(posted)


@cache
def _variant(seats: int, blinds: int) -> Variant:
    """The game: 10/20 with blinds 5 and 10. The server set no cap that every hand keeps."""
    return Variant(
        name=f"IRC limit {seats}",
        betting="limit",
        seats=seats,
        blinds=((5, 10) if blinds == 2 else (10, 0)) + (0,) * (seats - 2),
        antes=(0,) * seats,
        stacks=None,
        raise_sizes=(10, 10, 20, 20),
        max_raises=(None,) * 4,
        first=(blinds % seats, 0, 0, 0),
    )


def _play(script: Transcript, players: list[_Row]) -> None:
    """Call each player in the order of the rules and take the next letter of its row."""
    state = script.state
    letters = [[deque(word) for word in row.actions] for row in players]
    while state.to_act is not None:
        seat, street = state.to_act, state.street
        left = letters[seat][street]
        if not left:
            raise Refused(
                _leaving(players) or "no action recorded", f"{state.acting} on the {STREETS[street]}"
            )
        letter = left.popleft()
        if letter in GONE:
            # A player that leaves folds; it may leave before its next turn, so the letter stays.
            left.append(letter)
            script.fold()
        else:
            _do(script, letter)
        if left and set(left) <= GONE:
            for later in letters[seat][street:]:
                later.append("Q")
    _check(script, players, [word for words in letters for word in words])


def _check(script: Transcript, players: list[_Row], left: list[deque[str]]) -> None:
    """Every action was needed, all chips add up, and an uncontested pot went to the remaining player."""
    state = script.state
    over = set().union(*left) - GONE
    if over:
        raise Refused("actions left over", f"{''.join(sorted(over))} after the end of the hand")
    if len(script.board) != (0, 3, 4, 5)[state.street]:
        detail = f"{len(script.board)} cards, where the betting ended on the {STREETS[state.street]}"
        raise Refused("board of another street", detail)
    paid = tuple(row.paid for row in players)
    if state.committed != paid:
        raise Refused("chips do not add up", f"paid {paid}: expected {state.committed} by the actions")
    if len(state.seats_in) == 1 and not players[state.seats_in[0]].won:
        winner = seat_names(state.variant)[state.seats_in[0]]
        raise Refused(_leaving(players) or "pot to another", f"{winner} won nothing")


def _leaving(players: list[_Row]) -> str:
    """Why the order of the rules fails: the tables do not record *when* a player left."""
    return "left out of turn" if any(GONE & set(word) for row in players for word in row.actions) else ""


def _do(script: Transcript, letter: str) -> None:
    state = script.state
    if letter == "f":
        script.fold()
    elif letter in "kc":
        if (letter == "k") != (state.owed == 0):
            raise Refused("illegal action", f"{letter!r} where {state.owed} is owed")
        script.stay()
    elif letter in "br":
        if set(state.seats_in) - set(state.all_in) == {state.to_act}:
            raise Refused("raise that nobody can answer", f"{state.acting}: all others are all-in")
        script.push()
    else:
        raise Refused("unknown action", f"{letter!r}: expected one of f k b c r Q K")
