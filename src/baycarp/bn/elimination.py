"""Compiles variable elimination: the sums and products of each marginal, their order and their memory.

Barren nodes, neither queried or observed nor ancestors of such nodes, are left out. The hidden variable whose
elimination joins the smallest table is eliminated first (the minimum weight rule; Matthews 2005, section 5).
Each elimination is one step over strided views of the network's tables, without copies; a step that several
marginals share runs once. A step independent of the evidence runs at compilation. A step that evidence only
slices also runs then, for every state of the evidence, if the result is small. Soft evidence is an ordinary
factor. The kernel runs the other steps for each query.
"""

import heapq
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from baycarp.bn.network import Network
from baycarp.errors import SchemaError
from baycarp.kernels.elimination import CONSTANTS, FACTORS, LOOPS, MESSAGES, SOFT, TABLES, Program, Step

__all__ = ["Compiled", "Compiler"]

LARGEST = 2**27
"""The largest message of a plan, in numbers (1 GiB)."""

FORESEEN = 2**13, 2**17
"""The largest step precomputed for all states of the evidence: size of its result (64 KiB), cells."""


class _View(NamedTuple):
    """A table or message: its place, a stride for each free variable, (observed, stride) of the others."""

    memory: int
    first: int
    strides: dict[str, int]
    slices: tuple[tuple[int, int], ...]

    def opened(self, observed: Sequence[str]) -> "_View":
        """The view over all states of the observed nodes, which become axes."""
        axes = {observed[number]: stride for number, stride in self.slices}
        return self._replace(strides=axes | self.strides, slices=())

    def sliced(self, row: Mapping[str, int]) -> "_View":
        """The view with the axes of observed nodes as slices."""
        slices = tuple((row[node], stride) for node, stride in self.strides.items() if node in row)
        return self._replace(strides={n: s for n, s in self.strides.items() if n not in row}, slices=slices)


class _Graph:
    """Views by number, in the order of multiplication, and the weight of each node.

    The weight is the number of cells of the table that the views of a node join.
    """

    def __init__(self, views: Iterable[_View], states: Mapping[str, int]) -> None:
        self.views: dict[int, _View] = {}
        self.weight: dict[str, int] = {}
        self._states, self._next = states, 0
        self._numbers: dict[str, dict[int, None]] = {}
        self._joined: dict[str, dict[str, int]] = {}  # number of views that two nodes share
        for view in views:
            self.add(view)

    def add(self, view: _View) -> None:
        """Append a view."""
        self.views[self._next] = view
        for node in view.strides:
            self._numbers.setdefault(node, {})[self._next] = None
            joined = self._joined.setdefault(node, {})
            weight = self.weight.get(node, 1)
            for member in view.strides:
                shared = joined.get(member, 0)
                joined[member] = shared + 1
                if not shared:
                    weight *= self._states[member]
            self.weight[node] = weight
        self._next += 1

    def remove(self, node: str) -> list[_View]:
        """Remove and return the views that contain a node."""
        removed = {number: self.views.pop(number) for number in self._numbers[node]}
        for number, view in removed.items():
            for member in view.strides:
                del self._numbers[member][number]
                joined, weight = self._joined[member], self.weight[member]
                for other in view.strides:
                    joined[other] -= 1
                    if not joined[other]:
                        weight //= self._states[other]
                self.weight[member] = weight
        return list(removed.values())


class Compiled(NamedTuple):
    """A program, and the program that computes its constants from the same tables."""

    program: Program
    before: Program
    constants: NDArray[np.float64]

    def refresh(self) -> None:
        """Recompute the constants after a change of the tables."""
        self.constants[:] = self.before.messages()


