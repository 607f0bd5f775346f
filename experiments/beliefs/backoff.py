"""CPTs that back off: a row without observations is that of fewer parents, in the end that of a base table.

A node's table is built level by level. The first level keeps no parent, the last one all of them; below the
first is a base table (uniform, or what is known of the node without data). With the estimate ``q`` of the
level before, a level that keeps some parents has

- ``n``, the observations of each state for each configuration of the kept parents, and ``N``, their sum;
- ``m``, the mean of ``q`` over the same observations, as ``q`` may depend on parents that are not kept;

and multiplies ``q`` by (n + s m) / ((N + s) m), normalised. Where ``q`` depends on kept parents alone,
m = q, and the result is (n + s q) / (N + s): the posterior mean under a Dirichlet prior with mean ``q`` that
is worth ``s`` rows. ``backoff_levels`` learns the order of the parents and the strengths ``s``.

Source: MacKay and Peto (1995), "A hierarchical Dirichlet language model".
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from baycarp.bn.learn import Rows, counts, encode
from baycarp.bn.network import Network, Structure
from baycarp.errors import SchemaError
from experiments.beliefs.backoff_levels import BackoffLevel, Chain, learn_levels, moved

__all__ = ["BackoffLevel", "backed_off", "fit_backed_off"]

Array = NDArray[np.float64]


def backed_off(count: NDArray[np.integer], base: ArrayLike, levels: Sequence[BackoffLevel]) -> Array:
    """The table of a node.

    Parameters
    ----------
    count
        Shape (*parents, states): `bn.learn.counts` of the node.
    base
        Probabilities above 0 that can be broadcast to this shape; each row sums to 1.
    levels
        In order.

    Returns
    -------
    float64 array, shape (*parents, states)
        A configuration without observations of its kept parents at a level has the row of the level before.

    Raises
    ------
    SchemaError
        A base with probabilities that are not above 0, or of another shape.

    Examples
    --------
    >>> count = np.array([[3, 1], [0, 0]])
    >>> backed_off(count, [0.5, 0.5], [BackoffLevel((), 4.0), BackoffLevel((0,), 4.0)])
    array([[0.6875, 0.3125],
           [0.625 , 0.375 ]])
    """
    table, rows = _base(base, count.shape).copy(), count.sum(axis=-1, keepdims=True)
    for level in levels:
        dropped = tuple(axis for axis in range(count.ndim - 1) if axis not in level.kept)
        observed = count.sum(axis=dropped, keepdims=True)
        total = observed.sum(axis=-1, keepdims=True)
        expected = (rows * table).sum(axis=dropped, keepdims=True)
        mean = np.where(total > 0, expected / np.maximum(total, 1), 1.0)
        table = moved(table, np.where(total > 0, observed, mean), np.maximum(total, 1), mean, level.strength)
    return table


def _base(base: ArrayLike, shape: tuple[int, ...]) -> Array:
    given = np.asarray(base, np.float64)
    try:
        full = np.broadcast_to(given, shape)
    except ValueError:
        raise SchemaError(f"base of shape {given.shape}: expected one that broadcasts to {shape}") from None
    if not (given > 0).all() or not np.allclose(full.sum(axis=-1), 1.0):
        raise SchemaError("base: expected probabilities above 0, each row with the sum 1")
    return full


def fit_backed_off(
    structure: Structure,
    rows: Rows,
    bases: Mapping[str, ArrayLike] | None = None,
    blocks: ArrayLike | None = None,
) -> Network:
    """Fit every table with back-off; order and strengths of the levels are learned from the rows.

    Parameters
    ----------
    structure
        The structure of the network.
    rows
        Observations; a row counts for a node if it observes the node and all its parents.
    bases
        The base table of a node, which broadcasts to ``structure.shape(node)``; a node without one has the
        uniform distribution.
    blocks
        One integer a row: rows of one number are left out together when strengths are learned; None = each
        row alone.

    Raises
    ------
    SchemaError
        Rows that do not fit the structure, a base that is no probability table, or not one block a row.

    Examples
    --------
    >>> rain = Structure({"Rain": ["no", "yes"], "Grass": ["dry", "wet"]}, {"Grass": ["Rain"]})
    >>> rng = np.random.default_rng(1)
    >>> columns = {"Rain": np.zeros(200, int), "Grass": (rng.random(200) < 0.25).astype(int)}
    >>> fit_backed_off(rain, columns).cpt("Grass").round(2)  # it never rained
    array([[0.78, 0.22],
           [0.78, 0.22]])
    """
    columns, given = encode(structure, rows), bases or {}
    count = counts(structure, columns)
    length = len(next(iter(columns.values())))
    marks = None if blocks is None else np.asarray(blocks)
    if marks is not None and (marks.shape != (length,) or marks.dtype.kind not in "iu"):
        raise SchemaError(f"blocks of shape {marks.shape}, {marks.dtype}: expected {length} integers")
    cpts = {}
    for node in structure.nodes:
        states = structure.cardinality(node)
        base = _base(given.get(node, np.full(states, 1 / states)), structure.shape(node))
        codes = np.column_stack([columns[member] for member in structure.family(node)])
        whole = (codes >= 0).all(axis=1)
        codes = codes[whole]
        mine = None if marks is None else np.unique(marks[whole], return_inverse=True)[1].astype(np.int64)
        chain = Chain(codes, np.broadcast_to(base[tuple(codes[:, :-1].T)], (len(codes), states)), mine)
        cpts[node] = backed_off(count[node], base, learn_levels(chain))
    return Network(structure, cpts)
