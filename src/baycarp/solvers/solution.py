"""A solved strategy as a file: the probability of every action of a betting game, in steps of 1 / 255."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ArgumentError, ModelError, VariantError
from baycarp.files import AnyForm, ArrayForm, FileForm, MapForm, TextForm, verify_as_written
from baycarp.game import Variant
from baycarp.solvers.buckets.abstraction import Abstraction
from baycarp.solvers.buckets.boards import canonical_boards
from baycarp.solvers.buckets.tables import BucketTables
from baycarp.solvers.headed import headed, read_headed, reading, write_headed
from baycarp.solvers.limit.betting import limit_betting
from baycarp.solvers.nolimit.betting import nolimit_betting

__all__ = [
    "SHIPPED_LIMIT",
    "SHIPPED_NOLIMIT",
    "STEPS",
    "BettingGame",
    "SolvedStrategy",
    "betting_of",
    "load_solution",
    "save_solution",
]

FORMAT = "baycarp.solution"
STEPS = 255
LEVELS = 85
"""Levels of a probability when a strategy is made: its file is smaller by a quarter than with all steps."""

FORM = headed(
    FORMAT,
    {"game": TextForm(), "abstraction": AnyForm(), "origin": MapForm(AnyForm()), "digest": TextForm()},
    FileForm(
        {"steps": ArrayForm("uint8", ("cells",)), "flops": ArrayForm("uint16", ("boards", 1326))},
        limit=1 << 28,
        optional=frozenset({"flops"}),
    ),
)

MODELS = Path(__file__).parents[1] / "data" / "models"
SHIPPED_LIMIT = MODELS / "equilibrium.npz"
SHIPPED_NOLIMIT: Mapping[int, Path] = {depth: MODELS / f"equilibriumnl{depth}.npz" for depth in (100, 200)}
"""By depth in big blinds."""


class BettingGame(Protocol):
    """The betting of a game for two, and the order of the cells of a strategy: a probability each.

    A decision is named by the betting that leads to it. A row is the actions of a decision with one bucket;
    ``counts`` are the buckets by street.
    """

    @property
    def variant(self) -> Variant:
        """The game."""

    @property
    def about(self) -> str:
        """The games with this betting, in words."""

    def fits(self, variant: Variant) -> bool:
        """Whether a game has this betting."""

    def choices(self, betting: str) -> tuple[str, ...]:
        """The letters of a decision's actions; raises ``VariantError`` where it is none of the game."""

    def blocks(self, counts: Sequence[int]) -> list[tuple[int, int, int]]:
        """The shapes of the blocks that the cells are made of; the second axis of each is the actions."""

    def cells(self, betting: str, counts: Sequence[int]) -> NDArray[np.int64]:
        """The cells of a decision: shape (buckets, actions); raises ``VariantError`` as ``choices``."""


BETTING: Mapping[str, Callable[[Variant], BettingGame]] = {
    "limit": limit_betting,
    "no-limit": nolimit_betting,
}
"""By the kind of betting of a game."""


@lru_cache(maxsize=8)
def betting_of(game: str) -> BettingGame:
    """The betting of a game by its name.

    Raises
    ------
    VariantError
        No such game, or one that is not solved.
    """
    variant = Variant.load(game)
    if variant.betting not in BETTING:
        raise VariantError(f"{game} ({variant.betting}): expected one of {', '.join(BETTING)}")
    return BETTING[variant.betting](variant)


