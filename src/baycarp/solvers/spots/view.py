"""A solution at one node: strategy, ranges, EV and equity of every holding."""

from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.card import CLASS_OF, CLASSES, HOLDINGS, text
from baycarp.draw import as_frame, mixture_as_svg, mixture_as_text
from baycarp.errors import ArgumentError, PictureError
from baycarp.files import as_csv, plain_text, write_whole
from baycarp.solvers.spots.betting import Kind
from baycarp.solvers.spots.equity import beside, holding_equities
from baycarp.solvers.spots.given import SpotRows
from baycarp.solvers.spots.locks import seat
from baycarp.solvers.spots.sizes import PLAYERS
from baycarp.solvers.spots.solver import SpotSolver
from baycarp.solvers.spots.tree import SpotNode

__all__ = ["SpotView"]

ByHolding = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SpotView:
    """A node of a solution; arrays by holding are float64, shape (1326,), nan where a player lacks it.

    EVs are chips from here on: of a fold 0. Both sum to the pot, less the rake.

    Parameters
    ----------
    solver
        What was solved.
    line
        To the node.
    node
        It.
    cards
        Those dealt after the start.
    """

    solver: SpotSolver
    line: str
    node: SpotNode
    cards: tuple[int, ...]

    @cached_property
    def _probe(self) -> Any:
        return self.solver.probe(self.node, self.cards)

    def _rows(self, player: int) -> SpotRows:
        return self.solver.given.rows[player]

    @property
    def board(self) -> tuple[int, ...]:
        """The cards of the board."""
        return (*self.solver.spot.cards, *self.cards)

    @property
    def player(self) -> str | None:
        """The player to act: ``"oop"`` or ``"ip"``; None where nobody is."""
        return PLAYERS[self.node.now.player] if self.node.kind is Kind.DECISION else None

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions, as texts: fold, check or call, bets ascending."""
        return tuple(map(str, self.node.steps))

    @property
    def pot(self) -> float:
        """The chips in the pot."""
        return self.solver.spot.pot + sum(self.node.now.totals)

    @cached_property
    def strategy(self) -> NDArray[np.float64]:
        """The share of each action, shape (actions, 1326)."""
        rows, probe = self._rows(self._seat), self._probe
        return self._live(rows.by_holding(np.asarray(probe.strategy), probe.reach[self._seat]))

    @cached_property
    def action_ev(self) -> NDArray[np.float64]:
        """The EV of each action, shape (actions, 1326)."""
        rows, probe = self._rows(self._seat), self._probe
        found = rows.by_holding(np.asarray(probe.action_value), probe.reach[self._seat])
        return self._live(found) + self._paid(self._seat)

    def range(self, player: str) -> ByHolding:
        """The weights of a player's range here: those of the start times its own strategy on the way."""
        number = seat(player)
        found = self._rows(number).by_holding(np.asarray(self._probe.reach[number], np.float64))
        return np.nan_to_num(self._live(found))

    def ev(self, player: str) -> ByHolding:
        """The EV of each holding."""
        number, probe = seat(player), self._probe
        found = self._rows(number).by_holding(np.asarray(probe.value[number]), probe.reach[number])
        return self._live(found) + self._paid(number)

    def equity(self, player: str) -> ByHolding:
        """The share of the pot of each holding at a showdown against the other's range here, 0..1."""
        number = seat(player)
        own = self._rows(number).by_holding(np.ones(len(self._rows(number).holdings)))
        found = holding_equities(self.range(PLAYERS[1 - number]), self.board)
        return np.where(np.isnan(own), np.nan, found)

    def mean(self, values: NDArray[np.floating], player: str) -> float:
        """The mean of values over a player's range, each holding by the holdings of the other that it meets.

        Parameters
        ----------
        values
            By holding, such as ``ev(player)`` or a row of ``strategy``.
        player
            Whose range.
        """
        weights = self.range(player) * beside(self.range(PLAYERS[1 - seat(player)]))
        known = (weights > 0) & ~np.isnan(values)
        return float(values[known] @ weights[known] / weights[known].sum()) if known.any() else float("nan")

    @cached_property
    def met(self) -> float:
        """The weight of all pairs of holdings that come here."""
        return float(self.range(PLAYERS[0]) @ beside(self.range(PLAYERS[1])))

    def frequencies(self) -> dict[str, float]:
        """The share of each action over the whole range."""
        player = PLAYERS[self._seat]
        return {name: self.mean(row, player) for name, row in zip(self.actions, self.strategy, strict=True)}

    @property
    def _seat(self) -> int:
        if self.node.kind is not Kind.DECISION:
            raise ArgumentError(f"line {self.line!r}: expected a decision")
        return self.node.now.player

    def _paid(self, player: int) -> float:
        """What a player has put in since the start: EVs of the engine count from there."""
        return self.node.now.totals[player] - self.solver.tree.root.now.totals[player]

    def _live(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        values[..., np.isin(HOLDINGS, self.board).any(axis=1)] = np.nan
        return values

    def to_records(self) -> list[dict[str, Any]]:
        """One record a holding of the player to act: its weight, equity, EV; share and EV of each action."""
        player = PLAYERS[self._seat]
        weights, equity, ev = self.range(player), self.equity(player), self.ev(player)
        found = []
        for at in np.flatnonzero(~np.isnan(self.strategy[0]))[::-1].tolist():
            record = {
                "line": self.line,
                "board": text(self.board),
                "player": player,
                "holding": text(HOLDINGS[at]),
                "class": CLASSES[CLASS_OF[at]],
                "weight": float(weights[at]),
                "equity": float(equity[at]),
                "ev": float(ev[at]),
            }
            for number, name in enumerate(self.actions):
                record[name] = float(self.strategy[number, at])
                record[f"ev of {name}"] = float(self.action_ev[number, at])
            found.append(record)
        return found

    def to_frame(self, backend: str | None = None) -> Any:
        """The records as a data frame; None = of the first library that is installed (``draw.as_frame``)."""
        return as_frame(self.to_records(), backend)

    def save(self, path: Path | str, spreadsheet: bool = False) -> None:
        """Write ``.csv``, the records, or ``.svg``, the drawing.

        ``spreadsheet``: whether a program that runs formulas opens the CSV, as of ``files.as_csv``.

        Raises
        ------
        PictureError
            Another ending.
        OSError
            A file that cannot be written.
        """
        path = Path(path)
        if path.suffix not in (".csv", ".svg"):
            raise PictureError(f"{path}: expected a file .csv or .svg")
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, self.svg() if path.suffix == ".svg" else as_csv(self.to_records(), spreadsheet))

    def _by_class(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Shares by class, shape (actions, 13, 13), and mean weights beside the board, shape (13, 13)."""
        weights = self.range(PLAYERS[self._seat])
        sums = np.bincount(CLASS_OF, weights, 169)
        shares = [np.bincount(CLASS_OF, weights * row, 169) for row in np.nan_to_num(self.strategy)]
        known = np.where(sums > 0, sums, 1.0)
        live = np.bincount(CLASS_OF, ~np.isin(HOLDINGS, self.board).any(axis=1), 169)
        return (np.array(shares) / known).reshape(-1, 13, 13), (sums / np.maximum(live, 1)).reshape(13, 13)

    def draw(self) -> str:
        """The strategy on the grid of starting hands, in characters: a quarter of a cell each."""
        return mixture_as_text(self.actions, *self._by_class())

    def svg(self) -> str:
        """The strategy on the grid of starting hands: the shares of the actions as colours of a cell."""
        title = f"{text(self.board)} {self.line or 'start'}: {self.player}"
        totals = list(self.frequencies().values())
        return mixture_as_svg(self.actions, *self._by_class(), totals, title)

    def _repr_html_(self) -> str:
        """The drawing, in a notebook."""
        return plain_text(self.svg() if self.player else f"<pre>{escape(str(self))}</pre>")

    def __str__(self) -> str:
        lines = [f"{text(self.board)}  {self.line or 'start'}  pot {self.pot:.10g}"]
        for player in PLAYERS:
            ev, equity = self.mean(self.ev(player), player), self.mean(self.equity(player), player)
            lines.append(f"{player:<4} EV {ev:9.2f}   equity {equity:6.1%}")
        if self.player:
            player = self.player
            for name, share in self.frequencies().items():
                lines.append(f"{player} {name:<14} {share:6.1%}")
        return "\n".join(lines)
