"""What a session's figures say: the counts of a statistics table, and win rates with their intervals."""

import math
from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from baycarp.game.state import State

__all__ = ["Rate", "Tally", "win_rate"]


@dataclass(frozen=True, slots=True)
class Rate:
    """A mean with its 95 % interval: ``mean`` +- ``margin`` in ``unit`` over ``n`` hands."""

    mean: float
    margin: float
    n: int
    unit: str = "sb/h"

    def __str__(self) -> str:
        return f"{self.mean:+.3f} +-{self.margin:.3f} {self.unit}"


def win_rate(net: NDArray[np.integer], small_bet: int) -> Rate:
    """Small bets won a hand, with the normal 95 % interval over hands.

    Parameters
    ----------
    net
        Chips won by hand, shape (n,).
    small_bet
        Chips of one small bet.
    """
    n = len(net)
    if n == 0:
        return Rate(math.nan, math.nan, 0)
    bets = net / small_bet
    margin = 1.96 * float(bets.std(ddof=1)) / math.sqrt(n) if n > 1 else math.inf
    return Rate(float(bets.mean()), margin, n)


@dataclass(slots=True)
class Tally:
    """Counts of one player (seed 000, figure 7.4): numbers of hands, and ``net`` chips.

    ``played`` counts hands with voluntary chips pre-flop (a blind alone is not), ``won`` those in which he
    took a pot or a share of one, ``uncontested`` those won without a showdown. ``asked`` counts decisions
    that asked a case-base, ``fell_back`` those for which no case reached the threshold, by street.
    """

    hands: int = 0
    net: int = 0
    played: int = 0
    won: int = 0
    uncontested: int = 0
    showdowns: int = 0
    showdowns_won: int = 0
    asked: Counter[int] = field(default_factory=Counter)
    fell_back: Counter[int] = field(default_factory=Counter)

    def consult(self, street: int, fell_back: bool) -> None:
        """Add a decision that asked a case-base."""
        self.asked[street] += 1
        self.fell_back[street] += fell_back

    def count(self, state: State, position: int, payoff: int) -> None:
        """Add a finished hand, seen from one position."""
        alive = position in state.seats_in
        showdown = alive and len(state.seats_in) > 1
        won = alive and payoff + state.committed[position] > 0
        self.hands += 1
        self.net += payoff
        self.played += any(
            act.seat == position and act.street == 0 and act.action.name in ("call", "bet", "raise")
            for act in state.acts
        )
        self.won += won
        self.uncontested += won and not showdown
        self.showdowns += showdown
        self.showdowns_won += won and showdown

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))

    def shares(self) -> dict[str, float]:
        """Percentages as in figure 7.4: ``showdowns_won`` of the showdowns seen, the others of all hands."""
        of = 100 / max(self.hands, 1)
        return {
            "played": of * self.played,
            "won": of * self.won,
            "uncontested": of * self.uncontested,
            "showdowns": of * self.showdowns,
            "showdowns_won": 100 * self.showdowns_won / self.showdowns if self.showdowns else math.nan,
        }
