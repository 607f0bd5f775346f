"""A solved strategy as a file: the probability of every action, in 255 steps, by betting and bucket."""

from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ArgumentError, ModelError
from baycarp.game import Variant
from baycarp.kernels.cfr import ILLEGAL, LANES
from baycarp.solvers.headed import read_headed, reading, write_headed
from baycarp.solvers.limit.abstraction import Abstraction
from baycarp.solvers.limit.betting import BettingTree, betting_tree

__all__ = ["SHIPPED", "STEPS", "Solution", "load_solution", "save_solution"]

FORMAT = "baycarp.solution"
STEPS = 255
SHIPPED = Path(__file__).parents[2] / "data" / "models" / "equilibrium.npz"
LARGEST = 1 << 28


@dataclass(frozen=True, eq=False)
class Solution:
    """A strategy for both positions.

    Parameters
    ----------
    tree
        The betting of the game.
    abstraction
        The buckets.
    folds, raises
        uint8 by street, shape (blocks, nodes, buckets, LANES): probabilities in steps; calls are the rest.
    origin
        How it was made: command, seed, iterations, exploitability.
    """

    tree: BettingTree
    abstraction: Abstraction
    folds: tuple[NDArray[np.uint8], ...]
    raises: tuple[NDArray[np.uint8], ...]
    origin: dict[str, Any]

    @staticmethod
    def of(
        tree: BettingTree, abstraction: Abstraction, policy: NDArray[np.float32], origin: dict[str, Any]
    ) -> "Solution":
        """The strategy of a table of cells, its probabilities rounded to steps; 0 in lanes never reached."""
        folds: list[NDArray[np.uint8]] = []
        raises: list[NDArray[np.uint8]] = []
        first = 0
        for street, count in zip(tree.streets, abstraction.counts, strict=True):
            shape = (len(street.entries), len(street.actors), 3, count, LANES)
            cells = policy[first : first + int(np.prod(shape))].reshape(shape)
            first += cells.size
            bold = np.rint(cells[:, :, 2] * STEPS).astype(np.int64)
            weak = np.minimum(np.rint(cells[:, :, 0] * STEPS).astype(np.int64), STEPS - bold)
            used = _used(tree, len(folds))[:, None, None, :]
            folds.append((weak * used).astype(np.uint8))
            raises.append((bold * used).astype(np.uint8))
        return Solution(tree, abstraction, tuple(folds), tuple(raises), origin)

    def table(self, betting: str) -> NDArray[np.float64]:
        """The probabilities of fold, call and raise after a betting: float64, shape (buckets, 3).

        Raises
        ------
        VariantError
            No decision of the game.
        """
        spot = self.tree.spot(betting)
        at = (spot.block, spot.node, slice(None), spot.lane)
        weak = self.folds[spot.street][at].astype(np.int64)
        bold = self.raises[spot.street][at].astype(np.int64)
        return np.stack([weak, STEPS - weak - bold, bold], axis=1) / STEPS

    def policy(self) -> NDArray[np.float32]:
        """The strategy as a table of cells."""
        parts = []
        for street, weak, bold in zip(self.tree.streets, self.folds, self.raises, strict=True):
            legal = np.array([each[1] != ILLEGAL for each in street.children])[None, :, None, None]
            call = (STEPS - weak.astype(np.int64) - bold) * legal
            cells = np.stack([weak, call, bold], axis=2) / STEPS
            parts.append(cells.astype(np.float32).ravel())
        return np.concatenate(parts)

    @property
    def digest(self) -> str:
        """SHA-256 of the strategy and of its abstraction."""
        made = sha256(self.abstraction.digest.encode())
        for array in (*self.folds, *self.raises):
            made.update(array.tobytes())
        return made.hexdigest()


def _used(tree: BettingTree, number: int) -> NDArray[np.bool_]:
    """Lanes with an entry: bool, shape (blocks, LANES)."""
    used = np.zeros((len(tree.streets[number].entries), LANES), np.bool_)
    for spot in tree.spots().values():
        if spot.street == number:
            used[spot.block, spot.lane] = True
    return used


def save_solution(solution: Solution, path: Path) -> None:
    """Write a strategy, whole."""
    head = {
        "game": solution.tree.game,
        "abstraction": solution.abstraction.to_dict(),
        "origin": solution.origin,
        "digest": solution.digest,
    }
    streets = range(len(solution.folds))
    parts = {f"{name}{k}": getattr(solution, name)[k] for k in streets for name in ("folds", "raises")}
    write_headed(path, FORMAT, head, parts)


@lru_cache(maxsize=4)
def _load(path: str, stamp: int) -> Solution:
    head, arrays = read_headed(path, FORMAT, LARGEST)
    tree = betting_tree(Variant.load(head["game"]))
    streets = range(len(tree.streets))
    solution = Solution(
        tree,
        Abstraction.from_dict(head["abstraction"]),
        tuple(arrays[f"folds{k}"] for k in streets),
        tuple(arrays[f"raises{k}"] for k in streets),
        dict(head["origin"]),
    )
    _verify(solution)
    if head["digest"] != solution.digest:
        raise ModelError(f"{path}: damaged strategy")
    return solution


def _verify(solution: Solution) -> None:
    """Every array has the shape of its street, and no probability is above 1."""
    for street, count, weak, bold in zip(
        solution.tree.streets, solution.abstraction.counts, solution.folds, solution.raises, strict=True
    ):
        shape = (len(street.entries), len(street.actors), count, LANES)
        if weak.shape != shape or bold.shape != shape or {weak.dtype, bold.dtype} != {np.dtype(np.uint8)}:
            raise ArgumentError(f"arrays of {weak.shape} and {bold.shape}: expected uint8 of {shape}")
        if (weak.astype(np.int64) + bold > STEPS).any():
            raise ArgumentError("probabilities that sum to more than 1")


def load_solution(path: Path | str = SHIPPED) -> Solution:
    """Read a strategy; the shipped one where no path is given.

    Raises
    ------
    ModelError
        It is missing, damaged, or of another version.
    """
    with reading(path, "strategy"):
        return _load(str(path), Path(path).stat().st_mtime_ns)
