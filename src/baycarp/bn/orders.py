"""Elimination orders: the lightest node first, and for costly networks the best order of a seeded search.

An order costs the cells of the tables that it joins: those that depend on the evidence are joined for each
query, the others once. Each rule gives every node a score and eliminates the node with the least score: its
weight (cells of the joined table), the edges that it adds (min-fill; Kjaerulff 1990), these weighted by their
cells, or a product, each with seeded noise. Every other order takes nodes that the evidence does not reach
first: the summation of an unobserved root is then done once.
"""

import heapq
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from random import Random
from typing import TypeAlias

from baycarp.errors import CostError

__all__ = ["MOST_CELLS", "Order", "elimination_order", "require_affordable"]

EASY = 2**14
"""An order of at most this cost is taken without a search: it runs in some 0.01 ms."""

TRIVIAL = 2**12
"""The same without a second order."""

ONCE = 1 / 16
"""The cost of a cell that is joined once, where one that is joined for each query costs 1."""

EFFORT = 600_000
"""The number of pairs of neighbours that a search looks at, at most: some 0.3 s."""

PAIRS = 2
"""The same for each unit of the cost of the best order before the search."""

MOST_CELLS = 2**30
"""The largest cost of a plan, in cells: some seconds."""

_Score: TypeAlias = Callable[["_Graph", str], float]


@dataclass(frozen=True, slots=True)
class Order:
    """The nodes in the order of their elimination, and its cost.

    Parameters
    ----------
    nodes
        In order.
    cells
        Cells of all joined tables: multiplications, up to a small factor.
    largest
        Cells of the largest joined table.
    per_query
        Cells of the joined tables that depend on the evidence.
    """

    nodes: tuple[str, ...]
    cells: int
    largest: int
    per_query: int

    @property
    def cost(self) -> float:
        """What orders are compared by."""
        return self.per_query + ONCE * self.cells


def require_affordable(cells: int, most: int) -> None:
    """Refuse a cost above a bound.

    Raises
    ------
    CostError
        More cells than allowed; its ``cells`` holds the cost.
    """
    if cells > most:
        raise CostError(
            f"inference joins {cells:.3g} cells, expected at most {most:.3g}: "
            "observe more nodes, query fewer, or draw samples (baycarp.bn.sampling)",
            cells,
        )


def elimination_order(
    scopes: Iterable[Iterable[str]],
    states: Mapping[str, int],
    nodes: Sequence[str],
    evident: Iterable[str] = (),
    seed: int = 0,
) -> Order:
    """An order for the elimination of nodes from factors.

    Parameters
    ----------
    scopes
        The free nodes of each factor.
    states
        Number of states by node.
    nodes
        The nodes to eliminate; those in no scope are left out.
    evident
        The free nodes of the factors that depend on the evidence.
    seed
        Seed of the search.

    Examples
    --------
    >>> states = {"a": 2, "b": 3, "c": 2}
    >>> elimination_order([("a", "b"), ("b", "c")], states, ("b", "c"))
    Order(nodes=('c', 'b'), cells=12, largest=6, per_query=0)
    """
    graph = _Graph(scopes, states, evident)
    nodes = [node for node in nodes if node in graph.near]
    best = _greedy(graph.copy(), nodes, _Graph.cells_of)
    if best.cost > TRIVIAL:
        best = min(best, _greedy(graph.copy(), nodes, _Graph.cost_of), key=_cost)
    if best.cost <= EASY:
        return best
    rules, effort, most = cycle(_rules(Random(seed))), 0, min(EFFORT, PAIRS * int(best.cost))
    while True:
        tried = graph.copy()
        found = _greedy(tried, nodes, next(rules), most - effort)
        effort += tried.pairs
        if effort > most:
            return best
        best = min(best, found, key=_cost)


def _cost(order: Order) -> float:
    return order.cost


class _Graph:
    """The nodes that share a factor with each node, and the cells of the table that its elimination joins."""

    def __init__(
        self, scopes: Iterable[Iterable[str]], states: Mapping[str, int], evident: Iterable[str]
    ) -> None:
        self.states = states
        self.evident = set(evident)
        self.near: dict[str, set[str]] = {}
        self.pairs = 0
        for scope in map(set, scopes):
            for node in scope:
                self.near.setdefault(node, set()).update(scope)
        for node, near in self.near.items():
            near.discard(node)
        self.cells = {
            n: states[n] * math.prod(map(states.__getitem__, near)) for n, near in self.near.items()
        }

    def copy(self) -> "_Graph":
        other = _Graph((), self.states, self.evident)
        other.near = {node: set(near) for node, near in self.near.items()}
        other.cells = dict(self.cells)
        return other

    def cells_of(self, node: str) -> float:
        return self.cells[node]

    def cost_of(self, node: str) -> float:
        return self.cells[node] * (1 if node in self.evident else ONCE)

    def eliminate(self, node: str) -> set[str]:
        """Join the neighbours of a node, which is removed; returns them."""
        near, states = self.near.pop(node), self.states
        if node in self.evident:
            self.evident |= near
        for other in near:
            mine = self.near[other]
            mine.discard(node)
            cells = self.cells[other] // states[node]
            for added in near - mine:
                if added != other:
                    cells *= states[added]
                    mine.add(added)
            self.cells[other] = cells
        return near

    def fill(self, node: str) -> list[int]:
        """The cells of each edge that the elimination of a node adds."""
        near, states = list(self.near[node]), self.states
        self.pairs += len(near) * (len(near) + 1) // 2 + 8
        return [
            states[a] * states[b]
            for number, a in enumerate(near)
            for b in near[number + 1 :]
            if b not in self.near[a]
        ]


def _rules(rng: Random) -> list[_Score]:
    """The scores of a round of the search, with noise that differs from round to round."""

    def noisy(score: Callable[[list[int], float], float], once: float) -> _Score:
        def scored(graph: _Graph, node: str) -> float:
            bits = math.log2(graph.cells[node])
            value = score(graph.fill(node), bits) * (1 + 0.2 * rng.random())
            return value if node in graph.evident else once * value

        return scored

    return [
        noisy(score, once)
        for once in (1, ONCE)
        for score in (
            lambda fill, bits: len(fill) + 1e-3 * bits,
            lambda fill, bits: sum(fill) + 1e-3 * bits,
            lambda fill, bits: bits,
            lambda fill, bits: math.log2(1 + sum(fill)) + bits,
        )
    ]


def _greedy(graph: _Graph, nodes: Sequence[str], score: _Score, effort: int = 0) -> Order:
    """Eliminate the node with the least score until none is left; ties in the order given.

    Ends early, with a part of an order, when more pairs than ``effort`` have been looked at.
    """
    place = {node: number for number, node in enumerate(nodes)}
    current = {node: score(graph, node) for node in nodes}
    heap = [(current[node], place[node], node) for node in nodes]
    heapq.heapify(heap)
    order = []
    cells = 0
    largest = 0
    per_query = 0
    while heap and graph.pairs <= effort:
        value, _, node = heapq.heappop(heap)
        if current.get(node) != value:
            continue  # eliminated, or its score has changed
        del current[node]
        joined = graph.cells[node]
        order.append(node)
        cells, largest = cells + joined, max(largest, joined)
        per_query += joined if node in graph.evident else 0
        for other in graph.eliminate(node):
            if other in current:
                current[other] = score(graph, other)
                heapq.heappush(heap, (current[other], place[other], other))
    return Order(tuple(order), cells, largest, per_query)
