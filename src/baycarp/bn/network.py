"""Bayesian networks: nodes, states, arcs, and a CPT for each node. Frozen, and checked at construction."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import cached_property
from html import escape
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from baycarp.errors import SchemaError, brief
from baycarp.files import plain_text
from baycarp.kernels.arguments import array

__all__ = ["Network", "Structure", "reals"]

MOST_NODES = 2**14
"""The largest number of nodes of a network."""

MANY = 20
"""States of a node that a notebook shows."""

TOLERANCE = 1e-9
"""Largest difference from 1 of the sum of a row of a table."""


def reals(given: ArrayLike) -> NDArray[np.float64]:
    """An array of real numbers; complex ones are a ``TypeError``, since NumPy would drop a part of them."""
    values = array(given, "numbers")
    if values.dtype.kind == "c":
        raise TypeError("expected real numbers, got complex ones")
    return array(values, "numbers", np.float64)


class Structure:
    """The nodes of a network: their states in order, and their parents in order.

    Parameters
    ----------
    states
        Each node's states; their order gives the codes 0, 1, ...
    parents
        Each node's parents; a node that is not a key has no parents.

    Raises
    ------
    SchemaError
        No nodes or more than `MOST_NODES`, an unknown or repeated parent, repeated or missing states, or arcs
        in a cycle.
    TypeError
        Something other than mappings.

    Examples
    --------
    >>> rain = Structure({"Rain": ["no", "yes"], "Grass": ["dry", "wet"]}, {"Grass": ["Rain"]})
    >>> rain.shape("Grass"), rain.ancestors(["Grass"])
    ((2, 2), ('Rain', 'Grass'))
    """

    states: Mapping[str, tuple[str, ...]]
    parents: Mapping[str, tuple[str, ...]]

    def __init__(
        self, states: Mapping[str, Iterable[str]], parents: Mapping[str, Iterable[str]] | None = None
    ) -> None:
        if not isinstance(states, Mapping) or not isinstance(parents, Mapping | None):
            raise TypeError(f"expected mappings of node to names, got {brief(states)} and {brief(parents)}")
        given = dict(parents or {})
        own = {node: _tuple(node, names) for node, names in states.items()}
        self.states = MappingProxyType(own)
        self.parents = MappingProxyType({node: _tuple(node, given.pop(node, ())) for node in own})
        if not own:
            raise SchemaError("no nodes: expected at least one")
        if len(own) > MOST_NODES:
            raise SchemaError(f"{len(own)} nodes: expected at most {MOST_NODES}")
        for node in given:
            raise SchemaError(f"parents of {brief(node)}: expected a node of {_some(own)}")
        for node in own:
            self._check(node)
        if len(self.order) < len(own):
            sorted_nodes = set(self.order)
            circle = [node for node in own if node not in sorted_nodes]
            raise SchemaError(f"arcs run in a circle through {_some(circle)}")

    def _check(self, node: str) -> None:
        states, parents = self.states[node], self.parents[node]
        for name in (node, *states):
            if not isinstance(name, str) or not name:
                raise SchemaError(f"node {brief(node)}: {brief(name)} is no name, expected text")
        if not states or len(set(states)) < len(states):
            raise SchemaError(f"states of {node!r}: expected at least one, each once, got {states}")
        visited: set[str] = set()
        for parent in parents:
            if not isinstance(parent, str) or parent not in self.states or parent in visited:
                raise SchemaError(f"parent {brief(parent)} of {brief(node)}: expected another node, once")
            visited.add(parent)

    @property
    def nodes(self) -> tuple[str, ...]:
        """The nodes in the order given."""
        return tuple(self.states)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The nodes by depth, the arcs of the longest path down to them; otherwise in the order given.

        Parents come first. Nodes on a cycle or below one are left out. Kahn (1962), "Topological sorting
        of large networks": linear in nodes and arcs.
        """
        missing = {node: len(parents) for node, parents in self.parents.items()}
        depth = {node: 0 for node, parents in missing.items() if not parents}
        ready = list(depth)
        for node in ready:  # grows
            for child in self.children[node]:
                missing[child] -= 1
                depth[child] = depth[node] + 1  # the last parent is the deepest
                if not missing[child]:
                    ready.append(child)
        return tuple(sorted((node for node in self.states if not missing[node]), key=depth.__getitem__))

    @cached_property
    def children(self) -> Mapping[str, tuple[str, ...]]:
        """Each node's children, in the order of the nodes."""
        found: dict[str, list[str]] = {node: [] for node in self.states}
        for node, parents in self.parents.items():
            for parent in parents:
                found[parent].append(node)
        return {node: tuple(children) for node, children in found.items()}

    def cardinality(self, node: str) -> int:
        """The number of states of a node."""
        return self._shapes[self._known(node)][-1]

    def family(self, node: str) -> tuple[str, ...]:
        """A node's parents in order, then itself: the axes of its table."""
        return self._families[self._known(node)]

    def shape(self, node: str) -> tuple[int, ...]:
        """The shape of a node's table: cardinalities of its parents in order, then its own."""
        return self._shapes[self._known(node)]

    @cached_property
    def _shapes(self) -> Mapping[str, tuple[int, ...]]:
        states = {node: len(names) for node, names in self.states.items()}
        return {
            node: (*map(states.__getitem__, parents), states[node]) for node, parents in self.parents.items()
        }

    @cached_property
    def _families(self) -> Mapping[str, tuple[str, ...]]:
        return {node: (*parents, node) for node, parents in self.parents.items()}

    def ancestors(self, nodes: Iterable[str]) -> tuple[str, ...]:
        """The nodes given and all their ancestors, parents first.

        The joint distribution of the nodes given depends on no other node: the others are barren.
        """
        wanted = set(map(self._known, nodes))
        for node in reversed(self.order):
            if node in wanted:
                wanted.update(self.parents[node])
        return tuple(node for node in self.order if node in wanted)

    def _known(self, node: str) -> str:
        if not isinstance(node, str) or node not in self._shapes:
            raise SchemaError(f"unknown node {brief(node)}: expected one of {_some(self.nodes)}")
        return node

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Structure):
            return NotImplemented
        return (*self.states.items(), *self.parents.items()) == (
            *other.states.items(),
            *other.parents.items(),
        )

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((*self.states.items(), *self.parents.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return Structure, (dict(self.states), dict(self.parents))

    def __repr__(self) -> str:
        return f"Structure({dict(self.states)!r}, { {n: p for n, p in self.parents.items() if p}!r})"


def _tuple(node: str, names: Iterable[str]) -> tuple[str, ...]:
    if not isinstance(names, Iterable):
        raise SchemaError(f"node {brief(node)}: expected several names, got {brief(names)}")
    return tuple(names)


def _some(nodes: Iterable[str]) -> str:
    """The nodes in the text of an error: the first few."""
    names = tuple(nodes)
    return f"{names[:20]}" + (f" and {len(names) - 20} more" if len(names) > 20 else "")


class Network:
    """A structure with the probabilities of each node's states given its parents' states.

    Parameters
    ----------
    structure
        The nodes.
    cpts
        By node, float64 of shape ``structure.shape(node)``: the axes of the parents in declared order, then
        that of the node; every row over the last axis sums to 1.

    Raises
    ------
    SchemaError
        A missing or extra table, another shape, a negative or non-finite number, or a row that does not sum
        to 1.

    Examples
    --------
    >>> rain = Structure({"Rain": ["no", "yes"], "Grass": ["dry", "wet"]}, {"Grass": ["Rain"]})
    >>> network = Network(rain, {"Rain": [0.8, 0.2], "Grass": [[0.9, 0.1], [0.05, 0.95]]})
    >>> network.cpt("Grass")[1]
    array([0.05, 0.95])
    """

    structure: Structure
    tables: NDArray[np.float64]
    """All tables, flattened, one node after the other; read-only."""

    def __init__(self, structure: Structure, cpts: Mapping[str, ArrayLike]) -> None:
        if not isinstance(structure, Structure) or not isinstance(cpts, Mapping):
            raise TypeError(f"expected a Structure and tables by node, got {brief(structure)}, {brief(cpts)}")
        for node in cpts:
            structure.shape(node)
        self.structure = structure
        flat = [self._checked(node, cpts[node]) for node in structure.nodes if node in cpts]
        if len(flat) < len(structure.nodes):
            missing = tuple(node for node in structure.nodes if node not in cpts)
            raise SchemaError(f"no table for {missing}: expected one a node")
        self.tables = np.concatenate([table.ravel() for table in flat]) if flat else np.empty(0)
        self.tables.flags.writeable = False
        ends = np.cumsum([0, *(table.size for table in flat)]).tolist()
        self._offsets: dict[str, int] = dict(zip(structure.nodes, ends, strict=False))

    def _checked(self, node: str, given: ArrayLike) -> NDArray[np.float64]:
        shape = self.structure.shape(node)
        try:
            table = reals(given)
        except (TypeError, ValueError) as error:
            raise SchemaError(f"table of {brief(node)}: expected numbers of shape {shape}: {error}") from None
        if table.shape != shape:
            axes = self.structure.family(node)
            raise SchemaError(f"table of {brief(node)}: expected shape {shape} for {axes}, got {table.shape}")
        # NaN fails this comparison as well.
        if not np.all((table >= 0) & (table <= 1 + TOLERANCE)):
            wrong = table[~((table >= 0) & (table <= 1 + TOLERANCE))][0]
            raise SchemaError(f"table of {brief(node)}: {wrong} is no probability")
        off = np.abs(table.sum(-1) - 1) > TOLERANCE
        if np.any(off):
            where = tuple(np.argwhere(off)[0].tolist())
            parents = self.structure.parents[node]
            at = {p: self.structure.states[p][code] for p, code in zip(parents, where, strict=True)}
            raise SchemaError(f"table of {brief(node)} at {at}: sums to {table[where].sum()}, expected 1")
        return table

    def cpt(self, node: str) -> NDArray[np.float64]:
        """The table of a node, a read-only view of shape ``structure.shape(node)``."""
        shape, at = self.structure.shape(node), self._offsets[node]
        return self.tables[at : at + int(np.prod(shape))].reshape(shape)

    def offset(self, node: str) -> int:
        """The index in ``tables`` at which the table of a node begins."""
        self.structure.cardinality(node)  # refuses an unknown node
        return self._offsets[node]

    def digest(self) -> str:
        """SHA-256, as hex, of the structure and of every bit of the tables."""
        parents = self.structure.parents
        nodes = [[node, states, parents[node]] for node, states in self.structure.states.items()]
        text = json.dumps(nodes, ensure_ascii=True, separators=(",", ":")).encode()
        return hashlib.sha256(text + b"\0" + self.tables.astype("<f8").tobytes()).hexdigest()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Network):
            return NotImplemented
        return self.structure == other.structure and np.array_equal(self.tables, other.tables)

    def __hash__(self) -> int:
        return hash(self.structure)

    def __reduce__(self) -> tuple[Any, ...]:
        return Network, (self.structure, {node: self.cpt(node) for node in self.structure.nodes})

    def _repr_html_(self) -> str:
        """The nodes with their parents and states in a notebook, in the order of the tables."""
        rows = "".join(
            f"<tr><td><b>{escape(node)}</b></td><td>{escape(', '.join(self.structure.parents[node]))}</td>"
            f"<td>{escape(', '.join(states[:MANY]))}{', …' if len(states) > MANY else ''}</td>"
            f"<td>{self.cpt(node).size:,}</td></tr>"
            for node, states in self.structure.states.items()
        )
        head = "<tr><th>node</th><th>given</th><th>states</th><th>probabilities</th></tr>"
        return plain_text(f"<table><caption>{escape(repr(self))}</caption>{head}{rows}</table>")

    def __repr__(self) -> str:
        arcs = sum(map(len, self.structure.parents.values()))
        return (
            f"<Network: {len(self.structure.nodes)} nodes, {arcs} arcs, "
            f"{self.tables.size} probabilities, digest {self.digest()[:12]}>"
        )
