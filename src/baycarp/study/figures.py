"""The numbers of a decision by meaning, for a digest of behaviour.

A digest is made of these lists and not of the trace, so that a renamed field or another container leaves it
as it is. Left out are settings, times, and counts of work done, which are no part of behaviour.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from baycarp.agents.base import Decision
from baycarp.agents.trace import (
    BeliefStage,
    CaseStage,
    HandGroupStage,
    IncomeStage,
    PlanStage,
    PotentialStage,
    ResponseStage,
    RetrievalStage,
    RetrievedCase,
    ReuseStage,
    RuleStage,
    SimulationStage,
    Stage,
    StaticRuleStage,
    StrengthStage,
)
from baycarp.cases.plans import steps_of
from baycarp.game.action import ACTIONS

__all__ = ["by_kind", "figures"]

_Figures = Iterable[float | None]


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
    return tuple(
        float("nan") if value is None else float(value)
        for stage in decision.trace
        if stage.done and type(stage) in _READERS
        for value in _READERS[type(stage)](stage)
    )


def _kinds(values: Mapping[str, float]) -> Iterator[float]:
    return (values.get(kind, 0.0) for kind in ACTIONS)


def _income(stage: IncomeStage) -> _Figures:
    return (stage.income_rate, stage.position, *stage.thresholds.values())


def _rules(stage: RuleStage) -> _Figures:
    return (stage.strength, stage.optimistic, stage.effective, stage.pot_odds, *stage.shares.values())


def _static(stage: StaticRuleStage) -> _Figures:
    return (stage.strength, stage.positive_potential, stage.optimistic, stage.pot_odds)


def _simulated(stage: SimulationStage) -> _Figures:
    worth = (stage.worth[name] for name in ("fold", "call", "raise") if name in stage.worth)
    return (*worth, stage.trials, stage.standard_error)


def _beliefs(stage: BeliefStage) -> Iterator[float | None]:
    for belief in stage.opponents:
        yield from belief.groups.values()
        yield from belief.types.values()
        yield belief.holdings


def _case(stage: CaseStage) -> Iterator[float | None]:
    for value in stage.values.values():
        yield from value.values() if isinstance(value, Mapping) else (value,)


def _cases(cases: Iterable[RetrievedCase]) -> Iterator[float]:
    for case in cases:
        yield from (case.similarity, ACTIONS.index(case.solution), case.outcome)


def _retrieved(stage: RetrievalStage) -> _Figures:
    return (stage.cases, stage.stored, stage.fell_back, *_cases(stage.nearest))


def _reused(stage: ReuseStage) -> Iterator[float | None]:
    for memory in stage.memories:
        for sums in (memory.votes, memory.outcomes, memory.similarities):
            yield from _kinds(sums)
    yield from (stage.explore,) if stage.explore else ()
    yield from () if stage.draw is None else (stage.draw,)
    yield from _cases(stage.cited)


def _plan(stage: PlanStage) -> Iterator[float | None]:
    yield from (ACTIONS.index(step) for step in steps_of(stage.plan))
    yield from (stage.step,) if stage.kept else ()


_READERS: dict[type[Stage], Callable[[Any], _Figures]] = {
    IncomeStage: _income,
    PotentialStage: lambda stage: (stage.strength, stage.positive_potential, stage.negative_potential),
    StrengthStage: lambda stage: (stage.strength, stage.positive_potential, stage.pot_odds),
    RuleStage: _rules,
    HandGroupStage: lambda stage: (stage.group, stage.worst_played),
    StaticRuleStage: _static,
    SimulationStage: _simulated,
    ResponseStage: lambda stage: _kinds(stage.chips),
    BeliefStage: _beliefs,
    CaseStage: _case,
    RetrievalStage: _retrieved,
    ReuseStage: _reused,
    PlanStage: _plan,
}
"""By stage; a stage that is not here has no figures of its own."""
