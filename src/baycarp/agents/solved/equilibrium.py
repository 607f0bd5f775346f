"""A solved strategy at the table, heads-up, by its probabilities alone.

``baycarp solve`` makes the strategy. It depends on the betting and the bucket of the own cards; the opponent
is not observed, and nothing is learned. In no-limit the hand is followed in the betting that was solved:
a bet of the opponent counts as one of the sizes there, by soft translation with a draw that is kept for the
hand, and a size is translated back into chips of the real pot. Once all chips are in there, but not at the
table, the player checks or calls.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.anytime import Answer, Recorder
from baycarp.agents.base import ClassPolicies, Decision, Plays, Seeded
from baycarp.agents.policy import by_action, smallest
from baycarp.agents.sampling import draw, generator
from baycarp.agents.trace import Stage
from baycarp.budget import Budget
from baycarp.card import holding_index
from baycarp.errors import ModelError
from baycarp.game import Action, Observation, Variant
from baycarp.game.state import State
from baycarp.rules.betting.letters import SessionDraws, act_letter, bet_of
from baycarp.rules.betting.sizes import CALL, FCHPA, FOLD, BetRange, Sizes, bets
from baycarp.solvers.nolimit.betting import NoLimitBetting
from baycarp.solvers.solution import SHIPPED_LIMIT, SHIPPED_NOLIMIT, SolvedStrategy, betting_of, load_solution

__all__ = ["Equilibrium", "EquilibriumNL", "SolutionStage", "SolvedPlayer", "followed", "thresholded"]


@dataclass(frozen=True, slots=True)
class SolutionStage(Stage, name="solution"):
    """A solved strategy is looked up: the betting, and the bucket of the own cards, below ``buckets``."""

    betting: str
    bucket: int
    buckets: int


@dataclass(frozen=True, slots=True)
class PlaysSolved(Plays):
    """Games with the betting of a solved one."""

    solved: str = ""

    def __str__(self) -> str:
        return betting_of(self.solved).about

    def fits(self, variant: Variant) -> bool:
        """Whether a game has the betting that was solved."""
        return _fits(self.solved, variant)


@lru_cache(maxsize=64)
def _fits(solved: str, variant: Variant) -> bool:
    return betting_of(solved).fits(variant)


class SolvedPlayer(Seeded, ABC):
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
        The file cannot be read or is of another kind of betting, or a threshold out of range.
    """

    betting: str
    """The kind of betting that is played."""

    shipped: Path

    def __init__(self, strategy: str = "", threshold: float = 0.0) -> None:
        if not 0 <= threshold <= 1:
            raise ModelError(f"threshold {threshold!r}: expected a probability, 0..1")
        self.threshold = threshold
        self.solution: SolvedStrategy = load_solution(strategy or self.shipped)
        solved = self.solution.betting.variant
        if solved.betting != self.betting:
            raise ModelError(f"{strategy}: a strategy of {solved.name}: expected one of {self.betting}")
        self.plays: Plays = PlaysSolved(frozenset({self.betting}), 2, 2, solved.name)

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
        return f"strategy of {self.solution.steps.size:,} probabilities"

    def sit(self, seat: int, variant: Variant, seed: int) -> None:
        """Take the seed; refuse a game that was not solved (``TableError``)."""
        self.plays.verify(variant)
        super().sit(seat, variant, seed)

    def decide(
        self, observation: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """Draw an action with the probabilities of the strategy; see ``Agent.decide``."""
        recorder = Recorder((budget or Budget(time=time_limit)).start())
        self.plays.verify_turn(observation)
        least = smallest(observation)
        call = least.get("check") or least["call"]
        betting, is_decision = self._followed(observation)
        if not is_decision:
            return recorder.decision(Answer(call, {call: 1.0}, f"{betting}: all chips are in, as solved"))
        table = self._table(betting, observation.state)
        bucket = int(self.hand_buckets(observation.state)[holding_index(*observation.hole)])
        recorder.add(SolutionStage(betting, bucket, len(table), seconds=recorder.lap()))
        letters = self.solution.betting.choices(betting)
        probabilities = dict(zip(letters, table[bucket].tolist(), strict=True))
        actions = {FOLD: least.get("fold", call), CALL: call}
        for letter in letters:
            if letter not in actions:
                actions[letter] = self._bet(letter, observation)
        policy = by_action(probabilities, actions)
        action = draw(policy, generator(self._seed, observation).random())
        return recorder.decision(Answer(action, policy, f"bucket {bucket} of {len(table)}, as solved"))

    def hand_buckets(self, state: State) -> NDArray[np.uint16]:
        """The bucket of each holding on the board: uint16, shape (1326,); 0 for blocked holdings."""
        return self.solution.abstraction.last(np.array(state.board, np.uint8))

    def _table(self, betting: str, state: State) -> NDArray[np.float64]:
        return thresholded(self.solution.table(betting), self.threshold)

    @abstractmethod
    def _followed(self, observation: Observation) -> tuple[str, bool]:
        """The betting so far in the solved game, and whether it is a decision there."""

    @abstractmethod
    def _bet(self, letter: str, observation: Observation) -> Action:
        """The bet or raise at the table of a letter of the solved game; a call where none is legal."""


class Equilibrium(SolvedPlayer, ClassPolicies):
    """Plays a solved strategy of fixed limit; it answers as a table (``agents.base.ClassPolicies``)."""

    betting = "limit"
    shipped = SHIPPED_LIMIT

    def _followed(self, observation: Observation) -> tuple[str, bool]:
        return observation.state.betting, True

    def _bet(self, letter: str, observation: Observation) -> Action:
        least = smallest(observation)
        found = least.get("bet") or least.get("raise") or least.get("check")
        return found or least["call"]

    def _table(self, betting: str, state: State) -> NDArray[np.float64]:
        return self.class_policies(state)

    def hand_classes(self, state: State) -> NDArray[np.uint16]:
        """The bucket of each holding on the board: uint16, shape (1326,); 0 for blocked holdings."""
        return self.hand_buckets(state)

    def class_policies(self, state: State) -> NDArray[np.float64]:
        """The probabilities of (fold, check or call, bet or raise) by bucket: float64, shape (buckets, 3)."""
        self.plays.verify(state.variant)
        return thresholded(self.solution.table(state.betting), self.threshold)


class EquilibriumNL(SolvedPlayer):
    """Plays a solved no-limit strategy; the other parameters are those of ``SolvedPlayer``.

    Parameters
    ----------
    jitter
        The greatest change of a bet, as a share of it, 0 to below 1; drawn anew for each bet.
    """

    betting = "no-limit"
    shipped = SHIPPED_NOLIMIT

    def __init__(self, strategy: str = "", threshold: float = 0.0, jitter: float = 0.0) -> None:
        super().__init__(strategy, threshold)
        if not 0 <= jitter < 1:
            raise ModelError(f"jitter {jitter!r}: expected 0 to below 1")
        self.jitter = jitter

    def _followed(self, observation: Observation) -> tuple[str, bool]:
        assert isinstance(self.solution.betting, NoLimitBetting)
        return followed(self.solution.betting, observation, SessionDraws(self._seed, self.jitter))

    def _bet(self, letter: str, observation: Observation) -> Action:
        return _bet_in_chips(letter, observation, SessionDraws(self._seed, self.jitter))


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


def followed(betting: NoLimitBetting, observation: Observation, draws: SessionDraws) -> tuple[str, bool]:
    """The betting of a hand in letters of the solved game, and whether it is a decision there.

    Parameters
    ----------
    betting
        Of the solved game.
    observation
        The hand, as the position to act observes it.
    draws
        Of the session.

    Returns
    -------
    letters, is_decision
        False where the solved hand is over: all chips are in. The letters end there.
    """
    ranges = bets(observation.state)
    letters, node = "", 0
    for number, act in enumerate(observation.acts):
        actions = betting.actions(node)
        letter = CALL
        if act.action.name in ("bet", "raise"):
            _, legal = next(ranges)
            if FCHPA.all_in not in actions:
                return letters, False
            letter = FCHPA.all_in
            known = tuple(each for each in FCHPA.proportions if each[0] in actions)
            if known:
                sizes = Sizes(known, FCHPA.all_in)
                letter = act_letter(act, legal, sizes, observation, (draws, number, True))
        letters += letter
        node = actions[letter]
        if node < 0:
            return letters, False
    return letters, True


def _bet_in_chips(letter: str, observation: Observation, draws: SessionDraws) -> Action:
    """The bet at the table of a size of the solved game; a call where no bet is legal."""
    legal = BetRange.of(observation.state)
    if legal is not None:
        return bet_of(letter, legal, FCHPA, observation, draws)
    least = smallest(observation)
    return least.get("check") or least["call"]
