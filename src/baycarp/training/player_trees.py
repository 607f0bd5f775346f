"""Training of models of players (``opponents.moves.players``), from hands whose hole cards are all known.

K-models (``kmodels``) groups the players by their public moves. The source grows a tree a bucket and
cluster; such trees divide the decisions by 240 before their first comparison. Here the bucket is an input,
and the comparisons are those of one tree for the decisions of all players; a cluster's leaf has the
frequencies of its members, to which those of all players are added with a weight. The limits of the trees,
then the weight, are chosen by log loss on the last tenth of the hands.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.card import holding_index
from baycarp.errors import ArgumentError
from baycarp.game.notation.hand import Hand
from baycarp.game.variant import DEEP
from baycarp.kernels.search import CHOICES, hand_choices
from baycarp.opponents.moves.buckets import OUTS, Buckets
from baycarp.opponents.moves.players import Players
from baycarp.opponents.moves.tree_policy import MoveRows
from baycarp.rules.features import SITUATIONS, Decisions, coded, decisions
from baycarp.training.kmodels import KModels, k_models
from baycarp.trees import DecisionTree, Growth, fit, log_losses

__all__ = [
    "CLUSTERS",
    "FittedPlayers",
    "Known",
    "choices_in",
    "clusters_of",
    "fit_players",
    "fit_trees",
    "known_of",
]

CLUSTERS = 8
"""Clusters of players, where no number is chosen."""

GROWTHS = tuple(Growth(depth, least, 0.1) for depth in (10, 14, 18) for least in (30.0, 100.0))
"""The limits of trees that are compared."""

WEIGHTS = (5.0, 15.0, 50.0, 150.0)
"""The weights of all players in a leaf of a cluster, in decisions, that are compared."""

CLUSTERED = Growth(6, 50.0)
"""The limits of the trees by which players are clustered."""

MOST_CLUSTERED = 250_000
"""Decisions by which players are clustered, at most: the first ones."""

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Known:
    """Decisions of players whose holdings are known.

    Parameters
    ----------
    public
        The decisions as others see them.
    inputs
        Float64, shape (n, 42): the public features, and the bucket.
    choices
        Int8, shape (n,): 0 fold, 1 check or call, 2 to 8 a bet or raise by size, 9 one of the whole stack.
    names
        Of the players, by number.
    buckets
        The kind of the buckets.
    """

    public: MoveRows
    inputs: Array
    choices: NDArray[np.int8]
    names: tuple[str, ...]
    buckets: Buckets = OUTS


@dataclass(frozen=True, slots=True)
class FittedPlayers:
    """Models of players.

    Parameters
    ----------
    players
        The models.
    assigned
        The cluster of each player by name.
    growth, weight
        The chosen limits of the trees, and the chosen weight of all players.
    losses
        Log loss of the next choice given the holding in nats, on the last tenth of the hands, of models of
        the other nine tenths: of the clusters, and of one model for all players.
    """

    players: Players
    assigned: dict[str, int]
    growth: Growth
    weight: float
    losses: tuple[float, float]


def known_of(hands: Iterable[Hand], without: str = "") -> Known:
    """The decisions of recorded hands, except those of the player ``without``.

    Raises
    ------
    ArgumentError
        No decision, or a hand with unknown hole cards.
    """
    numbered: dict[str, int] = {}
    parts: list[MoveRows] = []
    buckets: list[NDArray[np.uint8]] = []
    choices: list[NDArray[np.int8]] = []
    for number, hand in enumerate(hands):
        found, made = choices_in(hand)
        players = [-1 if n == without else numbered.setdefault(n, len(numbered)) for n in hand.players]
        actors = np.array(players, np.int64)[found.seats]
        inside = actors >= 0
        rows = MoveRows(found.features, found.situations, found.moves, actors, np.full(len(actors), number))
        parts.append(rows[inside])
        buckets.append(_buckets(hand, found.seats, found.situations)[inside])
        choices.append(made[inside])
    if not any(map(len, parts)):
        raise ArgumentError("hands: expected at least one decision")
    public = MoveRows.stacked(parts)
    inputs = np.column_stack([public.features, np.concatenate(buckets)])
    return Known(public, inputs, np.concatenate(choices), tuple(numbered))


def choices_in(hand: Hand) -> tuple[Decisions, NDArray[np.int8]]:
    """The decisions of a hand, and the choice that was made at each of them."""
    stacks = hand.stacks or hand.variant.stacks or (DEEP,) * hand.variant.seats
    choices, _ = hand_choices(hand.variant.rules, tuple(stacks), coded(hand.actions))
    return decisions(hand), choices


def _buckets(hand: Hand, seats: NDArray[np.int8], situations: NDArray[np.int8]) -> NDArray[np.uint8]:
    if not all(hand.holes):
        raise ArgumentError(f"hand {hand.id}: expected known hole cards of all players")
    holdings = [holding_index(*hole) for hole in hand.holes]
    found = np.empty(len(seats), np.uint8)
    for at, (seat, situation) in enumerate(zip(seats.tolist(), situations.tolist(), strict=True)):
        board = hand.board[: situation // 2 + 2] if situation >= 2 else ()
        found[at] = OUTS.on(tuple(board), hand.variant.seats)[holdings[seat]]
    return found


def fit_players(known: Known, clusters: int, seed: int = 1) -> FittedPlayers:
    """Cluster the players and grow the trees.

    Parameters
    ----------
    known
        Their decisions.
    clusters
        At most the number of the players.
    seed
        Of the clustering.

    Raises
    ------
    ArgumentError
        No decision in one of the situations: too few hands.
    """
    return fit_trees(known, clusters_of(known.public, known.names, clusters, seed), clusters)


def clusters_of(public: MoveRows, names: tuple[str, ...], clusters: int, seed: int = 1) -> NDArray[np.int64]:
    """The cluster of each player, by K-models on public moves."""
    first = np.arange(len(public)) < MOST_CLUSTERED
    settings = KModels(clusters, CLUSTERED, seed, starts=2)
    return k_models(public[first], len(names), settings).assigned


def fit_trees(known: Known, assigned: NDArray[np.int64], clusters: int) -> FittedPlayers:
    """Grow the trees of players in clusters; see ``fit_players``."""
    of = assigned[known.public.players]
    growth, weight, losses = _chosen(known, of)
    everything = np.ones(len(of), bool)
    own = _grown(known, everything, growth)
    rows = [_of_members(known, of == each, own, weight) for each in range(clusters)]
    shares = (np.bincount(assigned, minlength=clusters) + 0.5) / (len(assigned) + 0.5 * clusters)
    of_names = dict(zip(known.names, assigned.tolist(), strict=True))
    players = Players((*rows, own), tuple(shares.tolist()), known.buckets)
    return FittedPlayers(players, of_names, growth, weight, losses)


def _chosen(known: Known, of: NDArray[np.int64]) -> tuple[Growth, float, tuple[float, float]]:
    """Limits, weight, and the log losses of the clusters' models and of one model on held-out decisions."""
    held_out = known.public.hands >= 0.9 * (known.public.hands.max() + 1)
    grown = {growth: _grown(known, ~held_out, growth) for growth in GROWTHS}
    pooled = {growth: _loss(known, held_out, trees) for growth, trees in grown.items()}
    growth = min(pooled, key=lambda each: pooled[each])
    clustered = {
        weight: sum(
            _loss(known, rows := held_out & (of == each), trees) * rows.sum()
            for each in range(int(of.max()) + 1)
            for trees in [_of_members(known, ~held_out & (of == each), grown[growth], weight)]
        )
        / held_out.sum()
        for weight in WEIGHTS
    }
    weight = min(clustered, key=lambda each: clustered[each])
    return growth, weight, (float(clustered[weight]), pooled[growth])


