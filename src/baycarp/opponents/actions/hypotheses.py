"""What a player may be: a style whose actions depend on the cards, more or less, or one that ignores them.

Each hypothesis gives the probability of an action in a betting situation, by bucket of the holding. There
are two kinds:

    informed   a style with its dependence on the cards raised to a power: P(choice | bucket) is the style's
               own table at power 1, the table's mean over the deal at power 0, and nearer to a threshold
               above 1. Before the flop and after it the powers are apart: some players are strict before
               the flop and bet with anything after it. Before the flop a style of a small power orders the
               holdings by hand groups: people value a holding alike, however many opponents they have to
               expect
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
from baycarp.opponents.actions.buckets import SHARES, both_orders, buckets
from baycarp.opponents.actions.hand_actions import SHAPES
from baycarp.opponents.actions.situations import LEGAL, PRICE_OF, CodedAct
from baycarp.opponents.actions.styles import Styles
from baycarp.rules.income import IncomeGroup

__all__ = ["USUAL", "Confidence", "Hypotheses", "hypotheses"]

Array = NDArray[np.float64]
Coded: TypeAlias = tuple[NDArray[np.uint8], NDArray[np.float32]]
"""The code of each holding, shape (1326,), and a table over the codes."""

STEPS = 4
"""The grid of the blind frequencies: fold and raise facing a bet, bet facing none, in quarters."""

SMOOTH = 0.03
"""The share of uniform play in every blind hypothesis, so that none is excluded by one action."""


STRICTEST = 4.0
"""The greatest power of a style."""


@dataclass(frozen=True, slots=True)
class Confidence:
    """The prior probability that a new player's actions depend on its cards, and how soon it may change.

    Parameters
    ----------
    informed
        Power before the flop, power after it, and prior probability. The rest up to 1 is the probability that
        the player is blind. A power changes the dependence of a style on the cards: 1 = as learned, 0.5 =
        half the log-odds, 2 = twice.
    actions
        The power of the probability of a hand's actions, above 0 and at most 1, by which the hypotheses are
        updated; that of a shown holding given the actions counts in full. No style is exactly a player's, and
        at 1 the style of the most similar frequencies of actions soon excludes all others, whatever the
        cards that the player shows.
    change
        The probability, from hand to hand, that a player is another one from now on: after a change of
        style the weights recover in about ``log(1 / change)`` nats of evidence (Herbster and Warmuth 1998).
    hand_groups
        Styles of this power or less before the flop order the holdings there by hand groups, the others by
        the income rates for the players to expect (``buckets.both_orders``).

    Raises
    ------
    SchemaError
        Probabilities or powers out of range.
    """

    informed: tuple[tuple[float, float, float], ...] = (
        (0.5, 0.5, 0.17),
        (1.0, 0.5, 0.01),
        (2.0, 0.5, 0.01),
        (2.0, 1.0, 0.01),
    )
    actions: float = 0.5
    change: float = 0.003
    hand_groups: float = 0.5

    def __post_init__(self) -> None:
        if not all(
            0 < power <= STRICTEST and share > 0 for *powers, share in self.informed for power in powers
        ):
            raise SchemaError(f"informed {self.informed}: expected powers in 0..{STRICTEST}, shares above 0")
        if not 0 <= self.change < 1 or not 0 < self.actions <= 1 or self.blind < -1e-9:
            raise SchemaError(f"{self}: expected shares of at most 1 in all, change and actions in 0..1")

    @property
    def blind(self) -> float:
        """The prior probability that a player's actions carry no information about its cards."""
        return 1 - sum(share for *_, share in self.informed)


USUAL = Confidence()
"""The belief about an unobserved player stays near the deal, since it may be blind; some showdowns outweigh
this prior. The numbers are our choice (experiments/NOTES.md has others)."""


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
        The kind of each: one for each pair of powers, and last the blind; intp, shape (informed + blind,).
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

    def acts(
        self, moves: Sequence[CodedAct], board: tuple[int, ...], income_group: IncomeGroup
    ) -> list[Coded]:
        """Moves on the streets of a board as acts of ``kernels.evidence``, under the informed hypotheses."""
        acts = []
        for _, street, situation, choice in moves:
            if street:
                codes, table = buckets(board[: street + 2], income_group), self.tables[street]
            else:
                codes, table = self.preflop[income_group]
            acts.append((codes, table[situation, choice]))
        return acts

    def blindly(self, moves: Sequence[CodedAct]) -> Array:
        """The probability of the moves under each blind hypothesis; float64, shape (blind,)."""
        product = np.ones(self.blind.shape[2])
        for _, street, situation, choice in moves:
            product *= self.blind[PRICE_OF[street][situation], choice]
        return product


@lru_cache(maxsize=8)
def hypotheses(styles: Styles, confidence: Confidence) -> Hypotheses:
    """The hypotheses of some styles; made once a process."""
    powers = np.array([each[:2] for each in confidence.informed]).reshape(-1, 2)
    tables = [
        np.concatenate(
            [_raised(styles, street, power) for power in powers[:, min(street, 1)]] or [_none(street)]
        )
        for street in range(len(SHAPES))
    ]
    blind = _frequencies()
    shares = np.asarray(styles.shares)
    prior = [share * shares for *_, share in confidence.informed]
    prior.append(np.full(blind.shape[2], max(0.0, confidence.blind) / blind.shape[2]))
    kinds = np.repeat(np.arange(len(prior)), [len(each) for each in prior])
    by_group = np.repeat(powers[:, 0] <= confidence.hand_groups, len(shares))
    laid = tuple(np.ascontiguousarray(table.transpose(1, 3, 2, 0), np.float32) for table in tables)
    preflop = {group: _by_cell(laid[0], group, by_group) for group in IncomeGroup}
    return Hypotheses(laid, blind, np.concatenate(prior), kinds, preflop)


def _by_cell(table: NDArray[np.float32], income_group: IncomeGroup, by_group: NDArray[np.bool_]) -> Coded:
    """The table before the flop by cells of two orders: by hand groups for these hypotheses, and its own."""
    orders = both_orders(income_group)
    by_cell = np.where(by_group, table[:, :, orders.hand_group], table[:, :, orders.expected])
    return orders.cell, np.ascontiguousarray(by_cell)


def _raised(styles: Styles, street: int, power: float) -> Array:
    """The tables of all styles, their dependence on the cards raised to a power (0 = none, 1 = their own)."""
    table = np.stack([model.tables[street] for model in styles.models])
    if power == 1:
        return table
    mean = np.einsum("kpbc,b->kpc", table, SHARES[street])[:, :, None, :]
    ratio = np.divide(table, mean, out=np.zeros_like(table), where=mean > 0)
    raised = mean * ratio**power
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True))


def _none(street: int) -> Array:
    return np.empty((0, *SHAPES[street]))


def _frequencies() -> Array:
    shares = np.arange(STEPS + 1) / STEPS
    faced = [(fold, 1 - fold - bold, bold) for fold in shares for bold in shares if fold + bold <= 1]
    found = [np.array([(0, 1 - bet, bet), *[facing] * 3, facing]) for facing in faced for bet in shares]
    table = np.stack(found, axis=2)
    table[:, 1] += np.where(LEGAL[:, 2], 0.0, 1.0)[:, None] * table[:, 2]  # a raise that is not legal calls
    table *= LEGAL[:, :, None]
    uniform = LEGAL / LEGAL.sum(axis=1, keepdims=True)
    return np.asarray((1 - SMOOTH) * table + SMOOTH * uniform[:, :, None])