class _Steps:
    """Steps, the variable of each of their loops, and the total size of their messages."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.loops: list[list[str]] = []
        self.size = 0


class Compiler:
    """Plans marginals one by one, then builds the program that computes all of them.

    Parameters
    ----------
    network
        The network.
    observed
        The nodes that evidence will fix, in the order of a row of codes.
    soft
        The nodes with soft evidence, in the order of a row of likelihoods.
    foresee
        Whether steps that evidence only slices are precomputed; False if the tables will change.
    """

    def __init__(
        self, network: Network, observed: tuple[str, ...], soft: tuple[str, ...] = (), foresee: bool = True
    ) -> None:
        self._network, self._foresee = network, foresee
        self._observed, self._soft = observed, soft
        self._states = {node: len(states) for node, states in network.structure.states.items()}
        self._row = {node: number for number, node in enumerate(observed)}
        self._made: dict[object, _View] = {}
        self._constant, self._varying = _Steps(), _Steps()

    def program(
        self, answers: Sequence[tuple[int, int]], tables: NDArray[np.float64] | None = None
    ) -> Compiled:
        """The program of the marginals planned so far, in the order of the answers.

        ``tables`` replaces the network's tables if these will change.
        """
        tables, states = self._network.tables if tables is None else tables, self._network.structure.states
        before = Program(tables, np.empty(0), (), self._constant.steps, ())
        constants = before.messages()
        observed = [(node, states[node]) for node in self._observed]
        likelihoods = sum(self._states[node] for node in self._soft)
        program = Program(tables, constants, observed, self._varying.steps, answers, likelihoods)
        return Compiled(program, before, constants)

    def marginal(self, target: tuple[str, ...]) -> tuple[int, int]:
        """Eliminate all other nodes; return the place of the answer, last node fastest, and its size."""
        relevant = self._network.structure.ancestors((*self._row, *self._soft, *target))
        pool = [self._table(node) for node in relevant] + self._likelihoods()
        settled = [view for view in pool if not view.strides]
        if len(settled) > 1:
            pool = [view for view in pool if view.strides] + [self._settle(settled)]
        pool = self._eliminate(pool, [node for node in relevant if node not in target])
        answer = self._product(pool, last=True, order=target if len(target) > 1 else ())
        return answer.first, math.prod(self._states[node] for node in target)

    def explanation(self, tables: NDArray[np.float64]) -> tuple[Program, list[list[str]]]:
        """Maximise over every node not observed; ``tables`` holds logarithms (``csrc/.../explain.h``).

        Returns the program and the variable of each loop of each step, "" for an idle loop.
        """
        structure = self._network.structure
        pool = [self._table(node) for node in structure.order] + self._likelihoods()
        left = self._eliminate(pool, structure.order, last=True)
        self._product(left, last=True)
        observed = [(node, structure.states[node]) for node in self._observed]
        likelihoods = sum(self._states[node] for node in self._soft)
        steps = self._varying
        return Program(tables, np.empty(0), observed, steps.steps, (), likelihoods), steps.loops

    def _eliminate(self, pool: list[_View], nodes: Sequence[str], last: bool = False) -> list[_View]:
        """The pool after the elimination of some nodes: the lightest first, ties in the order given."""
        graph = _Graph(pool, self._states)
        place = {node: number for number, node in enumerate(nodes) if node in graph.weight}
        heap = [(graph.weight[node], number, node) for node, number in place.items()]
        heapq.heapify(heap)
        while heap:
            weight, _, node = heapq.heappop(heap)
            if node not in place or graph.weight[node] != weight:
                continue  # eliminated, or its weight has changed
            del place[node]
            bucket = graph.remove(node)
            graph.add(self._product(bucket, node, last))
            for member in dict.fromkeys(member for view in bucket for member in view.strides):
                if member in place:
                    heapq.heappush(heap, (graph.weight[member], place[member], member))
        return list(graph.views.values())

    def _likelihoods(self) -> list[_View]:
        """Views of the soft evidence: one axis each, in the row of evidence."""
        views, first = [], 0
        for node in self._soft:
            views.append(_View(SOFT, first, {node: 1} if self._states[node] > 1 else {}, ()))
            first += self._states[node]
        return views

    def _table(self, node: str) -> _View:
        """The table of a node: observed axes become slices; axes of one state are left out."""
        strides, slices, stride = {}, [], 1
        for member in reversed(self._network.structure.family(node)):
            if self._states[member] == 1:
                continue
            if member in self._row:
                slices.append((self._row[member], stride))
            else:
                strides[member] = stride
            stride *= self._states[member]
        return _View(TABLES, self._network.offset(node), strides, tuple(slices))

    def _settle(self, views: Sequence[_View]) -> _View:
        """The product of views without free variables, precomputed as far as possible."""
        n = self._settled_beforehand(views)
        if 1 < n < len(views):
            views = [self._product(views[:n]), *views[n:]]
        return self._product(views)

    def _settled_beforehand(self, views: Sequence[_View]) -> int:
        """The number of leading views that `_beforehand` allows as one product without loops."""
        over: dict[str, int] = {}
        cells = depth = 0
        for number, view in enumerate(views):
            for observed, _ in view.slices:
                node = self._observed[observed]
                cells = (cells or 1) * (1 if node in over else self._states[node])
                over.setdefault(node, len(over) + 1)
            before, depth = depth, max((over[self._observed[n]] for n, _ in view.slices), default=0)
            small = not over or (self._foresee and cells <= min(FORESEEN))
            if view.memory not in (TABLES, CONSTANTS) or not small or depth < before:
                return number
        return len(views)

    def _product(
        self,
        views: Sequence[_View],
        summed: str | None = None,
        last: bool = False,
        order: tuple[str, ...] = (),
    ) -> _View:
        """The message of the views' product, with one variable summed out; the last is never a constant."""
        if len(views) == 1 and summed is None and not order and views[0].memory == MESSAGES:
            return views[0]
        views = sorted(views, key=_breadth)
        while len(views) > FACTORS:
            views = sorted([self._product(views[:FACTORS], last=last), *views[FACTORS:]], key=_breadth)
        loops = [node for node in order if self._states[node] > 1] or self._loops(views, summed)
        over = None if last else self._beforehand(views, loops, summed)
        key = (frozenset(view[:2] for view in views), summed, over, order)
        if key not in self._made:
            if over is None:
                self._made[key] = self._step(self._varying, MESSAGES, views, loops, summed)
            else:
                opened = [view.opened(self._observed) for view in views]
                made = self._step(self._constant, CONSTANTS, opened, [*over, *loops], summed)
                self._made[key] = made.sliced(self._row)
        return self._made[key]

    def _beforehand(
        self, views: Sequence[_View], loops: Sequence[str], summed: str | None
    ) -> tuple[str, ...] | None:
        """The observed nodes over whose states a step is precomputed; None = the step runs for each query."""
        if any(view.memory not in (TABLES, CONSTANTS) for view in views):
            return None
        over = tuple(dict.fromkeys(self._observed[number] for view in views for number, _ in view.slices))
        cells = math.prod(self._states[node] for node in (*over, *loops))
        left = cells // self._states.get(summed or "", 1)
        if over and not (self._foresee and left <= FORESEEN[0] and cells <= FORESEEN[1]):
            return None
        # The kernel multiplies outer loops first: the same order in both cases gives the same rounding.
        now = [_depth(view.strides, loops) for view in views]
        then = [_depth(view.opened(self._observed).strides, [*over, *loops]) for view in views]
        numbers = range(len(views))
        return over if sorted(numbers, key=now.__getitem__) == sorted(numbers, key=then.__getitem__) else None

    def _step(
        self, into: _Steps, memory: int, views: Sequence[_View], loops: list[str], summed: str | None
    ) -> _View:
        strides, size = {}, 1
        for node in reversed(loops):
            if node != summed:
                strides[node] = size
                size *= self._states[node]
        if len(loops) > LOOPS or size > LARGEST:
            raise SchemaError(
                f"eliminating {summed!r} joins {loops}: {size} numbers, expected at most {LARGEST}"
            )
        idle = [0] * (2 - len(loops))  # a step has at least two loops

        def along(of: dict[str, int]) -> list[int]:
            return idle + [of.get(node, 0) for node in loops]

        # In the program that computes them, constants are messages.
        own = {CONSTANTS: MESSAGES} if memory == CONSTANTS else {}
        factors = [(own.get(v.memory, v.memory), v.first, along(v.strides), v.slices) for v in views]
        lengths = [1] * len(idle) + [self._states[node] for node in loops]
        into.loops.append([*[""] * len(idle), *loops])
        into.steps.append((lengths, along(strides), into.size, size, factors))
        into.size += size
        return _View(memory, into.size - size, strides, ())

    @staticmethod
    def _loops(views: Sequence[_View], summed: str | None) -> list[str]:
        """All free variables, outermost first, in the memory order of the widest view; the last is kept."""
        widest = views[-1].strides if views else {}
        free = dict.fromkeys(node for view in views for node in view.strides)
        loops = sorted(free, key=lambda node: -widest.get(node, math.inf))
        kept = [node for node in loops if node != summed]
        if kept:
            loops.remove(kept[-1])
            loops.append(kept[-1])
        return loops


def _breadth(view: _View) -> int:
    return len(view.strides)


def _depth(strides: dict[str, int], loops: Sequence[str]) -> int:
    """The number of loops after which the place of a view no longer changes."""
    return max((number + 1 for number, node in enumerate(loops) if node in strides), default=0)
