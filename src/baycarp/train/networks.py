"""The network's numbers: fitted on showdowns, measured on held-out hands (Unger 2011, 5.3.1, 7.2)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.bn.learn import counts, encode, fit_counts
from baycarp.bn.network import Network, Structure
from baycarp.bn.plan import Inference
from baycarp.opponents.topology import HIDDEN, STRUCTURE, TYPE_NODES, observed
from baycarp.train.priors import fit_to_dealt
from baycarp.train.rows import Row

__all__ = ["EQUIVALENT_SAMPLE_SIZE", "Accuracy", "Measured", "Prior", "fit_network", "measure"]

Prior: TypeAlias = Literal["bdeu", "dealt"]
"""What a table falls back on without observations: every state alike, or the deal (``train.priors``)."""

EQUIVALENT_SAMPLE_SIZE = 10.0
"""Of the BDeu prior of every table: our choice; Unger (2011) states none."""


def fit_network(
    rows: Sequence[Row],
    showdowns_only: bool = True,
    structure: Structure = STRUCTURE,
    prior: Prior = "bdeu",
) -> Network:
    """Fit a network.

    Parameters
    ----------
    rows
        With the nodes of the structure, and maybe others.
    showdowns_only
        Whether to train on the rows of showdowns alone, the only ones of a seated observer.
    structure
        Of ``opponents.topology``.
    prior
        See ``Prior``.
    """
    used = [row.states for row in rows if row.showdown or not showdowns_only]
    known = [{node: states[node] for node in structure.nodes if node in states} for states in used]
    case_counts = counts(structure, known)
    return (fit_counts if prior == "bdeu" else fit_to_dealt)(structure, case_counts, EQUIVALENT_SAMPLE_SIZE)


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How often the truth stood among the first k states: one line of table 7.1 or 7.3.

    Parameters
    ----------
    node
        The predicted node.
    players
        "active" (every player in at the end of the street, as Unger scored) or "showdown".
    rows
        Instances.
    top
        Share of rows with the truth in the top 1, 2, 3, 4.
    unseen
        Share of rows whose observed parents of the node stood in no training row together.
    """

    node: str
    players: str
    rows: int
    top: tuple[float, float, float, float]
    unseen: float


@dataclass(frozen=True, slots=True)
class Measured:
    """Tables 7.1 and 7.3, and where the group prediction failed: figures 7.1, 7.2 and table 7.2.

    ``faults`` counts rows with the true group below the top four by (action, position); ``asked`` counts all.
    """

    accuracies: tuple[Accuracy, ...]
    faults: Counter[tuple[str, str]]
    asked: Counter[tuple[str, str]]


def measure(network: Network, counts: Mapping[str, NDArray[np.int64]], held_out: Sequence[Row]) -> Measured:
    """Score the network on held-out hands.

    Parameters
    ----------
    network
        The fitted network.
    counts
        The counts of the rows it was fitted on (``bn.learn.counts``): for the share of settings unseen.
    held_out
        Rows of other sessions. Where the truth is not known, a row is left out.
    """
    inference = Inference(network)
    accuracies = []
    for street, node in enumerate(("HandGroup", *TYPE_NODES[1:])):
        active = [row for row in held_out if row.streets > street and node in row.states]
        for players, rows in (("active", active), ("showdown", [row for row in active if row.showdown])):
            places = _places(inference, rows, street, node)
            top = tuple(float(np.mean(places < k)) if len(rows) else np.nan for k in (1, 2, 3, 4))
            unseen = _unseen(network.structure, counts[node], rows, node)
            accuracies.append(Accuracy(node, players, len(rows), top, unseen))  # type: ignore[arg-type]
            if (street, players) == (0, "active"):
                keys = [(_action(row), row.states["Position"]) for row in rows]
                wrong = [key for key, place in zip(keys, places, strict=True) if place >= 4]
                faults, asked = Counter(wrong), Counter(keys)
    return Measured(tuple(accuracies), faults, asked)


def _action(row: Row) -> str:
    return row.states.get("Action", row.states.get("PricedAction", ""))


def _places(inference: Inference, rows: Sequence[Row], street: int, node: str) -> NDArray[np.int64]:
    """The place, 0 = most probable, of the true state of a node in each row, given the observations by then.

    Of equals the first comes first, as where ranges and cases are made of them.
    """
    if not rows:
        return np.empty(0, np.int64)
    structure = inference.network.structure
    columns = encode(structure, [row.states for row in rows])
    shown = {name: columns[name] for name in observed(structure, street)}
    posterior = inference.posteriors(shown, (node,))[node]
    ranking = np.argsort(-posterior, axis=1, kind="stable")
    return np.asarray((ranking == columns[node][:, None]).argmax(axis=1), np.int64)


def _unseen(structure: Structure, table: NDArray[np.integer], rows: Sequence[Row], node: str) -> float:
    """The share of rows whose observed parents met no training row; hidden parents are summed over."""
    if not rows:
        return float("nan")
    parents = structure.parents[node]
    axes = tuple(axis for axis, parent in enumerate(parents) if parent in HIDDEN)
    met = table.sum(axis=(*axes, table.ndim - 1))
    columns = encode(structure, [row.states for row in rows])
    keys = np.stack([columns[parent] for parent in parents if parent not in HIDDEN])
    complete = (keys >= 0).all(axis=0)
    return float(np.mean(met[tuple(keys[:, complete])] == 0)) if complete.any() else 0.0
