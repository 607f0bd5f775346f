"""A policy: the probability of each action, every size of a bet separately.

A no-limit policy holds the sizes that may be chosen; an action that is not in it has probability 0. In limit
every kind (fold, check, call, bet, raise) has one action, so the sums by kind are equal to the policy.
"""

from collections.abc import Mapping

from baycarp.game import Action, Observation
from baycarp.game.action import action_from_text, action_text

__all__ = ["by_action", "by_kind", "policy_from_text", "policy_text", "smallest"]


def by_kind(policy: Mapping[Action, float]) -> dict[str, float]:
    """The probability of each kind of action, all sizes together; kinds in the order of the policy.

    Examples
    --------
    >>> by_kind({Action("fold"): 0.5, Action("raise", 40): 0.375, Action("raise", 200): 0.125})
    {'fold': 0.5, 'raise': 0.5}
    """
    sums: dict[str, float] = {}
    for action, probability in policy.items():
        sums[action.name] = sums.get(action.name, 0.0) + probability
    return sums


def by_action(probabilities: Mapping[str, float], actions: Mapping[str, Action]) -> dict[Action, float]:
    """The policy in which each action has the probability of its solutions.

    Parameters
    ----------
    probabilities
        Of solutions, by name.
    actions
        By name of solution; the probabilities of solutions with the same action are added.
    """
    policy: dict[Action, float] = {}
    for name, probability in probabilities.items():
        policy[actions[name]] = policy.get(actions[name], 0.0) + probability
    return policy


def smallest(observation: Observation) -> dict[str, Action]:
    """The legal actions by kind, cheapest first; of the sizes of a bet or raise the smallest."""
    actions: dict[str, Action] = {}
    for action in observation.legal_actions():
        actions.setdefault(action.name, action)
    return actions


def policy_text(policy: Mapping[Action, float]) -> dict[str, float]:
    """The policy with each action as text, for JSON; ``policy_from_text`` reads it.

    Examples
    --------
    >>> policy_text({Action("check"): 0.25, Action("bet", 10): 0.75})
    {'check': 0.25, 'bet 10': 0.75}
    """
    return {action_text(action): probability for action, probability in policy.items()}


def policy_from_text(policy: Mapping[str, float]) -> dict[Action, float]:
    """The policy that ``policy_text`` wrote.

    Raises
    ------
    NotationError
        A key that is not the text of an action.
    """
    return {action_from_text(text): probability for text, probability in policy.items()}
