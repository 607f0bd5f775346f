"""A solved strategy at the table: heads-up fixed limit, by its probabilities alone.

``baycarp solve`` makes the strategy. It depends on the betting and the bucket of the own cards; the opponent
is not observed, and nothing is learned.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.anytime import Answer, Recorder
from baycarp.agents.base import Decision, Plays, Stateless
from baycarp.agents.sampling import draw, generator, legal_policy
from baycarp.agents.solved.stage import SolutionStage
from baycarp.budget import Budget
from baycarp.card import holding_index
from baycarp.errors import ModelError, VariantError
from baycarp.game import Observation, Variant
from baycarp.game.state import State
from baycarp.solvers.limit.betting import betting_tree
from baycarp.solvers.limit.solution import Solution, load_solution

__all__ = ["Equilibrium", "thresholded"]


@dataclass(frozen=True, slots=True)
class PlaysSolved(Plays):
    """Games with the betting of a solved one: the same cap, and blinds in the same proportion to the bets."""

    solved: str = ""

    def __str__(self) -> str:
        return f"the betting of {self.solved}"

    def fits(self, variant: Variant) -> bool:
        """Whether a game has the betting that was solved."""
        return _is_same(Variant.load(self.solved), variant)


@lru_cache(maxsize=64)
def _is_same(solved: Variant, variant: Variant) -> bool:
    try:
        trees = betting_tree(solved), betting_tree(variant)
    except VariantError:
        return False
    scale = solved.small_bet / variant.small_bet
    for own, other in zip(*(tree.streets for tree in trees), strict=True):
        chips = [scale * amount for amount in (*other.folded, *other.matched)]
        if own.children != other.children or own.actors != other.actors:
            return False
        if not np.allclose(chips, (*own.folded, *own.matched)):
            return False
    return True


class Equilibrium(Stateless):
    """Plays a solved strategy.

    Parameters
    ----------
    strategy
        A file of ``baycarp solve``; none named, the shipped one.
    threshold
        Probabilities below it, 0..1, count as 0, and the others in proportion: thresholding, and from 1 on
        purification, of the strategies of an abstraction (Ganzfried, Sandholm and Waugh 2012). The most
        frequent action stays.

    Raises
    ------
    ModelError
        The file cannot be read, or a threshold out of range.
    """

    _seed = 0

    def __init__(self, strategy: str = "", threshold: float = 0.0) -> None:
        if not 0 <= threshold <= 1:
            raise ModelError(f"threshold {threshold!r}: expected a probability, 0..1")
        self.threshold = threshold
        self.solution: Solution = load_solution(strategy) if strategy else load_solution()
        self.plays: Plays = PlaysSolved(frozenset({"limit"}), 2, 2, self.solution.tree.game)

    @property
    def digest(self) -> str:
        """SHA-256 of the strategy."""
        return self.solution.digest

    @property
    def loaded_from(self) -> list[str]:
        """The digest of its file."""
        return [f"strategy {self.digest}"]

    @property
    def size(self) -> str:
        """The size of the strategy."""
        parts = (*self.solution.folds, *self.solution.raises)
        return f"strategy of {sum(part.size for part in parts):,} probabilities"

    def sit(self, seat: int, variant: Variant, seed: int) -> None:
        """Take the seed; refuse a game that was not solved (``TableError``)."""
        self.plays.verify(variant)
        self._seed = seed

    def decide(
        self, observation: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """Draw an action with the probabilities of the strategy; see ``Agent.decide``."""
        recorder = Recorder((budget or Budget(time=time_limit)).start())
        self.plays.verify_turn(observation)
        state, hole = observation.state, observation.hole
        bucket = int(self.hand_classes(state)[holding_index(hole[0], hole[1])])
        table = self.class_policies(state)
        recorder.add(SolutionStage(state.betting, bucket, len(table), seconds=recorder.lap()))
        policy = legal_policy(observation, table[bucket].tolist())
        action = draw(policy, generator(self._seed, observation).random())
        return recorder.decision(Answer(action, policy, f"bucket {bucket} of {len(table)}, as solved"))

    def hand_classes(self, state: State) -> NDArray[np.uint16]:
        """The bucket of each holding on the board: uint16, shape (1326,); 0 for blocked holdings."""
        return self.solution.abstraction.last(np.array(state.board, np.uint8))

    def class_policies(self, state: State) -> NDArray[np.float64]:
        """The probabilities of (fold, check or call, bet or raise) by bucket: float64, shape (buckets, 3)."""
        self.plays.verify(state.variant)
        table = self.solution.table(state.betting)
        return thresholded(table, self.threshold) if self.threshold else table

    def policies(self, state: State) -> NDArray[np.float64]:
        """The policies of all holdings of the player to act.

        Parameters
        ----------
        state
            The board of its street is known; hole cards are not read.

        Returns
        -------
        float64 array, shape (1326, 3)
            Of fold, check or call, bet or raise, by holding index; rows sum to 1, and those of holdings that
            the board blocks have no meaning.
        """
        return self.class_policies(state)[self.hand_classes(state)]


def thresholded(table: NDArray[np.float64], threshold: float) -> NDArray[np.float64]:
    """Policies without their rare actions; the greatest probability of a row always stays.

    Parameters
    ----------
    table
        Probabilities, float64, shape (n, k); rows sum to 1.
    threshold
        Probabilities below it count as 0.

    Examples
    --------
    >>> thresholded(np.array([[0.1, 0.3, 0.6], [0.1, 0.45, 0.45]]), 0.2).round(2).tolist()
    [[0.0, 0.33, 0.67], [0.0, 0.5, 0.5]]
    """
    least = np.minimum(threshold, table.max(axis=1, keepdims=True))
    kept = np.where(table >= least, table, 0.0)
    found: NDArray[np.float64] = kept / kept.sum(axis=1, keepdims=True)
    return found
