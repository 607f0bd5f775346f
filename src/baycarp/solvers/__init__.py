"""Exact small games: Kuhn's poker, Leduc hold'em, and games of one's own; no poker of ``baycarp.game``.

``game``  the protocol of a small game; ``kuhn``, ``leduc``  two of them;
``tree``, ``sequences``  a game as arrays; ``strategy``  what both players do, ``saved``  on disk;
``best_response``  exact values and exploitability;
``limit``, ``nolimit``  heads-up hold'em, rooms of their own; ``checkpoint``  what their runs continue from;
``cfr``  CFR and CFR+, ``mccfr``  external sampling; ``solve``  both, measured on the way.
"""

from baycarp.solvers.small.best_response import (
    Response,
    best_response,
    counterfactual_values,
    exploitability,
    nash_conv,
    value,
)
from baycarp.solvers.small.cfr import CFR
from baycarp.solvers.small.game import CHANCE, END, Game
from baycarp.solvers.small.kuhn import Kuhn
from baycarp.solvers.small.leduc import Leduc
from baycarp.solvers.small.mccfr import ExternalSampling, sampled_values
from baycarp.solvers.small.saved import Origin, Saved, load_strategy, save_strategy
from baycarp.solvers.small.solve import ALGORITHMS, GAMES, Point, Solver, solve
from baycarp.solvers.small.strategy import Strategy
from baycarp.solvers.small.tree import Tree, flatten

__all__ = [
    "ALGORITHMS",
    "CFR",
    "CHANCE",
    "END",
    "GAMES",
    "ExternalSampling",
    "Game",
    "Kuhn",
    "Leduc",
    "Origin",
    "Point",
    "Response",
    "Saved",
    "Solver",
    "Strategy",
    "Tree",
    "best_response",
    "counterfactual_values",
    "exploitability",
    "flatten",
    "load_strategy",
    "nash_conv",
    "sampled_values",
    "save_strategy",
    "solve",
    "value",
]
