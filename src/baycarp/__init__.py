"""Poker decisions from Bayesian networks and case-based reasoning, on a compiled core.

The rooms, from the ground up; each uses only those above it in this list:

    card ranges kernels    cards, ranges, and what is compiled: ranking, strength, equity
    game                   the rules, what a seat sees, hand histories
    bn                     Bayesian networks: fit, compile, ask; no poker
    cases                  case-based reasoning: retrieve, reuse, revise, retain; no poker
    rules                  from what a seat saw to named readings
    opponents              what we think of the others
    agents                 the players, one file a paper
    arena                  hands, sessions, statistics
    train                  from watched hands to a model
    cli draw               the command line, pictures
"""

from typing import TYPE_CHECKING, Any

from baycarp.budget import Budget
from baycarp.card import cards, text
from baycarp.errors import BaycarpError
from baycarp.game.notation.observe import observe
from baycarp.game.state import State
from baycarp.game.variant import Variant
from baycarp.kernels.hands import rank
from baycarp.kernels.measure import equity, expected_strength, hand_strength, potential, strength
from baycarp.ranges import Range

if TYPE_CHECKING:
    from baycarp.agents.registry import load

__all__ = [
    "BaycarpError",
    "Budget",
    "Range",
    "State",
    "Variant",
    "cards",
    "equity",
    "expected_strength",
    "hand_strength",
    "load",
    "observe",
    "potential",
    "rank",
    "strength",
    "text",
]


def __getattr__(name: str) -> Any:
    # The agents bring half of the package with them, and most uses of the kernels need none.
    if name == "load":
        from baycarp.agents.registry import load

        return load
    raise AttributeError(f"module 'baycarp' has no attribute {name!r}")
