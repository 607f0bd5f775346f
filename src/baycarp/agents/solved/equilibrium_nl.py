"""A solved no-limit strategy at the table: heads-up, by its probabilities alone.

``baycarp solve`` makes the strategy, over a few sizes of bets. The hand is followed in the betting that was
solved: a bet of the opponent counts as one of the sizes there, by soft translation with a draw that is kept
for the hand; a size is translated back into chips of the real pot. Once all chips are in there, but not at
the table, the player checks or calls. The opponent is not observed, and nothing is learned.
"""

from dataclasses import dataclass

import numpy as np

from baycarp.agents.anytime import Answer, Recorder
from baycarp.agents.base import Decision, Plays, Stateless
from baycarp.agents.policy import by_action, smallest
from baycarp.agents.sampling import draw, generator
from baycarp.agents.solved.equilibrium import thresholded
from baycarp.agents.solved.stage import SolutionStage
from baycarp.budget import Budget
from baycarp.card import holding_index
from baycarp.errors import ModelError
from baycarp.game import Action, Observation, Variant
from baycarp.rules.lettered import Draws, act_letter, bet_of
from baycarp.rules.sizes import CALL, FCHPA, FOLD, BetRange, Sizes, bets
from baycarp.solvers.nolimit.betting import BettingTree
from baycarp.solvers.nolimit.solution import Solution, load_solution

__all__ = ["EquilibriumNL", "followed"]


@dataclass(frozen=True, slots=True)
class PlaysSolved(Plays):
    """Games with the blinds, antes and stacks of a solved one, in big blinds."""

    solved: str = ""

    def __str__(self) -> str:
        return f"the blinds and stacks of {self.solved}, in any chips"

    def fits(self, variant: Variant) -> bool:
        """Whether a game is the one that was solved."""
        return _in_big_blinds(variant) == _in_big_blinds(Variant.load(self.solved))


def _in_big_blinds(variant: Variant) -> tuple[object, ...]:
    chips = (*variant.blinds, *variant.antes, *(variant.stacks or ()))
    amounts = tuple(chip / variant.big_blind for chip in chips)
    return variant.betting, variant.seats, variant.first, variant.max_raises, amounts


class EquilibriumNL(Stateless):
    """Plays a solved no-limit strategy.

    Parameters
    ----------
    strategy
        A file of ``baycarp solve``; none named, the shipped one.
    threshold
        Probabilities below it, 0..1, count as 0, and the others in proportion, as in ``Equilibrium``.
    jitter
        The greatest change of a bet, as a share of it, 0 to below 1; drawn anew for each bet.

    Raises
    ------
    ModelError
        The file cannot be read, or a number out of its range.
    """

    _seed = 0

    def __init__(self, strategy: str = "", threshold: float = 0.0, jitter: float = 0.0) -> None:
        if not (0 <= threshold <= 1 and 0 <= jitter < 1):
            raise ModelError(f"threshold {threshold!r}, jitter {jitter!r}: expected 0..1, and 0 to below 1")
        self.threshold, self.jitter = threshold, jitter
        self.solution: Solution = load_solution(strategy) if strategy else load_solution()
        self.plays: Plays = PlaysSolved(frozenset({"no-limit"}), 2, 2, self.solution.tree.variant.name)

    @property
    def digest(self) -> str:
        """SHA-256 of the strategy."""
        return self.solution.digest

    @property
    def size(self) -> str:
        """The size of the strategy."""
        return f"strategy of {self.solution.steps.size:,} probabilities"

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
        draws = Draws(self._seed, self.jitter)
        letters, node = followed(self.solution.tree, observation, draws)
        if node is None:
            call = smallest(observation)
            action = call.get("check") or call["call"]
            return recorder.decision(Answer(action, {action: 1.0}, f"{letters}: all chips are in, as solved"))
        table = self.solution.table(node)
        buckets = self.solution.abstraction.last(np.array(observation.board, np.uint8))
        bucket = int(buckets[holding_index(*observation.hole)])
        recorder.add(SolutionStage(letters, bucket, len(table), seconds=recorder.lap()))
        row = thresholded(table[bucket : bucket + 1], self.threshold)[0].tolist()
        probabilities = dict(zip(self.solution.tree.actions(node), row, strict=True))
        policy = by_action(probabilities, _actions(probabilities, observation, draws))
        action = draw(policy, generator(self._seed, observation).random())
        return recorder.decision(Answer(action, policy, f"bucket {bucket} of {len(table)}, as solved"))


def followed(tree: BettingTree, observation: Observation, draws: Draws) -> tuple[str, int | None]:
    """The betting of a hand in letters of the abstract game, and its node there.

    Parameters
    ----------
    tree
        The betting of the abstract game.
    observation
        The hand, as the position to act observes it.
    draws
        Of the session.

    Returns
    -------
    letters, node
        None where the abstract hand is over: all chips are in. The letters end there.
    """
    ranges, letters, node = bets(observation.state), "", 0
    for number, act in enumerate(observation.acts):
        actions, letter = tree.actions(node), CALL
        if act.action.name in ("bet", "raise"):
            _, legal = next(ranges)
            known = tuple(each for each in FCHPA.proportions if each[0] in actions)
            if FCHPA.all_in not in actions:
                return letters, None
            letter = FCHPA.all_in
            if known:
                sizes = Sizes(known, FCHPA.all_in)
                letter = act_letter(act, legal, sizes, observation, (draws, number, True))
        letters += letter
        if actions[letter] < 0:
            return letters, None
        node = actions[letter]
    return letters, node


def _actions(letters: dict[str, float], observation: Observation, draws: Draws) -> dict[str, Action]:
    """The action at the table of each letter: a free fold is a check, a bet that is not legal a call."""
    least, legal = smallest(observation), BetRange.of(observation.state)
    call = least.get("check") or least["call"]
    found = {FOLD: least.get("fold", call), CALL: call}
    for letter in letters:
        if letter not in found:
            found[letter] = bet_of(letter, legal, FCHPA, observation, draws) if legal else call
    return found
