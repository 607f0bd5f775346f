"""A curriculum: which table each watched session is played at, one table or tables of several sizes.

Cases of one size alone leave a player without a similar case at others: before the flop the number of players
and the relative position are features, and a difference of six seats exceeds the threshold (Unger 2011,
section 5.4.3, with figure 5.8). The players of a mixed curriculum are those of the default table; at tables
of two an expert may play itself or another player instead, since players of full tables fold too much there.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from baycarp.arena.session import Table, split
from baycarp.errors import TableError, brief
from baycarp.game.variant import Variant

__all__ = ["SHARES", "TEACHER", "Curriculum", "named", "parse_seats", "shares_text", "single"]

SHARES: Mapping[int, int] = {2: 4, 3: 3} | dict.fromkeys(range(4, 11), 2)
"""The share of the hands of each table size; our choice. At small tables a hand gives fewer cases before the
flop, and those of other sizes are too far; after it cases of one size serve the others, and most differ at
large tables, where pots of several players are met."""

TEACHER = "Teacher"
"""The name of the expert at tables of two with another player."""


def named(specs: Sequence[str]) -> tuple[str, ...]:
    """Names of players by their specification; of equal ones the later are numbered from 2 on.

    Examples
    --------
    >>> named(("jake", "karma", "jake"))
    ('Jake', 'Karma', 'Jake 2')
    """
    before = [specs[:seat].count(spec) for seat, spec in enumerate(specs)]
    return tuple(
        f"{spec.capitalize()} {count + 1}" if count else spec.capitalize()
        for spec, count in zip(specs, before, strict=True)
    )


@dataclass(frozen=True)
class Curriculum:
    """The tables of the watched sessions; all sessions have the same number of hands.

    Parameters
    ----------
    seats
        The share of the hands by number of seats, 2..10: whole numbers of at least 1.
    seed
        Of the tables: with a session's number it fixes players, cards and draws.
    players
        Specifications of agents; each session seats as many as its table has, in an order of its own.
    only
        The only table, of which ``seats`` is the size; None = tables of the players.
    heads_up
        The specification of the agent in both seats of tables of two; empty = two of the players.
    against
        Its opponent there, whose decisions are no cases; empty = itself.

    Raises
    ------
    TableError
        No size, or sizes or shares out of range.

    Examples
    --------
    >>> mixed = Curriculum({2: 2, 3: 1}, 1, ("jake", "karma", "hari"))
    >>> [mixed.table(number).variant.seats for number in range(6)]
    [2, 3, 2, 2, 3, 2]
    """

    seats: Mapping[int, int]
    seed: int
    players: tuple[str, ...]
    only: Table | None = field(default=None)
    heads_up: str = ""
    against: str = ""

    def __post_init__(self) -> None:
        wrong = [size for size in self.seats if size not in range(2, 11) or not 1 <= self.seats[size] <= 100]
        if not self.seats or wrong:
            raise TableError(f"seats {dict(self.seats)}: expected shares of 1 to 100 by sizes of 2 to 10")
        if self.against and not self.heads_up:
            raise TableError(f"against {brief(self.against)}: expected with heads_up, whose opponent it is")

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of the sessions of one period, spread so that every beginning has about its shares."""
        total, given = sum(self.seats.values()), dict.fromkeys(self.seats, 0)
        order = []
        for step in range(1, total + 1):
            size = max(given, key=lambda each: step * self.seats[each] - total * given[each])
            given[size] += 1
            order.append(size)
        return tuple(order)

    def table(self, number: int) -> Table:
        """The table of a session."""
        if self.only is not None:
            return self.only
        count = self.sizes[number % len(self.sizes)]
        drawn = np.random.SeedSequence((self.seed, number, count)).generate_state(len(self.players))
        order = [self.players[player] for player in np.argsort(drawn, kind="stable")]
        specs = tuple(order[seat % len(order)] for seat in range(count))
        if count == 2 and self.heads_up:
            specs = (self.heads_up, self.against or self.heads_up)
        players = named(specs)
        if self.teachers(number):
            players = (TEACHER, players[1])
        return Table(Variant.ring(count), players, specs, self.seed)

    def teachers(self, number: int) -> tuple[str, ...] | None:
        """The players of a session whose decisions are cases; None = all."""
        alone = self.only is None and self.against and self.sizes[number % len(self.sizes)] == 2
        return (TEACHER,) if alone else None

    def split(self, hands: int) -> tuple[int, int]:
        """The number of sessions, in whole periods, and the hands of each (``arena.session.split``).

        Examples
        --------
        >>> Curriculum({2: 2, 3: 1}, 1, ("jake", "karma")).split(10_000)
        (21, 477)
        """
        period = len(self.sizes)
        count = period * math.ceil(split(hands)[0] / period)
        return count, math.ceil(hands / count)

    def about(self) -> dict[str, Any]:
        """What its sessions depend on, besides their numbers and hands, as JSON values."""
        if self.only is not None:
            names = dict(zip(self.only.players, self.only.specs, strict=True))
            return {"variant": self.only.variant.name, "players": names, "seed": self.seed}
        about = {"seats": shares_text(self.seats), "players": list(self.players), "seed": self.seed}
        about |= {"heads-up": self.heads_up} if self.heads_up else {}
        return about | ({"against": self.against} if self.against else {})

    @property
    def game(self) -> str:
        """The game, for a manifest: the variant's name, or of several sizes fixed limit."""
        return self.only.variant.name if self.only is not None else "holdem.limit"


def single(table: Table) -> Curriculum:
    """The curriculum of one table."""
    return Curriculum({table.variant.seats: 1}, table.seed, table.specs, table)


def parse_seats(text: str) -> dict[int, int]:
    """Read shares by table size: ``2-10`` (the shares of ``SHARES``), or ``2:4,3-6:2,8``, where 1 is usual.

    Raises
    ------
    TableError
        Any other text.

    Examples
    --------
    >>> parse_seats("2-4")
    {2: 4, 3: 3, 4: 2}
    >>> parse_seats("2:4,3-4:2,8")
    {2: 4, 3: 2, 4: 2, 8: 1}
    """
    shares: dict[int, int] = {}
    for part in text.split(","):
        match = re.fullmatch(r"([0-9]{1,2})(?:-([0-9]{1,2}))?(?::([0-9]{1,3}))?", part.strip())
        sizes = range(int(match[1]), int(match[2] or match[1]) + 1) if match else range(0)
        if match is None or not sizes or not set(sizes) <= set(SHARES) or shares.keys() & sizes:
            expected = "sizes of 2 to 10, each once, with shares: 2-10, or 2:4,3-6:2,8"
            raise TableError(f"seats {text[:80]!r}: expected {expected}")
        shares |= {
            size: int(match[3]) if match[3] else SHARES[size] if "," not in text else 1 for size in sizes
        }
    return shares


def shares_text(shares: Mapping[int, int]) -> str:
    """The text that ``parse_seats`` reads.

    Examples
    --------
    >>> shares_text({2: 4, 3: 3, 4: 2}), shares_text({2: 1, 6: 5})
    ('2:4,3:3,4:2', '2:1,6:5')
    """
    return ",".join(f"{size}:{share}" for size, share in shares.items())
