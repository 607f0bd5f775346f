"""The winner of a tournament, with its confidence: bankroll and instant run-off (Rubin and Watson 2012, 3.2).

Both go by win rates over the games among a pool of agents. Total bankroll takes every agent once; the run-off
drops the last of the pool and counts again among the rest, so that no agent ranks high by its winnings from
weak agents alone. The confidence in an order comes from a bootstrap over the deals: all tables play the same
decks, so a deal is drawn with its results in every game.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.measure import Rate, interval
from baycarp.errors import TableError
from baycarp.kernels.arguments import seeded

__all__ = [
    "RULES",
    "Ranking",
    "Results",
    "Round",
    "instant_runoff",
    "order_shares",
    "places",
    "rank_agents",
    "total_bankroll",
]

SURE = 0.975
"""Share of the orders drawn in which a named winner is first: what lies above one end of a 95 % interval."""


@dataclass(frozen=True)
class Results:
    """The results of every game of a tournament, deal by deal.

    Parameters
    ----------
    agents
        Names.
    games
        The agents of each game, by index, all games of one size.
    blocks
        One array a game, in its order: float64, shape (deals, seats): ``unit`` won a hand, the mean over the
        seatings of a duplicate deal. Deal i is the same cards in all games.
    unit
        ``"sb/h"`` or ``"mbb/h"``.
    seatings
        In how many seatings each deal was played.
    judge
        The estimator that the blocks are by.

    Raises
    ------
    TableError
        Games of different sizes, or blocks that do not fit them.
    """

    agents: tuple[str, ...]
    games: tuple[tuple[int, ...], ...]
    blocks: tuple[NDArray[np.float64], ...]
    unit: str
    seatings: int = 1
    judge: str = "net"

    def __post_init__(self) -> None:
        if len({len(game) for game in self.games}) != 1:
            raise TableError(f"games {self.games}: expected at least one, all of one size")
        shape = (len(self.blocks[0]), len(self.games[0])) if self.blocks else (0, 0)
        if len(self.blocks) != len(self.games) or any(block.shape != shape for block in self.blocks):
            shapes = [block.shape for block in self.blocks]
            raise TableError(f"blocks of shapes {shapes}: expected {len(self.games)} of one shape, {shape}")

    @property
    def seats(self) -> int:
        """Of every game."""
        return len(self.games[0])

    @property
    def deals(self) -> int:
        """Duplicate deals of every game."""
        return len(self.blocks[0])

    @cached_property
    def rows(self) -> NDArray[np.float64]:
        """All games side by side, shape (deals, games * seats)."""
        return np.concatenate(self.blocks, axis=1)

    @cached_property
    def _members(self) -> NDArray[np.intp]:
        return np.array(self.games, np.intp)

    def bankrolls(self, rates: NDArray[np.float64], pool: tuple[int, ...]) -> NDArray[np.float64]:
        """Mean win rate of each of a pool over the games among them alone.

        Parameters
        ----------
        rates
            Of every column of ``rows``.

        Raises
        ------
        TableError
            An agent has no game among them: too few groups were drawn.
        """
        inside = np.zeros(len(self.agents), bool)
        inside[list(pool)] = True
        played = inside[self._members].all(axis=1)
        members = self._members[played].ravel()
        count = np.bincount(members, minlength=len(self.agents))[list(pool)]
        if not count.all():
            alone = [self.agents[agent] for agent, games in zip(pool, count, strict=True) if not games]
            raise TableError(f"{', '.join(alone)}: no game among the {len(pool)} still in")
        won = rates.reshape(-1, self.seats)[played].ravel()
        totals = np.bincount(members, won, len(self.agents))[list(pool)]
        return np.round(totals / count, 9)  # sums that differ by the order of addition are equal

    def rate(self, agent: int, pool: tuple[int, ...]) -> Rate:
        """Win rate of one over the games among a pool, with its interval over deals."""
        return self._rate(self._series(agent, pool))

    def difference(self, one: int, other: int, pool: tuple[int, ...]) -> Rate:
        """The difference of two agents' win rates in the games among a pool, paired deal by deal."""
        return self._rate(self._series(one, pool) - self._series(other, pool))

    def against(self, agent: int, other: int) -> Rate | None:
        """Win rate of one over the games in which another sat too; None where they never met."""
        columns = [column for column, game in self._columns(agent) if other in game]
        return self._rate(self.rows[:, columns].mean(axis=1)) if columns and agent != other else None

    def _columns(self, agent: int) -> list[tuple[int, tuple[int, ...]]]:
        games = enumerate(self.games)
        return [(self.seats * n + game.index(agent), game) for n, game in games if agent in game]

    def _series(self, agent: int, pool: tuple[int, ...]) -> NDArray[np.float64]:
        columns = [column for column, game in self._columns(agent) if set(game) <= set(pool)]
        return np.asarray(self.rows[:, columns].mean(axis=1), np.float64)

    def _rate(self, series: NDArray[np.float64]) -> Rate:
        return interval(series, self.seatings, self.unit)


