"""Tables of the hidden nodes that fall back on the deal where observations are few.

The BDeu prior makes every hand type as likely as every other where a setting of the parents was never met,
and is sure of the one that was met once. The prior here is the cards' distribution (``opponents.dealt``),
moved step by step by what is known of more and more parents together: the betting first, then the betting
beside each other parent, then all. A step multiplies by observed over expected counts, with as many
imagined rows added to both (the mean of a gamma posterior of the ratio), so that it does little where few
rows were observed.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from baycarp.bn.network import Network, Structure
from baycarp.opponents.dealt import card_parents, dealt
from baycarp.opponents.topology import HIDDEN

__all__ = ["STRENGTH", "fit_to_dealt"]

STRENGTH = 10.0
"""Imagined rows of a cell at each step; our choice."""

Array = NDArray[np.float64]


def fit_to_dealt(
    structure: Structure,
    counts: Mapping[str, NDArray[np.int64]],
    equivalent_sample_size: float,
    strength: float = STRENGTH,
) -> Network:
    """Fit a network of ``opponents.topology`` from counts, its hidden nodes with the deal as their prior.

    Parameters
    ----------
    structure
        The network to be.
    counts
        ``bn.learn.counts`` of the rows.
    equivalent_sample_size
        Of the BDeu prior of the nodes that the table shows.
    strength
        Imagined rows of each cell at each step, above 0.

    Examples
    --------
    >>> from baycarp.bn.learn import counts
    >>> from baycarp.opponents.topology import topology
    >>> network = fit_to_dealt(topology(), counts(topology(), []), 10.0)  # nothing was observation
    >>> group = network.cpt("HandGroup")[0, 0, 0, 0]
    >>> bool(np.allclose(group, dealt((), "HandGroup")))
    True
    """
    cpts = {}
    for node in structure.nodes:
        count = counts[node].astype(np.float64)
        if node in HIDDEN:
            cpts[node] = _hidden(structure, node, count, strength)
        else:
            raised = count + equivalent_sample_size / count.size
            cpts[node] = raised / raised.sum(axis=-1, keepdims=True)
    return Network(structure, cpts)


def _hidden(structure: Structure, node: str, count: Array, strength: float) -> Array:
    parents, cards = structure.parents[node], card_parents(structure, node)
    deal = dealt(cards, node)
    at = tuple(slice(None) if parent in cards else np.newaxis for parent in parents)
    prior: Array = np.broadcast_to(deal[at], count.shape)  # cards keep the network's order
    betting = frozenset(p for p in parents if "Action" in p or "PotOdds" in p)
    one_more = [betting | {parent} for parent in parents if parent not in betting]
    for kept in (betting, *one_more, frozenset(parents)):
        axes = tuple(axis for axis, parent in enumerate(parents) if parent not in kept)
        prior = _moved(prior, count, axes, strength)
    return prior


def _moved(prior: Array, count: Array, axes: tuple[int, ...], strength: float) -> Array:
    """The prior times observed over expected counts, all but some parents summed over."""
    expected = (count.sum(axis=-1, keepdims=True) * prior).sum(axis=axes, keepdims=True)
    met = count.sum(axis=axes, keepdims=True)
    moved = prior * (met + strength) / (expected + strength)
    return np.asarray(moved / moved.sum(axis=-1, keepdims=True))
