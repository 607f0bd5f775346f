"""Mistakes as policies: a share of one action becomes another, with some holdings, in some spots.

Heads-up fixed limit. The sound player is the solved strategy; a mistake moves a part of its probabilities.
Six mistakes are for building. Six others mirror them and are the ones reported: nothing may be fitted to
them.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from baycarp.agents.base import Decision, Plays
from baycarp.agents.registry import load
from baycarp.agents.sampling import draw, generator
from baycarp.budget import Budget
from baycarp.card import holding_index
from baycarp.errors import ModelError
from baycarp.game import Action, Event, Observation, Variant
from baycarp.kernels.strength import strength
from baycarp.rules.betting.context import FOLD_CALL_RAISE
from baycarp.rules.income import IncomeGroup, percentiles

__all__ = [
    "BASE",
    "BUILDING",
    "FREE",
    "MISTAKES",
    "REPORTED",
    "Mistake",
    "Mistaken",
    "Shift",
    "own_strength",
    "player",
    "tables_of",
]

BASE = "equilibrium"
"""The sound player."""

FREE = ("jag", "formula")
"""The tables of the student without a mistake."""

FOLD, CALL, RAISE = range(3)
"""The columns of ``rules.betting.context.FOLD_CALL_RAISE``."""

PRE_FLOP, LATE, AFTER_FLOP, ALL = (0,), (2, 3), (1, 2, 3), (0, 1, 2, 3)
"""Streets: 0 pre-flop to 3 river."""


@dataclass(frozen=True, slots=True)
class Shift:
    """Probability that moves from some actions to another.

    Parameters
    ----------
    streets
        On which it moves.
    owing
        Whether a bet is to be called; a check is free otherwise.
    sources, target
        Columns of ``FOLD_CALL_RAISE``: from the first ones to the last.
    share
        The part that moves, 0..1.
    greatest
        The greatest ``own_strength`` with which it moves.
    """

    streets: tuple[int, ...]
    owing: bool
    sources: tuple[int, ...]
    target: int
    share: float = 1.0
    greatest: float = 1.0

    def applies(self, observation: Observation) -> bool:
        """Whether it moves anything in a decision."""
        if observation.street not in self.streets or self.owing != (observation.state.owed > 0):
            return False
        return self.greatest == 1 or own_strength(observation) <= self.greatest

    def changed(self, policy: Mapping[Action, float]) -> Mapping[Action, float]:
        """The policy of a decision to which it applies; its actions are of different kinds."""
        kinds = {FOLD_CALL_RAISE[action.name]: action for action in policy}
        if self.target not in kinds:
            return policy
        changed = dict(policy)
        for source in kinds.keys() & set(self.sources):
            moved = self.share * policy[kinds[source]]
            changed[kinds[source]] -= moved
            changed[kinds[self.target]] += moved
        return changed


@dataclass(frozen=True, slots=True)
class Mistake:
    """A theme: what a policy does wrong.

    Parameters
    ----------
    about
        In words.
    tables
        Opponents: the one against which its cost is measured and its students learn, and another that they
        never meet while learning.
    shifts
        Of the sound policy; no two apply to one decision.
    """

    about: str
    tables: tuple[str, str]
    shifts: tuple[Shift, ...]

    def changed(self, observation: Observation, policy: Mapping[Action, float]) -> Mapping[Action, float]:
        """The policy of a decision with the mistake."""
        for shift in self.shifts:
            if shift.applies(observation):
                return shift.changed(policy)
        return policy


def own_strength(observation: Observation) -> float:
    """The strength of the own holding, 0..1.

    Pre-flop its percentile by income rates for two players, after it the share of the holdings of one
    opponent that it beats, ties half.
    """
    if not observation.board:
        return float(percentiles()[IncomeGroup.IR2, holding_index(*observation.hole)])
    return float(strength(observation.hole, observation.board, None, ahead=0)[0])


BUILDING: Mapping[str, Mistake] = {
    "calls after the flop": Mistake(
        "calls every bet after the flop",
        ("jag", "formula"),
        (Shift(AFTER_FLOP, True, (FOLD,), CALL),),
    ),
    "folds late": Mistake(
        "folds all but strong hands to a bet on the turn and the river",
        ("jag", "equilibrium"),
        (Shift(LATE, True, (CALL, RAISE), FOLD, greatest=0.85),),
    ),
    "bets and raises": Mistake(
        "bets and raises after the flop in place of checks and calls",
        ("jag", "formula"),
        (Shift(AFTER_FLOP, True, (CALL,), RAISE), Shift(AFTER_FLOP, False, (CALL,), RAISE)),
    ),
    "bluff-raises": Mistake(
        "raises most hands after the flop that it should fold",
        ("jag", "formula"),
        (Shift(AFTER_FLOP, True, (FOLD,), RAISE, share=0.8),),
    ),
    "tight pre-flop": Mistake(
        "folds nine hands of ten pre-flop",
        ("rule", "equilibrium"),
        (Shift(PRE_FLOP, True, (CALL, RAISE), FOLD, greatest=0.9),),
    ),
    "folds the flop": Mistake(
        "folds all but strong hands to a bet on the flop",
        ("equilibrium", "jag"),
        (Shift((1,), True, (CALL, RAISE), FOLD, greatest=0.9),),
    ),
}
"""For building."""

REPORTED: Mapping[str, Mistake] = {
    "folds after the flop": Mistake(
        "folds all but strong hands to every bet after the flop",
        ("jag", "equilibrium"),
        (Shift(AFTER_FLOP, True, (CALL, RAISE), FOLD, greatest=0.85),),
    ),
    "raises late": Mistake(
        "raises every bet on the turn and the river",
        ("jag", "formula"),
        (Shift(LATE, True, (FOLD, CALL), RAISE),),
    ),
    "checks and calls": Mistake(
        "seldom bets or raises after the flop",
        ("station", "formula"),
        (
            Shift(AFTER_FLOP, True, (RAISE,), CALL, share=0.7),
            Shift(AFTER_FLOP, False, (RAISE,), CALL, share=0.7),
        ),
    ),
    "gives up": Mistake(
        "on the turn and the river never bets, and folds all but strong hands",
        ("jag", "equilibrium"),
        (
            Shift(LATE, True, (CALL, RAISE), FOLD, greatest=0.8),
            Shift(LATE, False, (RAISE,), CALL),
        ),
    ),
    "never folds": Mistake(
        "calls every bet, pre-flop too",
        ("jag", "rule"),
        (Shift(ALL, True, (FOLD,), CALL),),
    ),
    "raises early": Mistake(
        "raises most bets on the flop and the turn",
        ("jag", "formula"),
        (Shift((1, 2), True, (FOLD, CALL), RAISE, share=0.7),),
    ),
}
"""Mirrors of those for building, in their order: nothing may be fitted to them."""

MISTAKES: Mapping[str, Mistake] = {**BUILDING, **REPORTED}


class Mistaken:
    """The sound player with a mistake; without one it plays as the sound player.

    Parameters
    ----------
    mistake
        A name of ``MISTAKES``; "" = none.
    base
        The specification of the sound player.

    Raises
    ------
    ModelError
        No such mistake.
    """

    plays = Plays(frozenset({"limit"}), 2, 2)

    def __init__(self, mistake: str = "", base: str = BASE) -> None:
        if mistake and mistake not in MISTAKES:
            raise ModelError(f"mistake {mistake!r}: expected one of {', '.join(MISTAKES)}")
        self.mistake = MISTAKES.get(mistake)
        self._base = load(base)
        self._seed = 0

    def sit(self, seat: int, variant: Variant, seed: int) -> None:
        """Take a seat; see ``Agent.sit``."""
        self._seed = seed
        self._base.sit(seat, variant, seed)

    def learn(self, event: Event) -> None:
        """What the sound player learns."""
        self._base.learn(event)

    def policy(self, observation: Observation) -> Mapping[Action, float]:
        """The probabilities of its actions."""
        sound = self._base.decide(observation).policy
        return self.mistake.changed(observation, sound) if self.mistake else sound

    def decide(
        self, observation: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """Draw an action of the changed policy, with the number that the sound player draws with."""
        policy = self.policy(observation)
        action = draw(policy, generator(self._seed, observation).random())
        return Decision(action, policy, reason=self.mistake.about if self.mistake else "sound")


def player(mistake: str) -> str:
    """The specification of the player with a mistake; "" = of the sound one."""
    return f"{__name__}:{Mistaken.__name__}(mistake={mistake!r})" if mistake else BASE


def tables_of(mistake: str) -> tuple[str, str]:
    """The opponents of a mistake, or of no mistake: the met one first."""
    return MISTAKES[mistake].tables if mistake else FREE
