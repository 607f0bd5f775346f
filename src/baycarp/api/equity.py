"""Ranges against ranges: shares of the pot, and of two ranges a map by holding, and what each blocks."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import RenderableType

from baycarp.api.printing import cell_text, grid
from baycarp.api.result import Record, Result
from baycarp.budget import Budget
from baycarp.card import HOLDINGS, as_cards, text
from baycarp.draw import drawable, save_equities, save_range
from baycarp.draw.ranges import by_class
from baycarp.errors import RangeError
from baycarp.estimation import Estimate, equities
from baycarp.evaluation import Side, as_side, blockers, equity_map
from baycarp.ranges import Range, grid_as_text

__all__ = ["EquityResult", "versus"]


@dataclass(frozen=True, slots=False, repr=False)
class EquityResult(Result):
    """Sides that are all-in against one another.

    Parameters
    ----------
    names
        The text of each side.
    ranges
        The weights of each side that the board leaves.
    board
        As text.
    estimate
        The share of the pot of each, with its standard error.
    """

    names: tuple[str, ...]
    ranges: tuple[Range, ...]
    board: str
    estimate: Estimate

    @property
    def shares(self) -> NDArray[np.float64]:
        """The share of the pot of each side; they sum to 1."""
        return self.estimate.shares

    @cached_property
    def maps(self) -> tuple[NDArray[np.float64], ...]:
        """Of two sides, the equity of each holding against the other side; see ``evaluation.equity_map``."""
        one, other = self._two()
        return equity_map(one, other, self.board), equity_map(other, one, self.board)

    @cached_property
    def blockers(self) -> tuple[NDArray[np.float64], ...]:
        """Of two sides, the share of the other that each holding blocks; see ``evaluation.blockers``."""
        one, other = self._two()
        return blockers(one, other, self.board), blockers(other, one, self.board)

    def _two(self) -> tuple[Range, Range]:
        if len(self.ranges) != 2:
            raise RangeError(f"{len(self.ranges)} sides: expected two for a map by holding")
        return self.ranges[0], self.ranges[1]

    def title(self) -> str:
        """The result in a line."""
        shares = zip(self.names, self.shares, strict=True)
        return ", ".join(f"{name} {share:.2%}" for name, share in shares)[:90]

    def to_records(self) -> list[Record]:
        """One record a holding of each of two sides: equity, and share of the other side that it blocks.

        Of more sides one record each.
        """
        if len(self.ranges) > 2:
            rows = zip(self.names, self.shares.tolist(), self.estimate.errors.tolist(), strict=True)
            return [{"side": name, "share": share, "error": error} for name, share, error in rows]
        return [
            {
                "side": name,
                "holding": text(HOLDINGS[holding]),
                "weight": float(held.weights[holding]),
                "equity": float(found[holding]),
                "blocks": float(blocked[holding]),
            }
            for name, held, found, blocked in zip(
                self.names, self.ranges, self.maps, self.blockers, strict=True
            )
            for holding in np.flatnonzero(np.isfinite(found))[::-1]
        ]

    def to_dict(self) -> dict[str, Any]:
        """Shares and records, as JSON values."""
        return {
            "board": self.board,
            "exact": self.estimate.exact,
            "shares": dict(zip(self.names, self.shares.tolist(), strict=True)),
            "records": self.to_records(),
        }

    def parts(self) -> Iterable[RenderableType]:
        """The shares; and of two sides that are no single holdings, the equity by starting hand in tenths."""
        table = grid("", "holdings", "equity")
        errors = 1.96 * self.estimate.errors
        for name, held, share, error in zip(self.names, self.ranges, self.shares, errors, strict=True):
            sampled = "" if self.estimate.exact else f" ± {error:.2%}"
            table.add_row(cell_text(name), f"{held.total:g}", f"{share:.2%}{sampled}")
        yield table
        if len(self.ranges) == 2:
            for name, held, found in zip(self.names, self.ranges, self.maps, strict=True):
                if len(held) > 1:
                    shown = by_class(found)
                    cells = np.where(np.isnan(shown), 0, np.maximum(shown, 1e-9)).tolist()
                    yield f"equity of {name}, in tenths"
                    yield grid_as_text(cells)

    def draw(self, path: Path | str) -> None:
        """Draw range against range, with blockers; of more sides the first, as PNG, SVG or PDF.

        Errors are those of ``MatchResult.draw``.
        """
        if len(self.ranges) == 2:
            save_equities(*self._two(), drawable(Path(path)), self.board)
        else:
            save_range(self.ranges[0], drawable(Path(path)))


def versus(
    *sides: Side, board: str = "", budget: Budget | None = None, seed: int | None = None
) -> EquityResult:
    """Share a pot among two to ten sides that are all-in, with a map of two ranges by holding.

    Parameters
    ----------
    *sides
        A range, as text, ``Range`` or 1,326 weights, or one holding.
    board
        None, three, four or five cards.
    budget, seed
        Of ``baycarp.equities``: by default the result is exact.

    Raises
    ------
    CardError, RangeError
        As for ``baycarp.equities``.

    Examples
    --------
    >>> found = versus("AhKd", "77+, AQ+", board="Qs7d2c")
    >>> found.shares.round(3), len(found.to_records())
    (array([0.228, 0.772]), 55)
    """
    estimate = equities(*sides, board=board, budget=budget, seed=seed)
    live = [Range(as_side(side, f"side {number}")) for number, side in enumerate(sides, 1)]
    if board:
        live = [each.without(board) for each in live]
    return EquityResult(tuple(map(_name, sides)), tuple(live), text(as_cards(board)), estimate)


def _name(side: Side) -> str:
    return side if isinstance(side, str) else text(side) if _is_holding(side) else str(Range(side))  # type: ignore[arg-type]


def _is_holding(side: Side) -> bool:
    return isinstance(side, Sequence | np.ndarray) and len(side) == 2
