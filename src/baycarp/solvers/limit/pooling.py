"""Textures learn together at first: after some iterations each begins with what all of them have learned.

A texture has few of the boards, so its first sums are noise. Those of all textures together are the sums of
the abstraction without textures, and each texture starts with its share of them. Source of the idea: Brown
and Sandholm (2015), "Simultaneous abstraction and equilibrium finding"; a refinement begins with the
regrets of what it refines.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.kernels.cfr import LANES, Betting
from baycarp.solvers.buckets.abstraction import Abstraction, Textured
from baycarp.solvers.buckets.boards import canonical
from baycarp.solvers.limit.betting import ACTIONS, LimitBetting, by_node

__all__ = ["POOLED", "Shares", "pool", "shares_of"]

Shares: TypeAlias = tuple[NDArray[np.float64] | None, ...]
"""By street, the share of the boards that has each texture; None = there are no textures."""

POOLED = 103
"""Iterations after which textures are pooled: about a fifth of a usual run."""

BOARDS = 1500
"""Sampled boards that the shares are counted on."""


def shares_of(abstraction: Abstraction) -> Shares:
    """The shares of an abstraction; none where a bucket is one of the street before, too."""
    later = (
        _share(rule, 3 + street) if isinstance(rule, Textured) and not recall else None
        for street, (rule, recall) in enumerate(zip(abstraction.rules, abstraction.recall, strict=True))
    )
    return None, *later


def _share(rule: Textured, size: int) -> NDArray[np.float64]:
    draw = np.random.default_rng(7)
    forms = (canonical(draw.permutation(52)[:size].astype(np.uint8))[0] for _ in range(BOARDS))
    return np.bincount([rule.texture(form) for form in forms], minlength=len(rule.centres)) / BOARDS


def pool(
    betting: Betting, tree: LimitBetting, shares: tuple[Shares, Shares], table: NDArray[np.float32]
) -> None:
    """Give each texture its share of the sums of all textures, in place.

    Parameters
    ----------
    betting, tree
        The order of the table.
    shares
        By player.
    table
        Regrets or averages by cell.
    """
    for (street, node), cells in by_node(betting, tree, table):
        own = shares[tree.streets[street].actors[node]][street]
        if own is not None:
            by_texture = cells.reshape(len(cells), len(ACTIONS), len(own), -1, LANES)
            by_texture[:] = by_texture.sum(axis=2, keepdims=True) * own[:, None, None]
