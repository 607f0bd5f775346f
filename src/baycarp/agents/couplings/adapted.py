"""CBR-BN-1, in reuse: a network of the retrieved cases adapts their solution (Tran and Schoenwaelder)."""

from baycarp.agents.anytime import Answer, Recorder
from baycarp.agents.couplings.deciding import by_network
from baycarp.agents.couplings.discretised import network_of
from baycarp.agents.couplings.player import Coupled, Features
from baycarp.cases import retrieve
from baycarp.strategies.episode import DecisionPoint

__all__ = ["NEAREST_CASES", "Adapted"]

NEAREST_CASES = 500
"""Cases that the network is made of; our choice."""


class Adapted(Features):
    """CBR-BN-1: the nearest cases make a network, and its posterior over actions is the solution.

    Tight, vertical: the cases take I and the reader's D and give D, the retrieved ones; the network over
    their features takes D and I in the reuse step and gives C. Its arcs are those of the whole network.

    Parameters
    ----------
    nearest
        How many cases; None = all, which is the network that decides.
    """

    def __init__(self, nearest: int | None = NEAREST_CASES) -> None:
        self.nearest = nearest

    def answer(self, player: Coupled, point: DecisionPoint, recorder: Recorder) -> Answer:
        """The likeliest action by the network of the nearest cases."""
        base = player.model.casebases[point.schema.name]
        count = max(1, len(base) if self.nearest is None else min(self.nearest, len(base)))
        found = retrieve(base, point.situation, 0.0, count)
        player.query(point, found, recorder)
        rows = base.snapshot().rows(found.ids)
        return by_network(player, point, network_of(base, rows), len(rows), recorder)
