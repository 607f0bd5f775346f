"""CPTs from rows, and conversion to and from pgmpy, which only this module imports, at its first use.

Rows are either columns of codes, node -> integers of shape (n,), -1 = not observed, or a list of dicts of
state names, in which unobserved nodes are left out. A column without observations may be
left out.
"""

import math
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from baycarp.bn.network import Network, Structure
from baycarp.errors import ModelError, SchemaError
from baycarp.files import write_whole
from baycarp.kernels.counting import Column, count

__all__ = ["Rows", "counts", "encode", "fit", "fit_counts", "from_pgmpy", "read_bif", "to_pgmpy", "write_bif"]

Rows: TypeAlias = Mapping[str, ArrayLike] | Sequence[Mapping[str, str]]
"""Columns of codes, or rows of state names."""

ROUNDING = 1e-3
"""Largest difference from 1 of the sum of an imported row, which is then normalised; others are rejected."""


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
    columns = dict(rows) if isinstance(rows, Mapping) else _coded(structure, rows)
    length = len(np.atleast_1d(next(iter(columns.values())))) if columns else 0
    return {node: _integers(structure, node, column, length) for node, column in columns.items()}, length


def _coded(structure: Structure, rows: Sequence[Mapping[str, str]]) -> dict[str, NDArray[np.int64]]:
    if not isinstance(rows, Sequence):
        raise TypeError(f"rows: expected columns by node, or rows in a sequence, got {type(rows).__name__}")
    codes = {node: {state: i for i, state in enumerate(states)} for node, states in structure.states.items()}
    columns = {node: np.full(len(rows), -1) for node in structure.nodes}
    for number, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise SchemaError(f"row {number}: expected a mapping of node to state, got {row!r:.60}")
        for node, state in row.items():
            structure.cardinality(node)
            if not isinstance(state, str) or state not in codes[node]:
                raise SchemaError(
                    f"row {number}: {node!r} = {state!r}, expected one of {structure.states[node]}"
                )
            columns[node][number] = codes[node][state]
    return columns


def _integers(structure: Structure, node: str, given: ArrayLike, length: int) -> NDArray[np.int64]:
    structure.cardinality(node)
    column = np.asarray(given)
    if column.shape != (length,):
        raise SchemaError(f"column {node!r}: expected shape ({length},) like the first, got {column.shape}")
    if column.dtype.kind not in "iu":
        raise SchemaError(f"column {node!r}: expected integer codes, got {column.dtype}")
    return np.ascontiguousarray(column, dtype=np.int64)


def _narrow(structure: Structure, node: str, column: NDArray[np.int64]) -> Column:
    narrow = Column(column, structure.cardinality(node))
    if narrow.wrong is not None:
        row = narrow.wrong
        raise SchemaError(f"row {row}: {node!r} = {column[row]}, expected -1..{narrow.states - 1}")
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
    if not 0 < equivalent_sample_size < math.inf:
        raise SchemaError(
            f"equivalent sample size {equivalent_sample_size!r}: expected a finite number above 0"
        )
    return Network(structure, {n: _estimate(counts[n], equivalent_sample_size) for n in structure.nodes})


def _estimate(counts: NDArray[np.int64], equivalent_sample_size: float) -> NDArray[np.float64]:
    """One table; summed over rows of states as in pgmpy, which gives the same rounding."""
    cells = np.ascontiguousarray(
        (counts + equivalent_sample_size / counts.size).reshape(-1, counts.shape[-1]).T
    )
    cells /= cells.sum(axis=0)
    return cells.T.reshape(counts.shape)


def _table(cpd: Any, family: Sequence[str]) -> NDArray[np.float64]:
    """The values of a pgmpy table with our order of axes; pgmpy puts the node first and sorts the parents."""
    values = np.asarray(cpd.values, dtype=np.float64)
    return values.transpose([list(cpd.variables).index(member) for member in family])


def _pgmpy() -> Any:
    """pgmpy, imported without its ``FutureWarning``."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        import pgmpy.factors.discrete
        import pgmpy.models
        import pgmpy.readwrite
    return pgmpy


def to_pgmpy(network: Network) -> Any:
    """Convert a network to a ``pgmpy.models.DiscreteBayesianNetwork``, with state names."""
    pgmpy, structure = _pgmpy(), network.structure
    model = pgmpy.models.DiscreteBayesianNetwork()
    model.add_nodes_from(structure.nodes)
    for node in structure.nodes:
        family = structure.family(node)
        states = len(structure.states[node])
        cpd = pgmpy.factors.discrete.TabularCPD(
            node,
            states,
            network.cpt(node).reshape(-1, states).T,
            evidence=list(family[:-1]),
            evidence_card=list(structure.shape(node)[:-1]),
            state_names={member: list(structure.states[member]) for member in family},
        )
        model.add_edges_from([(parent, node) for parent in family[:-1]])
        model.add_cpds(cpd)
    return model


def from_pgmpy(model: Any) -> Network:
    """A network from a ``pgmpy.models.DiscreteBayesianNetwork`` with a table at every node.

    Rows whose sum differs from 1 by at most 0.001 are divided by their sum.

    Raises
    ------
    SchemaError
        A node without a table, or tables that are not those of a network.
    """
    cpds = {node: model.get_cpds(node) for node in model.nodes()}
    for node, cpd in cpds.items():
        if cpd is None:
            raise SchemaError(f"no table for {node!r}: expected one a node")
    states = {node: [str(state) for state in cpd.state_names[node]] for node, cpd in cpds.items()}
    structure = Structure(states, {node: cpd.variables[1:] for node, cpd in cpds.items()})
    tables = {node: _table(cpd, structure.family(node)) for node, cpd in cpds.items()}
    for node, table in tables.items():
        sums = table.sum(-1, keepdims=True)
        if np.all(np.abs(sums - 1) <= ROUNDING):
            tables[node] = table / sums
    return Network(structure, tables)


def write_bif(network: Network, path: Path | str) -> None:
    """Write a network in the Bayesian interchange format, without loss of digits.

    Raises
    ------
    SchemaError
        A name with characters other than letters, digits, ``_`` and ``-``.
    """
    for node, states in network.structure.states.items():
        for name in (node, *states):
            if not name.replace("_", "").replace("-", "").isalnum():
                raise SchemaError(
                    f"name {name!r} of node {node!r}: BIF holds letters, digits, '_' and '-' alone"
                )
    text = str(_pgmpy().readwrite.BIFWriter(to_pgmpy(network)))
    write_whole(path, text)


def read_bif(path: Path | str) -> Network:
    """Read a network in the Bayesian interchange format.

    Raises
    ------
    ModelError
        The file is missing or not in this format.
    ImportError
        pgmpy is not installed.
    """
    pgmpy = _pgmpy()
    try:
        model = pgmpy.readwrite.BIFReader(string=Path(path).read_text(encoding="utf-8")).get_model()
        return from_pgmpy(model)
    except Exception as error:  # pgmpy's parser raises errors of any type
        raise ModelError(f"{path}: no network in BIF: {error}") from error