@dataclass(frozen=True, slots=True)
class Round:
    """Bankrolls among the agents that were still in, in the order of ``pool``."""

    pool: tuple[int, ...]
    bankrolls: NDArray[np.float64]

    def above_last(self) -> tuple[int, ...]:
        """The agents with more than the lowest bankroll; several may share the last place."""
        last = self.bankrolls.min()
        return tuple(agent for agent, won in zip(self.pool, self.bankrolls, strict=True) if won > last)


Rule = Callable[[Results, NDArray[np.float64]], list[Round]]

_AT_ONCE = 50
"""Bootstrap samples whose means are taken in one product of matrices."""


def total_bankroll(results: Results, rates: NDArray[np.float64]) -> list[Round]:
    """One round among all agents; ``rates`` are of the columns of ``results.rows``."""
    pool = tuple(range(len(results.agents)))
    return [Round(pool, results.bankrolls(rates, pool))]


def instant_runoff(results: Results, rates: NDArray[np.float64]) -> list[Round]:
    """Round after round without the last, down to as many as fill one table."""
    rounds = total_bankroll(results, rates)
    while len(pool := rounds[-1].above_last()) >= results.seats:
        rounds.append(Round(pool, results.bankrolls(rates, pool)))
    return rounds


RULES: dict[str, Rule] = {"total bankroll": total_bankroll, "instant run-off": instant_runoff}
"""By name."""


def places(rounds: list[Round]) -> NDArray[np.int64]:
    """The place of each agent, from 1: by the last round, then by when it was dropped; equals share a place.

    Examples
    --------
    >>> places([Round((0, 1, 2), np.array([0.5, -0.7, 0.2])), Round((0, 2), np.array([-0.1, 0.1]))])
    array([2, 3, 1])
    """
    place = np.zeros(len(rounds[0].pool), np.int64)
    for left, stayed in pairwise(rounds):
        place[list(set(left.pool) - set(stayed.pool))] = len(stayed.pool) + 1
    final = rounds[-1]
    place[list(final.pool)] = 1 + (final.bankrolls[None, :] > final.bankrolls[:, None]).sum(axis=1)
    return place


def order_shares(results: Results, rule: Rule, resamples: int, seed: int) -> NDArray[np.float64]:
    """The share of the drawn orders in which an agent takes a place.

    Parameters
    ----------
    resamples
        Bootstrap samples of the deals.
    seed
        Fixes them.

    Returns
    -------
    ndarray of float64, shape (agents, agents)
        Agent by place; a row sums to 1.
    """
    count, deals = len(results.agents), results.deals
    shares = np.zeros((count, count))
    draw = seeded(seed)
    for first in range(0, resamples, _AT_ONCE):
        drawn = [draw.integers(deals, size=deals) for _ in range(min(_AT_ONCE, resamples - first))]
        times = np.array([np.bincount(sample, minlength=deals) for sample in drawn], np.float64)
        for rates in times @ results.rows / deals:
            shares[np.arange(count), places(rule(results, rates)) - 1] += 1
    return shares / resamples


@dataclass(frozen=True)
class Ranking:
    """The order by one rule.

    Parameters
    ----------
    rule
        Its name in ``RULES``.
    results
        The results that are ranked.
    rounds, places
        The rounds of the rule, and the place of each agent.
    shares
        See ``order_shares``.
    """

    rule: str
    results: Results
    rounds: list[Round]
    places: NDArray[np.int64]
    shares: NDArray[np.float64]

    @property
    def order(self) -> list[int]:
        """Agents by place."""
        return sorted(range(len(self.places)), key=lambda agent: int(self.places[agent]))

    def rate(self, agent: int) -> Rate:
        """Win rate in the last round that the agent saw."""
        return self.results.rate(agent, next(a.pool for a in reversed(self.rounds) if agent in a.pool))

    @property
    def winner(self) -> str | None:
        """The first, if its place is significant; else None.

        It is significant if the agent is ahead of all others in the last round by more than the paired 95 %
        interval, and first in 97.5 % of the orders drawn.
        """
        first, final = self.order[0], self.rounds[-1].pool
        leads = [self.results.difference(first, other, final) for other in final if other != first]
        clear = all(lead.mean > lead.margin for lead in leads) and self.shares[first, 0] >= SURE
        return self.results.agents[first] if clear else None


def rank_agents(results: Results, rule: str, resamples: int = 1000, seed: int = 0) -> Ranking:
    """Rank the agents by a rule of ``RULES``."""
    rounds = RULES[rule](results, results.rows.mean(axis=0))
    return Ranking(rule, results, rounds, places(rounds), order_shares(results, RULES[rule], resamples, seed))
