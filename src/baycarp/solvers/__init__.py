"""Equilibria: of small games, exactly, and of heads-up hold'em, inside an abstraction.

``small``    games whose tree fits in memory: Kuhn's poker, Leduc hold'em, games of one's own; named below
``buckets``  abstractions of hold'em: the holdings that are one to a solver
``limit``    heads-up fixed limit by public chance sampling; ``nolimit``, no-limit by external sampling
``plan``     what a solve of hold'em is; ``run``, in a folder; ``checkpoint``, what it continues from
``loss``     what a strategy loses inside its abstraction; ``solution``, the strategy as a file
``headed``   the format of these files
"""

from baycarp.solvers.small.best_response import (
    Response,
    best_response,
    exploitability,
    nash_conv,
    value,
)
from baycarp.solvers.small.cfr import CFR
from baycarp.solvers.small.game import CHANCE, END, Game
from baycarp.solvers.small.kuhn import Kuhn
from baycarp.solvers.small.leduc import Leduc
from baycarp.solvers.small.mccfr import ExternalSampling
from baycarp.solvers.small.restricted import RestrictedCFR
from baycarp.solvers.small.saved import Saved, SolvedBy, load_strategy, save_strategy
from baycarp.solvers.small.solve import ALGORITHMS, GAMES, Point, Solver, solve
from baycarp.solvers.small.strategy import StrategyProfile
from baycarp.solvers.small.tree import GameTree, flatten

__all__ = [
    "ALGORITHMS",
    "CFR",
    "CHANCE",
    "END",
    "GAMES",
    "ExternalSampling",
    "Game",
    "GameTree",
    "Kuhn",
    "Leduc",
    "Point",
    "Response",
    "RestrictedCFR",
    "Saved",
    "SolvedBy",
    "Solver",
    "StrategyProfile",
    "best_response",
    "exploitability",
    "flatten",
    "load_strategy",
    "nash_conv",
    "save_strategy",
    "solve",
    "value",
]
