"""Exact neighbours beside FAISS's Gower metric, plain numpy and cbrkit; similarities are compared first."""

import statistics
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.cases import CaseBase
from baycarp.cases.retriever import CaseRetriever
from baycarp.errors import ModelError
from benchmarks.parts.cases import SCHEMA, SIZES, TOP, Drawn, top
from benchmarks.parts.clock import seconds
from benchmarks.parts.goal import Goal, at_least

GOWER, CBRKIT = 100, 10_000
"""How many times as fast: as FAISS at a million cases, as cbrkit at 30,000."""


def goals(casebase: CaseBase, cases: Drawn, asked: Drawn, label: str) -> Iterator[Goal]:
    """FAISS and numpy at every size, cbrkit at the smallest."""
    faiss: Any = import_module("faiss")
    few = Drawn(asked.numbers[:12], asked.categories[:12])
    if hasattr(faiss, "METRIC_GOWER"):
        search = gower(faiss, cases)
        slow, fast = [], []
        for row, situation in enumerate(few.situations):
            theirs = partial(search, joined(few)[row : row + 1])
            ours = partial(top, casebase, situation)
            _require_equal(ours().similarities, 1 - theirs(), 2e-6)  # FAISS computes in float32
            slow.append(seconds(theirs))
            fast.append(min(seconds(ours) for _ in range(5)))
        ratio = statistics.median(slow) / statistics.median(fast)
        must = GOWER if len(casebase) == SIZES[-1] else 1
        yield at_least(label, must, ratio, f"times METRIC_GOWER of faiss {faiss.__version__}")
    yield _beside_numpy(casebase, cases, few, label)
    if len(casebase) == SIZES[0] and find_spec("cbrkit"):
        yield _beside_cbrkit(cases, few, label)


def joined(cases: Drawn) -> NDArray[np.float32]:
    """Rows as METRIC_GOWER reads them: numbers of 0..1, categories as negative numbers."""
    return np.ascontiguousarray(np.hstack([cases.numbers, -1.0 - cases.categories]), np.float32)


def gower(faiss: Any, cases: Drawn) -> Callable[[NDArray[np.float32]], NDArray[np.float32]]:
    """A search of FAISS on one thread: the distances of the nearest, nearest first."""
    faiss.omp_set_num_threads(1)
    rows = joined(cases)
    index = faiss.IndexFlat(rows.shape[1], faiss.METRIC_GOWER)
    index.add(rows)
    return lambda query: np.asarray(index.search(query, TOP)[0][0])


def scan(cases: Drawn) -> Callable[[NDArray[np.float32], NDArray[np.int64]], NDArray[np.float64]]:
    """A full scan as written in numpy by hand, a column at a time: the similarities of the nearest."""
    numbers = np.ascontiguousarray(cases.numbers.T, np.float64)
    categories = np.ascontiguousarray(cases.categories.T, np.int8)

    def nearest(query: NDArray[np.float32], kinds: NDArray[np.int64]) -> NDArray[np.float64]:
        total = np.zeros(numbers.shape[1])
        for column, x in zip(numbers, query.astype(np.float64), strict=True):
            total += np.maximum(1 - np.abs(column - x), 0)
        for codes, kind in zip(categories, kinds, strict=True):
            total += codes == kind
        total /= len(numbers) + len(categories)
        return np.sort(np.partition(total, -TOP)[-TOP:])[::-1]

    return nearest


def _beside_numpy(casebase: CaseBase, cases: Drawn, asked: Drawn, label: str) -> Goal:
    search, slow, fast = scan(cases), [], []
    for numbers, categories, situation in zip(asked.numbers, asked.categories, asked.situations, strict=True):
        theirs, ours = partial(search, numbers, categories), partial(top, casebase, situation)
        _require_equal(ours().similarities, theirs(), 1e-9)
        slow.append(seconds(theirs))
        fast.append(min(seconds(ours) for _ in range(5)))
    return Goal(label, statistics.median(slow) / statistics.median(fast), "times numpy")


def _beside_cbrkit(cases: Drawn, asked: Drawn, label: str) -> Goal:
    """A retriever of cbrkit, and ours called by the protocol of cbrkit 1, on the same dictionaries."""
    cbrkit: Any = import_module("cbrkit")
    features = [feature.name for feature in SCHEMA.features]
    equal, linear = cbrkit.sim.generic.equality(), cbrkit.sim.numbers.linear(max=1)
    alike = {name: linear if name.startswith("number") else equal for name in features}
    measure = cbrkit.sim.attribute_value(attributes=alike, aggregator=cbrkit.sim.aggregator(pooling="mean"))
    theirs = cbrkit.retrieval.build(measure, limit=TOP)
    casebase, queries = dict(enumerate(_dicts(cases, features))), _dicts(asked, features)
    ours = CaseRetriever(SCHEMA, limit=TOP)
    ours.put_index(casebase)
    slow, fast = [], []
    for query in queries[:3]:
        _, mine = ours([(casebase, query)])[0]
        held = [float(getattr(value, "value", value)) for value in theirs(casebase, query).values()]
        _require_equal(np.array(list(mine.values())), np.array(held), 1e-9)
        slow.append(seconds(partial(theirs, casebase, query)))
        fast.append(min(seconds(partial(ours, [(casebase, query)]), 5) for _ in range(5)))
    ratio = statistics.median(slow) / statistics.median(fast)
    return at_least(f"{label}, dictionaries", CBRKIT, ratio, f"times cbrkit {version('cbrkit')}")


def _dicts(cases: Drawn, features: list[str]) -> list[dict[str, Any]]:
    categories = cases.categories.astype(str).tolist()
    rows = zip(cases.numbers.tolist(), categories, strict=True)
    return [dict(zip(features, [*numbers, *texts], strict=True)) for numbers, texts in rows]


def _require_equal(ours: NDArray[np.float64], theirs: NDArray[Any], within: float) -> None:
    if len(ours) != len(theirs) or not np.max(np.abs(ours - theirs)) <= within:
        raise ModelError(f"similarities {ours[:3]} and {theirs[:3]}: the libraries differ")
