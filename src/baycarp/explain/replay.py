"""Replay: the action of a decision, computed from its trace alone."""

from collections.abc import Iterable, Mapping

from baycarp.agents.cases.commitment import PlanStage
from baycarp.agents.cases.stages import ReuseStage
from baycarp.agents.couplings.deciding import DiscretisedStage
from baycarp.agents.couplings.exemplars import ExemplarStage
from baycarp.agents.network import StrengthStage, by_strength
from baycarp.agents.sampling import draw, explored
from baycarp.agents.trace import Stage, TierStage, stage_of
from baycarp.agents.trace_json import read_trace
from baycarp.agents.value.stages import ValueStage
from baycarp.cases import COMBINATIONS, POLICIES, Weighing
from baycarp.cases.plans import steps_of
from baycarp.errors import ModelError, brief
from baycarp.game.action import Action
from baycarp.strategies.registry import STRATEGIES

__all__ = ["replay"]

KNOWN = {
    repr(policy): policy
    for policy in (*POLICIES.values(), *(each.policy for each in STRATEGIES.values()))
    if isinstance(policy, Weighing)
}
"""The policies that a trace can name."""


def replay(trace: Iterable[Stage | Mapping[str, object]]) -> Action:
    """Compute the action of a decision from its trace alone.

    The policy of the trace is applied to the sums of each memory; a mixed or exploring player's action is
    drawn with the recorded uniform number.

    Parameters
    ----------
    trace
        Of a decision by a case player, with any policy of ``POLICIES`` or of a strategy, experts and budget,
        by a network of actions, by exemplars, or by the network alone; its stages, or the records of
        ``trace_record``, also after JSON.

    Raises
    ------
    ModelError
        The trace of another agent, or of a policy that is not one of ``POLICIES``.

    Examples
    --------
    >>> import baycarp
    >>> line = "MATCHSTATE:0:0:rc/:AhKd|/Ks7d2c"
    >>> observation = baycarp.observe(line, game="holdem.limit.2p.reverse_blinds")
    >>> replay(baycarp.load("baycarp2").decide(observation).trace)
    Action(name='bet', amount=10)
    """
    given = list(trace)
    records = [stage for stage in given if isinstance(stage, Mapping)]
    stages = read_trace(records) if records else [stage for stage in given if isinstance(stage, Stage)]
    tiers = [stage for stage in stages if isinstance(stage, TierStage) and stage.done]
    if not tiers or tiers[0].tier != "rules" or stage_of(stages, ValueStage):
        raise ModelError("trace: expected one of a case player")
    reuse, strength = stage_of(stages, ReuseStage), stage_of(stages, StrengthStage)
    likeliest = stage_of(stages, DiscretisedStage) or stage_of(stages, ExemplarStage)
    if chosen := reuse or likeliest:
        plan = stage_of(stages, PlanStage)
        if plan and plan.kept:
            return chosen.legal[steps_of(plan.plan)[plan.step - 1]]
    if reuse:
        return _weighed(reuse)
    if likeliest:
        return likeliest.legal[max(likeliest.chances, key=likeliest.chances.__getitem__)]
    if strength:
        return by_strength(strength)
    assert tiers[0].answer is not None  # the cheapest action: no other tier was done in time
    return tiers[0].answer


def _weighed(reuse: ReuseStage) -> Action:
    """The action by the recorded sums of the memories."""
    if reuse.policy not in KNOWN:
        raise ModelError(f"policy {reuse.policy}: expected one of {', '.join(KNOWN)}")
    if reuse.together not in COMBINATIONS:
        raise ModelError(f"together {brief(reuse.together)}: expected one of {', '.join(COMBINATIONS)}")
    policy = KNOWN[reuse.policy]
    chosen = COMBINATIONS[reuse.together]([policy.choose(each) for each in reuse.memories])
    if reuse.draw is not None:
        chances = explored(chosen.probabilities, list(reuse.legal), reuse.explore)
        return reuse.legal[draw(chances, reuse.draw)]
    if chosen.choice is None:
        raise ModelError(f"trace: no case supports one of {', '.join(reuse.legal)}")
    return reuse.legal[chosen.choice]
