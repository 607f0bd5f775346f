"""Compiles variable elimination: the sums and products of each marginal, their order and their memory.

Barren nodes, neither queried or observed nor ancestors of such nodes, are left out. ``orders`` chooses the
order: the hidden variable whose elimination joins the smallest table first (the minimum weight rule; Matthews
2005, section 5), and a better one for costly networks.
Each elimination is one step over strided views of the network's tables, without copies; a step that several
marginals share runs once. A step independent of the evidence runs at compilation. A step that evidence only
slices also runs then, for every state of the evidence, if the result is small. Soft evidence is an ordinary
factor. The kernel runs the other steps for each query; ``wide`` runs them again where it underflows.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from baycarp.bn.loops import arranged, fused
from baycarp.bn.network import Network
from baycarp.bn.orders import MOST_CELLS, Order, elimination_order, require_affordable
from baycarp.bn.wide import WideProgram
from baycarp.errors import CostError, brief
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
    most
        The largest cost of all eliminations, in cells; a larger one is a `CostError`.

    Attributes
    ----------
    cells : int
        The cost of the eliminations planned so far.
    """

    def __init__(
        self,
        network: Network,
        observed: tuple[str, ...],
        soft: tuple[str, ...] = (),
        foresee: bool = True,
        most: int = MOST_CELLS,
    ) -> None:
        self._network, self._foresee = network, foresee
        self._observed = observed
        self._soft = soft
        self._states = {node: len(states) for node, states in network.structure.states.items()}
        self._row = {node: number for number, node in enumerate(observed)}
        self._always = network.structure.ancestors((*observed, *soft))
        self._made: dict[object, _View] = {}
        self._tables: dict[str, _View] = {}
        self._most = most
        self.cells = 0
        self._constant = _Steps()
        self._varying = _Steps()

    def program(
        self, answers: Sequence[tuple[int, int]], tables: NDArray[np.float64] | None = None
    ) -> Compiled:
        """The program of the marginals planned so far, in the order of the answers.

        ``tables`` replaces the network's tables if these will change.
        """
        tables, states = self._network.tables if tables is None else tables, self._network.structure.states
        before = Program(tables, np.empty(0), (), [*map(fused, self._constant.steps)], ())
        constants = before.messages()
        observed = [(node, states[node]) for node in self._observed]
        likelihoods = sum(self._states[node] for node in self._soft)
        steps = [*map(fused, self._varying.steps)]
        program = Program(tables, constants, observed, steps, answers, likelihoods)
        return Compiled(program, before, constants)

    def wide(
        self, answers: Sequence[tuple[int, int]], tables: NDArray[np.float64] | None = None
    ) -> WideProgram:
        """The same program, for evidence that is too unlikely for float64."""
        tables = self._network.tables if tables is None else tables
        return WideProgram(tables, self._constant.steps, self._varying.steps, answers)

    def marginal(self, target: tuple[str, ...], connected: bool = False) -> tuple[int, int]:
        """Eliminate all other nodes; return the place of the answer, last node fastest, and its size.

        ``connected``: leave out the factors that the evidence separates from the target; the sum of the
        answer is then not the probability of the evidence.
        """
        pool, hidden = self._pool(target, connected)
        self.cells += math.prod(self._states[node] for node in target)
        settled = [view for view in pool if not view.strides]
        if len(settled) > 1:
            pool = [view for view in pool if view.strides] + [self._settle(settled)]
        pool = self._eliminate(pool, hidden)
        answer = self._product(pool, last=True, order=target if len(target) > 1 else ())
        return answer.first, math.prod(self._states[node] for node in target)

    def cost(self, target: tuple[str, ...], connected: bool = False) -> int:
        """The cells that `marginal` would join."""
        pool, hidden = self._pool(target, connected)
        return self._order(pool, hidden).cells + math.prod(self._states[node] for node in target)

    def _pool(self, target: tuple[str, ...], connected: bool) -> tuple[list[_View], list[str]]:
        """The factors of a marginal, and the nodes to eliminate from them."""
        relevant = self._always
        if not set(target) <= set(relevant):
            relevant = self._network.structure.ancestors((*relevant, *target))
        pool = [self._table(node) for node in relevant] + self._likelihoods()
        if connected:
            pool = _connected(pool, target)
        return pool, [node for node in relevant if node not in target]

    def _order(self, pool: Sequence[_View], nodes: Sequence[str]) -> Order:
        evident = {node for view in pool if view.slices or view.memory == SOFT for node in view.strides}
        return elimination_order([view.strides for view in pool], self._states, nodes, evident)

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
        order = self._order(pool, nodes)
        self.cells += order.cells
        require_affordable(self.cells, self._most)
        views = dict(enumerate(pool))
        holders: dict[str, dict[int, None]] = {}
        for number, view in views.items():
            for member in view.strides:
                holders.setdefault(member, {})[number] = None
        for number, node in enumerate(order.nodes, len(pool)):
            bucket = []
            for taken in holders.pop(node):
                bucket.append(views.pop(taken))
                for member in bucket[-1].strides:
                    if member != node:
                        del holders[member][taken]
            views[number] = message = self._product(bucket, node, last)
            for member in message.strides:
                holders[member][number] = None
        return list(views.values())

    def _likelihoods(self) -> list[_View]:
        """Views of the soft evidence: one axis each, in the row of evidence."""
        views, first = [], 0
        for node in self._soft:
            views.append(_View(SOFT, first, {node: 1} if self._states[node] > 1 else {}, ()))
            first += self._states[node]
        return views

    def _table(self, node: str) -> _View:
        """The table of a node: observed axes become slices; axes of one state are left out."""
        if node in self._tables:
            return self._tables[node]
        strides, slices, stride = {}, [], 1
        for member in reversed(self._network.structure.family(node)):
            if self._states[member] == 1:
                continue
            if member in self._row:
                slices.append((self._row[member], stride))
            else:
                strides[member] = stride
            stride *= self._states[member]
        self._tables[node] = _View(TABLES, self._network.offset(node), strides, tuple(slices))
        return self._tables[node]

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
        loops = [node for node in order if self._states[node] > 1] or arranged(
            [view.strides for view in views], self._states, summed
        )
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
            raise CostError(
                f"eliminating {brief(summed)} joins {loops}: {size} numbers, expected at most {LARGEST}", size
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


def _connected(pool: Sequence[_View], target: Sequence[str]) -> list[_View]:
    """The views that share free variables with the target, or with views that do."""
    holders: dict[str, list[int]] = {}
    for number, view in enumerate(pool):
        for member in view.strides:
            holders.setdefault(member, []).append(number)
    reached, visited = list(target), set(target)
    kept: set[int] = set()
    for node in reached:  # grows
        for number in holders.get(node, ()):
            kept.add(number)
            reached.extend(pool[number].strides.keys() - visited)
            visited.update(pool[number].strides)
    return [pool[number] for number in sorted(kept)]


def _breadth(view: _View) -> int:
    return len(view.strides)


def _depth(strides: dict[str, int], loops: Sequence[str]) -> int:
    """The number of loops after which the place of a view no longer changes."""
    return max((number + 1 for number, node in enumerate(loops) if node in strides), default=0)
