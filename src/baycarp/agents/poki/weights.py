"""Weight tables: the likelihood of an opponent's actions, given each of the 1,326 holdings.

Every opponent has a table, fresh with each hand, and action frequencies, kept between hands. Before the flop
an action implies a threshold hand, and holdings below it lose weight (Papp 1998, chapter 7); after it each
action multiplies the weights by the probability that the holding would have done it (Billings et al. 1999).
A table is made from all observations of the hand so far, whenever it is requested.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from baycarp.card import HOLDS, blocked_by
from baycarp.game.state import Observation
from baycarp.kernels import simulation
from baycarp.rules.betting.context import FOLD_CALL_RAISE, LimitSpot, Rules, spots
from baycarp.rules.income import income_group, percentiles
from baycarp.rules.strength import holding_values

__all__ = ["DEFAULTS", "Frequencies", "OpponentFrequencies", "factor", "field", "weigh"]

Array = NDArray[np.float64]

DEFAULTS: Array = np.array([[0.0, 0.5, 0.5], [0.5, 0.3, 0.2], [0.7, 0.2, 0.1]])
"""Frequencies of (fold, check or call, bet or raise) by bets to call 0, 1, 2+ (Papp 1998, appendix B.2)."""

PSEUDO_COUNTS = 20.0
"""The weight of the defaults in observations; our choice."""

LEAST = 0.01
"""No holding's weight falls below it (Papp 1998, section 7.2)."""

SIGMA = 0.2
"""Half the width of the ramp round the threshold hand, in percentiles: Peña's example, for every action."""

MOST_SHIFT = 0.15
"""The largest shift of the thresholds by a player's frequencies; our choice."""


class Frequencies:
    """The action counts of one opponent, by street and bets to call, blended with the defaults."""

    __slots__ = ("_counts", "_read")

    def __init__(self) -> None:
        self._counts = np.zeros((4, 3, 3))
        self._read: dict[tuple[int, int], Rules] = {}  # what ``rules`` gave since that was last counted

    def see(self, spot: LimitSpot, column: int) -> None:
        """Count one action: 0 fold, 1 check or call, 2 bet or raise."""
        street, price = spot.street, spot.price
        self._counts[street, price, column] += 1
        self._read.pop((street, price), None)

    def of(self, street: int, price: int) -> Array:
        """The frequencies of (fold, call, raise) in one situation; they sum to 1."""
        counts = self._counts[street, price]
        return np.asarray((counts + PSEUDO_COUNTS * DEFAULTS[price]) / (counts.sum() + PSEUDO_COUNTS))

    def rules(self, street: int, price: int) -> Rules:
        """The rules by which this opponent's action on a street, at a number of bets to call, is interpreted.

        A player that raises oftener than the default raises with less, one that folds less calls with less:
        thresholds move by the difference of the frequencies. The scale of the move is our choice.
        """
        read = self._read.get((street, price))
        if read is None:
            fold, _, bold = np.clip(
                self.of(street, price) - DEFAULTS[price], -MOST_SHIFT, MOST_SHIFT
            ).tolist()
            read = self._read[street, price] = Rules(strong=0.85 - bold, good=0.50 - bold, odds=fold)
        return read


def factor(value: Array, mu: float, sigma: float = SIGMA) -> Array:
    """The re-weighting factor of hands by their value against a threshold hand.

    Parameters
    ----------
    value
        float64, 0..1, of every hand.
    mu, sigma
        The threshold and its spread.

    Returns
    -------
    float64
        0.01 below mu - sigma, 1 above mu + sigma, linear between (Papp 1998, section 7.2.1).

    Examples
    --------
    >>> factor(np.array([0.3, 0.6, 0.9]), mu=0.6)
    array([0.01, 0.5 , 1.  ])
    """
    return np.clip((value - mu) / (2 * sigma) + 0.5, LEAST, 1.0)


