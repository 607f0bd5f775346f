"""Sampled deals with the buckets of an abstraction."""

from functools import cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ArgumentError
from baycarp.kernels.mccfr import Dealer
from baycarp.rules.buckets import Bucketing
from baycarp.solvers.buckets.abstraction import Abstraction, Percentiles
from baycarp.solvers.buckets.boards import canonical_boards, canonical_codes, renamed_holdings
from baycarp.solvers.buckets.tables import BucketTables

__all__ = ["dealer", "verify_river"]


def verify_river(abstraction: Abstraction) -> None:
    """Raise ``ArgumentError`` if the river's buckets are no percentiles."""
    if not isinstance(abstraction.rules[2], Percentiles):
        raise ArgumentError(f"river: expected percentiles such as p50, got {abstraction.rules[2].to_dict()}")


def dealer(tables: BucketTables) -> Dealer:
    """Deals with the buckets of these tables.

    Raises
    ------
    ArgumentError
        Buckets of the river that are no percentiles.
    """
    abstraction = tables.abstraction
    verify_river(abstraction)
    counts = [rule.count for rule in abstraction.rules]
    edges = Bucketing.uniform(counts[2]).inner
    boards = _by_set(3), _by_set(4)
    assert tables.flops is not None
    assert tables.turns is not None
    buckets = tables.flops, tables.turns
    return Dealer(boards, renamed_holdings(), buckets, edges, counts, abstraction.recall)


@cache
def _by_set(size: int) -> tuple[NDArray[np.uint16], NDArray[np.uint8]]:
    """The row of its canonical board and the renaming of its suits, by set of cards: see ``deals.h``."""
    sets = np.array(list(combinations(range(52), size)), np.uint8)
    choose = np.array([[comb(card, k + 1) for k in range(size)] for card in range(52)])
    numbers = sum(choose[sets[:, k], k] for k in range(size))
    codes, renamings = canonical_codes(sets)
    known, _ = canonical_codes(canonical_boards(size))
    rows = np.empty(len(sets), np.uint16)
    orders = np.empty(len(sets), np.uint8)
    rows[numbers], orders[numbers] = np.searchsorted(known, codes), renamings
    return rows, orders
