"""The stages of a decision: frozen records whose fields explanations, statistics and drawings read.

A decision's trace is a tuple of stages in the order in which they were done: the tiers of an anytime agent
first, then the parts of the tier that answered. ``trace_json`` gives them as JSON, and the schema of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

from baycarp.agents.computed import Computed
from baycarp.cases import Distribution
from baycarp.game.action import Action

__all__ = [
    "STAGES",
    "BeliefStage",
    "CaseStage",
    "Computed",
    "FaultStage",
    "GamblerStage",
    "HandGroupStage",
    "IncomeStage",
    "OpponentBelief",
    "OpponentReading",
    "OpponentStage",
    "PlanStage",
    "PotentialStage",
    "ProgramStage",
    "ReadingStage",
    "ResponseStage",
    "RetrievalStage",
    "RetrievedCase",
    "ReuseStage",
    "RuleStage",
    "SearchStage",
    "SearchedMove",
    "SimulationStage",
    "SizingStage",
    "SolutionStage",
    "Stage",
    "StaticRuleStage",
    "StrengthStage",
    "TierStage",
    "stage_of",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One step on the way to a decision; subclasses give their ``name`` in JSON and text.

    Parameters
    ----------
    seconds
        Its duration.
    done
        Whether it was completed.
    """

    name: ClassVar[str]
    seconds: float = 0.0
    done: bool = True

    def __init_subclass__(cls, name: str = "") -> None:
        cls.name = name or cls.name  # a dataclass with slots is made a second time, without the argument


@dataclass(frozen=True, slots=True)
class TierStage(Stage, name="tier"):
    """A tier of an anytime agent: its answer, or why it was left out."""

    tier: str
    answer: Action | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class OpponentBelief:
    """The belief about one opponent.

    Parameters
    ----------
    position, player
        Position in the hand, and name.
    evidence
        The observations of the player: node, or action, by its state.
    groups, types
        The likeliest hand groups (four) and hand types (three), with their probabilities, 0..1.
    holdings
        Number of holdings in the range, 0..1326.
    """

    position: int
    player: str
    evidence: Mapping[str, str]
    groups: Mapping[str, float]
    types: Mapping[str, float]
    holdings: int


@dataclass(frozen=True, slots=True)
class BeliefStage(Stage, name="beliefs"):
    """The beliefs about every opponent still in."""

    opponents: Sequence[OpponentBelief] = ()


