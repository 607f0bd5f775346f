"""Policies conditioned on the bucket of the holding: a decision tree for each situation and bucket.

``HoldingPolicy`` is the value that a search and an observer use:

    membership = policy.buckets.membership(board)             # (1326, K): soft, K buckets of that street
    table = policy.probabilities(situation, rows)             # (n, K, 9): P(a | f, B_k), fold 0 in CB
    policy.likelihoods(situation, row, move, board)           # (1326,): sum_k m_ik P(a | f, B_k)
    policy.flat()                                             # arrays for C, see ``FlatTrees``
    policy.to_arrays(), HoldingPolicy.of_arrays(arrays)       # parts of a file; save and load a whole one

``situation`` is an index in ``rules.features.SITUATIONS`` (street = situation // 2; even = check or bet),
rows are its 41 features, actions are ``rules.features.MOVES``. Buckets count from the weakest.

Source: van der Kleij (2010), sections 5.3 to 5.5. Ours: a bucket's tree learns from its neighbours too.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ArgumentError, ModelError
from baycarp.files import read_arrays, write_arrays
from baycarp.kernels.trees import NODE, grow_classes
from baycarp.opponents.moves.tree_policy import MoveRows
from baycarp.rules.features import MOVES, NAMES, SITUATIONS, VALID
from baycarp.trees import Bins, DecisionTree, Growth
from experiments.players.street_buckets import CLASSES, StreetBuckets

__all__ = [
    "Binned",
    "FlatTrees",
    "HoldingGrowth",
    "HoldingPolicy",
    "fit_holding_policy",
    "load_holding_policy",
    "save_holding_policy",
]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class HoldingGrowth:
    """The limits of the trees of a ``HoldingPolicy``.

    Parameters
    ----------
    growth
        Of every tree; its ``least`` is a sum of memberships.
    blur
        The weight of a decision in a bucket next to its own, in the one after that its square, and so on;
        0..0.9, 0 = each tree sees its own bucket alone. The 169 classes have no neighbours.

    Raises
    ------
    ArgumentError
        A blur out of its range.
    """

    growth: Growth = field(default_factory=lambda: Growth(3, 20.0, 0.2))
    blur: float = 0.3

    def __post_init__(self) -> None:
        if not 0 <= self.blur <= 0.9:
            raise ArgumentError(f"blur {self.blur!r}: expected 0 to 0.9")

    def spread(self, shares: Array) -> Array:
        """The weights of decisions in the trees of all buckets, by their memberships (n, buckets)."""
        count = shares.shape[1]
        if count == CLASSES or not self.blur:
            return shares
        apart = np.abs(np.subtract.outer(np.arange(count), np.arange(count)))
        return np.asarray(shares @ self.blur**apart)


@dataclass(frozen=True, slots=True)
class FlatTrees:
    """All trees in arrays, for C: tree t is the nodes from ``node[t]`` and the values from ``leaf[t]`` on.

    Its actions are ``values[leaf[t] + bc_tree_leaf(nodes + node[t], x)]``.

    Parameters
    ----------
    nodes
        ``kernels.trees.NODE``, the trees one after another; ``next`` counts within its tree.
    values
        Float64, shape (leaves, 9): the probability of every action.
    first
        Int32, shape (9,): the first tree of each situation, and the number of trees; bucket k of a situation
        has tree ``first[situation] + k``.
    node, leaf
        Int32, shape (trees + 1,): the first node and the first leaf of each tree, and the number of all.
    """

    nodes: NDArray[np.void]
    values: Array
    first: NDArray[np.int32]
    node: NDArray[np.int32]
    leaf: NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class HoldingPolicy:
    """The probability of each action in each situation, by the bucket of the holding.

    Parameters
    ----------
    buckets
        Of the holdings.
    trees
        By situation and bucket; a leaf has the probabilities of the nine actions, of a fold 0 where a check
        is free.

    Raises
    ------
    ArgumentError
        Another number of trees.
    """

    buckets: StreetBuckets
    trees: tuple[tuple[DecisionTree, ...], ...]

    def __post_init__(self) -> None:
        wanted = [self.buckets.counts[situation // 2] for situation in range(len(SITUATIONS))]
        if [len(each) for each in self.trees] != wanted:
            raise ArgumentError(f"trees: expected {wanted} by situation, got {list(map(len, self.trees))}")

    def probabilities(self, situation: int, rows: Array) -> Array:
        """The probability of each action in each bucket: shape (n, buckets, 9), by features (n, 41)."""
        return np.stack([tree(rows) for tree in self.trees[situation]], axis=1)

    def likelihoods(self, situation: int, row: Array, move: int, board: tuple[int, ...]) -> Array:
        """The probability of an action with each holding (equation 5.2): shape (1326,); blocked ones 0.

        Parameters
        ----------
        situation, row, move
            Of the decision: index, features of shape (41,), index of what was done.
        board
            As it was at the decision: no card, or three to five ids.
        """
        by_bucket = self.probabilities(situation, row[None])[0, :, move]
        return np.asarray(self.buckets.membership(board) @ by_bucket)

    def flat(self) -> FlatTrees:
        """All trees in a few arrays."""
        trees = [tree for each in self.trees for tree in each]

        def starts(counts: list[int]) -> NDArray[np.int32]:
            return np.array([0, *np.cumsum(counts)], np.int32)

        return FlatTrees(
            np.concatenate([tree.nodes for tree in trees]),
            np.concatenate([tree.values for tree in trees]),
            starts([len(each) for each in self.trees]),
            starts([len(tree.nodes) for tree in trees]),
            starts([len(tree.values) for tree in trees]),
        )

    def to_arrays(self) -> dict[str, NDArray[np.generic]]:
        """The policy as arrays by name; probabilities are rounded to float32."""
        flat = self.flat()
        arrays: dict[str, NDArray[np.generic]] = {
            "counts": np.array(self.buckets.counts, np.int32),
            "base": np.array(self.buckets.base),
            "node": flat.node,
            "leaf": flat.leaf,
            "threshold": flat.nodes["threshold"],
            "feature": flat.nodes["feature"].astype(np.int8),
            "next": flat.nodes["next"],
            "values": flat.values.astype(np.float32),
        }
        return arrays | {"digest": _digest(arrays)}

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, NDArray[np.generic]]) -> "HoldingPolicy":
        """The policy of ``to_arrays``.

        Raises
        ------
        ModelError
            An array that is missing, of another shape or type, or that describes no trees of probabilities.
        """
        try:
            return _of_arrays(arrays)
        except (ArgumentError, KeyError, IndexError, TypeError, ValueError) as error:
            raise ModelError(f"no policy by holdings: {error}") from error


def _digest(arrays: Mapping[str, NDArray[np.generic]]) -> NDArray[np.uint8]:
    """SHA-256 of the arrays and their names, except that of a digest: uint8, shape (32,)."""
    made = sha256()
    for name, array in sorted(arrays.items()):
        if name != "digest":
            made.update(f"{name} {array.dtype.str} {array.shape}".encode() + array.tobytes())
    return np.frombuffer(made.digest(), np.uint8)


def _of_arrays(arrays: Mapping[str, NDArray[np.generic]]) -> HoldingPolicy:
    given = arrays["digest"]
    if given.dtype != np.uint8 or not np.array_equal(given, _digest(arrays)):
        raise ArgumentError("arrays that differ from their digest")
    counts = [int(count) for count in np.asarray(arrays["counts"], np.int64)]
    preflop, flop, turn, river = counts
    buckets = StreetBuckets((preflop, flop, turn, river), float(arrays["base"]))
    node, leaf = (np.asarray(arrays[name], np.int64) for name in ("node", "leaf"))
    threshold, feature = np.asarray(arrays["threshold"], np.float64), np.asarray(arrays["feature"], np.int32)
    values = np.asarray(arrays["values"], np.float64)
    nodes = np.zeros(len(threshold), NODE)
    nodes["threshold"], nodes["feature"], nodes["next"] = threshold, feature, arrays["next"]
    _verify(values, (node, len(nodes)), (leaf, len(values)), 2 * sum(counts))
    values = values / values.sum(axis=1, keepdims=True)
    trees = [
        DecisionTree(nodes[a:b], values[c:d])
        for a, b, c, d in zip(node, node[1:], leaf, leaf[1:], strict=False)
    ]
    of_street = np.repeat(counts, 2)
    ends = np.cumsum(of_street)
    policy = HoldingPolicy(
        buckets,
        tuple(tuple(trees[end - count : end]) for end, count in zip(ends, of_street, strict=True)),
    )
    for situation, each in enumerate(policy.trees):
        for tree in each:
            tree(np.zeros((1, len(NAMES))))  # refuses nodes that are no tree
            if situation % 2 == 0 and tree.values[:, 0].any():
                raise ArgumentError(f"situation {situation}: expected no fold where a check is free")
    return policy


def _verify(
    values: Array, node: tuple[NDArray[np.int64], int], leaf: tuple[NDArray[np.int64], int], trees: int
) -> None:
    """Rows are distributions of nine actions, and the starts of trees ascend from 0 to all."""
    good = values.ndim == 2 and values.shape[1] == len(MOVES) and (values >= 0).all()
    if not good or not np.allclose(values.sum(axis=1), 1, atol=1e-4):
        raise ArgumentError(f"values of shape {values.shape}: expected probabilities of {len(MOVES)} actions")
    for starts, count in (node, leaf):
        if starts.shape != (trees + 1,) or starts[0] or starts[-1] != count or (np.diff(starts) < 1).any():
            raise ArgumentError(f"starts of {len(starts) - 1} trees: expected {trees}, from 0 up to {count}")


def save_holding_policy(policy: HoldingPolicy, path: Path | str) -> None:
    """Write a policy as ``.npz``; the file is there whole or not at all."""
    write_arrays(path, policy.to_arrays())


def load_holding_policy(path: Path | str) -> HoldingPolicy:
    """Read a policy.

    Raises
    ------
    ModelError
        A file that is missing, damaged, or holds no policy.
    """
    try:
        return HoldingPolicy.of_arrays(read_arrays(path))
    except (OSError, ValueError, ModelError) as error:
        raise ModelError(f"{path}: {error}") from error


@dataclass(frozen=True, slots=True)
class Binned:
    """Decisions prepared for trees, once for any number of fits.

    Parameters
    ----------
    choices
        The decisions.
    rows
        By situation, their indices: int64.
    bins, binned
        By situation, the bins of the features and the bin of every value; None without a decision.
    """

    choices: MoveRows
    rows: tuple[NDArray[np.int64], ...]
    bins: tuple[Bins | None, ...]
    binned: tuple[NDArray[np.uint8] | None, ...]

    @classmethod
    def of(cls, choices: MoveRows) -> "Binned":
        """Prepare decisions.

        Raises
        ------
        ArgumentError
            A free check that was folded.
        """
        choices.verify_folds()
        rows, bins, binned = [], list[Bins | None](), list[NDArray[np.uint8] | None]()
        for situation in range(len(SITUATIONS)):
            at = np.flatnonzero(choices.situations == situation)
            valid = choices.features[at] * VALID[:, situation]
            found = Bins.of(valid) if len(at) else None
            rows.append(at)
            bins.append(found)
            binned.append(found(valid) if found else None)
        return cls(choices, tuple(rows), tuple(bins), tuple(binned))


def fit_holding_policy(
    data: Binned, shares: Array, settings: HoldingGrowth, buckets: StreetBuckets | None = None
) -> HoldingPolicy:
    """Grow the tree of every situation and bucket.

    Parameters
    ----------
    data
        The decisions.
    shares
        Shape (n, at least the buckets of the street): the weight of each decision in each bucket, at least 0:
        the membership of its known holding, or the mean membership by the probabilities of the holdings.
    settings
        The limits of the trees.
    buckets
        None = ``StreetBuckets()``.

    Raises
    ------
    ArgumentError
        Weights of another shape or range.
    """
    buckets = buckets or StreetBuckets()
    if shares.ndim != 2 or len(shares) != len(data.choices) or shares.shape[1] < max(buckets.counts):
        raise ArgumentError(
            f"shares of shape {shares.shape}: expected ({len(data.choices)}, {max(buckets.counts)})"
        )
    found = []
    for situation in range(len(SITUATIONS)):
        weights = settings.spread(shares[data.rows[situation], : buckets.counts[situation // 2]])
        found.append(tuple(_grown(data, situation, column, settings.growth) for column in weights.T))
    return HoldingPolicy(buckets, tuple(found))


def _grown(data: Binned, situation: int, weights: Array, growth: Growth) -> DecisionTree:
    """The tree of one bucket; without a weight the same probability for every action that is legal."""
    seen = weights > 0
    bins, binned = data.bins[situation], data.binned[situation]
    if bins is None or binned is None or not seen.any():
        nodes, values = np.array([(0.0, -1, 0)], NODE), np.ones((1, len(MOVES)))
    else:
        moves = data.choices.moves[data.rows[situation]][seen].astype(np.uint8)
        limits = (growth.depth, growth.least, growth.prior)
        nodes, values, _ = grow_classes(binned[seen], bins.edges, moves, weights[seen], len(MOVES), *limits)
    values[:, 0] *= situation % 2
    return DecisionTree(nodes, values / values.sum(axis=1, keepdims=True))
