"""A solved strategy at the table, heads-up, by its probabilities alone.

``baycarp solve`` makes the strategy. It depends on the betting and the bucket of the own cards; the opponent
is not observed, and nothing is learned. In no-limit the hand is followed in the betting that was solved, of
the depth nearest to its own: a bet of the opponent counts as one of the sizes there, by soft translation with
a draw that is kept for the hand, and a size is translated back into chips of the real pot. All-in is a size,
too: the share of the pot that the stack has where the game was solved. Once all chips are in there, but not
at the table, the player checks or calls.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import log
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
from baycarp.errors import ModelError, brief
from baycarp.game import Action, Observation, Variant
from baycarp.game.state import State
from baycarp.rules.betting.letters import SessionDraws, act_letter, bet_of
from baycarp.rules.betting.sizes import CALL, FOLD, SOLVED, BetRange, Sizes, bets
from baycarp.solvers.nolimit.betting import COMMITTED, NoLimitBetting
from baycarp.solvers.solution import SHIPPED_LIMIT, SHIPPED_NOLIMIT, SolvedStrategy, betting_of, load_solution

__all__ = ["Equilibrium", "EquilibriumNL", "SolutionStage", "SolvedPlayer", "followed", "thresholded"]


@dataclass(frozen=True, slots=True)
class SolutionStage(Stage, name="solution"):
    """A solved strategy is looked up: the betting, and the bucket of the own cards, below ``buckets``.

    ``game`` is the one that was solved, with the stack of the hand where that is another.
    """

    betting: str
    bucket: int
    buckets: int
    game: str = ""


@dataclass(frozen=True, slots=True)
class PlaysTranslated(Plays):
    """Games for two in which the button acts first before the flop, and the other one after it."""

    def __str__(self) -> str:
        return "no-limit, 2 seats, the button first before the flop"

    def fits(self, variant: Variant) -> bool:
        """Whether a game has this order."""
        return Plays.fits(self, variant) and variant.first == (1, 0, 0, 0)


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
        A file of ``baycarp solve``.
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

    plays: Plays

    def __init__(self, strategy: str | Path, threshold: float = 0.0) -> None:
        if not 0 <= threshold <= 1:
            raise ModelError(f"threshold {brief(threshold)}: expected a probability, 0..1")
        self.threshold = threshold
        self.solution: SolvedStrategy = load_solution(strategy)
        solved = self.solution.betting.variant
        if solved.betting != self.betting:
            raise ModelError(f"{strategy}: a strategy of {solved.name}: expected one of {self.betting}")

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
        """Take the seed; refuse a game that is not played (``TableError``)."""
        self.plays.verify(variant)
        super().sit(seat, variant, seed)

    def decide(
        self, observation: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """Draw an action with the probabilities of the strategy; see ``Agent.decide``."""
        recorder = Recorder((budget or Budget(time=time_limit)).start())
        self.plays.verify_turn(observation)
        betting, is_decision = self._followed(observation)
        if not is_decision:
            call = _call(observation)
            return recorder.decision(Answer(call, {call: 1.0}, f"{betting}: all chips are in, as solved"))
        solution = self.solution_of(observation.state)
        table = thresholded(solution.table(betting), self.threshold)
        bucket = solution.tables.bucket(observation.state.board, holding_index(*observation.hole))
        game = self._solved(observation.state)
        recorder.add(SolutionStage(betting, bucket, len(table), game, seconds=recorder.lap()))
        probabilities = dict(zip(solution.betting.choices(betting), table[bucket].tolist(), strict=True))
        policy = by_action(probabilities, self._actions(betting, observation))
        action = draw(policy, generator(self._seed, observation).random())
        reason = f"bucket {bucket} of {len(table)}, as solved in {game}"
        return recorder.decision(Answer(action, policy, reason))

    def solution_of(self, state: State) -> SolvedStrategy:
        """The strategy that decides a hand."""
        return self.solution

    def hand_buckets(self, state: State) -> NDArray[np.uint16]:
        """The bucket of each holding on the board: uint16, shape (1326,); 0 for blocked holdings."""
        return self.solution_of(state).tables.last(state.board)

    def _actions(self, betting: str, observation: Observation) -> dict[str, Action]:
        """The action at the table of each letter after a betting of the solved game."""
        call = _call(observation)
        letters = self.solution_of(observation.state).betting.choices(betting)
        passive = {FOLD: smallest(observation).get("fold", call), CALL: call}
        bets = self._bets([each for each in letters if each not in passive], betting, observation)
        return {letter: passive.get(letter) or bets[letter] for letter in letters}

    def _solved(self, state: State) -> str:
        """The game that was solved, and what of the hand is not as there."""
        return self.solution_of(state).betting.variant.name

    @abstractmethod
    def _followed(self, observation: Observation) -> tuple[str, bool]:
        """The betting so far in the solved game, and whether it is a decision there."""

    @abstractmethod
    def _bets(self, letters: Sequence[str], betting: str, observation: Observation) -> dict[str, Action]:
        """The bets at the table of letters after a betting of the solved game; a call where none is legal."""


class Equilibrium(SolvedPlayer, ClassPolicies):
    """Plays a solved strategy of fixed limit; it answers as a table (``agents.base.ClassPolicies``).

    The parameters are those of ``SolvedPlayer``; without a file the shipped strategy is played.
    """

    betting = "limit"

    def __init__(self, strategy: str = "", threshold: float = 0.0) -> None:
        super().__init__(strategy or SHIPPED_LIMIT, threshold)
        self.plays = PlaysSolved(frozenset({self.betting}), 2, 2, self.solution.betting.variant.name)

    def _followed(self, observation: Observation) -> tuple[str, bool]:
        return observation.state.betting, True

    def _bets(self, letters: Sequence[str], betting: str, observation: Observation) -> dict[str, Action]:
        least = smallest(observation)
        return dict.fromkeys(letters, least.get("bet") or least.get("raise") or _call(observation))

    def hand_classes(self, state: State) -> NDArray[np.uint16]:
        """The bucket of each holding on the board: uint16, shape (1326,); 0 for blocked holdings."""
        return self.hand_buckets(state)

    def class_policies(self, state: State) -> NDArray[np.float64]:
        """The probabilities of (fold, check or call, bet or raise) by bucket: float64, shape (buckets, 3)."""
        self.plays.verify(state.variant)
        return thresholded(self.solution.table(state.betting), self.threshold)


class EquilibriumNL(SolvedPlayer):
    """Plays solved no-limit strategies, with any stacks; the other parameters are those of ``SolvedPlayer``.

    Without a file each hand is played by the shipped strategy whose depth is nearest by ratio to the smaller
    stack of the hand, in big blinds.

    Parameters
    ----------
    jitter
        The greatest change of a bet, as a share of it, 0 to below 1; drawn anew for each bet.
    """

    betting = "no-limit"
    plays: Plays = PlaysTranslated(frozenset({betting}), 2, 2)

    def __init__(self, strategy: str = "", threshold: float = 0.0, jitter: float = 0.0) -> None:
        super().__init__(strategy or SHIPPED_NOLIMIT[100], threshold)
        if not 0 <= jitter < 1:
            raise ModelError(f"jitter {brief(jitter)}: expected 0 to below 1")
        self.jitter = jitter
        self._is_given = bool(strategy)

    @property
    def loaded_from(self) -> list[str]:
        """The digests of its files."""
        if self._is_given:
            return [f"strategy {self.digest}"]
        return [f"strategy {_shipped(depth).digest}" for depth in SHIPPED_NOLIMIT]

    def solution_of(self, state: State) -> SolvedStrategy:
        """The strategy that decides a hand: the one of the nearest depth."""
        if self._is_given:
            return self.solution
        depth = _depth(state)
        return _shipped(min(SHIPPED_NOLIMIT, key=lambda each: abs(log(each / depth))))

    def policies(self, observation: Observation) -> tuple[tuple[Action, ...], NDArray[np.float64]]:
        """The actions of a decision, and their probabilities by holding; cards of the player are not read.

        Returns
        -------
        actions, probabilities
            At the table; float64, shape (actions, 1326), columns of blocked holdings without meaning.
        """
        known, table = self.bucket_policies(observation)
        return known, table[:, self.hand_buckets(observation.state)]

    def bucket_policies(self, observation: Observation) -> tuple[tuple[Action, ...], NDArray[np.float64]]:
        """The same by bucket: float64, shape (actions, buckets)."""
        betting, is_decision = self._followed(observation)
        solution = self.solution_of(observation.state)
        if not is_decision:
            return (_call(observation),), np.ones((1, solution.abstraction.counts[observation.street]))
        table = thresholded(solution.table(betting), self.threshold)
        actions = list(self._actions(betting, observation).values())
        known = tuple(dict.fromkeys(actions))
        made = np.zeros((len(known), len(table)))
        for action, shares in zip(actions, table.T, strict=True):
            made[known.index(action)] += shares
        return known, made

    def is_solved(self, observation: Observation) -> bool:
        """Whether the betting of a hand so far is one of the solved game, chip by chip."""
        state, replayed = observation.state, observation.state.begun()
        if not self._betting(observation).fits(state.variant):
            return False
        for act in state.acts:
            actions, _ = self.bucket_policies(replayed.observe(act.seat))
            if act.action.name in ("bet", "raise") and act.action not in actions:
                return False
            replayed.apply(act.action)
        return True

    def _solved(self, state: State) -> str:
        betting, depth = self.solution_of(state).betting, _depth(state)
        is_solved = betting.fits(state.variant) and depth == _depth(State(betting.variant))
        return betting.variant.name + ("" if is_solved else f", translated to {depth:.4g} big blinds")

    def _followed(self, observation: Observation) -> tuple[str, bool]:
        betting = self._betting(observation)
        return followed(betting, observation, SessionDraws(self._seed, self.jitter))

    def _bets(self, letters: Sequence[str], betting: str, observation: Observation) -> dict[str, Action]:
        legal = BetRange.of(observation.state)
        if legal is None or not letters:
            return dict.fromkeys(letters, _call(observation))
        tree, draws = self._betting(observation), SessionDraws(self._seed, self.jitter)
        sizes = tree.sizes(tree.node(betting))
        return {letter: _bet_in_chips(letter, sizes, legal, observation, draws) for letter in letters}

    def _betting(self, observation: Observation) -> NoLimitBetting:
        betting = self.solution_of(observation.state).betting
        assert isinstance(betting, NoLimitBetting)
        return betting


@cache
def _shipped(depth: int) -> SolvedStrategy:
    return load_solution(SHIPPED_NOLIMIT[depth])


def _depth(state: State) -> float:
    """The smaller stack at the start of a hand, in big blinds."""
    stacks = (paid + left for paid, left in zip(state.committed, state.stacks, strict=True))
    return min(stacks) / state.variant.big_blind


def _call(observation: Observation) -> Action:
    least = smallest(observation)
    return least.get("check") or least["call"]


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
            if SOLVED.all_in not in actions:
                return letters, False
            letter = act_letter(act, legal, betting.sizes(node), observation, (draws, number, True))
        letters += letter
        node = actions[letter]
        if node < 0:
            return letters, False
    return letters, True


def _bet_in_chips(
    letter: str, sizes: Sizes, legal: BetRange, observation: Observation, draws: SessionDraws
) -> Action:
    """The bet of a size of the solved game; all-in there is all-in here where it bets most of the stack."""
    bet = bet_of(letter, legal, sizes, observation, draws)
    is_most = letter == SOLVED.all_in and bet.amount - legal.level >= COMMITTED * legal.most
    return legal.action(legal.most) if is_most else bet
