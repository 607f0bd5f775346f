"""The classes of holdings on many boards, of a player that answers as a table."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import ClassPolicies
from baycarp.game import State, Variant
from baycarp.solvers.buckets.boards import canonical_boards, canonical_codes, renamed_holdings

__all__ = ["BoardRows", "HoldingClasses"]

RIVER = 3


@dataclass
class BoardRows:
    """The classes of all holdings on the boards of one street, computed where they are wanted.

    Parameters
    ----------
    codes
        int64, ascending: the codes of the canonical boards.
    rows
        uint16, shape (boards, 1326).
    known
        bool, shape (boards,): which rows are computed.
    """

    codes: NDArray[np.int64]
    rows: NDArray[np.uint16]
    known: NDArray[np.bool_]

    @staticmethod
    def of(size: int, rows: NDArray[np.uint16] | None = None) -> "BoardRows":
        """All rows, or none of them computed yet, for boards of three or four cards."""
        codes = canonical_codes(canonical_boards(size))[0]
        known = np.full(len(codes), rows is not None)
        return BoardRows(codes, np.zeros((len(codes), 1326), np.uint16) if rows is None else rows, known)


@dataclass
class HoldingClasses:
    """The classes of holdings of one player.

    Classes do not depend on the names of suits, so each flop and each turn is computed once; there are too
    many rivers to keep.

    Parameters
    ----------
    player, variant
        The player and its game.
    rows
        By street; flop and turn.
    """

    player: ClassPolicies
    variant: Variant
    rows: dict[int, BoardRows] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._states = [State(self.variant)]
        for _ in range(RIVER):
            state = self._states[-1].copy()
            while state.street == len(self._states) - 1:
                state.apply(state.named("call" if state.owed else "check"))
            self._states.append(state)
        self._start = np.asarray(self.player.hand_classes(self._states[0]))

    def of(self, street: int, boards: NDArray[np.uint8], holdings: NDArray[np.int64]) -> NDArray[np.uint16]:
        """The class of each holding on its board.

        Parameters
        ----------
        street
            0 before the flop to 3.
        boards
            uint8, shape (n, cards of the street).
        holdings
            int64, shape (n, m): indices of m holdings a board.

        Returns
        -------
        uint16 array, shape (n, m)
        """
        if street == 0:
            return self._start[holdings]
        if street == RIVER:
            found = np.empty(holdings.shape, np.uint16)
            for row, board in enumerate(boards):
                found[row] = self._on(street, board)[holdings[row]]
            return found
        table = self._table(street)
        codes, renamings = canonical_codes(boards)
        places = np.searchsorted(table.codes, codes)
        self.fill(street, np.unique(places))
        renamed = renamed_holdings()[renamings[:, None], holdings]
        return table.rows[places[:, None], renamed]

    def fill(self, street: int, places: NDArray[np.int64]) -> None:
        """Compute the rows of some canonical boards that are not known."""
        table = self._table(street)
        missing = places[~table.known[places]]
        for place, board in zip(missing, canonical_boards(2 + street)[missing], strict=True):
            table.rows[place] = self._on(street, board)
        table.known[missing] = True

    def _table(self, street: int) -> BoardRows:
        if street not in self.rows:
            self.rows[street] = BoardRows.of(2 + street)
        return self.rows[street]

    def _on(self, street: int, board: NDArray[np.uint8]) -> NDArray[np.uint16]:
        state = self._states[street].copy()
        state.deal(board=board)
        return self.player.hand_classes(state)
