"""What a network takes for what, and how sure it is: confusion matrix and calibration of one hidden node."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.bn.learn import encode
from baycarp.bn.network import Network
from baycarp.bn.plan import Inference
from baycarp.errors import SchemaError
from baycarp.opponents.topology import HIDDEN, observed, street_of
from baycarp.train.rows import Row

__all__ = ["Confusion", "confusion"]

BINS = 10


@dataclass(frozen=True, slots=True)
class Confusion:
    """A hidden node, predicted for rows whose truth is known.

    Parameters
    ----------
    node
        Its name.
    states
        Its states.
    counts
        int64, shape (states, states): rows with that truth, by the state held most probable.
    bins
        float64, shape (10, 3): by tenth of how sure the network was, the number of rows, how sure it was in
        the mean, and how often it was right; nan where there was no row.
    """

    node: str
    states: tuple[str, ...]
    counts: NDArray[np.int64]
    bins: NDArray[np.float64]


def confusion(network: Network, rows: Sequence[Row], node: str) -> Confusion:
    """Predict all rows whose truth is known.

    Parameters
    ----------
    network
        Of ``opponents.topology``.
    rows
        That it was not fitted on.
    node
        A hidden node of it.

    Raises
    ------
    SchemaError
        No hidden node of the network.
    """
    structure, street = network.structure, street_of(node)
    if node not in HIDDEN or node not in structure.nodes:
        raise SchemaError(f"node {node!r}: expected a hidden one of {structure.nodes}")
    known = [row for row in rows if node in row.states and row.streets > street]
    states = structure.states[node]
    counts, bins = np.zeros((len(states), len(states)), np.int64), np.full((BINS, 3), np.nan)
    bins[:, 0] = 0
    if known:
        rows_of_states = [
            {name: row.states[name] for name in structure.nodes if name in row.states} for row in known
        ]
        columns = encode(structure, rows_of_states)
        shown = {name: columns[name] for name in observed(structure, street)}
        posterior = Inference(network).posteriors(shown, (node,))[node]
        best, sure = posterior.argmax(axis=1), posterior.max(axis=1)
        np.add.at(counts, (columns[node], best), 1)
        place = np.minimum((sure * BINS).astype(np.intp), BINS - 1)
        for number in np.unique(place):
            mine = place == number
            bins[number] = mine.sum(), sure[mine].mean(), (best == columns[node])[mine].mean()
    return Confusion(node, states, counts, bins)
