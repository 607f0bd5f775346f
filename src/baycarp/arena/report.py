"""The results of sessions, as Unger (2011) shows them: statistics (figure 7.4) and win rates (7.3)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.measure import Rate, interval
from baycarp.arena.scores import unit_of
from baycarp.arena.session import Played, Table
from baycarp.arena.tally import Tally

__all__ = ["Report", "report"]


@dataclass(frozen=True, slots=True)
class Report:
    """Counts, win rates and hand-by-hand chips of every player, over sessions in order.

    Parameters
    ----------
    players
        Names by seat at the table.
    tallies, rates
        By seat.
    net
        int64, shape (hands, seats).
    small_bet
        Chips of one small bet, in no-limit of the big blind.
    unit
        Of rates and curves: ``"sb/h"``, in no-limit ``"mbb/h"``.
    """

    players: tuple[str, ...]
    tallies: tuple[Tally, ...]
    rates: tuple[Rate, ...]
    net: NDArray[np.int64]
    small_bet: int
    unit: str = "sb/h"

    @property
    def chips(self) -> float:
        """Chips of one unit: a small bet, or a thousandth of a big blind."""
        return self.small_bet if self.unit == "sb/h" else self.small_bet / 1000

    def curve(self, player: str) -> NDArray[np.float64]:
        """The win rate up to each hand (figure 7.3), in ``unit``; shape (hands,)."""
        won = np.cumsum(self.net[:, self.players.index(player)])
        return np.asarray(won / self.chips / np.arange(1, len(won) + 1), np.float64)

    def rows(self) -> list[dict[str, float | int | str]]:
        """One row a player, by name: the columns of figure 7.4 and the win rate with its interval."""
        return [
            {
                "player": player,
                "hands": tally.hands,
                "net": tally.net,
                **tally.shares(),
                "rate": rate.mean,
                "margin": rate.margin,
            }
            for player, tally, rate in sorted(zip(self.players, self.tallies, self.rates, strict=True))
        ]


def report(table: Table, sessions: Sequence[Played]) -> Report:
    """Add up sessions, given in order."""
    (unit, _), small_bet = unit_of(table.variant), table.variant.small_bet
    seats = range(table.variant.seats)
    net = np.concatenate([np.zeros((0, len(seats)), np.int64), *(played.net for played in sessions)])
    tallies = tuple(sum((played.tallies[seat] for played in sessions), Tally()) for seat in seats)
    empty = Report(table.players, tallies, (), net, small_bet, unit)
    return replace(empty, rates=tuple(interval(net[:, seat] / empty.chips, unit=unit) for seat in seats))
