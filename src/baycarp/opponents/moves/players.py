"""Models of other players by cluster: what each kind of player does with each bucket, and its share.

There is a decision tree for each of eight situations (``rules.features``), whose inputs are the public
features and, last, the bucket of the own holding; each cluster has its own values in the leaves. The last row
of trees is that of all players together: a model of the own play in roll-outs. Three further clusters act
without regard to their cards: without them no cluster explains a player that calls everything.

MODEL.npz    ``head``: JSON, as bytes: format, version, the command that made it, the priors, and the name of
             the buckets (``buckets``), which are ``outs`` where none is
             ``counts``: nodes and leaves of each situation's tree, shape (8, 2)
             ``thresholds``, ``features``, ``nexts``: of all nodes, tree after tree
             ``values``: of all leaves, tree after tree, by row; float16, shape (rows, leaves, 10)
"""

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ModelError, SchemaError
from baycarp.files import ArrayForm, TextForm
from baycarp.kernels.search import CHOICES, TreePolicies
from baycarp.kernels.trees import NODE
from baycarp.opponents.model_file import MODELS, Arrays, model_form, read_model, write_model
from baycarp.opponents.moves.buckets import BUCKETINGS, OUTS, Buckets
from baycarp.rules.features import SITUATIONS
from baycarp.trees import DecisionTree

__all__ = ["BLIND", "SHIPPED", "SHIPPED_LEARNED", "Players", "load_players", "save_players"]

FORMAT, VERSION = "baycarp.players", 1

SHIPPED = MODELS / "mcts.npz"
"""The models that come with the package: of all cards of the population."""

SHIPPED_LEARNED = MODELS / "mcts-learned.npz"
"""Those that EM learned from showdowns (``experiments/recipes/learned_players.py``)."""

MOST = 64
"""Clusters in a file, at most."""

BLIND = ((0.005, 0.985, 0.01), (0.02, 0.13, 0.85), (0.2, 0.5, 0.3))
"""Fold, check or call, bet or raise of players that act without regard to their cards."""

BLIND_NAMES = ("calls blindly", "raises blindly", "acts at random")

INDIVIDUAL = "as it has acted so far"

BLIND_SHARE = 0.02
"""The prior of each of them."""

RAREST = 1e-4
"""The least probability of a choice in a file: no single action excludes a cluster."""

Array = NDArray[np.float64]

FORM = model_form(
    FORMAT,
    (VERSION,),
    {
        "counts": ArrayForm("int32", (len(SITUATIONS), 2), 1),
        "thresholds": ArrayForm("float32", ("nodes",)),
        "features": ArrayForm("int8", ("nodes",), -1),
        "nexts": ArrayForm("int16", ("nodes",), 0),
        "values": ArrayForm("float16", ("rows", "leaves", CHOICES), 0, 1),
    },
    limit=1 << 25,
    optional={"buckets": TextForm(one_of=tuple(BUCKETINGS))},
)


