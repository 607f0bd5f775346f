"""The numbers of a decision by meaning: the only place that knows how a trace spells them.

A digest is made of these lists and not of the trace, so that a renamed key or another container leaves it
as it is: a change of a trace changes the readers here, which return the same numbers in the same order.
Left out are settings, times, and counts of work done, which are no part of behaviour.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from baycarp.agents.base import Decision
from baycarp.cases.plans import steps_of
from baycarp.game.action import ACTIONS

__all__ = ["by_kind", "figures"]

_Said = Mapping[str, Any]
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
        if stage.done and stage.name in _READERS
        for value in _READERS[stage.name](stage.said)
    )


def _of(said: _Said, *names: str) -> Iterator[float | None]:
    """Numbers by name, those that are there."""
    return (said[name] for name in names if name in said)


def _kinds(values: Mapping[str, float]) -> Iterator[float]:
    return (values.get(kind, 0.0) for kind in ACTIONS)


def _codes(plan: str) -> Iterator[int]:
    return (ACTIONS.index(step) for step in steps_of(plan))


def _income_rate(said: _Said) -> Iterator[float | None]:
    yield from _of(said, "income rate", "position")
    yield from said["thresholds"].values()


def _strength(said: _Said) -> Iterator[float | None]:
    yield from _of(said, "HS", "PPot", "NPot", "strength", "positive potential", "pot odds")


def _rules(said: _Said) -> Iterator[float | None]:
    yield from _of(said, "group", "worst played", "HS", "PPot", "HSn", "EHS'", "EHS", "pot odds")
    yield from said.get("shares", {}).values()


def _beliefs(said: _Said) -> Iterator[float | None]:
    for belief in said.values():
        yield from belief["hand groups"].values()
        yield from belief["hand types"].values()
        yield belief["holdings"]


def _case(said: _Said) -> Iterator[float | None]:
    for value in said.values():
        yield from value.values() if isinstance(value, Mapping) else (value,)


def _cases(cases: Iterable[_Said]) -> Iterator[float]:
    for case in cases:
        yield from (case["similarity"], ACTIONS.index(case["action"]), case["outcome"])


def _retrieved(said: _Said) -> Iterator[float | None]:
    yield from _of(said, "cases", "of", "fell back")
    yield from _cases(said["nearest"])


def _reused(said: _Said) -> Iterator[float | None]:
    for memory in said.get("memories", [said]):
        for name in ("votes", "outcomes", "similarities"):
            yield from _kinds(memory.get(name, {}))
    yield from _of(said, "explore", "lot")
    yield from _cases(said["cited"])


def _plan(said: _Said) -> Iterator[float | None]:
    yield from _codes(said.get("kept") or said["meant"])
    yield from _of(said, "step")


_READERS: dict[str, Callable[[_Said], _Figures]] = {
    "income rate": _income_rate,
    "strength": _strength,
    "rules": _rules,
    "simulation": lambda said: _of(said, "fold", "call", "raise", "trials", "s.e. of raise - call"),
    "response": lambda said: _kinds(said["chips"]),
    "beliefs": _beliefs,
    "case": _case,
    "retrieve": _retrieved,
    "reuse": _reused,
    "plan": _plan,
}
"""By stage; a stage that is not here has no figures of its own."""
