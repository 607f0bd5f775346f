"""The network's numbers: fitted on showdowns, measured on held-out hands (Unger 2011, 5.3.1, 7.2).

The measures: the accuracy of each prediction, and the confusion matrix and calibration of a hidden node.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.bn import Inference, Network, Structure
from baycarp.bn.learn import counts, encode, fit_counts
from baycarp.errors import SchemaError, brief
from baycarp.opponents.network.topology import HIDDEN, STRUCTURE, TYPE_NODES, observed, street_of
from baycarp.training.priors import fit_to_dealt
from baycarp.training.rows import NetworkRow

__all__ = [
    "EQUIVALENT_SAMPLE_SIZE",
    "Accuracy",
    "Confusion",
    "Measured",
    "Prior",
    "confusion",
    "fit_network",
    "measure",
    "node_states",
    "posteriors",
]

Prior: TypeAlias = Literal["bdeu", "dealt"]
"""The prior of a table: every state equally likely (BDeu), or the deal (``priors``)."""

EQUIVALENT_SAMPLE_SIZE = 10.0
"""Of the BDeu prior of every table; our choice, since Unger (2011) states none."""

BINS = 10
"""Of the greatest probability, for the calibration of a node."""


def fit_network(
    rows: Sequence[NetworkRow],
    showdowns_only: bool = True,
    structure: Structure = STRUCTURE,
    prior: Prior = "bdeu",
) -> Network:
    """Fit a network.

    Parameters
    ----------
    rows
        With the nodes of the structure, and possibly others.
    showdowns_only
        Whether to train on the rows of showdowns only, which are those of a seated observer.
    structure
        Of ``opponents.network.topology``.
    prior
        See ``Prior``.
    """
    used = node_states(structure, [row for row in rows if row.showdown or not showdowns_only])
    fit = fit_counts if prior == "bdeu" else fit_to_dealt
    return fit(structure, counts(structure, used), EQUIVALENT_SAMPLE_SIZE)


def node_states(structure: Structure, rows: Sequence[NetworkRow]) -> list[dict[str, str]]:
    """The states of each row at the nodes of a structure, of those that it has."""
    return [{node: row.states[node] for node in structure.nodes if node in row.states} for row in rows]


def posteriors(
    inference: Inference, rows: Sequence[NetworkRow], node: str
) -> tuple[dict[str, NDArray[np.int64]], NDArray[np.float64]]:
    """The rows as columns of codes, and the posterior of a hidden node given the observations by its street.

    Parameters
    ----------
    inference
        A network of ``opponents.network.topology``.
    rows
        With the nodes of its structure, and possibly others.
    node
        The hidden node.
    """
    structure = inference.network.structure
    columns = encode(structure, node_states(structure, rows))
    shown = {name: columns[name] for name in observed(structure, street_of(node))}
    return columns, inference.posteriors(shown, (node,))[node]


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The share of rows with the truth among the first k states: one line of table 7.1 or 7.3.

    Parameters
    ----------
    node
        The predicted node.
    players
        "active" (every player in at the end of the street, as Unger scored) or "showdown".
    rows
        The number of rows.
    top
        Share of rows with the truth in the top 1, 2, 3, 4.
    unseen
        Share of rows whose observed parents of the node had these states together in no training row.
    """

    node: str
    players: str
    rows: int
    top: tuple[float, float, float, float]
    unseen: float


@dataclass(frozen=True, slots=True)
class Measured:
    """Tables 7.1 and 7.3, and the faults of the group prediction: figures 7.1, 7.2 and table 7.2.

    ``faults`` counts rows with the true group below the top four by (action, position); ``totals`` all rows.
    ``firsts`` counts active players' rows with the true hand type below the top three by (node, most probable
    type).
    """

    accuracies: tuple[Accuracy, ...]
    faults: Counter[tuple[str, str]]
    totals: Counter[tuple[str, str]]
    firsts: Counter[tuple[str, str]]


def measure(
    network: Network, counts: Mapping[str, NDArray[np.int64]], held_out: Sequence[NetworkRow]
) -> Measured:
    """Score the network on held-out hands.

    Parameters
    ----------
    network
        The fitted network.
    counts
        The counts of the rows it was fitted on (``bn.learn.counts``): for the share of unseen settings.
    held_out
        Rows of other sessions. A row without the true state is left out.
    """
    inference = Inference(network)
    accuracies = []
    firsts = Counter[tuple[str, str]]()
    for street, node in enumerate(("HandGroup", *TYPE_NODES[1:])):
        active = [row for row in held_out if row.streets > street and node in row.states]
        for players, rows in (("active", active), ("showdown", [row for row in active if row.showdown])):
            columns, posterior = posteriors(inference, rows, node)
            ranking = np.argsort(-posterior, axis=1, kind="stable")  # of equal states the first
            places = (ranking == columns[node][:, None]).argmax(axis=1)
            top = tuple(float(np.mean(places < k)) if len(rows) else np.nan for k in (1, 2, 3, 4))
            unseen = _unseen(network.structure.parents[node], counts[node], columns) if rows else np.nan
            accuracies.append(Accuracy(node, players, len(rows), top, unseen))  # type: ignore[arg-type]
            if street and players == "active":
                firsts.update(
                    (node, network.structure.states[node][first]) for first in ranking[places >= 3, 0]
                )
            if (street, players) == (0, "active"):
                states = [{"Action": row.states.get("PricedAction", "")} | row.states for row in rows]
                keys = [(each["Action"], each["Position"]) for each in states]
                totals = Counter(keys)
                faults = Counter(keys[i] for i in np.flatnonzero(places >= 4))
    return Measured(tuple(accuracies), faults, totals, firsts)


def _unseen(
    parents: Sequence[str], table: NDArray[np.integer], columns: Mapping[str, NDArray[np.int64]]
) -> float:
    """The share of rows whose observed parents were in no training row; hidden parents are summed over."""
    axes = tuple(axis for axis, parent in enumerate(parents) if parent in HIDDEN)
    met = table.sum(axis=(*axes, table.ndim - 1))
    keys = np.stack([columns[parent] for parent in parents if parent not in HIDDEN])
    complete = (keys >= 0).all(axis=0)
    return float(np.mean(met[tuple(keys[:, complete])] == 0)) if complete.any() else 0.0


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


def confusion(network: Network, rows: Sequence[NetworkRow], node: str) -> Confusion:
    """Predict a hidden node for all rows with its true state.

    Parameters
    ----------
    network
        Of ``opponents.network.topology``.
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
        raise SchemaError(f"node {brief(node)}: expected a hidden one of {structure.nodes}")
    known = [row for row in rows if node in row.states and row.streets > street_of(node)]
    columns, posterior = posteriors(Inference(network), known, node)
    best, sure = posterior.argmax(axis=1), posterior.max(axis=1)
    table = np.zeros((len(structure.states[node]),) * 2, np.int64)
    np.add.at(table, (columns[node], best), 1)
    place = np.minimum((sure * BINS).astype(np.intp), BINS - 1)
    in_bins = [np.bincount(place, each, BINS) for each in (np.ones(len(known)), sure, best == columns[node])]
    with np.errstate(invalid="ignore"):
        bins = np.stack([in_bins[0], *(sums / in_bins[0] for sums in in_bins[1:])], axis=1)
    return Confusion(node, structure.states[node], table, bins)
