"""What a player may be: a style, and how much each kind of its actions depends on the cards.

A style gives the probability of an action in a betting situation, by bucket of the holding. Its dependence on
the cards is raised to a power (``opponents.reliance``): P(choice | bucket) is the style's own table at power
1, the table's mean over the deal at power 0, and nearer to a threshold above 1. Before the flop a style of a
small power orders the holdings by hand groups: people value a holding alike, however many opponents they have
to expect.

The likelihood of a hand is a product over its actions *within* a style; the mean over styles comes last. So
four raises are strong evidence for strong cards or for a style that always raises, whichever the player's
earlier hands support; a product of mean tables would count the four as independent evidence.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from baycarp.opponents.actions.buckets import SHARES, both_orders, buckets
from baycarp.opponents.actions.hand_actions import SHAPES
from baycarp.opponents.actions.styles import Styles
from baycarp.opponents.reliance import Confidence
from baycarp.rules.income import IncomeGroup

__all__ = ["Hypotheses", "hypotheses"]

Array = NDArray[np.float64]

HAND_GROUPS = 0.5
"""Styles of this power or less order the holdings before the flop by hand groups, the others by the income
rates for the players to expect (``buckets.both_orders``)."""


@dataclass(frozen=True, eq=False)
class Hypotheses:
    """The tables of all styles at all powers.

    Parameters
    ----------
    tables
        By street: float32, shape (situations, 3, powers, buckets, styles): the probability of each choice.
    cells
        Before the flop, by the income rates that order the holdings: at each power the bucket of each cell of
        ``buckets.both_orders``; uint8, shape (powers, cells).
    shares
        The prior of each style; float64, shape (styles,), sums to 1.
    """

    tables: tuple[NDArray[np.float32], ...]
    cells: Mapping[IncomeGroup, NDArray[np.uint8]]
    shares: Array

    def buckets_of(self, street: int, income_group: IncomeGroup) -> NDArray[np.uint8]:
        """The bucket of each code of ``codes`` at each power; uint8, shape (powers, codes)."""
        return self.cells[income_group] if street == 0 else self._each[street]

    @cached_property
    def means(self) -> tuple[Array, ...]:
        """The tables' means over the deal; by street: float64, shape (situations, 3, powers, styles)."""
        return tuple(
            np.einsum("scpbk,b->scpk", table, dealt) for table, dealt in zip(self.tables, SHARES, strict=True)
        )

    @cached_property
    def _each(self) -> tuple[NDArray[np.uint8], ...]:
        """After the flop a code is a bucket."""
        return tuple(
            np.tile(np.arange(table.shape[3], dtype=np.uint8), (table.shape[2], 1)) for table in self.tables
        )

    @staticmethod
    def codes(board: tuple[int, ...], income_group: IncomeGroup) -> NDArray[np.uint8]:
        """The bucket of each holding after the flop, its cell before it; uint8, (1326,), 255 = blocked."""
        return buckets(board, income_group) if board else both_orders(income_group).cell


@lru_cache(maxsize=8)
def hypotheses(styles: Styles, confidence: Confidence) -> Hypotheses:
    """The hypotheses of some styles; made once a process."""
    tables = tuple(_at_all_powers(styles, street, confidence.powers) for street in range(len(SHAPES)))
    cells = {group: _cells(group, confidence.powers) for group in IncomeGroup}
    return Hypotheses(tables, cells, np.array(styles.shares))


def _cells(income_group: IncomeGroup, powers: tuple[float, ...]) -> NDArray[np.uint8]:
    """The bucket of each cell at each power, by hand groups or by income rates."""
    orders = both_orders(income_group)
    found = [orders.hand_group if power <= HAND_GROUPS else orders.expected for power in powers]
    return np.array(found, np.uint8)


def _at_all_powers(styles: Styles, street: int, powers: tuple[float, ...]) -> NDArray[np.float32]:
    found = np.stack([_raised(styles, street, power) for power in powers])
    return np.ascontiguousarray(found.transpose(2, 4, 0, 3, 1), np.float32)


def _raised(styles: Styles, street: int, power: float) -> Array:
    """The tables of all styles, their dependence on the cards raised to a power (0 = none, 1 = their own)."""
    table = np.stack([model.tables[street] for model in styles.models])
    if power == 1:
        return table
    mean = np.einsum("kpbc,b->kpc", table, SHARES[street])[:, :, None, :]
    ratio = np.divide(table, mean, out=np.zeros_like(table), where=mean > 0)
    raised = mean * ratio**power
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True))