@dataclass(frozen=True, slots=True)
class CaseStage(Stage, name="case"):
    """The situation, by feature: a number, a symbol, or the probability of the likeliest states."""

    base: str
    values: Mapping[str, float | str | Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class RetrievedCase:
    """One of the retrieved cases.

    Parameters
    ----------
    case
        Its number in the case-base.
    similarity
        0..1.
    solution, outcome
        The solution, and its outcome.
    columns
        Local similarity by column, 0..1; empty where the case is cited alone.
    """

    case: int
    similarity: float
    solution: str
    outcome: float
    columns: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RetrievalStage(Stage, name="retrieval"):
    """How many cases were retrieved, of how many stored; how many were compared; the five nearest."""

    cases: int
    stored: int
    compared: int
    fell_back: bool
    nearest: Sequence[RetrievedCase] = ()


@dataclass(frozen=True, slots=True)
class ReuseStage(Stage, name="reuse"):
    """From the retrieved cases to an action: everything that the policy weighs.

    Parameters
    ----------
    policy
        Its ``repr``.
    legal
        By legal solution, its action.
    memories
        The sums of each memory that was queried, the player's own first; under run-time selection of the
        one that was selected.
    explore
        The probability with which any legal action is taken, 0..1.
    draw
        The uniform number that a mixed strategy was drawn with; None = nothing was drawn.
    cited
        The cases that had most influence on the action.
    together
        How the memories were combined: one of ``cases.COMBINATIONS``.
    """

    policy: str
    legal: Mapping[str, Action]
    memories: tuple[Distribution, ...]
    explore: float = 0.0
    draw: float | None = None
    cited: Sequence[RetrievedCase] = ()
    together: str = "mean"


@dataclass(frozen=True, slots=True)
class PlanStage(Stage, name="plan"):
    """A plan for the street: kept to at this step, or made; and the plan that was abandoned, and why."""

    plan: str
    step: int
    kept: bool
    abandoned: str = ""
    condition: str = ""


@dataclass(frozen=True, slots=True)
class StrengthStage(Stage, name="strength"):
    """Strength against the believed ranges, and the threshold rule of the network alone."""

    strength: float
    positive_potential: float | None
    pot_odds: float
    threshold: float
    legal: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class IncomeStage(Stage, name="income rate"):
    """Pre-flop play by income rates: the hand's rate, the least rate of each strategy, and the one chosen."""

    hand: str
    income_table: str
    income_rate: float
    position: int
    thresholds: Mapping[str, float]
    strategy: str


@dataclass(frozen=True, slots=True)
class OpponentStage(Stage, name="opponents"):
    """The opponents' weight tables were made."""


@dataclass(frozen=True, slots=True)
class PotentialStage(Stage, name="potential"):
    """Strength and potentials against one random or weighted hand, 0..1."""

    strength: float
    positive_potential: float
    negative_potential: float


@dataclass(frozen=True, slots=True)
class RuleStage(Stage, name="rules"):
    """The rules of the formula player.

    Parameters
    ----------
    rule
        The one with the largest share.
    strength
        HSn, against all opponents, 0..1.
    optimistic
        EHS', strength and positive potential, 0..1.
    effective
        EHS, the same less negative potential.
    pot_odds
        0..1; 0 = a check is free.
    shares
        Of each rule, 0..1.
    """

    rule: str
    strength: float
    optimistic: float
    effective: float
    pot_odds: float
    shares: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class SimulationStage(Stage, name="simulation"):
    """Small bets to be won from here, by action, in simulated hands."""

    worth: Mapping[str, float]
    trials: int
    standard_error: float


@dataclass(frozen=True, slots=True)
class HandGroupStage(Stage, name="hand group"):
    """Pre-flop play by static rules: the hand group, and the worst group that is played; 1 is the best."""

    group: int
    worst_played: int


@dataclass(frozen=True, slots=True)
class StaticRuleStage(Stage, name="static rules"):
    """Play by static rules after the flop: HS, PPot, EHS' and pot odds, 0..1, and the rule that applied."""

    strength: float
    positive_potential: float
    optimistic: float
    pot_odds: float
    rule: str


@dataclass(frozen=True, slots=True)
class SizingStage(Stage, name="sizing"):
    """Play by no-limit rules.

    Parameters
    ----------
    strength
        Of the hand as the rules count it, 0..1.
    pot_odds
        0..1; 0 = a check is free.
    stack_to_pot
        Chips left, of the pot.
    shares
        Probability of fold, of check or call, and of bet or raise.
    sizes
        Probability of each size of a bet, by its letter.
    """

    strength: float
    pot_odds: float
    stack_to_pot: float
    shares: Mapping[str, float]
    sizes: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ResponseStage(Stage, name="response"):
    """Chips that each action is worth against the fitted model."""

    chips: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class OpponentReading:
    """The belief of a tree search about one opponent.

    Parameters
    ----------
    position, player
        Position in the hand, and name.
    clusters
        The probabilities of its likeliest clusters, given its actions of this hand, too.
    strength
        Of its holding, 0..1: the share of buckets below it, weighted; the mean, and the lower and upper
        quartile.
    """

    position: int
    player: str
    clusters: Mapping[str, float]
    strength: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ReadingStage(Stage, name="reading"):
    """What the opponents still in are, and hold, by their actions."""

    opponents: Sequence[OpponentReading] = ()


@dataclass(frozen=True, slots=True)
class SearchedMove:
    """The result of a tree search for one action: big blinds to be won from here, standard error, visits."""

    action: str
    value: float
    standard_error: float
    visits: int
    pruned: bool


@dataclass(frozen=True, slots=True)
class SearchStage(Stage, name="search"):
    """A tree search: its iterations and nodes, whether the tree of the last decision was kept, every action.

    Parameters
    ----------
    iterations, nodes
        Of this decision; of the tree.
    kept
        Whether the tree of the last decision was continued.
    temperature
        Of the softmax over the values, in big blinds.
    moves
        Every action of the abstraction.
    reply
        Of the opponent that acts next after the best action, on the same street: the probabilities of its
        answers; empty where there is none.
    """

    iterations: int
    nodes: int
    kept: bool
    temperature: float
    moves: Sequence[SearchedMove] = ()
    reply: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SolutionStage(Stage, name="solution"):
    """A solved strategy is looked up: the betting, and the bucket of the own cards, below ``buckets``."""

    betting: str
    bucket: int
    buckets: int


@dataclass(frozen=True, slots=True)
class GamblerStage(Stage, name="gambler"):
    """A query of one of Gambler's networks.

    Parameters
    ----------
    network
        ``"pre-flop"``, ``"re-raise"`` or ``"post-flop"``.
    evidence
        The observed nodes: node -> state.
    win
        The probability of winning, 0..1; None before the flop.
    recommend, action
        The posteriors of these nodes.
    draws, scares
        After the flop, by category of hand: the probability that the player, that any opponent draws it.
    """

    network: str
    evidence: Mapping[str, str]
    win: float | None
    recommend: Mapping[str, float]
    action: Mapping[str, float]
    draws: Mapping[str, float]
    scares: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ProgramStage(Stage, name="program"):
    """The answer of an external program: its own policy, reason and time as JSON text."""

    answer: str


@dataclass(frozen=True, slots=True)
class FaultStage(Stage, name="fault"):
    """An external program failed: the fault, for the first time or in a hand that was lost by it."""

    fault: str
    detail: str
    first: bool


STAGES: Mapping[str, type[Stage]] = {
    kind.name: kind
    for kind in (
        TierStage,
        BeliefStage,
        CaseStage,
        RetrievalStage,
        ReuseStage,
        PlanStage,
        StrengthStage,
        IncomeStage,
        OpponentStage,
        PotentialStage,
        RuleStage,
        SimulationStage,
        HandGroupStage,
        StaticRuleStage,
        SizingStage,
        ResponseStage,
        ReadingStage,
        SearchStage,
        SolutionStage,
        GamblerStage,
        ProgramStage,
        FaultStage,
    )
}
"""By name."""

S = TypeVar("S", bound=Stage)


def stage_of(trace: Sequence[Stage], kind: type[S]) -> S | None:
    """The first stage of a kind that was completed."""
    found: Any = next((stage for stage in trace if isinstance(stage, kind) and stage.done), None)
    return found  # type: ignore[no-any-return]
