"""The numbers of a decision by meaning, for a digest of behaviour.

A digest is made of these lists and not of the trace: a renamed field or another container does not change it.
Settings, times and counts of work done are left out, since they are no part of behaviour.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import attrgetter
from typing import Any
from zlib import crc32

from baycarp.agents.base import Decision
from baycarp.agents.bpp import BppStage
from baycarp.agents.cases.commitment import PlanStage
from baycarp.agents.cases.stages import (
    BeliefStage,
    CaseStage,
    OpponentBelief,
    RetrievalStage,
    RetrievedCase,
    ReuseStage,
)
from baycarp.agents.gambler import GamblerStage
from baycarp.agents.mcts import OpponentReading, ReadingStage, SearchedMove, SearchStage
from baycarp.agents.network import StrengthStage
from baycarp.agents.poki.formula import PotentialStage, RuleStage
from baycarp.agents.poki.preflop import IncomeStage
from baycarp.agents.poki.simulation import SimulationStage
from baycarp.agents.responder import ResponseStage
from baycarp.agents.solved.equilibrium import SolutionStage
from baycarp.agents.static.rulebot import HandGroupStage, StaticRuleStage
from baycarp.agents.static.sizer import SizingStage
from baycarp.cases import Distribution
from baycarp.cases.plans import steps_of
from baycarp.game.action import ACTIONS

__all__ = ["by_kind", "figures"]


def by_kind(policy: Mapping[Any, float]) -> tuple[float, ...]:
    """The probability of each kind of action, in the order of ``ACTIONS``; bet sizes are summed.

    Parameters
    ----------
    policy
        Probability by an action's name, or by ``Action``.

    Examples
    --------
    >>> from baycarp.game.action import Action
    >>> by_kind({"fold": 0.25, "call": 0.75})
    (0.25, 0.0, 0.75, 0.0, 0.0)
    >>> by_kind({Action("check"): 0.5, Action("bet", 10): 0.25, Action("bet", 40): 0.25})
    (0.0, 0.5, 0.0, 0.5, 0.0)
    """
    sums = dict.fromkeys(ACTIONS, 0.0)
    for action, probability in policy.items():
        sums[action if isinstance(action, str) else action.name] += probability
    return tuple(sums.values())


def figures(decision: Decision) -> tuple[float, ...]:
    """What the agent computed on the way to its decision, in a fixed order.

    Returns
    -------
    tuple of float
        Strengths and potentials (0..1), pot odds, belief masses, similarities, votes, outcomes (small bets),
        expected values, action codes (places in ``ACTIONS``); nan where a figure has no value, such as a
        potential on the river. Empty for an agent that computes nothing.
    """
    return tuple(_numbers(stage for stage in decision.trace if stage.done and type(stage) in _READERS))


def _numbers(value: Any) -> Iterator[float]:
    """Every number in a value, in order: actions by their place in ``ACTIONS``, other texts by crc32."""
    if type(value) in _READERS:
        yield from _numbers(_READERS[type(value)](value))
    elif isinstance(value, str):
        yield float(ACTIONS.index(value) if value in ACTIONS else crc32(value.encode()))
    elif isinstance(value, Iterable):
        for part in value.values() if isinstance(value, Mapping) else value:
            yield from _numbers(part)
    else:
        yield float("nan") if value is None else float(value)


def _kinds(values: Mapping[str, float]) -> list[float]:
    return [values.get(kind, 0.0) for kind in ACTIONS]


_READERS: dict[type, Callable[[Any], object]] = {
    IncomeStage: attrgetter("income_rate", "position", "thresholds"),
    PotentialStage: attrgetter("strength", "positive_potential", "negative_potential"),
    StrengthStage: attrgetter("strength", "positive_potential", "pot_odds"),
    BppStage: attrgetter("win", "winnings", "opponent"),
    GamblerStage: attrgetter("network", "win", "recommend", "action"),
    RuleStage: attrgetter("strength", "optimistic", "effective", "pot_odds", "shares"),
    HandGroupStage: attrgetter("group", "worst_played"),
    StaticRuleStage: attrgetter("strength", "positive_potential", "optimistic", "pot_odds"),
    SizingStage: attrgetter("strength", "pot_odds", "stack_to_pot", "shares", "sizes"),
    SimulationStage: lambda stage: (
        [stage.worth[name] for name in ACTIONS if name in stage.worth],
        stage.trials,
        stage.standard_error,
    ),
    SolutionStage: attrgetter("bucket", "buckets"),
    ReadingStage: attrgetter("opponents"),
    OpponentReading: attrgetter("clusters", "strength"),
    SearchStage: attrgetter("iterations", "nodes", "moves"),
    SearchedMove: attrgetter("value", "standard_error", "visits"),
    ResponseStage: lambda stage: _kinds(stage.chips),
    BeliefStage: attrgetter("opponents"),
    OpponentBelief: attrgetter("groups", "types", "holdings"),
    CaseStage: attrgetter("values"),
    RetrievedCase: attrgetter("similarity", "solution", "outcome"),
    RetrievalStage: attrgetter("cases", "stored", "fell_back", "nearest"),
    Distribution: lambda sums: map(_kinds, (sums.votes, sums.outcomes, sums.similarities)),
    ReuseStage: lambda stage: (
        stage.memories,
        stage.explore or (),
        () if stage.draw is None else stage.draw,
        stage.cited,
    ),
    PlanStage: lambda stage: (steps_of(stage.plan), stage.step if stage.kept else ()),
}
"""The figures of each stage and of its parts; a stage that is not here has none."""
