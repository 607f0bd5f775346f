"""CPTs from rows.

Rows are either columns of codes, node -> integers of shape (n,), -1 = not observed, or a list of dicts of
state names, in which unobserved nodes are left out. A column without observations may be
left out.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from baycarp.bn.network import Network, Structure
from baycarp.errors import SchemaError, brief
from baycarp.kernels.arguments import array, real
from baycarp.kernels.counting import Column, count

__all__ = ["Rows", "counts", "encode", "fit", "fit_counts"]

Rows: TypeAlias = Mapping[str, ArrayLike] | Sequence[Mapping[str, str]]
"""Columns of codes, or rows of state names."""


def encode(structure: Structure, rows: Rows) -> dict[str, NDArray[np.int64]]:
    """Convert rows to columns of codes and check them; -1 = not observed.

    Raises
    ------
    SchemaError
        An unknown node or state, a code out of range, or columns of different lengths.

    Examples
    --------
    >>> rain = Structure({"Rain": ["no", "yes"], "Grass": ["dry", "wet"]}, {"Grass": ["Rain"]})
    >>> encode(rain, [{"Rain": "yes", "Grass": "wet"}, {"Grass": "dry"}])
    {'Rain': array([ 1, -1]), 'Grass': array([1, 0])}
    """
    columns, length = _columns(structure, rows)
    for node, column in columns.items():
        _narrow(structure, node, column)
    return {
        node: columns[node].copy() if node in columns else np.full(length, -1) for node in structure.nodes
    }


def _columns(structure: Structure, rows: Rows) -> tuple[dict[str, NDArray[np.int64]], int]:
    """The columns given, as integers of equal length, and the number of rows."""
    given = rows if isinstance(rows, Mapping) else _coded(structure, rows)
    columns = {node: array(column, f"column {node!r}") for node, column in given.items()}
    length = len(np.atleast_1d(next(iter(columns.values())))) if columns else 0
    return {node: _integers(structure, node, column, length) for node, column in columns.items()}, length


def _coded(structure: Structure, rows: Sequence[Mapping[str, str]]) -> dict[str, NDArray[np.int64]]:
    if not isinstance(rows, Sequence):
        raise TypeError(f"rows: expected columns by node, or rows in a sequence, got {type(rows).__name__}")
    codes = {node: {state: i for i, state in enumerate(states)} for node, states in structure.states.items()}
    columns = {node: np.full(len(rows), -1) for node in structure.nodes}
    for number, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise SchemaError(f"row {number}: expected a mapping of node to state, got {brief(row)}")
        for node, state in row.items():
            structure.cardinality(node)
            if not isinstance(state, str) or state not in codes[node]:
                raise SchemaError(
                    f"row {number}: {brief(node)} = {brief(state)}, expected one of {structure.states[node]}"
                )
            columns[node][number] = codes[node][state]
    return columns


def _integers(structure: Structure, node: str, column: NDArray[Any], length: int) -> NDArray[np.int64]:
    structure.cardinality(node)
    if column.shape != (length,):
        raise SchemaError(
            f"column {brief(node)}: expected shape ({length},) like the first, got {column.shape}"
        )
    if column.dtype.kind not in "iu":
        raise SchemaError(f"column {brief(node)}: expected integer codes, got {column.dtype}")
    return np.ascontiguousarray(column, dtype=np.int64)


def _narrow(structure: Structure, node: str, column: NDArray[np.int64]) -> Column:
    narrow = Column(column, structure.cardinality(node))
    if narrow.wrong is not None:
        row = narrow.wrong
        raise SchemaError(f"row {row}: {brief(node)} = {column[row]}, expected -1..{narrow.states - 1}")
    return narrow


def counts(structure: Structure, rows: Rows) -> dict[str, NDArray[np.int64]]:
    """Count the rows of each state with each configuration of its parents.

    A row counts for a node if it observes the node and all its parents. A configuration of the parents that
    was never observed has ``counts(...)[node].sum(-1) == 0``: there a fitted table is its prior.

    Returns
    -------
    dict of node to int64 array, shape ``structure.shape(node)``

    Examples
    --------
    >>> rain = Structure({"Rain": ["no", "yes"], "Grass": ["dry", "wet"]}, {"Grass": ["Rain"]})
    >>> counts(rain, {"Rain": [0, 0, 1], "Grass": [0, 1, -1]})["Grass"]
    array([[1, 1],
           [0, 0]])
    """
    columns, _ = _columns(structure, rows)
    narrow = {node: _narrow(structure, node, column) for node, column in columns.items()}
    return {
        node: count([narrow[member] for member in structure.family(node)])
        if narrow.keys() >= set(structure.family(node))
        else np.zeros(structure.shape(node), np.int64)
        for node in structure.nodes
    }


def fit(structure: Structure, rows: Rows, equivalent_sample_size: float) -> Network:
    """Fit every table by Bayesian estimation under the BDeu prior.

    Each cell of a table of ``c`` cells gets ``equivalent_sample_size / c`` pseudo-counts in addition to
    `counts`, so no probability is 0. A row without a node still counts for the families that do not contain
    this node.

    Parameters
    ----------
    structure
        The structure of the network.
    rows
        Observations.
    equivalent_sample_size
        Pseudo-counts of each table, above 0.

    Raises
    ------
    SchemaError
        Rows that do not fit the structure, or an equivalent sample size that is not above 0.

    Notes
    -----
    Heckerman, Geiger and Chickering (1995), "Learning Bayesian networks", section 4.

    Examples
    --------
    >>> rain = Structure({"Rain": ["no", "yes"]})
    >>> fit(rain, {"Rain": [0, 0, 1]}, equivalent_sample_size=2).cpt("Rain")
    array([0.6, 0.4])
    """
    return fit_counts(structure, counts(structure, rows), equivalent_sample_size)


def fit_counts(
    structure: Structure, counts: Mapping[str, NDArray[np.int64]], equivalent_sample_size: float
) -> Network:
    """Fit from `counts`, which can be added up over parts of the rows; see `fit`."""
    if not 0 < real(equivalent_sample_size, "equivalent sample size") < math.inf:
        raise SchemaError(
            f"equivalent sample size {brief(equivalent_sample_size)}: expected a finite number above 0"
        )
    return Network(structure, {n: _estimate(counts[n], equivalent_sample_size) for n in structure.nodes})


def _estimate(counts: NDArray[np.int64], equivalent_sample_size: float) -> NDArray[np.float64]:
    """One table; summed over rows of states as in pgmpy, which gives the same rounding."""
    cells = np.ascontiguousarray(
        (counts + equivalent_sample_size / counts.size).reshape(-1, counts.shape[-1]).T
    )
    cells /= cells.sum(axis=0)
    return cells.T.reshape(counts.shape)