@dataclass(frozen=True, slots=False, eq=False)
class Players:
    """Clusters of players.

    Parameters
    ----------
    trees
        By cluster and situation; the last row is that of all players. The trees of a situation differ in the
        values of their leaves alone.
    shares
        The share of the players in each cluster; sums to 1.
    buckets
        Of holdings, the last input of the trees.
    blind
        Whether there are the clusters that act without regard to their cards.

    Raises
    ------
    SchemaError
        Not eight trees a row, or not one share a cluster.
    """

    trees: tuple[tuple[DecisionTree, ...], ...]
    shares: tuple[float, ...]
    buckets: Buckets = OUTS
    blind: bool = True

    def __post_init__(self) -> None:
        rows = {len(row) for row in self.trees}
        if rows != {len(SITUATIONS)} or len(self.trees) != len(self.shares) + 1:
            raise SchemaError(
                f"expected {len(SITUATIONS)} trees a row and a row more than the {len(self.shares)} shares"
            )
        if not all(isfinite(share) and share > 0 for share in self.shares):
            raise SchemaError(f"shares {self.shares}: expected finite numbers above 0")

    @cached_property
    def policies(self) -> TreePolicies:
        """Of the clusters, those that act without regard to their cards among them, and last the own one."""
        *clusters, own = self.trees
        return TreePolicies([[(t.nodes, t.values) for t in row] for row in (*clusters, *self._blind(), own)])

    @cached_property
    def leaf_values(self) -> tuple[Array, ...]:
        """By situation, the leaves of the clusters of ``policies`` but the last: (clusters, leaves, 10)."""
        found = []
        for situation, own in enumerate(self.trees[-1]):
            values = [row[situation].values for row in self.trees[:-1]]
            values += [np.broadcast_to(row[situation].values, own.values.shape) for row in self._blind()]
            found.append(np.array(values))
        return tuple(found)

    def leaves(self, inputs: Array, situation: int) -> NDArray[np.intp]:
        """The leaf of each row of inputs in a situation's tree."""
        return self.trees[-1][situation].leaves(inputs)

    @cached_property
    def priors(self) -> Array:
        """Of the clusters of ``policies``: shape (clusters,), sums to 1."""
        blind = [BLIND_SHARE] * len(self._blind())
        informed = np.array(self.shares) / sum(self.shares) * (1 - sum(blind))
        return np.append(informed, blind)

    def cluster_name(self, number: int) -> str:
        """The name of a cluster: its number, how it acts without regard to its cards, or the individual's."""
        others = (*(BLIND_NAMES if self.blind else ()), INDIVIDUAL)
        after = number - len(self.shares)
        return f"cluster {number}" if after < 0 else others[min(after, len(others) - 1)]

    def _blind(self) -> list[tuple[DecisionTree, ...]]:
        return _blind() if self.blind else []

    @property
    def digest(self) -> str:
        """SHA-256 of everything in it, as hexadecimal digits."""
        digest = hashlib.sha256(json.dumps(self.shares).encode())
        for row in self.trees:
            for tree in row:
                digest.update(tree.nodes.tobytes() + tree.values.tobytes())
        return digest.hexdigest()


def _blind() -> list[tuple[DecisionTree, ...]]:
    rows = []
    for fold, call, bold in BLIND:
        choices = [fold, call, *[bold / (CHOICES - 2)] * (CHOICES - 2)]
        rows.append((DecisionTree.leaf(choices),) * len(SITUATIONS))
    return rows


def save_players(players: Players, path: Path | str, command: str) -> None:
    """Write models of one set of comparisons; the file is there whole or not at all."""
    head = {
        "format": FORMAT,
        "version": VERSION,
        "command": command,
        "shares": players.shares,
        "buckets": players.buckets.name,
    }
    own = players.trees[-1]
    nodes = np.concatenate([tree.nodes for tree in own])
    if nodes["next"].max() > np.iinfo(np.int16).max:
        raise SchemaError(f"a tree of {len(nodes)} nodes: expected at most 32,767 in a file")
    values = [np.concatenate([tree.values for tree in row]) for row in players.trees]
    arrays: dict[str, NDArray[np.generic]] = {
        "counts": np.array([(len(tree.nodes), len(tree.values)) for tree in own], np.int32),
        "thresholds": nodes["threshold"].astype(np.float32),
        "features": nodes["feature"].astype(np.int8),
        "nexts": nodes["next"].astype(np.int16),
        "values": np.maximum(values, RAREST).astype(np.float16),
    }
    write_model(path, head, arrays)


def load_players(path: Path | str = SHIPPED) -> Players:
    """Read models; a process reads a file once.

    Raises
    ------
    ModelError
        A file that is missing, corrupt, or of another format or version.
    """
    return read_model(path, "models of players", FORM, _parsed)


def _parsed(head: dict[str, Any], arrays: Arrays) -> Players:
    counts = arrays["counts"].astype(np.int64)
    values = arrays["values"].astype(np.float64)
    nodes = np.empty(len(arrays["features"]), NODE)
    for name in ("threshold", "feature", "next"):
        nodes[name] = arrays[f"{name}s"]
    if counts.sum(axis=0).tolist() != [len(nodes), values.shape[1]]:
        raise ModelError(f"{len(nodes)} nodes and {values.shape[1]} leaves: expected those of the counts")
    if len(values) != len(head["shares"]) + 1:
        raise ModelError(f"{len(values)} rows of leaves: expected one more than the shares")
    values = np.maximum(values, RAREST / 2)  # what is saved is rounded
    values /= values.sum(axis=2, keepdims=True)
    ends = np.cumsum(counts, axis=0)[:-1]
    shared = np.split(nodes, ends[:, 0])
    rows = [tuple(map(DecisionTree, shared, np.split(row, ends[:, 1]))) for row in values]
    buckets = BUCKETINGS[head.get("buckets", OUTS.name)]
    players = Players(tuple(rows), tuple(map(float, head["shares"])), buckets)
    players.policies.clusters  # noqa: B018 - making them checks the trees
    return players
