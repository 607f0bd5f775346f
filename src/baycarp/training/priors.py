"""Tables of the hidden nodes with the deal as their prior.

With the BDeu prior every hand type is equally likely for a setting of the parents without observations, and
nearly certain after one. The prior here is the cards' distribution (``network.dealt``), moved step by step by
the counts of more and more parents together: the betting first, then the betting beside each other parent,
then all. A step multiplies by observed over expected counts, with the same imagined rows added to both (the
mean of a gamma posterior of the ratio), so that it has little effect with few rows.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from baycarp.bn.network import Network, Structure
from baycarp.opponents.network.dealt import card_parents, dealt
from baycarp.opponents.network.topology import HIDDEN

__all__ = ["STRENGTH", "base_of", "fit_to_dealt", "normal"]

STRENGTH = 10.0
"""Imagined rows of a cell at each step; our choice."""

Array = NDArray[np.float64]


def fit_to_dealt(
    structure: Structure,
    counts: Mapping[str, NDArray[np.int64]],
    equivalent_sample_size: float,
) -> Network:
    """Fit a network of ``network.topology`` from counts, its hidden nodes with the deal as their prior.

    Parameters
    ----------
    structure
        The structure of the network.
    counts
        ``bn.learn.counts`` of the rows.
    equivalent_sample_size
        Of the BDeu prior of the observed nodes.

    Examples
    --------
    >>> from baycarp.bn.learn import counts
    >>> from baycarp.opponents.network.topology import topology
    >>> network = fit_to_dealt(topology(), counts(topology(), []), 10.0)  # without observations
    >>> group = network.cpt("HandGroup")[0, 0, 0, 0]
    >>> bool(np.allclose(group, dealt((), "HandGroup")))
    True
    """
    cpts = {}
    for node in structure.nodes:
        count = counts[node].astype(np.float64)
        even = normal(count + equivalent_sample_size / count.size)
        cpts[node] = _hidden(structure, node, count) if node in HIDDEN else even
    return Network(structure, cpts)


def base_of(structure: Structure, node: str) -> Array:
    """How a hidden node is dealt given its parents of cards; broadcasts to ``structure.shape(node)``."""
    cards = card_parents(structure, node)  # in the network's order
    at = tuple(slice(None) if parent in cards else np.newaxis for parent in structure.parents[node])
    return np.asarray(dealt(cards, node)[at])


def _hidden(structure: Structure, node: str, count: Array) -> Array:
    parents = structure.parents[node]
    prior: Array = np.broadcast_to(base_of(structure, node), count.shape)
    betting = frozenset(p for p in parents if "Action" in p or "PotOdds" in p)
    one_more = [betting | {parent} for parent in parents if parent not in betting]
    for kept in (betting, *one_more, frozenset(parents)):
        axes = tuple(axis for axis, parent in enumerate(parents) if parent not in kept)
        prior = _moved(prior, count, axes)
    return prior


def _moved(prior: Array, count: Array, axes: tuple[int, ...]) -> Array:
    """The prior times observed over expected counts, all but some parents summed over."""
    expected = (count.sum(axis=-1, keepdims=True) * prior).sum(axis=axes, keepdims=True)
    met = count.sum(axis=axes, keepdims=True)
    return normal(prior * (met + STRENGTH) / (expected + STRENGTH))


def normal(counts: Array) -> Array:
    """The share of each count in the sum over the last axis."""
    return np.asarray(counts / counts.sum(axis=-1, keepdims=True))
