"""The posterior over all 1,326 holdings: the evidence of groups, types and partial hands multiplied.

On a board a holding has one state at each hidden node. The likelihood ratio of a node is the network's
probability of the holding's state divided by that with which the state is dealt (``dealt``). All holdings are
dealt with the same probability, so the product of the ratios, normalised, is the posterior. Unger (2011) has
four groups at weight 1 instead.
"""

from itertools import product

import numpy as np
from numpy.typing import NDArray

from baycarp.bn.inference import Inference
from baycarp.card import blocked_by
from baycarp.errors import RangeError
from baycarp.opponents.network.dealt import card_parents, codes, dealt
from baycarp.opponents.network.topology import HIDDEN

__all__ = ["HoldingPosterior"]

Array = NDArray[np.float64]


class HoldingPosterior:
    """The weight of every holding by a network.

    Parameters
    ----------
    inference
        The fitted network.
    types
        Whether hand types and partial hands count, or the hand group alone.
    """

    def __init__(self, inference: Inference, types: bool = True) -> None:
        self.inference, self.types = inference, types
        self._kept: dict[tuple[str, ...], Array] = {}

    def __call__(self, evidence: dict[str, str], board: tuple[int, ...], street: int) -> Array:
        """The posterior of one player's holding.

        Parameters
        ----------
        evidence
            The observations of the player: node -> state.
        board
            Ids of the board cards.
        street
            Streets whose hidden nodes are computed, at most as many as the board has cards for.

        Returns
        -------
        float64 array, shape (1326,)
            Sums to 1; 0 where the board blocks.

        Raises
        ------
        RangeError
            The network leaves no holding.
        """
        structure = self.inference.network.structure
        weights: Array = np.where(blocked_by(board), 0.0, 1.0)
        free = weights > 0
        mine = codes(structure, board, street if self.types else 0)
        for node in mine:
            above = [parent for parent in structure.parents[node] if parent in HIDDEN]
            cells = tuple(mine[member][free] for member in (*above, node))
            weights[free] *= self._likelihood(node, evidence)[cells]
        total = weights.sum()
        if not total > 0:
            raise RangeError(f"no holding is left by {evidence}")
        return np.asarray(weights / total)

    def _likelihood(self, node: str, evidence: dict[str, str]) -> Array:
        """How much likelier than dealt each state of a node is; axes: its hidden parents, its states."""
        parents = self.inference.network.structure.parents[node]
        observed = tuple(parent for parent in parents if parent not in HIDDEN)
        if any(parent not in evidence for parent in observed):
            return self._ratio(node, evidence, self._inferred(node, evidence))
        key = (node, *(evidence[parent] for parent in observed))
        if key not in self._kept:
            self._kept[key] = self._ratio(node, evidence, self._table(node, evidence))
        return self._kept[key]

    def _table(self, node: str, evidence: dict[str, str]) -> Array:
        """The network's own table, where every observed parent has a state."""
        network = self.inference.network
        at = tuple(_at(network.structure.states[p], evidence.get(p)) for p in network.structure.parents[node])
        return np.asarray(network.cpt(node)[at])

    def _inferred(self, node: str, evidence: dict[str, str]) -> Array:
        """The same by inference, where the state of some parent is not observed."""
        structure = self.inference.network.structure
        above = [parent for parent in structure.parents[node] if parent in HIDDEN]
        shape = tuple(map(structure.cardinality, above))
        given = [structure.states[name].index(state) for name, state in evidence.items()]
        rows = [[*given, *cell] for cell in product(*map(range, shape))]
        plan = self.inference.plan((*evidence, *above), (node,))
        posteriors = plan.posteriors(np.array(rows, np.int64).reshape(len(rows), -1))
        return np.asarray(posteriors[node].reshape(*shape, -1))

    def _ratio(self, node: str, evidence: dict[str, str], table: Array) -> Array:
        structure = self.inference.network.structure
        parents = card_parents(structure, node)
        at = tuple(_at(structure.states[p], None if p in HIDDEN else evidence[p]) for p in parents)
        return np.asarray(table / dealt(parents, node)[at])


def _at(states: tuple[str, ...], state: str | None) -> int | slice:
    """The place of a state on its axis; all of them where it is not known."""
    return slice(None) if state is None else states.index(state)
