"""A solved no-limit strategy as a file: the probability of every action, in 255 steps."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ArgumentError, ModelError
from baycarp.game import Variant
from baycarp.solvers.headed import read_headed, reading, write_headed
from baycarp.solvers.limit.abstraction import Abstraction
from baycarp.solvers.nolimit.betting import BettingTree, betting_tree
from baycarp.solvers.nolimit.deals import verify_river

__all__ = ["SHIPPED", "STEPS", "Solution", "load_solution", "save_solution"]

FORMAT = "baycarp.solution.nolimit"
STEPS = 255
SHIPPED = Path(__file__).parents[2] / "data" / "models" / "equilibriumnl.npz"
LARGEST = 1 << 28


@dataclass(frozen=True, eq=False)
class Solution:
    """A strategy for both positions.

    Parameters
    ----------
    tree
        The betting of the abstract game.
    abstraction
        The buckets.
    steps
        uint8: probabilities in steps, by (node, bucket, action) in this order; those of a row sum to 255.
    origin
        How it was made: command, seed, iterations, loss to responders.
    """

    tree: BettingTree
    abstraction: Abstraction
    steps: NDArray[np.uint8]
    origin: dict[str, Any]

    @staticmethod
    def of(
        tree: BettingTree, abstraction: Abstraction, policy: NDArray[np.float32], origin: dict[str, Any]
    ) -> "Solution":
        """The strategy of a policy by cell, its probabilities rounded to steps."""
        steps = np.empty(len(policy), np.uint8)
        for at, shape in _blocks(tree, abstraction):
            sums = np.rint(np.cumsum(policy[at].reshape(shape), axis=1, dtype=np.float64) * STEPS)
            sums[:, -1] = STEPS
            steps[at] = np.diff(sums, axis=1, prepend=0).astype(np.uint8).ravel()
        return Solution(tree, abstraction, steps, origin)

    @cached_property
    def _first(self) -> NDArray[np.int64]:
        sizes = [rows * actions for _, (rows, actions) in _blocks(self.tree, self.abstraction)]
        return np.cumsum([0, *sizes])

    def table(self, node: int) -> NDArray[np.float64]:
        """The probabilities of a node's actions by bucket: float64, shape (buckets, actions)."""
        first, end = self._first[node : node + 2].tolist()
        buckets = self.abstraction.counts[self.tree.streets[node]]
        table: NDArray[np.float64] = self.steps[first:end].reshape(buckets, -1) / STEPS
        return table

    def policy(self) -> NDArray[np.float32]:
        """The strategy by cell, as ``Sampling`` has them."""
        return (self.steps / np.float32(STEPS)).astype(np.float32)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the strategy and of its abstraction."""
        return sha256(self.abstraction.digest.encode() + self.steps.tobytes()).hexdigest()


def _blocks(tree: BettingTree, abstraction: Abstraction) -> list[tuple[slice, tuple[int, int]]]:
    """The cells of each node, and their shape: buckets, actions."""
    rows, widths = np.array(abstraction.counts)[tree.streets], np.diff(tree.edges)
    ends = np.cumsum(rows * widths).tolist()
    shapes = zip(rows.tolist(), widths.tolist(), strict=True)
    return [(slice(end - n * k, end), (n, k)) for end, (n, k) in zip(ends, shapes, strict=True)]


def save_solution(solution: Solution, path: Path) -> None:
    """Write a strategy, whole; of each row all probabilities but the last."""
    head = {
        "game": solution.tree.variant.name,
        "abstraction": solution.abstraction.to_dict(),
        "origin": solution.origin,
        "digest": solution.digest,
    }
    steps = solution.steps[~_last(solution.tree, solution.abstraction)]
    write_headed(path, FORMAT, head, {"steps": steps})


def _last(tree: BettingTree, abstraction: Abstraction) -> NDArray[np.bool_]:
    """The cells of the last action of every row."""
    widths = np.repeat(np.diff(tree.edges), np.array(abstraction.counts)[tree.streets])
    ends = np.cumsum(widths)
    last = np.zeros(ends[-1], np.bool_)
    last[ends - 1] = True
    return last


def _completed(tree: BettingTree, abstraction: Abstraction, given: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """All steps from those without the last of each row."""
    last = _last(tree, abstraction)
    if given.dtype != np.uint8 or given.shape != (int((~last).sum()),):
        raise ArgumentError(f"steps of {given.shape}, {given.dtype}: expected uint8 of {(~last).sum()}")
    steps = np.zeros(len(last), np.int64)
    steps[~last] = given
    ends = np.flatnonzero(last)
    rest = STEPS - np.add.reduceat(steps, np.concatenate([[0], ends[:-1] + 1]))
    if rest.min() < 0:
        raise ArgumentError("probabilities that sum to more than 1")
    steps[last] = rest
    return steps.astype(np.uint8)


@lru_cache(maxsize=4)
def _load(path: str, stamp: int) -> Solution:
    head, arrays = read_headed(path, FORMAT, LARGEST)
    tree = betting_tree(Variant.load(head["game"]))
    abstraction = Abstraction.from_dict(head["abstraction"])
    verify_river(abstraction)
    steps = _completed(tree, abstraction, arrays["steps"])
    solution = Solution(tree, abstraction, steps, dict(head["origin"]))
    if head["digest"] != solution.digest:
        raise ModelError(f"{path}: damaged strategy")
    return solution


def load_solution(path: Path | str = SHIPPED) -> Solution:
    """Read a strategy; the shipped one where no path is given.

    Raises
    ------
    ModelError
        It is missing, damaged, or of another version.
    """
    with reading(path, "strategy"):
        return _load(str(path), Path(path).stat().st_mtime_ns)
