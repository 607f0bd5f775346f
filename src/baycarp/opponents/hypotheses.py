"""What a player may be: a style whose actions depend on the cards, more or less, or one that ignores them.

Each hypothesis gives the probability of an action in a betting situation, by bucket of the holding. There
are two kinds:

    informed   a style with its dependence on the cards weakened to a power: P(choice | bucket) between the
               style's own table, power 1, and the table's mean over the deal, power 0. Before the flop a
               weakened style orders the holdings by hand groups: people value a holding alike, however
               many opponents they have to expect
    blind      fixed frequencies by price, the same for every holding: the actions carry no information about
               the cards

The likelihood of a hand is a product over its actions *within* a hypothesis; the mean over hypotheses comes
last. So four raises are strong evidence for strong cards or for a player that always raises, whichever the
player's earlier hands support; a product of mean tables would count the four as independent evidence.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import SchemaError
from baycarp.opponents.actions import SHAPES
from baycarp.opponents.buckets import SHARES, both_orders, buckets
from baycarp.opponents.moves import LEGAL, PRICE_OF, Move
from baycarp.opponents.styles import Styles
from baycarp.rules.income import IncomeGroup

__all__ = ["USUAL", "Confidence", "Hypotheses", "hypotheses"]

Array = NDArray[np.float64]
Coded: TypeAlias = tuple[NDArray[np.uint8], NDArray[np.float32]]
"""The code of each holding, shape (1326,), and a table over the codes."""

STEPS = 4
"""The grid of the blind frequencies: fold and raise facing a bet, bet facing none, in quarters."""

SMOOTH = 0.03
"""The share of uniform play in every blind hypothesis, so that none is excluded by one action."""


@dataclass(frozen=True, slots=True)
class Confidence:
    """The prior probability that a new player's actions depend on its cards, and how soon it may change.

    Parameters
    ----------
    informed
        Pairs of power and prior probability. The rest up to 1 is the probability that the player is blind.
        The power weakens the dependence of a style on the cards: 1 = as learned, 0.5 = half the log-odds.
    change
        The probability, from hand to hand, that a player is another one from now on: after a change of
        style the weights recover in about ``log(1 / change)`` nats of evidence (Herbster and Warmuth 1998).
    hand_groups
        Styles of this power or less order the holdings before the flop by hand groups, the others by the
        income rates for the players to expect (``buckets.both_orders``).

    Raises
    ------
    SchemaError
        Probabilities or powers out of range.
    """

    informed: tuple[tuple[float, float], ...] = ((0.5, 0.17), (1.0, 0.03))
    change: float = 0.003
    hand_groups: float = 0.5

    def __post_init__(self) -> None:
        powers, shares = zip(*self.informed, strict=True) if self.informed else ((), ())
        if not (all(0 < power <= 1 for power in powers) and all(share > 0 for share in shares)):
            raise SchemaError(f"informed {self.informed}: expected powers in 0..1 and shares above 0")
        if not 0 <= self.change < 1 or sum(shares) > 1 + 1e-9:
            raise SchemaError(f"{self}: expected shares of at most 1 in all, and a change in 0..1")

    @property
    def blind(self) -> float:
        """The prior probability that a player's actions carry no information about its cards."""
        return max(0.0, 1 - sum(share for _, share in self.informed))


USUAL = Confidence()
"""The belief about an unobserved player stays near the deal, since it may be blind; some showdowns outweigh
this prior. The numbers are our choice (docs/results/opponent-model.md has others)."""


