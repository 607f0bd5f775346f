"""Players that answer as tables (``base.ClassPolicies``): which agents do, and a check of policies."""

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import Agent
from baycarp.errors import TableError
from baycarp.game import State

__all__ = ["checked_policies", "offers_classes"]


def offers_classes(agent: Agent) -> bool:
    """Whether an agent answers as a table (``agents.base.ClassPolicies``)."""
    return all(hasattr(agent, name) for name in ("policies", "hand_classes", "class_policies"))


def checked_policies(policies: NDArray[np.float64], state: State) -> NDArray[np.float64]:
    """Policies whose rows sum to 1 over the legal actions.

    Raises
    ------
    TableError
        Others; it names the betting sequence.
    """
    legal = {action.name for action in state.legal_actions()}
    wrong = ~np.isclose(policies.sum(axis=1), 1) | (policies < 0).any(axis=1)
    if "fold" not in legal:
        wrong |= policies[:, 0] > 0
    if not legal & {"bet", "raise"}:
        wrong |= policies[:, 2] > 0
    if wrong.any():
        row = int(np.argmax(wrong))
        raise TableError(
            f"policy after {state.betting!r}, class {row}: expected probabilities of the legal actions "
            f"{', '.join(sorted(legal))}, got {policies[row].tolist()}"
        )
    return policies
