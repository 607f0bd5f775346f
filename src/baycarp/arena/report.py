"""The results of sessions, as Unger (2011) shows them: statistics (figure 7.4) and win rates (7.3)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.measure import Rate, interval
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
        Chips of one small bet.
    """

    players: tuple[str, ...]
    tallies: tuple[Tally, ...]
    rates: tuple[Rate, ...]
    net: NDArray[np.int64]
    small_bet: int

    def curve(self, player: str) -> NDArray[np.float64]:
        """Small bets a hand up to each hand (figure 7.3); shape (hands,)."""
        won = np.cumsum(self.net[:, self.players.index(player)])
        return np.asarray(won / self.small_bet / np.arange(1, len(won) + 1), np.float64)

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
    small_bet = table.variant.small_bet
    seats = range(table.variant.seats)
    net = np.concatenate([np.zeros((0, len(seats)), np.int64), *(played.net for played in sessions)])
    tallies = tuple(sum((played.tallies[seat] for played in sessions), Tally()) for seat in seats)
    rates = tuple(interval(net[:, seat] / small_bet) for seat in seats)
    return Report(table.players, tallies, rates, net, small_bet)
