"""An abstraction's buckets on all flops and turns, made once and kept in a file."""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ModelError
from baycarp.files import ArrayForm, FileForm, read_arrays, write_arrays
from baycarp.solvers.buckets.abstraction import Abstraction, Rule
from baycarp.solvers.buckets.boards import canonical, canonical_boards, renamed_holdings
from baycarp.solvers.headed import reading

__all__ = ["BucketTables", "Tick", "bucket_tables"]

Tick = Callable[[str, int, int | None], None]
"""Called with the name of some work, how much of it is done, and how much there is, if known."""


@dataclass(frozen=True)
class BucketTables:
    """The buckets of an abstraction by canonical board; those without a table are made where they are wanted.

    Parameters
    ----------
    abstraction
        The abstraction.
    flops, turns
        uint16, shape (1755, 1326) and (16432, 1326): own buckets of a street, without recall; None: no table.
    """

    abstraction: Abstraction
    flops: NDArray[np.uint16] | None = None
    turns: NDArray[np.uint16] | None = None

    def buckets(self, board: object) -> NDArray[np.uint16]:
        """The buckets of every holding on the streets up to a board.

        Parameters
        ----------
        board
            No cards, or three to five, the flop's first.

        Returns
        -------
        uint16 array, shape (1 + streets with cards, 1326)
            0 for blocked holdings.
        """
        cards = np.asarray(board, np.uint8)
        return self.abstraction.combined([self._own(k, cards) for k in range(max(len(cards) - 2, 0))])

    def last(self, board: object) -> NDArray[np.uint16]:
        """The buckets of every holding on the street of a board, the last row of ``buckets``: uint16[1326].

        Streets that the bucket does not depend on are not computed.
        """
        cards = np.asarray(board, np.uint8)
        street = len(cards) - 3
        if street < 0 or self.abstraction.recall[street]:
            last: NDArray[np.uint16] = self.buckets(cards)[-1]
            return last
        return np.maximum(self._own(street, cards), 0).astype(np.uint16)

    def bucket(self, board: object, holding: int) -> int:
        """The bucket of one holding, as in ``last``; of clusters without those of the other holdings."""
        cards = np.asarray(board, np.uint8)
        street = len(cards) - 3
        if street < 0 or self.abstraction.recall[street] or self._table(street) is not None:
            return int(self.last(cards)[holding])
        return max(self.abstraction.own_bucket(street, cards, holding), 0)

    def _table(self, street: int) -> NDArray[np.uint16] | None:
        return (self.flops, self.turns, None)[street]

    def _own(self, street: int, board: NDArray[np.uint8]) -> NDArray[np.int64]:
        table = self._table(street)
        if table is None:
            return self.abstraction.own(street, board)
        form, renaming = canonical(board[: 3 + street])
        row: NDArray[np.int64] = table[_rows(len(form))[form]][renamed_holdings()[renaming]].astype(np.int64)
        return row

    @property
    def digest(self) -> str:
        """SHA-256 of the tables."""
        tables = [table.tobytes() for table in (self.flops, self.turns) if table is not None]
        return sha256(b"".join(tables)).hexdigest()


_ROWS: dict[int, dict[tuple[int, ...], int]] = {}


def _rows(size: int) -> dict[tuple[int, ...], int]:
    if size not in _ROWS:
        _ROWS[size] = {tuple(board): row for row, board in enumerate(canonical_boards(size).tolist())}
    return _ROWS[size]


def bucket_tables(abstraction: Abstraction, path: Path | None, tick: Tick | None = None) -> BucketTables:
    """The tables of an abstraction: read from a file that holds them, else made, and written to it.

    Parameters
    ----------
    abstraction
        The abstraction.
    path
        The ``.npz`` file; None = no file.
    tick
        Called with (name, boards done, boards).

    Raises
    ------
    ModelError
        The file holds the tables of another abstraction, or is damaged.
    """
    if path is not None and path.exists():
        return _read(abstraction, path)
    flops, turns = (_made(rule, 3 + k, tick) for k, rule in enumerate(abstraction.rules[:2]))
    made = BucketTables(abstraction, flops, turns)
    if path is not None:
        heads = {"abstraction": np.array(abstraction.digest), "digest": np.array(made.digest)}
        write_arrays(path, {**heads, "flops": flops, "turns": turns})
    return made


def _made(rule: Rule, size: int, tick: Tick | None) -> NDArray[np.uint16]:
    boards = canonical_boards(size)
    table = np.empty((len(boards), 1326), np.uint16)
    for row, board in enumerate(boards.tolist()):
        table[row] = np.maximum(rule.assign(tuple(board)), 0)
        if tick is not None and row % 64 == 0:
            tick(f"buckets of {size} cards", row, len(boards))
    return table


def _form(abstraction: Abstraction) -> FileForm:
    """The file of its tables: a row a canonical board, a column a holding."""
    tables = {
        name: ArrayForm("uint16", (len(canonical_boards(size)), 1326), 0, rule.count - 1)
        for name, size, rule in zip(("flops", "turns"), (3, 4), abstraction.rules, strict=False)
    }
    return FileForm({**tables, "abstraction": ArrayForm("U", ()), "digest": ArrayForm("U", ())})


def _read(abstraction: Abstraction, path: Path) -> BucketTables:
    with reading(path, "buckets"):
        arrays = read_arrays(path, _form(abstraction))
        made = BucketTables(abstraction, arrays["flops"], arrays["turns"])
        if str(arrays["abstraction"]) != abstraction.digest:
            raise ModelError(f"{path}: buckets of another abstraction: expected {abstraction.digest:.12}")
        if str(arrays["digest"]) != made.digest:
            raise ModelError(f"{path}: damaged buckets: delete the file, and they are made anew")
        return made
