"""Make ``data/dealt.npz``: how often each state of the network's hidden nodes is dealt.

python -m experiments.recipes.dealt_counts src/baycarp/data/dealt.npz
"""

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from baycarp.card import blocked_by
from baycarp.opponents.network.dealt import BOARD_NODES, FULL, card_parents, codes
from baycarp.opponents.network.topology import hidden

__all__ = ["count"]

BOARDS = 40_000
"""Random boards that the counts come from, with seed 0."""


def count(boards: int, seed: int = 0) -> dict[str, NDArray[np.int64]]:
    """Count the states of the hidden nodes over all holdings on random boards.

    Returns
    -------
    dict of node to int64 array
        Axes: the node's card parents in ``FULL``, then its own states.
    """
    families = {node: (*card_parents(FULL, node), node) for node in hidden(FULL, 3)}
    out = {node: np.zeros([*map(FULL.cardinality, each)], np.int64) for node, each in families.items()}
    rng = np.random.default_rng(seed)
    for _ in range(boards):
        board = tuple(rng.permutation(52)[:5].tolist())
        states = {node: FULL.states[node].index(of(board)) for node, of in BOARD_NODES.items()}
        free = ~blocked_by(board)
        mine = {node: array[free] for node, array in codes(FULL, board, 3).items()}
        for node, table in out.items():
            cells = [mine.get(member, states.get(member)) for member in families[node]]
            flat = np.ravel_multi_index(np.broadcast_arrays(*cells), table.shape)  # type: ignore[arg-type]
            np.add.at(table.reshape(-1), flat, 1)
    return out


if __name__ == "__main__":
    np.savez_compressed(Path(sys.argv[1]), allow_pickle=False, **count(BOARDS))
