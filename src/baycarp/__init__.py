"""Poker decisions from Bayesian networks and case-based reasoning, on a compiled core.

The rooms, from the ground up; each uses only those above it in this list:

    card ranges kernels    cards, ranges, and what is compiled: ranking, strength, equity
    game                   the rules, what a seat sees, hand histories
    bn                     Bayesian networks: fit, compile, ask; no poker
    cases                  case-based reasoning: retrieve, reuse, revise, retain; no poker
    rules                  from what a seat saw to named readings
    opponents              what we think of the others
    agents                 the players, one file a paper
    arena                  hands, sessions, matches, tournaments; other programs
    train                  from watched hands to a model
    papers                 published figures beside ours
    cli draw               the command line, pictures
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from baycarp.card import cards, text
from baycarp.errors import BaycarpError

if TYPE_CHECKING:
    from baycarp.agents.registry import load
    from baycarp.budget import Budget
    from baycarp.estimation import equities
    from baycarp.evaluation import equity, expected_strength, hand_strength, potential, strength
    from baycarp.game.notation.observe import observe
    from baycarp.game.state import State
    from baycarp.game.variant import Variant
    from baycarp.kernels.hands import rank
    from baycarp.ranges import Range

__all__ = [
    "BaycarpError",
    "Budget",
    "Range",
    "State",
    "Variant",
    "cards",
    "equities",
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

_HOME = {
    "Budget": "budget",
    "Range": "ranges",
    "State": "game.state",
    "Variant": "game.variant",
    "equities": "estimation",
    "equity": "evaluation",
    "expected_strength": "evaluation",
    "hand_strength": "evaluation",
    "load": "agents.registry",
    "observe": "game.notation.observe",
    "potential": "evaluation",
    "rank": "kernels.hands",
    "strength": "evaluation",
}
"""Where the names live that are fetched when they are first asked for: most uses need few of them."""


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'baycarp' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"baycarp.{_HOME[name]}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
