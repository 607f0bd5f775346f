"""Exact retrieval beside brute force in numpy and cbrkit (G7 to G11).

Both sides answer the same queries in turn, and their results are compared first.
"""

import statistics
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.cases import CaseBase, Retrieved, Situation, retrieve
from baycarp.kernels.similarity import STATES
from benchmarks.parts.clock import seconds
from benchmarks.parts.goal import Goal, at_least
from benchmarks.parts.retrieval import FLOP, MODES, SIZES, TOP

MUSTS = {
    (30_000, "top 20"): ("G7", 15),
    (1_000_000, "top 20"): ("G8", 150),
    (3_000_000, "top 20"): ("G9", 250),
    (1_000_000, "93 %"): ("G10", 100),
}
"""By size and mode: how many times faster than numpy."""

CBRKIT = 5_000
"""G11: how many times faster than cbrkit, at 30,000 cases."""


def goals(casebase: CaseBase, asked: Sequence[Situation], size: int, label: str) -> Iterator[Goal]:
    """Compare on one case-base: five rounds in turn, this package with all queries, numpy with a dozen.

    Numpy scans every case, so each query takes it the same time.
    """
    brute, compared = Brute(casebase), asked[:: max(1, len(asked) // 12)][:12]
    for mode, limits in MODES.items():
        slow: list[float] = []
        fast: list[float] = []
        for query in compared:
            agree(brute(query, **limits), retrieve(casebase, query, **limits))
        for _ in range(5):
            slow += [seconds(partial(brute, query, **limits)) for query in compared]
            fast += [seconds(partial(retrieve, casebase, query, **limits)) for query in asked]
        ratio = statistics.median(slow) / statistics.median(fast)
        name, must = MUSTS.get((size, mode), ("", 0))
        if must:
            yield at_least(f"{name}: {mode} of {label}", must, ratio, "times numpy")
        else:
            yield Goal(f"{mode} of {label}", ratio, "times numpy")
    if size == SIZES[0] and find_spec("cbrkit"):
        yield _beside_cbrkit(casebase, asked[:3], label)


class Brute:
    """A full scan in numpy: whole columns in float64."""

    def __init__(self, casebase: CaseBase) -> None:
        columns = casebase.columns()
        self.schema = casebase.schema
        self.numbers, self.codes = columns["numbers"].astype(np.float64), columns["codes"] % STATES

    def __call__(
        self, query: Situation, at_least: float, at_most: int | None = None, fallback: int | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The rows and their similarities, in no order."""
        total, weights = np.zeros(self.numbers.shape[1]), self.schema.weights
        for column, x, scale, weight in zip(
            self.numbers, query.numbers.tolist(), self.schema.scales, weights, strict=False
        ):
            d = np.abs(column - x)
            alike = np.exp(-scale.k / scale.max * d) if scale.k else np.maximum(0, 1 - d / scale.max)
            total += weight * alike
        slots = weights[len(self.numbers) :]
        for codes, table, weight in zip(self.codes, self.schema.tables(query), slots, strict=True):
            total += weight * table[codes]
        total /= sum(weights)
        rows = (
            np.flatnonzero(total >= at_least)
            if at_most is None
            else np.argpartition(-total, at_most)[:at_most]
        )
        return rows, total[rows]


def agree(slow: tuple[NDArray[np.int64], NDArray[np.float64]], found: Retrieved) -> None:
    """The same similarities to 1e-12, so also as many; numpy adds in another order than the formula."""
    ours, theirs = found.similarities, np.sort(slow[1])[::-1]
    if len(ours) != len(theirs) or not np.allclose(ours, theirs, rtol=0, atol=1e-12):
        raise AssertionError(f"{len(ours)} cases retrieved, {len(theirs)} by numpy: expected the same")


def _beside_cbrkit(casebase: CaseBase, asked: Sequence[Situation], label: str) -> Goal:
    """The same by cbrkit, whose similarities are Python functions of a case and a query."""
    columns, names = casebase.columns(), FLOP.columns
    rows = zip(*columns["numbers"].tolist(), *(columns["codes"] % STATES).tolist(), strict=True)
    cases = {place: dict(zip(names, row, strict=True)) for place, row in enumerate(rows)}
    slow, fast = [], []
    for query in asked:
        apply, query_values = _cbrkit(query)
        found = retrieve(casebase, query, **TOP)
        theirs = np.array([each.value for each in apply(cases, query_values).similarities.values()])
        agree((found.ids, theirs), found)
        slow.append(seconds(partial(apply, cases, query_values)))
        fast.append(statistics.median(seconds(partial(retrieve, casebase, query, **TOP)) for _ in range(5)))
    ratio = statistics.median(slow) / statistics.median(fast)
    what = f"G11: top 20 of {label}"
    return at_least(what, CBRKIT, ratio, f"times cbrkit {version('cbrkit')}")


def _cbrkit(query: Situation) -> tuple[Callable[..., Any], dict[str, float]]:
    """A retriever of the 20 most similar, and its query."""
    cbrkit: Any = import_module("cbrkit")
    names, numbers = FLOP.columns, len(FLOP.numbers)
    alike: dict[str, Callable[..., float]] = dict(zip(names, FLOP.scales, strict=False))
    for name, table in zip(names[numbers:], FLOP.tables(query).tolist(), strict=True):
        alike[name] = partial(_looked_up, table)
    weights = dict(zip(names, FLOP.weights, strict=True))
    mean = cbrkit.sim.aggregator(pooling="mean", pooling_weights=weights)
    measure = cbrkit.sim.attribute_value(attributes=alike, aggregator=mean)
    retriever = cbrkit.retrieval.build(measure, limit=20)
    query_values = dict(zip(names, [*query.numbers.tolist(), *query.codes.tolist()], strict=True))
    return partial(_applied, cbrkit, retriever), query_values


def _applied(cbrkit: Any, retriever: Any, cases: Any, query_values: Any) -> Any:
    return cbrkit.retrieval.apply(cases, query_values, retriever)


def _looked_up(table: Sequence[float], held: int, asked: int) -> float:
    return table[held]
