"""The nodes of the thesis' network with arcs of the watched showdowns: hill climbing by BDeu, with pgmpy.

The structure is ours: Unger drew the arcs, and Terry and Mihok did. Arcs run from earlier streets to later
ones, and into a hidden node from no cards but those that its states are dealt by
(``opponents.network.dealt``). All others are free: an action may depend on the cards, which it never does in
the thesis' network.
"""

from functools import lru_cache

import numpy as np

from baycarp.bn import Inference, Network, Structure
from baycarp.bn.learn import fit
from baycarp.opponents.belief import Chances
from baycarp.opponents.network.dealt import BOARD_NODES, FULL, card_parents, codes
from baycarp.opponents.network.holdings import HoldingPosterior
from baycarp.opponents.network.model import NetworkModel
from baycarp.opponents.network.ranges import Weighted
from baycarp.opponents.network.topology import HIDDEN, STRUCTURE, observed, street_of
from baycarp.opponents.shown.retrieved_network import columns_of
from baycarp.opponents.shown.situations import Shown
from baycarp.training.networks import EQUIVALENT_SAMPLE_SIZE

__all__ = ["ArcsPosterior", "LearnedNetwork", "climbed", "forbidden", "learned"]

INDEGREE = 3
"""Parents of a node, at most; our choice: tables grow with each."""


def forbidden() -> list[tuple[str, str]]:
    """Arcs that the search may not draw."""
    nodes = STRUCTURE.nodes
    return [
        (parent, node) for node in nodes for parent in nodes if parent != node and not _allowed(parent, node)
    ]


def _allowed(parent: str, node: str) -> bool:
    if street_of(parent) > street_of(node):
        return False
    if node in BOARD_NODES:  # the deal alone relates them to the cards of players
        return parent in BOARD_NODES
    cards = parent in HIDDEN or parent in BOARD_NODES
    return not cards or node not in HIDDEN or parent in card_parents(FULL, node)


def climbed(shown: Shown) -> Structure:
    """The structure that hill climbing finds on showdowns whose player's habits were known."""
    import pandas as pd
    from pgmpy.causal_discovery import ExpertKnowledge, HillClimbSearch
    from pgmpy.structure_score import BDeu

    columns = columns_of(shown, STRUCTURE)
    whole = np.all([column >= 0 for column in columns.values()], axis=0)
    frame = pd.DataFrame({node: columns[node][whole] for node in STRUCTURE.nodes})
    search = HillClimbSearch(
        scoring_method=BDeu(frame, equivalent_sample_size=EQUIVALENT_SAMPLE_SIZE),
        expert_knowledge=ExpertKnowledge(forbidden_edges=forbidden()),
        max_indegree=INDEGREE,
        return_type="dag",
        show_progress=False,
    )
    arcs = set(search.fit(frame).causal_graph_.edges())
    return Structure(
        STRUCTURE.states,
        {node: [parent for parent in STRUCTURE.nodes if (parent, node) in arcs] for node in STRUCTURE.nodes},
    )


def learned(shown: Shown, structure: Structure) -> Network:
    """The network of some arcs, fitted as the thesis' one is."""
    return fit(structure, columns_of(shown, STRUCTURE), EQUIVALENT_SAMPLE_SIZE)


class ArcsPosterior(HoldingPosterior):
    """The weight of every holding by a network in which cards may have observed nodes below them.

    Without such arcs it is ``HoldingPosterior``, bit for bit. An observation with a parent that was not
    observed is no evidence.
    """

    def __call__(self, evidence: dict[str, str], board: tuple[int, ...], street: int) -> Chances:
        """The posterior of one player's holding; parameters as of ``HoldingPosterior``."""
        weights = super().__call__(evidence, board, street)
        structure, free = self.inference.network.structure, weights > 0
        mine = codes(structure, board, street)
        for node in observed(structure, street):
            parents = structure.parents[node]
            family = [member for member in (*parents, node) if member not in HIDDEN]
            if set(parents) & set(HIDDEN) and all(member in evidence for member in family):
                at = tuple(
                    mine[member][free]
                    if member in HIDDEN
                    else structure.states[member].index(evidence[member])
                    for member in (*parents, node)
                )
                weights[free] *= self.inference.network.cpt(node)[at]
                weights /= weights.sum()
        return weights


class LearnedNetwork(NetworkModel):
    """Beliefs of a network with any arcs over the thesis' nodes.

    Parameters
    ----------
    network
        Fitted.
    adaptive
        Whether habits are counted.
    """

    def __init__(self, network: Network, adaptive: bool = True) -> None:
        super().__init__(Inference(network), Weighted(), adaptive)
        self.arcs = _posterior(network)

    def posterior(self, player: str) -> HoldingPosterior:
        """The same for every player."""
        return self.arcs


@lru_cache(maxsize=4)
def _posterior(network: Network) -> ArcsPosterior:
    return ArcsPosterior(Inference(network))
