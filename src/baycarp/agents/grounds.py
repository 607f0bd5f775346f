"""What a decision of BayCaRP rests on: written into its trace, and read there to replay the action."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import Stage
from baycarp.agents.choice import draw, explored
from baycarp.agents.schemas import REPAIR
from baycarp.cases import POLICIES, CaseBase, Distribution, Policy, Retrieved, Weighing, combine, influences
from baycarp.cases.plans import steps_of
from baycarp.errors import ModelError
from baycarp.game.action import Action

__all__ = ["by_strength", "cite", "replay", "told_of", "weighed"]


def cite(
    policy: Policy, retrieved: Retrieved, casebase: CaseBase, found: Distribution, name: str, most: int = 5
) -> NDArray[np.int64]:
    """The places of the cases that spoke most for an action, five at most, of equals the nearest."""
    told = influences(policy, retrieved, casebase, found, name, REPAIR)
    first = np.argsort(-told, kind="stable")[:most]
    return first[told[first] > 0]


def told_of(
    retrieved: Retrieved, casebase: CaseBase, places: NDArray[np.int64] | slice
) -> list[dict[str, Any]]:
    """Some of the retrieved cases, for the trace."""
    now, ids = casebase.snapshot(), retrieved.ids[places]
    rows = now.rows(ids)
    columns = (ids, retrieved.similarities[places], now.solutions[rows], now.outcomes[rows])
    return [
        {"case": id, "similarity": alike, "action": casebase.schema.solutions[code], "outcome": outcome}
        for id, alike, code, outcome in zip(*(column.tolist() for column in columns), strict=True)
    ]


def weighed(
    policy: Policy, legal: Mapping[str, Action], told: Sequence[Distribution], chosen: Distribution
) -> dict[str, Any]:
    """What each memory said of each legal action, for the trace: all that a policy weighs."""
    sums = [
        {"votes": each.votes, "outcomes": each.outcomes, "similarities": each.similarities} for each in told
    ]
    said = {"policy": repr(policy), "legal": [str(action) for action in legal.values()]}
    if len(told) == 1:
        return said | sums[0]
    return said | {"votes": chosen.votes, "outcomes": chosen.outcomes, "memories": sums}


KNOWN = {repr(policy): policy for policy in POLICIES.values() if isinstance(policy, Weighing)}
"""What a trace names, to ask it again."""

RUNGS = ("rules", "glance", "precedents")
"""The steps of BayCaRP's ladder; what the one that answered said comes after them."""


def replay(trace: Iterable[Stage | Mapping[str, Any]]) -> Action:
    """Find the action of a decision of BayCaRP anew from its trace alone.

    The votes, outcomes and similarities that stand there are weighed again by the policy that it names, and
    where that mixes or the player explores, the lot that stands there is drawn.

    Parameters
    ----------
    trace
        Of a ``Decision`` of BayCaRP, with any policy of ``POLICIES``, experts and budget, or of its network
        without precedents; as it is, or as ``to_dict`` gave it, through JSON and back.

    Raises
    ------
    ModelError
        The trace of another agent, or of a policy that is not known by name.

    Examples
    --------
    >>> import baycarp
    >>> seen = baycarp.observe("MATCHSTATE:0:0:rc/:AhKd|/Ks7d2c", game="holdem.limit.2p.reverse_blinds")
    >>> replay(baycarp.load("baycarp2").decide(seen).trace)
    Action(name='bet', amount=10)
    """
    stages = [stage if isinstance(stage, Mapping) else _plain(stage) for stage in trace]
    answers = [
        s["said"]["answer"] for s in stages if s["stage"] in RUNGS and s["done"] and "answer" in s["said"]
    ]
    if not answers or stages[0]["stage"] != RUNGS[0]:
        raise ModelError("trace: expected one of BayCaRP's")
    parts = {stage["stage"]: stage["said"] for stage in stages if stage["stage"] not in RUNGS}
    if "reuse" in parts:
        return _kept(parts) or _again(parts["reuse"])
    if "strength" in parts:
        return _bold(parts["strength"])
    return _action(answers[0])  # nothing was thought


def by_strength(said: Mapping[str, Any], legal: Iterable[str]) -> str:
    """The action of the network alone: bold from its threshold on, else what the price is worth.

    Parameters
    ----------
    said
        ``strength``, ``positive potential``, ``pot odds`` and ``threshold``.
    legal
        Names of actions.
    """
    able, strength = list(legal), said["strength"]
    bold = [name for name in ("bet", "raise") if name in able and strength >= said["threshold"]]
    hope = strength + (said["positive potential"] or 0.0)
    return bold[0] if bold else "check" if "check" in able else "call" if hope > said["pot odds"] else "fold"


def _kept(parts: Mapping[str, Mapping[str, Any]]) -> Action | None:
    """The next step of a plan that is kept, whatever the memories say."""
    if "kept" not in parts.get("plan", {}):
        return None
    step = steps_of(parts["plan"]["kept"])[parts["plan"]["step"] - 1]
    return next(action for action in map(_action, parts["reuse"]["legal"]) if action.name == step)


def _again(said: Mapping[str, Any]) -> Action:
    """Weigh what the memories said once more."""
    legal = {action.name: action for action in map(_action, said["legal"])}
    if said["policy"] not in KNOWN:
        raise ModelError(f"policy {said['policy']}: expected one of {', '.join(KNOWN)}")
    policy = KNOWN[said["policy"]]
    told = [
        policy.choose(Distribution(each["votes"], each["outcomes"], each["similarities"]))
        for each in said.get("memories", [said])
    ]
    chosen = combine(told)
    if "lot" in said:
        return legal[draw(explored(chosen.probabilities, list(legal), said.get("explore", 0.0)), said["lot"])]
    if chosen.choice is None:
        raise ModelError(f"trace: no case speaks for one of {', '.join(legal)}")
    return legal[chosen.choice]


def _bold(said: Mapping[str, Any]) -> Action:
    legal = {action.name: action for action in map(_action, said["legal"])}
    return legal[by_strength(said, legal)]


def _action(told: str) -> Action:
    """The action that was written as ``str``."""
    name, *amount = told.replace(" to ", " ").split()
    return Action(name, int(amount[0]) if amount else 0)


def _plain(stage: Stage) -> dict[str, Any]:
    return {"stage": stage.name, "done": stage.done, "said": stage.said}