@dataclass(frozen=True, slots=True, eq=False)
class Hypotheses:
    """All hypotheses about a player, the informed ones first.

    Parameters
    ----------
    tables
        By street: float32, shape (situations, 3, buckets, informed): the probability of each choice.
    blind
        float64, shape (prices, 3, blind).
    prior
        float64, shape (informed + blind,); sums to 1.
    kinds
        The kind of each: one for each power, and last the blind; intp, shape (informed + blind,).
    preflop
        The first of the tables, by the income rates that order the holdings: the cell of each holding, uint8,
        shape (1326,), and the probability of each choice; float32, shape (situations, 3, cells, informed).
    """

    tables: tuple[NDArray[np.float32], ...]
    blind: Array
    prior: Array
    kinds: NDArray[np.intp]
    preflop: Mapping[IncomeGroup, Coded]

    @property
    def informed(self) -> int:
        """How many depend on the holding."""
        return int(self.tables[0].shape[3])

    def acts(self, moves: Sequence[Move], board: tuple[int, ...], income_group: IncomeGroup) -> list[Coded]:
        """Moves on the streets of a board as acts of ``kernels.evidence``, under the informed hypotheses."""
        acts = []
        for _, street, situation, choice in moves:
            if street:
                codes, table = buckets(board[: street + 2], income_group), self.tables[street]
            else:
                codes, table = self.preflop[income_group]
            acts.append((codes, table[situation, choice]))
        return acts

    def blindly(self, moves: Sequence[Move]) -> Array:
        """The probability of the moves under each blind hypothesis; float64, shape (blind,)."""
        product = np.ones(self.blind.shape[2])
        for _, street, situation, choice in moves:
            product *= self.blind[PRICE_OF[street][situation], choice]
        return product


@lru_cache(maxsize=8)
def hypotheses(styles: Styles, confidence: Confidence) -> Hypotheses:
    """The hypotheses of some styles; made once a process."""
    powers = [power for power, _ in confidence.informed]
    tables = [
        np.concatenate([_weakened(styles, street, power) for power in powers] or [_none(street)])
        for street in range(len(SHAPES))
    ]
    blind = _frequencies()
    shares = np.asarray(styles.shares)
    prior = [share * shares for _, share in confidence.informed]
    prior.append(np.full(blind.shape[2], confidence.blind / blind.shape[2]))
    kinds = np.repeat(np.arange(len(prior)), [len(each) for each in prior])
    by_group = np.repeat(np.array(powers) <= confidence.hand_groups, len(shares))
    laid = tuple(np.ascontiguousarray(table.transpose(1, 3, 2, 0), np.float32) for table in tables)
    preflop = {group: _by_cell(laid[0], group, by_group) for group in IncomeGroup}
    return Hypotheses(laid, blind, np.concatenate(prior), kinds, preflop)


def _by_cell(table: NDArray[np.float32], income_group: IncomeGroup, by_group: NDArray[np.bool_]) -> Coded:
    """The table before the flop by cells of two orders: by hand groups for these hypotheses, and its own."""
    orders = both_orders(income_group)
    by_cell = np.where(by_group, table[:, :, orders.hand_group], table[:, :, orders.expected])
    return orders.cell, np.ascontiguousarray(by_cell)


def _weakened(styles: Styles, street: int, power: float) -> Array:
    """The tables of all styles, each between its own (power 1) and its mean over the deal (power 0)."""
    table = np.stack([model.tables[street] for model in styles.models])
    if power == 1:
        return table
    mean = np.einsum("kpbc,b->kpc", table, SHARES[street])[:, :, None, :]
    mixed = np.where(table > 0, mean ** (1 - power) * table**power, 0.0)
    return np.asarray(mixed / mixed.sum(axis=-1, keepdims=True))


def _none(street: int) -> Array:
    return np.empty((0, *SHAPES[street]))


def _frequencies() -> Array:
    """Every blind player of the grid: shape (prices, 3, players)."""
    shares = np.arange(STEPS + 1) / STEPS
    faced = [(fold, 1 - fold - bold, bold) for fold in shares for bold in shares if fold + bold <= 1]
    found = [np.array([(0, 1 - bet, bet), *[facing] * 3, facing]) for facing in faced for bet in shares]
    table = np.stack(found, axis=2)
    table[:, 1] += np.where(LEGAL[:, 2], 0.0, 1.0)[:, None] * table[:, 2]  # a raise that is not legal calls
    table *= LEGAL[:, :, None]
    uniform = LEGAL / LEGAL.sum(axis=1, keepdims=True)
    return np.asarray((1 - SMOOTH) * table + SMOOTH * uniform[:, :, None])
