"""Poker decisions from Bayesian networks and case-based reasoning, on a compiled core.

The rooms, from the ground up; each uses only those above it in this list:

    card ranges kernels    cards, ranges, and what is compiled: ranking, strength, equity
    game                   the rules, observations, hand histories
    bn                     Bayesian networks: fit, compile, query; no poker
    cases                  case-based reasoning: retrieve, reuse, revise, retain; no poker
    rules                  from a seat's observation to named readings
    opponents              models of the opponents
    search                 exact small games: equilibria, and how much a strategy can lose
    agents                 the players, one file a paper
    arena                  hands, sessions, matches, tournaments; other programs
    train                  from watched hands to a model
    papers                 published figures beside our results
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
"""The modules of names that are imported on first use: most uses need few of them."""


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'baycarp' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"baycarp.{_HOME[name]}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
