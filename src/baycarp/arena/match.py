"""Duplicate matches: the same decks in every seating, so that all players have the same luck of the deal."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from itertools import permutations
from typing import Any

from baycarp.agents.registry import identity
from baycarp.arena.decks import PLAYED, numbers
from baycarp.arena.journal import Unit
from baycarp.arena.session import HANDS, Played, Table, play_session
from baycarp.errors import TableError
from baycarp.game.variant import Variant

__all__ = ["Match", "Seating", "play_unit", "seatings"]

Seating = tuple[int, ...]
"""The index of the player, by seat at the table."""


def seatings(players: int) -> tuple[Seating, ...]:
    """The seatings of a duplicate match: every order of up to three players, every rotation of more.

    In each seat of the table every player sits equally often, so every player is dealt the same cards in the
    same positions (Rubin and Watson 2012, section 3.2).

    Examples
    --------
    >>> seatings(2)
    ((0, 1), (1, 0))
    >>> len(seatings(3)), len(seatings(8))
    (6, 8)
    >>> seatings(4)[1]
    (1, 2, 3, 0)
    """
    if players <= 3:
        return tuple(permutations(range(players)))
    return tuple(tuple((seat + shift) % players for seat in range(players)) for shift in range(players))


@dataclass(frozen=True, slots=True)
class Match:
    """A table whose sessions are each played once in every seating, with the same cards.

    Parameters
    ----------
    table
        Players and rules; its ``players`` and ``specs`` are by player.
    seatings
        Each a permutation of the players; empty = one seating, in the order of the names.
    hands
        Of a session. One that is cut short is a unit of its own, (session, seating, hands), so that a longer
        match goes on with the journal of a shorter one.

    Raises
    ------
    TableError
        A seating that is no permutation of the players, or no hands.

    Examples
    --------
    >>> game = Variant.load("holdem.limit.2p.reverse_blinds")
    >>> match = Match(Table(game, ("Ann", "Bob"), ("call", "call")), seatings(2), hands=4)
    >>> one, other = (play_unit(match, unit).net for unit in match.round(0))
    >>> (one + other).tolist()  # the same cards, the seats exchanged, the same play
    [[0, 0], [0, 0], [0, 0], [0, 0]]
    """

    table: Table
    seatings: tuple[Seating, ...] = ()
    hands: int = HANDS

    def __post_init__(self) -> None:
        players = list(range(len(self.table.players)))
        if not self.seatings:
            object.__setattr__(self, "seatings", (tuple(players),))
        for seating in self.seatings:
            if sorted(seating) != players:
                raise TableError(f"seating {seating}: expected the players {players} in some order")
        if self.hands < 1:
            raise TableError(f"hands of a session: expected at least 1, got {self.hands}")

    def round(self, session: int, hands: int | None = None) -> list[Unit]:
        """The units of one session, or of its first hands: one for each seating."""
        cut = () if hands in (None, self.hands) else (hands,)
        return [(session, seating, *cut) for seating in range(len(self.seatings))]

    def rounds(self, deals: int, first: int = PLAYED) -> list[list[Unit]]:
        """The units of a number of deals, session by session from number ``first`` on; the last may be cut.

        Raises
        ------
        TableError
            More sessions than there are for a purpose (``arena.decks``).
        """
        sessions = numbers(first, -(-deals // self.hands))
        last = deals - self.hands * (len(sessions) - 1)
        return [self.round(session, last if session == sessions[-1] else None) for session in sessions]

    def header(self) -> dict[str, Any]:
        """Everything that a unit depends on, as JSON values: the header of a journal.

        It loads every player, so that a run with one that cannot play ends before its first hand, as by
        ``Table.verify_players``.
        """
        table = self.table
        players = (identity(spec, table.variant) for spec in table.specs)
        return {
            "game": {part.name: getattr(table.variant, part.name) for part in fields(Variant) if part.init},
            "players": dict(zip(table.players, players, strict=True)),
            "seed": table.seed,
            "budget": asdict(table.budget) if table.budget else None,
            "stacks": table.stacks,
            "estimators": list(table.estimators),
            "seatings": [list(seating) for seating in self.seatings],
            "hands": self.hands,
        }


def play_unit(match: Match, unit: Unit, tick: Callable[[int], None] = lambda hand: None) -> Played:
    """Play one session in one seating; the columns of the result are players, not seats."""
    session, number, hands = (int(part) for part in (*unit, match.hands)[:3])
    seating = match.seatings[number]
    table = replace(
        match.table,
        players=tuple(match.table.players[player] for player in seating),
        specs=tuple(match.table.specs[player] for player in seating),
    )
    return play_session(table, session, hands, tick).by_player(seating)
