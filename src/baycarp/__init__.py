"""Poker decisions from Bayesian networks and case-based reasoning, on a compiled core.

The rooms, from the ground up; a room imports only rooms above it in this list:

    errors      every error of the package
    budget      the limits of a decision
    files       files written whole, and read within bounds
    kernels     the C core in Python: ranking, strength, search
    card        cards, holdings, starting hands
    hand_names  the name of a hand, and its best five cards
    ranges      a weight for each of 1,326 holdings
    evaluation  strength, potential and equity of a hand
    estimation  equity of many ranges, exact or sampled
    trees       decision trees and boosting; no poker
    bn          Bayesian networks; no poker
    cases       case-based reasoning; no poker
    draw        drawings, as text or pictures
    game        rules, observations, hand histories
    rules       from an observation to named readings
    opponents   models of opponents: beliefs and moves
    solvers     equilibria of small games and of hold'em
    strategies  case-based strategies as values, one file each
    agents      the players, one file or folder a family
    arena       hands, matches, tournaments, other programs
    explain     counterfactuals and replays of decisions
    responses   the win of a best response in the real game
    training    from watched hands to models
    kit         the checks that an agent passes
    web         the table in the browser
    env         environments of PettingZoo, Gymnasium and OpenSpiel
    coach       the review of a player's hands
    api         match, train, solve and more as functions
    tools       tools for language models
    cli         the command line

``python docs/draw.py`` draws them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

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
    from baycarp.api.convert import ConvertResult, convert
    from baycarp.api.decide import DecideResult, decide
    from baycarp.api.equity import EquityResult, versus
    from baycarp.api.exploit import ExploitResult, exploit
    from baycarp.api.match import MatchResult, match
    from baycarp.api.result import Result
    from baycarp.api.solve import SolveResult, solve
    from baycarp.api.solve_holdem import HoldemResult, solve_holdem
    from baycarp.api.solve_spot import solve_many
    from baycarp.api.stats import StatsResult, stats
    from baycarp.api.table import TableResult, table
    from baycarp.api.tournament import TournamentResult, tournament
    from baycarp.api.train import TrainResult, imitate, train
    from baycarp.budget import Budget
    from baycarp.card import cards, text
    from baycarp.coach.hands import read
    from baycarp.estimation import equities
    from baycarp.evaluation import equity, expected_strength, hand_strength, potential, strength
    from baycarp.game.action import Action
    from baycarp.game.event import Event
    from baycarp.game.notation.observe import observe
    from baycarp.game.state import Observation, State
    from baycarp.game.variant import Variant
    from baycarp.hand_names import hand_name
    from baycarp.kernels.hands import rank
    from baycarp.kit.check import check_agent
    from baycarp.kit.report import AgentReport
    from baycarp.ranges import Range
    from baycarp.solvers.spots.solution import Solution
    from baycarp.solvers.spots.spot import Spot

__all__ = [
    "Action",
    "Agent",
    "AgentReport",
    "ArgumentError",
    "BaycarpError",
    "Budget",
    "CardError",
    "ConvertResult",
    "DecideResult",
    "Decision",
    "EquityResult",
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
    "Solution",
    "SolveResult",
    "Spot",
    "State",
    "StatsResult",
    "TableError",
    "TableResult",
    "TournamentResult",
    "TrainResult",
    "Variant",
    "VariantError",
    "cards",
    "check_agent",
    "convert",
    "decide",
    "equities",
    "equity",
    "expected_strength",
    "exploit",
    "hand_name",
    "hand_strength",
    "imitate",
    "load",
    "match",
    "observe",
    "potential",
    "rank",
    "read",
    "solve",
    "solve_holdem",
    "solve_many",
    "stats",
    "strength",
    "table",
    "text",
    "tournament",
    "train",
    "versus",
]

_HOME = {
    "Action": "game.action",
    "Agent": "agents.base",
    "AgentReport": "kit.report",
    "Budget": "budget",
    "ConvertResult": "api.convert",
    "Decision": "agents.base",
    "EquityResult": "api.equity",
    "Event": "game.event",
    "ExploitResult": "api.exploit",
    "HoldemResult": "api.solve_holdem",
    "MatchResult": "api.match",
    "Observation": "game.state",
    "Plays": "agents.base",
    "Range": "ranges",
    "Result": "api.result",
    "Solution": "solvers.spots.solution",
    "SolveResult": "api.solve",
    "Spot": "solvers.spots.spot",
    "DecideResult": "api.decide",
    "State": "game.state",
    "StatsResult": "api.stats",
    "TableResult": "api.table",
    "TournamentResult": "api.tournament",
    "TrainResult": "api.train",
    "Variant": "game.variant",
    "cards": "card",
    "convert": "api.convert",
    "check_agent": "kit.check",
    "decide": "api.decide",
    "equities": "estimation",
    "equity": "evaluation",
    "expected_strength": "evaluation",
    "exploit": "api.exploit",
    "hand_name": "hand_names",
    "hand_strength": "evaluation",
    "imitate": "api.train",
    "load": "agents.registry",
    "match": "api.match",
    "observe": "game.notation.observe",
    "potential": "evaluation",
    "rank": "kernels.hands",
    "read": "coach.hands",
    "solve": "api.solve",
    "solve_holdem": "api.solve_holdem",
    "solve_many": "api.solve_spot",
    "stats": "api.stats",
    "strength": "evaluation",
    "table": "api.table",
    "text": "card",
    "tournament": "api.tournament",
    "train": "api.train",
    "versus": "api.equity",
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