def weigh(observation: Observation, known: Mapping[int, Frequencies]) -> Array:
    """The weight table of every opponent still in, from all observations of this hand.

    Parameters
    ----------
    observation
        The hand from one seat; its hole cards and the board are blocked.
    known
        Frequencies by position; an absent player has the defaults (generic modelling).

    Returns
    -------
    float64, shape (seats, 1326)
        Weights in [0.01, 1], 0 where blocked; rows of empty seats, the seat itself and folded seats are 0.
    """
    tables = np.zeros((observation.variant.seats, HOLDS.shape[1]))
    others = [seat for seat in observation.state.seats_in if seat != observation.seat]
    seen = {seat: _Evidence() for seat in others}
    generic = Frequencies()
    for act, spot in spots(observation.acts, observation.variant, others):
        column, of, evidence = FOLD_CALL_RAISE[act.action.name], known.get(act.seat, generic), seen[act.seat]
        if spot.street:
            evidence = replace(
                evidence, acts=(*evidence.acts, (spot, of.rules(spot.street, spot.price), column))
            )
        elif (mu := _threshold(spot, column, of)) > evidence.threshold:
            evidence = _Evidence(income_group(spot.joined, spot.behind), mu)
        seen[act.seat] = evidence
    board = tuple(observation.board)
    for seat, evidence in seen.items():
        tables[seat] = _table(evidence, board)
    tables[:, blocked_by([*observation.hole, *observation.board])] = 0.0
    return tables


@dataclass(frozen=True, slots=True)
class _Evidence:
    """What an opponent's table depends on, besides the board.

    Parameters
    ----------
    group, threshold
        Before the flop: the income-rate table of the greatest threshold, and that threshold; 0 = none.
    acts
        After it: the situation of each act, how it is interpreted, and its column of the triple.
    """

    group: int = 0
    threshold: float = 0.0
    acts: tuple[tuple[LimitSpot, Rules, int], ...] = ()


@lru_cache(maxsize=512)
def _table(evidence: _Evidence, board: tuple[int, ...]) -> Array:
    """The weights before cards are blocked; players that have watched the same hands read an act alike."""
    if not evidence.acts:
        if evidence.threshold:
            return factor(percentiles()[evidence.group], evidence.threshold)
        return np.ones(HOLDS.shape[1])
    *before, (spot, rules, column) = evidence.acts
    shown = board[: spot.street + 2]
    table = _table(replace(evidence, acts=tuple(before)), shown if before else ())
    return np.clip(table * _likelihood(spot, rules, shown, column), LEAST, 1.0)


@lru_cache(maxsize=256)
def _likelihood(spot: LimitSpot, rules: Rules, board: tuple[int, ...], column: int) -> Array:
    """The probability that each holding acts so; equal observations give an act equal weights."""
    return simulation.triples(spot, rules, *holding_values(board))[:, column].copy()


def _threshold(spot: LimitSpot, column: int, of: Frequencies) -> float:
    """The percentile of the worst hand that acts so before the flop; a free check gives no evidence."""
    if spot.owed == 0 and column < 2:
        return 0.0
    fold, _, raises = of.of(0, spot.price)
    return float(1 - raises if column == 2 else fold)


def field(tables: Array, power: float = 1.0) -> Array:
    """The field array: one table for all opponents, the mean of theirs, each normalised (Papp 1998, 7.3.1).

    Parameters
    ----------
    tables
        float64, shape (seats, 1326); rows of zeros are of empty seats.
    power
        The weight of the model against the bare cards: 0 = every holding alike, 1 = the model; our own form
        of Poker Academy's setting.
    """
    present = tables[tables.any(axis=1)]
    present = np.where(present > 0, present**power, 0.0)
    return np.asarray((present / present.sum(axis=1, keepdims=True)).mean(axis=0))


class OpponentFrequencies:
    """One agent's action frequencies of its opponents, kept between hands."""

    def __init__(self) -> None:
        self._of: dict[str, Frequencies] = {}

    def learn(self, observation: Observation) -> None:
        """Count every act of a finished hand; a player without a name cannot be recognised."""
        if not observation.players:
            return
        for act, spot in spots(observation.acts, observation.variant):
            name = observation.players[act.seat]
            if name not in self._of:
                self._of[name] = Frequencies()
            self._of[name].see(spot, FOLD_CALL_RAISE[act.action.name])

    def known(self, observation: Observation) -> dict[int, Frequencies]:
        """The frequencies of the players at the table, by position."""
        return {seat: self._of[name] for seat, name in enumerate(observation.players) if name in self._of}

    def weigh(self, observation: Observation) -> Array:
        """The weight tables of this hand."""
        return weigh(observation, self.known(observation))
