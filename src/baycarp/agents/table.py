"""The players of the default table, named after those of the seed (seed 000, figures 7.4 and 7.9).

Absinthe was a simulation player, Erasmus, Jake and Karma were formula players; that Frida is the second
simulation player is our own choice: her figures are Absinthe's. The styles are calibrated to figure 7.4.
"""

from baycarp.agents.formula import Formula, Style
from baycarp.agents.simulation import Simulation

__all__ = ["EIGHTH", "PERSONALITIES", "SIMULATED", "TABLE", "seat"]

TABLE = ("absinthe", "doyle", "erasmus", "frida", "hari", "jake", "karma")
"""The seven of figure 7.4."""

EIGHTH = "anders"
"""Who joined for figure 7.9; he fills the eighth seat where the seven are watched."""

SIMULATED = frozenset({"absinthe", "frida"})

PERSONALITIES: dict[str, Style] = {
    "absinthe": Style(),
    "anders": Style(),
    "doyle": Style(),
    "erasmus": Style(),
    "frida": Style(),
    "hari": Style(),
    "jake": Style(),
    "karma": Style(),
}


def seat(name: str) -> Formula:
    """A player of that name."""
    kind = Simulation if name in SIMULATED else Formula
    return kind(PERSONALITIES[name])
