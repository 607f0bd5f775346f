"""What the engine is given: rows of holdings of both players, the tree, fixed shares, the suits.

A row is a holding of a player with its weight. A player that follows a model with some probability has two
rows a holding: one that follows it, one that plays freely.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.card import HOLDINGS
from baycarp.solvers.spots.locks import FixedTable, RangeFrequency, Restricted, SpotLock, fixed_tables, seat
from baycarp.solvers.spots.spot import Spot
from baycarp.solvers.spots.suits import interchangeable, swapped, swapped_cards
from baycarp.solvers.spots.tree import SpotTree, TreeArrays

__all__ = ["EngineInput", "FixedRows", "SpotRows", "engine_input"]


@dataclass(frozen=True, slots=True, eq=False)
class SpotRows:
    """The rows of a player.

    Parameters
    ----------
    holdings
        By index; int64, shape (n,).
    weights
        Float32, shape (n,).
    modelled
        Whether the row follows a model; bool, shape (n,).
    """

    holdings: NDArray[np.int64]
    weights: NDArray[np.float32]
    modelled: NDArray[np.bool_]

    def by_holding(
        self, values: NDArray[np.floating], reach: NDArray[np.floating] | None = None
    ) -> NDArray[np.float64]:
        """Values of the rows as those of the 1,326 holdings; nan where there is none.

        Parameters
        ----------
        values
            Shape (..., n).
        reach
            By it the rows of a holding are weighed; None = they are summed.
        """
        shares = np.ones(len(self.holdings))
        if reach is not None:
            own, plain = self._summed(reach), self._summed(self.weights)
            is_reached = own > 0
            shares = np.where(is_reached, reach, self.weights) / np.where(is_reached, own, plain)
        flat = np.where(shares > 0, values, 0.0).reshape(-1, len(shares)) * shares
        found = np.array([np.bincount(self.holdings, row, 1326) for row in flat])
        found[:, np.bincount(self.holdings, minlength=1326) == 0] = np.nan
        return found.reshape(*values.shape[:-1], 1326)

    def _summed(self, values: NDArray[np.floating]) -> NDArray[np.float64]:
        """For each row, the sum over the rows of its holding."""
        return np.asarray(np.bincount(self.holdings, values, 1326)[self.holdings])


@dataclass(frozen=True, slots=True, eq=False)
class FixedRows:
    """Fixed shares as the engine has them: float32, shape (actions, rows), nan = free; ``cards`` in bytes."""

    node: int
    cards: bytes | None
    shares: NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class EngineInput:
    """The arguments of ``kernels.spots.Engine``, and what is fixed.

    Parameters
    ----------
    board
        The cards of the start.
    rows
        Of both players.
    arrays
        The tree.
    suits
        Equal numbers, equal suits.
    fixed
        What is locked.
    """

    board: bytes
    rows: tuple[SpotRows, SpotRows]
    arrays: TreeArrays
    suits: tuple[int, int, int, int]
    fixed: tuple[FixedRows, ...] = ()

    @property
    def arguments(self) -> tuple[Any, ...]:
        """Those that are given by place."""
        tree, (one, other) = self.arrays, self.rows
        return (
            self.board,
            (HOLDINGS[one.holdings], HOLDINGS[other.holdings]),
            (one.weights, other.weights),
            tree.kind,
            tree.player,
            tree.first,
            tree.count,
            tree.payoff,
        )


def engine_input(
    spot: Spot,
    tree: SpotTree,
    locks: Sequence[SpotLock | RangeFrequency] = (),
    restricted: Restricted | None = None,
) -> EngineInput:
    """A spot for the engine.

    Raises
    ------
    ArgumentError
        A lock of no decision, or of a share that is locked already.
    """
    arrays = tree.arrays()
    tables = fixed_tables([lock for lock in locks if not isinstance(lock, RangeFrequency)], spot, tree)
    model = fixed_tables([restricted.model], spot, tree) if restricted else []
    rows = _rows(spot, 0, restricted), _rows(spot, 1, restricted)
    weights = [spot.weights(player) for player in (0, 1)]

    def holds(one: int, other: int) -> bool:
        return _is_symmetric(tables, one, other) and _is_symmetric(model, one, other)

    fixed = {(each.node, each.cards): _by_row(each, rows, False) for each in tables}
    for each in model:
        own = _by_row(each, rows, True)
        before = fixed.get((each.node, each.cards))
        fixed[each.node, each.cards] = own if before is None else np.where(np.isnan(own), before, own)
    return EngineInput(
        bytes(np.array(spot.cards, np.uint8)),
        rows,
        arrays,
        interchangeable(list(spot.cards), weights, holds),
        tuple(
            FixedRows(arrays.index[node], None if cards is None else bytes(cards), shares.astype(np.float32))
            for (node, cards), shares in fixed.items()
        ),
    )


def _rows(spot: Spot, player: int, restricted: Restricted | None) -> SpotRows:
    weights = spot.weights(player)
    held = np.flatnonzero(weights)
    if restricted is None or seat(restricted.player) != player:
        return SpotRows(held, weights[held].astype(np.float32), np.zeros(len(held), np.bool_))
    parts = [
        (share, modelled)
        for share, modelled in ((restricted.share, True), (1 - restricted.share, False))
        if share
    ]
    return SpotRows(
        np.tile(held, len(parts)),
        np.concatenate([weights[held] * share for share, _ in parts]).astype(np.float32),
        np.repeat([modelled for _, modelled in parts], len(held)),
    )


def _by_row(table: FixedTable, rows: tuple[SpotRows, SpotRows], is_model: bool) -> NDArray[np.float64]:
    """The shares of a table by row; a model fixes the rows that follow it alone."""
    own = rows[table.node.now.player]
    shares = table.shares[:, own.holdings]
    if is_model:
        shares[:, ~own.modelled] = np.nan
    return shares


def _is_symmetric(tables: Sequence[FixedTable], one: int, other: int) -> bool:
    """Whether tables are the same when two suits change places."""
    if not tables:
        return True
    becomes = swapped(one, other)
    found = {(each.node, each.cards): each.shares for each in tables}
    for (node, cards), shares in found.items():
        moved = None if cards is None else tuple(swapped_cards(cards, one, other))
        twin = found.get((node, moved))
        if twin is None or not np.array_equal(twin, shares[:, becomes], equal_nan=True):
            return False
    return True
