"""Cells of holdings that are played alike, against their buckets holding by holding."""

import numpy as np
import pytest

from baycarp.card import HOLDS, cards
from baycarp.opponents.actions.buckets import BLOCKED, buckets
from baycarp.rules.income import IncomeGroup
from experiments.recipes.action_cells import partition

BOARD = tuple(cards("Qs7d2c9h3s").tolist())


@pytest.mark.parametrize("streets", [(0,), (0, 1), (0, 2, 3)])
def test_cells_hold_every_holding_once_with_its_buckets(streets):
    bucket, count, cell = partition(BOARD, streets, IncomeGroup.IR7)
    free = ~HOLDS[list(BOARD)].any(axis=0)
    assert (cell >= 0).tolist() == free.tolist()
    assert count.tolist() == np.bincount(cell[free]).tolist()
    for holding in np.flatnonzero(free)[::53]:
        for street in range(4):
            board = BOARD[: street + 2] if street else ()
            expected = buckets(board, IncomeGroup.IR7)[holding] if street in streets else BLOCKED
            assert bucket[cell[holding], street] == expected
    assert len({tuple(row) for row in bucket.tolist()}) == len(count) < 400
