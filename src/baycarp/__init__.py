"""Poker decisions from Bayesian networks and case-based reasoning, on a compiled core.

The rooms, from the ground up; each uses only those above it in this list:

    card ranges kernels    cards, ranges, and what is compiled: ranking, strength, equity
    game                   the rules, observations, hand histories
    bn                     Bayesian networks: fit, compile, query; no poker
    cases                  case-based reasoning: retrieve, reuse, revise, retain; no poker
    rules                  from a seat's observation to named readings
    opponents              models of the opponents
    solvers                equilibria of small games and, inside an abstraction, of hold'em
    agents                 the players, one file a paper
    arena                  hands, sessions, matches, tournaments; other programs
    train                  from watched hands to a model
    papers                 published figures beside our results
    api                    table, match, tournament, train, solve, exploit as functions, and their results
    cli draw               the command line, pictures
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from baycarp.card import cards, text
from baycarp.errors import (
    ArgumentError,
    BaycarpError,
    CardError,
    IllegalAction,
    ModelError,
    NotationError,
    RangeError,
    TableError,
    VariantError,
)

if TYPE_CHECKING:
    from baycarp.agents.base import Agent, Decision, Plays
    from baycarp.agents.registry import load
    from baycarp.api.exploit import ExploitResult, exploit
    from baycarp.api.match import MatchResult, match
    from baycarp.api.result import Result
    from baycarp.api.solve import SolveResult, solve
    from baycarp.api.solve_holdem import HoldemResult, solve_holdem
    from baycarp.api.table import TableResult, table
    from baycarp.api.tournament import TournamentResult, tournament
    from baycarp.api.train import TrainResult, imitate, train
    from baycarp.budget import Budget
    from baycarp.estimation import equities
    from baycarp.evaluation import equity, expected_strength, hand_strength, potential, strength
    from baycarp.game.action import Action
    from baycarp.game.event import Event
    from baycarp.game.notation.observe import observe
    from baycarp.game.state import Observation, State
    from baycarp.game.variant import Variant
    from baycarp.kernels.hands import rank
    from baycarp.ranges import Range

__all__ = [
    "Action",
    "Agent",
    "ArgumentError",
    "BaycarpError",
    "Budget",
    "CardError",
    "Decision",
    "Event",
    "ExploitResult",
    "HoldemResult",
    "IllegalAction",
    "MatchResult",
    "ModelError",
    "NotationError",
    "Observation",
    "Plays",
    "Range",
    "RangeError",
    "Result",
    "SolveResult",
    "State",
    "TableError",
    "TableResult",
    "TournamentResult",
    "TrainResult",
    "Variant",
    "VariantError",
    "cards",
    "equities",
    "equity",
    "expected_strength",
    "exploit",
    "hand_strength",
    "imitate",
    "load",
    "match",
    "observe",
    "potential",
    "rank",
    "solve",
    "solve_holdem",
    "strength",
    "table",
    "text",
    "tournament",
    "train",
]

_HOME = {
    "Action": "game.action",
    "Agent": "agents.base",
    "Budget": "budget",
    "Decision": "agents.base",
    "Event": "game.event",
    "ExploitResult": "api.exploit",
    "HoldemResult": "api.solve_holdem",
    "MatchResult": "api.match",
    "Observation": "game.state",
    "Plays": "agents.base",
    "Range": "ranges",
    "Result": "api.result",
    "SolveResult": "api.solve",
    "State": "game.state",
    "TableResult": "api.table",
    "TournamentResult": "api.tournament",
    "TrainResult": "api.train",
    "Variant": "game.variant",
    "equities": "estimation",
    "equity": "evaluation",
    "expected_strength": "evaluation",
    "exploit": "api.exploit",
    "hand_strength": "evaluation",
    "imitate": "api.train",
    "load": "agents.registry",
    "match": "api.match",
    "observe": "game.notation.observe",
    "potential": "evaluation",
    "rank": "kernels.hands",
    "solve": "api.solve",
    "solve_holdem": "api.solve_holdem",
    "strength": "evaluation",
    "table": "api.table",
    "tournament": "api.tournament",
    "train": "api.train",
}
"""The modules of names that are imported on first use: most uses need few of them."""


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return import_module("importlib.metadata").version("baycarp")  # slow to import
    if name not in _HOME:
        raise AttributeError(f"module 'baycarp' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"baycarp.{_HOME[name]}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*__all__, "__version__"})