def _grown(known: Known, rows: NDArray[np.bool_], growth: Growth) -> tuple[DecisionTree, ...]:
    made = []
    for situation in range(len(SITUATIONS)):
        chosen = rows & (known.public.situations == situation)
        if not chosen.any():
            raise ArgumentError(f"{SITUATIONS[situation]}: expected a decision; there are too few hands")
        x, choices = known.inputs[chosen], known.choices[chosen].astype(np.uint8)
        made.append(fit(x, choices, CHOICES, growth))
    return tuple(made)


def _of_members(
    known: Known, rows: NDArray[np.bool_], trees: tuple[DecisionTree, ...], weight: float
) -> tuple[DecisionTree, ...]:
    """The same comparisons, with the frequencies of some decisions, and those of all with a weight."""
    made = []
    for situation, tree in enumerate(trees):
        chosen = rows & (known.public.situations == situation)
        leaves = tree.leaves(known.inputs[chosen])
        values = weight * tree.values
        np.add.at(values, (leaves, known.choices[chosen]), 1.0)
        made.append(DecisionTree(tree.nodes, values / values.sum(axis=1, keepdims=True)))
    return tuple(made)


def _loss(known: Known, rows: NDArray[np.bool_], trees: tuple[DecisionTree, ...]) -> float:
    """The log loss of some decisions in nats; 0 of none."""
    total = 0.0
    for situation, tree in enumerate(trees):
        chosen = rows & (known.public.situations == situation)
        total += log_losses(tree(known.inputs[chosen]), known.choices[chosen]).sum()
    return float(total / max(rows.sum(), 1))
