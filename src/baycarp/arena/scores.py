"""Win rates over blocks of duplicate deals, and differences on the same decks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.journal import Unit
from baycarp.arena.measure import Rate, interval
from baycarp.arena.session import Played
from baycarp.errors import TableError, brief
from baycarp.game.variant import Variant

__all__ = ["Scores", "scores", "unit_of"]

NET = "net"
"""The plain estimator: chips won."""


@dataclass(frozen=True, slots=True)
class Scores:
    """The winnings of players on every deal, the mean over its seatings.

    Parameters
    ----------
    players
        Names.
    blocks
        By estimator: float64, shape (deals, players), in ``unit``.
    seatings
        In how many seatings each deal was played.
    unit
        ``"sb/h"``, or ``"mbb/h"`` in no-limit; a protocol's own.
    """

    players: tuple[str, ...]
    blocks: Mapping[str, NDArray[np.float64]]
    seatings: int
    unit: str

    def won(self, player: str, estimator: str = NET) -> NDArray[np.float64]:
        """The winnings of a player on each deal; float64, shape (deals,).

        Raises
        ------
        TableError
            No such player or estimator.
        """
        if player not in self.players:
            raise TableError(f"player {brief(player)}: expected one of {', '.join(self.players)}")
        if estimator not in self.blocks:
            raise TableError(f"estimator {brief(estimator)}: expected one of {', '.join(self.blocks)}")
        return self.blocks[estimator][:, self.players.index(player)]

    def rate(self, player: str, estimator: str = NET) -> Rate:
        """The win rate of a player."""
        return interval(self.won(player, estimator), self.seatings, self.unit)

    def difference(self, one: str, other: str, estimator: str = NET) -> Rate:
        """The difference of two players' win rates, paired deal by deal."""
        return interval(self.won(one, estimator) - self.won(other, estimator), self.seatings, self.unit)

    def verdict(self, one: str, other: str, estimator: str = NET) -> str:
        """``one > other``, ``other > one``, or that the difference is not significant."""
        difference = self.difference(one, other, estimator)
        if not abs(difference.mean) > difference.margin:
            return f"{one} and {other}: no significant difference in {difference.n} hands"
        return f"{one} > {other}" if difference.mean > 0 else f"{other} > {one}"


def unit_of(variant: Variant) -> tuple[str, float]:
    """The unit of win rates in a game, and the value of a chip in it.

    Examples
    --------
    >>> unit_of(Variant.load("holdem.limit.2p.reverse_blinds"))
    ('sb/h', 0.1)
    >>> unit_of(Variant.load("holdem.nolimit.2p.reverse_blinds"))
    ('mbb/h', 10.0)
    """
    if variant.betting == "limit":
        return "sb/h", 1 / variant.small_bet
    return "mbb/h", 1000 / variant.big_blind


def scores(
    variant: Variant,
    players: Sequence[str],
    played: Mapping[Unit, Played],
    measure: tuple[str, float] | None = None,
) -> Scores:
    """Put the units of a match together, every session in all its seatings.

    Parameters
    ----------
    variant, players
        As at the match's table.
    played
        By unit; the columns of each are players.
    measure
        The unit of win rates and the value of a chip in it; None = those of ``unit_of``.
    """
    unit, chip = measure or unit_of(variant)
    sessions: dict[int | str, list[Played]] = {}
    for (session, *_), each in sorted(played.items()):
        sessions.setdefault(session, []).append(each)
    counts = {len(each) for each in sessions.values()}
    if len(counts) > 1:
        raise TableError(f"sessions in {sorted(counts)} seatings: expected every session in all of them")
    for number, several in sessions.items():
        if {one.net.shape for one in several} != {(len(several[0].net), len(players))}:
            shapes = [one.net.shape for one in several]
            raise TableError(f"session {number}: hands and players {shapes}: expected {len(players)} players")
    names = next(iter(played.values())).estimates if played else ()
    blocks = {
        name: np.concatenate(
            [
                np.mean([chip * (one.estimates[name] if name != NET else one.net) for one in each], axis=0)
                for each in sessions.values()
            ]
            or [np.zeros((0, len(players)))]
        )
        for name in (NET, *names)
    }
    return Scores(tuple(players), blocks, counts.pop() if counts else 1, unit)
