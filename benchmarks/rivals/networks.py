"""The drop-in for pgmpy beside pgmpy, on public networks; results are compared first."""

import statistics
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.bn import Network
from baycarp.bn.pgmpy import VariableElimination, to_pgmpy
from baycarp.bn.sampling import sample
from baycarp.errors import ModelError
from benchmarks.parts.clock import medians, seconds
from benchmarks.parts.goal import Goal, at_least
from benchmarks.parts.networks import EASY, Query

ROWS = 20_000
"""Rows of a batch; pgmpy answers the first few."""

HIDDEN = ("HYPOVOLEMIA", "LVFAILURE", "KINKEDTUBE", "PULMEMBOLUS")
"""Nodes of ALARM that a batch does not observe."""


def goals(name: str, network: Network, ours: VariableElimination, asked: Sequence[Query]) -> Iterator[Goal]:
    """Single queries of one network, and of ALARM a batch of data-frame rows too."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of pgmpy's own future
        model = to_pgmpy(network)
        theirs, peer = (
            import_module("pgmpy.inference").VariableElimination(model),
            f"pgmpy {version('pgmpy')}",
        )
        slow, fast, arrays = [], [], []
        for query in asked:
            mine = partial(ours.query, [query.wanted], query.evidence)
            other = partial(theirs.query, [query.wanted], evidence=query.evidence, show_progress=False)
            by_hand = numpy_query(network, query)
            _require_equal(mine().values, other().values, f"{name}: {query.wanted}")
            _require_equal(mine().values, by_hand(), f"{name}: {query.wanted} by numpy")
            arrays.append(min(seconds(by_hand) for _ in range(3)))
            slow.append(seconds(other))
            fast.append(min(seconds(mine, 3) for _ in range(3)))
        ratio = statistics.median(slow) / statistics.median(fast)
        yield at_least(f"{name}: query again", 50 if name in EASY else 30, ratio, f"times {peer}")
        by_numpy = statistics.median(arrays) / statistics.median(fast)
        yield Goal(f"{name}: query again", by_numpy, "times numpy's einsum")
        if name == "alarm":
            yield from _batch(network, model, ours, peer)


def numpy_query(network: Network, query: Query) -> Callable[[], NDArray[np.float64]]:
    """Variable elimination as written in numpy by hand, planned once: an ``einsum`` for each hidden node.

    The factors are the relevant tables at the observed states; those that are numbers cancel. The node of the
    smallest product is next.
    """
    structure, wanted = network.structure, query.wanted
    codes = {node: structure.states[node].index(state) for node, state in query.evidence.items()}
    relevant = structure.ancestors((*codes, wanted))
    places = [tuple(codes.get(m, slice(None)) for m in structure.family(node)) for node in relevant]
    scopes = {k: [m for m in structure.family(n) if m not in codes] for k, n in enumerate(relevant)}
    hidden = [node for node in relevant if node not in codes and node != wanted]
    steps: list[tuple[list[int], list[list[str]], list[str]]] = []

    def joined(node: str) -> list[str]:
        return list(dict.fromkeys(m for scope in scopes.values() if node in scope for m in scope))

    while hidden:
        node = min(hidden, key=lambda node: np.prod([structure.cardinality(m) for m in joined(node)]))
        hidden.remove(node)
        kept, taken = [m for m in joined(node) if m != node], [k for k, s in scopes.items() if node in s]
        steps.append((taken, [scopes.pop(k) for k in taken], kept))
        scopes[len(relevant) + len(steps) - 1] = kept
    left = [k for k, scope in scopes.items() if scope]
    steps.append((left, [scopes[k] for k in left], [wanted]))
    tables = [network.cpt(node) for node in relevant]

    def posterior() -> NDArray[np.float64]:
        pool = [table[place] for table, place in zip(tables, places, strict=True)]
        for taken, given, kept in steps:
            local = {m: axis for axis, m in enumerate({m: 0 for scope in given for m in scope})}
            operands: list[Any] = []
            for k, scope in zip(taken, given, strict=True):
                operands += [pool[k], [local[m] for m in scope]]
            pool.append(np.einsum(*operands, [local[m] for m in kept]))
        return np.asarray(pool[-1] / pool[-1].sum())

    return posterior


def numpy_rows(network: Network, frame: Any) -> dict[str, NDArray[np.float64]]:
    """The columns of ``predict_probability`` as written in numpy by hand: one ``einsum`` over all rows.

    The joint distribution of the hidden nodes is an array, so that they must be few.
    """
    structure, categorical = network.structure, import_module("pandas").Categorical
    codes = {node: categorical(frame[node], categories=structure.states[node]).codes for node in frame}
    hidden = {node: 1 + axis for axis, node in enumerate(n for n in structure.nodes if n not in codes)}
    operands: list[Any] = []
    for node in structure.nodes:
        family = structure.family(node)
        if within := [hidden[member] for member in family if member in hidden]:
            outer = [member for member in family if member in codes]
            first = np.moveaxis(network.cpt(node), list(map(family.index, outer)), range(len(outer)))
            operands += [first[tuple(codes[member] for member in outer)], [0] * bool(outer) + within]
    joint = np.einsum(*operands, [0, *hidden.values()], optimize=True)
    joint /= joint.sum(axis=tuple(hidden.values()), keepdims=True)
    columns: dict[str, NDArray[np.float64]] = {}
    for node, axis in hidden.items():
        chances = joint.sum(axis=tuple(other for other in hidden.values() if other != axis))
        columns |= {f"{node}_{state}": chances[:, k] for k, state in enumerate(structure.states[node])}
    return columns


def _batch(network: Network, model: Any, ours: VariableElimination, peer: str) -> Iterator[Goal]:
    """Four hidden nodes; data frames on all sides."""
    states = network.structure.states
    columns = {
        node: np.array(states[node], dtype=object)[codes]
        for node, codes in sample(network, ROWS, seed=2).items()
        if node not in HIDDEN
    }
    frame = import_module("pandas").DataFrame(columns)
    few = frame.iloc[:20]
    theirs = model.predict_probability(few)
    _require_equal(ours.predict_probability(few)[list(theirs)], theirs, "batch")
    found, by_hand = ours.predict_probability(frame), numpy_rows(network, frame)
    _require_equal(found, np.stack([by_hand[name] for name in found], axis=1), "batch by numpy")
    slow = seconds(partial(model.predict_probability, few)) / len(few)
    fast, arrays = medians(
        partial(ours.predict_probability, frame), partial(numpy_rows, network, frame), rounds=3
    )
    text = f"alarm, {ROWS:,} rows ({1e6 * fast / ROWS:.2f} us a row)"
    yield Goal(f"{text}: batch against Python call", slow / (fast / ROWS), f"times {peer}")
    yield Goal(text, arrays / fast, "times numpy's einsum")


def _require_equal(ours: Any, theirs: Any, what: str) -> None:
    if not np.max(np.abs(np.asarray(ours) - np.asarray(theirs))) <= 1e-9:
        raise ModelError(f"{what}: the results of the libraries differ by more than 1e-9")
