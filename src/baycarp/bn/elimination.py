"""Variable elimination, planned: which sums and products give a marginal, in which order, over which memory.

Three moves. Nodes that neither are asked for nor lie above one that is asked for or observed are barren and
left out. The hidden variable whose elimination joins the smallest table goes first (the minimum weight rule;
seed 003, section 5). Each elimination becomes one step over strided views of the network's own tables, so
nothing is copied, and a step that several marginals share is run once. What depends on the states observed is
left to the kernel.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from baycarp.bn.network import Network
from baycarp.errors import SchemaError
from baycarp.kernels.elimination import FACTORS, LOOPS, MESSAGES, TABLES

if TYPE_CHECKING:
    from baycarp.kernels.elimination import Step

__all__ = ["Compiler"]

LARGEST = 2**27
"""The largest message that a plan may make, in numbers (1 GiB)."""


class _View(NamedTuple):
    """A table or message: where it lies, a stride a free variable, (observed, stride) of the others."""

    memory: int
    first: int
    strides: dict[str, int]
    slices: tuple[tuple[int, int], ...]


class Compiler:
    """Plans marginals one after the other; ``steps`` are what the kernel runs for all of them.

    Parameters
    ----------
    network
        The network.
    observed
        The nodes that evidence will fix, in the order of a row of codes.

    """

    def __init__(self, network: Network, observed: tuple[str, ...]) -> None:
        self.steps: list[Step] = []
        self._network = network
        self._states = {node: len(states) for node, states in network.structure.states.items()}
        self._row = {node: number for number, node in enumerate(observed)}
        self._made: dict[object, _View] = {}
        self._size = 0

    def marginal(self, target: tuple[str, ...]) -> tuple[int, int]:
        """Eliminate all but the target (one node or none); where the answer lies, and its size."""
        relevant = self._network.structure.ancestors((*self._row, *target))
        pool = [self._table(node) for node in relevant]
        settled = [view for view in pool if not view.strides]
        if len(settled) > 1:
            pool = [view for view in pool if view.strides] + [self._product(settled)]
        hidden = [
            node for node in relevant if any(node in view.strides for view in pool) and node not in target
        ]
        while hidden:
            node = min(hidden, key=lambda node: self._weight(node, pool))
            hidden.remove(node)
            bucket = [view for view in pool if node in view.strides]
            pool = [view for view in pool if node not in view.strides] + [self._product(bucket, node)]
        answer = self._product(pool)
        return answer.first, math.prod(self._states[node] for node in target)

    def _table(self, node: str) -> _View:
        """A node's own table: observed axes become slices; axes of one state need no loop."""
        strides, slices, stride = {}, [], 1
        for member in reversed(self._network.structure.family(node)):
            if member in self._row:
                slices.append((self._row[member], stride))
            elif self._states[member] > 1:
                strides[member] = stride
            stride *= self._states[member]
        return _View(TABLES, self._network.offset(node), strides, tuple(slices))

    def _weight(self, node: str, pool: Sequence[_View]) -> int:
        joined = set().union(*(view.strides for view in pool if node in view.strides))
        return math.prod(self._states[member] for member in joined)

    def _product(self, views: Sequence[_View], summed: str | None = None) -> _View:
        """The message of the views' product, with one variable summed out."""
        if len(views) == 1 and summed is None and views[0].memory == MESSAGES:
            return views[0]
        views = sorted(views, key=lambda view: len(view.strides))
        if len(views) > FACTORS:
            return self._product([self._product(views[:FACTORS]), *views[FACTORS:]], summed)
        key = (frozenset(view[:2] for view in views), summed)
        if key not in self._made:
            self._made[key] = self._step(views, summed)
        return self._made[key]

    def _step(self, views: Sequence[_View], summed: str | None) -> _View:
        loops = self._loops(views, summed)
        strides, size = {}, 1
        for node in reversed(loops):
            if node != summed:
                strides[node] = size
                size *= self._states[node]
        if len(loops) > LOOPS or size > LARGEST:
            raise SchemaError(
                f"eliminating {summed!r} joins {loops}: {size} numbers, expected at most {LARGEST}"
            )
        factors = [(v.memory, v.first, [v.strides.get(n, 0) for n in loops] or [0], v.slices) for v in views]
        lengths = [self._states[node] for node in loops] or [1]
        self.steps.append((lengths, [strides.get(n, 0) for n in loops] or [0], self._size, size, factors))
        self._size += size
        return _View(MESSAGES, self._size - size, strides, ())

    @staticmethod
    def _loops(views: Sequence[_View], summed: str | None) -> list[str]:
        """All free variables, outermost first: along the widest view's memory, innermost one that is kept."""
        widest = views[-1].strides if views else {}
        free = dict.fromkeys(node for view in views for node in view.strides)
        loops = sorted(free, key=lambda node: -widest.get(node, math.inf))
        kept = [node for node in loops if node != summed]
        if kept:
            loops.remove(kept[-1])
            loops.append(kept[-1])
        return loops