@dataclass(frozen=True, eq=False)
class SolvedStrategy:
    """A strategy for both positions.

    Parameters
    ----------
    betting
        The game.
    abstraction
        The buckets.
    steps
        uint8 by cell: probabilities in steps; those of a row sum to 255.
    origin
        How it was made: command, iterations, what it loses inside the abstraction.
    flops
        The own buckets of the flops, as of ``BucketTables``, so that none is computed at the table; None =
        they are.
    """

    betting: BettingGame
    abstraction: Abstraction
    steps: NDArray[np.uint8]
    origin: dict[str, Any]
    flops: NDArray[np.uint16] | None = None

    @staticmethod
    def of(
        betting: BettingGame,
        abstraction: Abstraction,
        policy: NDArray[np.float32],
        origin: dict[str, Any],
        flops: NDArray[np.uint16] | None = None,
    ) -> "SolvedStrategy":
        """The strategy of a policy by cell, its probabilities rounded to ``LEVELS``."""
        solution = SolvedStrategy(betting, abstraction, np.empty(len(policy), np.uint8), origin, flops)
        for steps, cells in zip(solution._blocks(solution.steps), solution._blocks(policy), strict=True):
            sums = np.rint(np.cumsum(cells, axis=1, dtype=np.float64) * LEVELS) * (STEPS // LEVELS)
            sums[:, -1] = STEPS
            steps[:] = np.diff(sums, axis=1, prepend=0)
        return solution

    def _blocks(self, cells: NDArray[Any]) -> Iterator[NDArray[Any]]:
        first = 0
        for shape in self.betting.blocks(self.abstraction.counts):
            end = first + shape[0] * shape[1] * shape[2]
            yield cells[first:end].reshape(shape)
            first = end

    def table(self, betting: str) -> NDArray[np.float64]:
        """The probabilities of a decision's actions by bucket: float64, shape (buckets, actions).

        Raises
        ------
        VariantError
            No decision of the game.
        """
        cells = self.betting.cells(betting, self.abstraction.counts)
        table: NDArray[np.float64] = self.steps[cells] / STEPS
        return table

    @cached_property
    def tables(self) -> BucketTables:
        """The buckets on every board."""
        return BucketTables(self.abstraction, self.flops)

    def policy(self) -> NDArray[np.float32]:
        """The strategy by cell."""
        return (self.steps / np.float32(STEPS)).astype(np.float32)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the strategy and of its abstraction."""
        return sha256(self.abstraction.digest.encode() + self.steps.tobytes()).hexdigest()


def save_solution(solution: SolvedStrategy, path: Path) -> None:
    """Write a strategy, whole; of each row all probabilities but the last."""
    head = {
        "game": solution.betting.variant.name,
        "abstraction": solution.abstraction.to_dict(),
        "origin": solution.origin,
        "digest": solution.digest,
    }
    parts = [block[:, :-1].ravel() for block in solution._blocks(solution.steps)]
    tables = {} if solution.flops is None else {"flops": solution.flops}
    write_headed(path, FORMAT, head, {"steps": np.concatenate(parts), **tables})


def load_solution(path: Path | str) -> SolvedStrategy:
    """Read a strategy.

    Raises
    ------
    ModelError
        It is missing, damaged, or of another version.
    """
    with reading(path, "strategy"):
        return _load(str(path), Path(path).stat().st_mtime_ns)


@lru_cache(maxsize=4)
def _load(path: str, stamp: int) -> SolvedStrategy:
    head, arrays = read_headed(path, FORM)
    betting = betting_of(head["game"])
    abstraction = Abstraction.from_dict(head["abstraction"])
    verify_as_written(head["abstraction"], abstraction.to_dict(), "abstraction")
    cells = sum(rows * actions * own for rows, actions, own in betting.blocks(abstraction.counts))
    solution = SolvedStrategy(
        betting, abstraction, np.empty(cells, np.uint8), dict(head["origin"]), arrays.get("flops")
    )
    _complete(solution, arrays["steps"])
    _verify_flops(solution)
    if head["digest"] != solution.digest:
        raise ModelError(f"{path}: damaged strategy")
    return solution


def _verify_flops(solution: SolvedStrategy) -> None:
    flops, most = solution.flops, solution.abstraction.rules[0].count
    if flops is None:
        return
    shape = (len(canonical_boards(3)), 1326)
    if flops.dtype != np.uint16 or flops.shape != shape or flops.max() >= most:
        raise ArgumentError(f"flops of {flops.shape}, {flops.dtype}: expected uint16 of {shape} below {most}")


def _complete(solution: SolvedStrategy, given: NDArray[np.uint8]) -> None:
    blocks = list(solution._blocks(solution.steps))
    stored = sum(block[:, :-1].size for block in blocks)
    if given.dtype != np.uint8 or given.shape != (stored,):
        raise ArgumentError(f"steps of {given.shape}, {given.dtype}: expected uint8 of {stored}")
    first = 0
    for block in blocks:
        end = first + block[:, :-1].size
        block[:, :-1] = given[first:end].reshape(block[:, :-1].shape)
        rest = STEPS - block[:, :-1].sum(axis=1, dtype=np.int64)
        if rest.min() < 0:
            raise ArgumentError("probabilities that sum to more than 1")
        block[:, -1] = rest
        first = end
