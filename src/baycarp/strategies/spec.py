"""A case-based strategy: everything that CASPER, CASEY and BayCaRP differ in, as one frozen value.

observation, beliefs --describe--> situation --retrieve, policy--> solution --action--> legal action
after the hand:  outcome --> settled case
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from baycarp.cases import Feature, Policy, Schema
from baycarp.cases.schema import FARTHEST
from baycarp.cases.similarity import NUMERIC, Similarity
from baycarp.game import Action, Observation, State
from baycarp.game.action import STREETS
from baycarp.game.plays import Plays
from baycarp.opponents.belief import Belief
from baycarp.opponents.model import OpponentModelSpec
from baycarp.rules import READINGS, Interval
from baycarp.rules.outcome import OutcomeRule

__all__ = [
    "PROVENANCE",
    "STREET_RESULTS",
    "Beliefs",
    "ClassDescription",
    "Describe",
    "FastTier",
    "OneBase",
    "Strategy",
    "Together",
    "by_street",
    "feature",
]

PROVENANCE = (
    ("session", "<i4", 1),
    ("hand", "<i4", 1),
    ("player", "<i2", 1),
    ("board", "<u1", 5),
    ("hole", "<u1", 2),
)
"""Where a case comes from: columns that are never compared (Unger 2011, section 6.2.1)."""

STREET_RESULTS = "street_results"
"""A further column: hundredths of a small bet that each street of the hand brought, as columns are whole
numbers (``rules.outcome.street_results``)."""


def feature(name: str, weight: float, similarity: Similarity) -> Feature:
    """A feature with the bounds of the reading of its name; a number that is no reading is a probability.

    Examples
    --------
    >>> from baycarp.cases import Linear
    >>> feature("hand_rank", 50, Linear(max=168)).bounds
    (1.0, 169.0)
    """
    if not isinstance(similarity, NUMERIC):
        return Feature(name, weight, similarity)
    domain = READINGS[name].domain if name in READINGS else Interval(0, 1, "probability")
    assert isinstance(domain, Interval)
    return Feature(name, weight, similarity, (domain.low, min(domain.high, FARTHEST)))


Beliefs: TypeAlias = Mapping[int, Belief]
"""The belief about each opponent still in, by position."""


class Describe(Protocol):
    """From a decision point to a situation; a frozen value, so that strategies can be compared."""

    def __call__(self, observation: Observation, beliefs: Beliefs, schema: Schema) -> Mapping[str, Any]:
        """The value of every feature of the schema.

        Parameters
        ----------
        observation
            The hand, as the position to act observes it.
        beliefs
            About every opponent still in; empty where the strategy has no opponent model or needs none.
        schema
            Of the case-base that the decision uses.
        """
        ...


Together: TypeAlias = Literal["mean", "vote", "select"]


@runtime_checkable
class ClassDescription(Describe, Protocol):
    """A description of the betting and of a class of holdings alone: its strategy is a table."""

    def classes(self, board: Sequence[int]) -> NDArray[np.uint16]:
        """The class of each holding on a board, ids; uint16, shape (1326,), 0 for blocked ones."""
        ...

    def class_of(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """The class of two hole cards on a board, ids: what ``classes`` has for them."""
        ...

    def count(self, street: int) -> int:
        """The number of classes on a street."""
        ...

    def features(self, number: int, street: int) -> Mapping[str, Any]:
        """The features of a class; those of the betting are missing."""
        ...

    def betting(self, state: State) -> Mapping[str, Any]:
        """The features of the betting."""
        ...


@dataclass(frozen=True, slots=True)
class FastTier:
    """A cheaper description, for decisions under a time limit.

    Parameters
    ----------
    describe
        The description.
    opponents
        The opponent model that it uses.
    streets
        Where it is cheaper than the full one, 0..3; elsewhere it is left out.
    """

    describe: Describe
    opponents: OpponentModelSpec | None
    streets: frozenset[int]


def by_street(observation: Observation) -> str:
    """One case-base a street."""
    return STREETS[observation.street]


@dataclass(frozen=True, slots=True)
class OneBase:
    """The same case-base for every decision."""

    name: str

    def __call__(self, observation: Observation) -> str:
        """The name of the case-base."""
        return self.name


@dataclass(frozen=True)
class Strategy:
    """A case-based strategy. Its functions are named ones, since it is sent to worker processes.

    Parameters
    ----------
    name
        As ``strategies.registry`` and the manifests of models name it.
    bases
        The schema of each case-base, by key.
    describe
        Observation and beliefs to a situation.
    policy
        Retrieved cases to a distribution over solutions.
    outcome
        The value of a solution.
    action
        A solution as an action that is legal now: repair, translation, bet sizes; None = it has none.
    solution
        An action as a solution; ``solution(action(s))`` is the solution that s is counted as.
    key
        Which case-base a decision uses.
    opponents
        The opponent model; None = none, every holding is as likely as another.
    fast
        The tier below the full description under a time limit; None = the cheapest action.
    believed
        Streets whose situations are described by beliefs, 0..3.
    measured
        Features that are computed from cards; the others are read off the table.
    price
        The feature that is above 0 where a bet is to be called.
    plans
        Whether a solution is a plan for the whole street, whose first step is voted on and whose rest is kept
        to (Unger 2011, section 9.1). ``"sum"``: a plan is worth the outcomes of its steps together;
        ``"first"``: that of its first step, for outcomes that include what follows; empty = no plans.
    adequate
        Cases that a case-base holds before a player that learns decides by it; until then its actions are
        drawn at random.
    weightings
        Other weights that the paper names, as schemas.
    game
        The shipped game at whose table a model is trained; empty = the default table's.
    plays
        The games that it plays.
    complete
        Whether it is learned from logs with all cards alone: without folded cards no fold is learned.
    together
        What several memories decide together: the mean of their choices, the one that most of them would
        make, or that of one memory a hand, selected by what each would have won (``agents.cases.selection``).
    at_table
        The strategy of a session with a seed, where descriptions or actions are drawn; None = as it is.
    """

    name: str
    bases: Mapping[str, Schema]
    describe: Describe
    policy: Policy
    outcome: OutcomeRule
    action: Callable[[str, Observation], Action | None]
    solution: Callable[[Action, Observation], str]
    key: Callable[[Observation], str] = by_street
    opponents: OpponentModelSpec | None = None
    fast: FastTier | None = None
    believed: frozenset[int] = frozenset()
    measured: frozenset[str] = frozenset()
    price: str = "bets_to_call"
    plans: Literal["", "sum", "first"] = ""
    adequate: int = 0
    weightings: Mapping[str, tuple[Schema, ...]] = field(default_factory=dict)
    game: str = ""
    plays: Plays = field(default_factory=lambda: Plays(frozenset({"limit"})))
    complete: bool = False
    together: Together = "mean"
    at_table: Callable[["Strategy", int], "Strategy"] | None = None

    @property
    def schemas(self) -> tuple[Schema, ...]:
        """The schemas, in order."""
        return tuple(self.bases.values())

    @property
    def needs_network(self) -> bool:
        """Whether a model of this strategy holds a fitted network."""
        specs = (self.opponents, self.fast.opponents if self.fast else None)
        return any(spec is not None and spec.needs_network for spec in specs)

    def choices(self, observation: Observation, schema: Schema) -> "Choices":
        """The actions that the solutions of a case-base stand for in a decision."""
        legal, counted = dict[str, Action](), dict[str, str]()
        for solution in schema.solutions:
            if (action := self.action(solution, observation)) is not None:
                counted[solution] = self.solution(action, observation)
                legal[counted[solution]] = action
        return Choices({name: legal[name] for name in schema.solutions if name in legal}, counted)


@dataclass(frozen=True, slots=True)
class Choices:
    """The solutions of one decision.

    Parameters
    ----------
    legal
        The solutions that are actions now, cheapest first.
    counted
        Every solution that can be repaired, by the legal one that it is counted as.
    """

    legal: Mapping[str, Action]
    counted: Mapping[str, str]
