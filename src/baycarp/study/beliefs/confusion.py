"""The confusion matrix and the calibration of a network at one hidden node."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.bn.network import Network
from baycarp.bn.plan import Inference
from baycarp.errors import SchemaError
from baycarp.opponents.topology import HIDDEN, street_of
from baycarp.train.networks import posteriors
from baycarp.train.rows import Row

__all__ = ["Confusion", "confusion"]

BINS = 10


@dataclass(frozen=True, slots=True)
class Confusion:
    """The predictions of a hidden node for rows with its true state.

    Parameters
    ----------
    node
        Its name.
    states
        Its states.
    counts
        int64, shape (states, states): the number of rows by true state and by most probable state.
    bins
        float64, shape (10, 3): by tenths of the greatest probability, the number of rows, the mean of that
        probability, and the share of right predictions; nan without a row.
    """

    node: str
    states: tuple[str, ...]
    counts: NDArray[np.int64]
    bins: NDArray[np.float64]


def confusion(network: Network, rows: Sequence[Row], node: str) -> Confusion:
    """Predict a hidden node for all rows with its true state.

    Parameters
    ----------
    network
        Of ``opponents.topology``.
    rows
        Held-out rows.
    node
        A hidden node of the network.

    Raises
    ------
    SchemaError
        No hidden node of the network.
    """
    structure = network.structure
    if node not in HIDDEN or node not in structure.nodes:
        raise SchemaError(f"node {node!r}: expected a hidden one of {structure.nodes}")
    known = [row for row in rows if node in row.states and row.streets > street_of(node)]
    columns, posterior = posteriors(Inference(network), known, node)
    best, sure = posterior.argmax(axis=1), posterior.max(axis=1)
    counts = np.zeros((len(structure.states[node]),) * 2, np.int64)
    np.add.at(counts, (columns[node], best), 1)
    place = np.minimum((sure * BINS).astype(np.intp), BINS - 1)
    in_bins = [np.bincount(place, each, BINS) for each in (np.ones(len(known)), sure, best == columns[node])]
    with np.errstate(invalid="ignore"):
        bins = np.stack([in_bins[0], *(sums / in_bins[0] for sums in in_bins[1:])], axis=1)
    return Confusion(node, structure.states[node], counts, bins)
