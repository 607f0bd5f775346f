"""An abstraction's buckets on all flops and turns, made once and kept in a file."""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ModelError
from baycarp.files import read_arrays, write_arrays
from baycarp.solvers.buckets.abstraction import Abstraction, Rule
from baycarp.solvers.buckets.boards import canonical, canonical_boards, renamed_holdings
from baycarp.solvers.headed import reading

__all__ = ["BucketTables", "Tick", "bucket_tables"]

Tick = Callable[[str, int, int | None], None]
"""Called with the name of some work, how much of it is done, and how much there is, if known."""


@dataclass(frozen=True)
class BucketTables:
    """The buckets of an abstraction by canonical board; the river's are made where they are wanted.

    Parameters
    ----------
    abstraction
        The abstraction.
    flops, turns
        uint16, shape (1755, 1326) and (16432, 1326): own buckets of a street, without recall.
    """

    abstraction: Abstraction
    flops: NDArray[np.uint16]
    turns: NDArray[np.uint16]

    def buckets(self, board: NDArray[np.uint8]) -> NDArray[np.uint16]:
        """The buckets of every holding on all streets of a board of five cards, the flop's first.

        Returns
        -------
        uint16 array, shape (4, 1326)
            As ``Abstraction.buckets``.
        """
        return self.abstraction.combined(
            [_row(self.flops, board[:3]), _row(self.turns, board[:4]), self.abstraction.own(2, board)]
        )

    @property
    def digest(self) -> str:
        """SHA-256 of the tables."""
        return sha256(self.flops.tobytes() + self.turns.tobytes()).hexdigest()


def _row(table: NDArray[np.uint16], board: NDArray[np.uint8]) -> NDArray[np.int64]:
    form, renaming = canonical(board)
    rows = _rows(len(form))
    row: NDArray[np.int64] = table[rows[form]][renamed_holdings()[renaming]].astype(np.int64)
    return row


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


def _read(abstraction: Abstraction, path: Path) -> BucketTables:
    with reading(path, "buckets"):
        arrays = read_arrays(path)
        made = BucketTables(abstraction, arrays["flops"], arrays["turns"])
        if str(arrays["abstraction"]) != abstraction.digest:
            raise ModelError(f"{path}: buckets of another abstraction: expected {abstraction.digest:.12}")
        if str(arrays["digest"]) != made.digest:
            raise ModelError(f"{path}: damaged buckets: delete the file, and they are made anew")
        return made
