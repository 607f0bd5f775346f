"""The least changes that flip a decision, by what the player decides by: retrieved cases, or values."""

from baycarp.agents.base import Agent, Decision
from baycarp.agents.value.player import ValuePlayer
from baycarp.explain.counterfactual import Counterfactual
from baycarp.explain.flips import OVER, Flip, flip
from baycarp.explain.valued import ValueCounterfactual, flip_of_evidence, flip_of_holding
from baycarp.game import Observation

__all__ = ["counterfactual_of", "least_changes"]


def counterfactual_of(
    agent: Agent, observation: Observation, decision: Decision
) -> Counterfactual | ValueCounterfactual:
    """The decision under other conditions.

    Raises
    ------
    ModelError
        A decision by neither.
    """
    kind = ValueCounterfactual if isinstance(agent, ValuePlayer) else Counterfactual
    return kind(agent, observation, decision)


def least_changes(counterfactual: Counterfactual | ValueCounterfactual) -> dict[str, Flip | None]:
    """By kind of change, that of the player's own decision first, the smallest that flips it; None = none.

    Examples
    --------
    >>> import baycarp
    >>> line, game = "MATCHSTATE:0:0:rc/:AhKd|/Ks7d2c", "holdem.limit.2p.reverse_blinds"
    >>> agent, observation = baycarp.load("baycarp2"), baycarp.observe(line, game=game)
    >>> list(least_changes(counterfactual_of(agent, observation, agent.decide(observation))))
    ['features', 'evidence']
    """
    if isinstance(counterfactual, Counterfactual):
        return {over: flip(counterfactual, over) for over in OVER}
    return {
        "holding": flip_of_holding(counterfactual),
        "evidence": flip_of_evidence(counterfactual),
    }
