"""Exact retrieval beside brute force on cases that were really met: ``baycarp bench retrieval``.

Both sides answer the same queries in turn, in one process, and their results are compared first; times are
CPU time. The queries are decisions of fresh hands. For a size above the number of cases, more are drawn
from them; the line reports this. The times by size are the lines "p50" and "p99", or a picture.

    python -m baycarp.train.retrieval_cases FOLDER   # a million flop cases; what is done so far can be
    measured baycarp bench retrieval --cases FOLDER --picture latency.svg
"""

import statistics
import time
from argparse import Namespace, _ArgumentGroup
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.decks import HELD_OUT
from baycarp.cases import CaseBase, Retrieved, Situation, retrieve, retrieve_all
from baycarp.cli.bench.goal import Goal
from baycarp.cli.bench.sizes import sized
from baycarp.cli.options import count
from baycarp.draw import drawable, save_latency
from baycarp.errors import ModelError
from baycarp.kernels.similarity import STATES
from baycarp.strategies.baycarp import SCHEMAS
from baycarp.strategies.model import SHIPPED
from baycarp.train.retrieval_cases import FORMULAS, decisions, gathered, table_of

__all__ = ["Brute", "add", "goals"]

FLOP = SCHEMAS[1]
TOP: dict[str, Any] = {"at_least": 0.0, "at_most": 20}
ALL: dict[str, Any] = {"at_least": 0.93, "fallback": 0}
"""The 20 most similar; all at or above the flop's threshold."""
MODES = {"top 20": TOP, "97 %": ALL | {"at_least": 0.97}, "93 %": ALL}

SIZES = (30_000, 100_000, 300_000, 1_000_000, 3_000_000)


@dataclass(frozen=True, slots=True)
class Must:
    """What a size must reach: how many times faster than numpy, and below how many ms."""

    name: str
    ratio: float
    ms: float | None = None


MUSTS = {
    (30_000, "top 20"): Must("G7", 15),
    (1_000_000, "top 20"): Must("G8", 150, 0.5),
    (3_000_000, "top 20"): Must("G9", 250, 1.0),
    (1_000_000, "93 %"): Must("G10", 100),
}
CBRKIT = 5_000
"""G11: how many times faster than cbrkit, at 30,000 cases."""


def add(group: _ArgumentGroup) -> None:
    """Name the options."""
    group.add_argument(
        "--cases",
        type=Path,
        default=SHIPPED / "flop.npz",
        help="flop cases: a file, or a folder of train.retrieval_cases (default: the shipped model's)",
    )
    group.add_argument(
        "--picture", type=Path, metavar="FILE", help="draw the times by size, as SVG or PNG by the ending"
    )
    group.add_argument(
        "--most", type=count, default=SIZES[-1], help="the largest size (default: %(default)s)"
    )


def goals(args: Namespace) -> Iterator[Goal]:
    """Measure size by size."""
    if args.picture:
        drawable(args.picture)
    met, asked = _met(args.cases), questions()
    sizes = [size for size in SIZES if size <= args.most]
    latency: dict[str, list[tuple[float, float]]] = {mode: [] for mode in MODES}
    for size in sizes:
        casebase, label = sized(met, size)
        brute = Brute(casebase)
        for mode, limits in MODES.items():
            what, must = f"{mode} of {label}", MUSTS.get((size, mode))
            ratio, median, slow = _measured(casebase, brute, asked, limits, what, must)
            yield from (ratio, median, slow)
            latency[mode].append((median.measured, slow.measured))
        yield Goal(f"bytes a case, {label}", None, casebase.snapshot().nbytes / len(casebase), "bytes", None)
        began = time.perf_counter()
        retrieve_all(casebase, asked, **TOP)
        rate = len(asked) / (time.perf_counter() - began)
        yield Goal(f"batch, top 20 of {label}, one thread", None, rate, "queries/s", None)
        if size == SIZES[0] and find_spec("cbrkit"):
            yield _beside_cbrkit(casebase, asked[:3], label)
    if args.picture and sizes:
        save_latency(latency, sizes, args.picture)


def _met(path: Path) -> CaseBase:
    """The cases of a file, or of all sessions in a folder."""
    if not path.is_dir():
        return CaseBase.load(path, FLOP)
    parts = sorted(path.glob("cases-*.npz"))
    if not parts:
        raise ModelError(f"{path}: expected sessions of cases, as baycarp.train.retrieval_cases keeps them")
    return gathered(parts, 1)


def questions(hands: int = 80) -> list[Situation]:
    """The flop decisions of fresh hands of formula players, as their actors saw them."""
    return [step.case.situation for step in decisions(table_of(FORMULAS, 1), HELD_OUT, hands, (1,))]


def _measured(
    casebase: CaseBase,
    brute: "Brute",
    asked: Sequence[Situation],
    limits: dict[str, Any],
    what: str,
    must: Must | None,
) -> Iterator[Goal]:
    """Compare the results, then the times: five rounds in turn, this package's with all queries.

    Numpy compares every case, so any query takes it the same time: a dozen of them suffice.
    """
    compared = asked[:: max(1, len(asked) // 12)][:12]
    for query in compared:
        _agree(brute(query, **limits), retrieve(casebase, query, **limits))
    slow: list[float] = []
    fast: list[float] = []
    for _ in range(5):
        slow += [_ms(partial(brute, query, **limits)) for query in compared]
        fast += [_ms(partial(retrieve, casebase, query, **limits)) for query in asked]
    median = statistics.median(fast)
    ratio = statistics.median(slow) / median
    least = must.ratio if must else None
    name = f"{must.name}: {what}" if must else what
    yield Goal(name, least, ratio, "times numpy", ratio >= least if least else None)
    limit = must.ms if must else None
    yield Goal(f"{what}: p50", limit, median, "ms", median < limit if limit else None)
    yield Goal(f"{what}: p99", None, float(np.percentile(fast, 99)), "ms", None)


def _ms(work: Callable[[], object]) -> float:
    began = time.thread_time_ns()
    work()
    return (time.thread_time_ns() - began) / 1e6


class Brute:
    """The numpy way: whole columns in float64."""

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


def _agree(slow: tuple[NDArray[np.int64], NDArray[np.float64]], found: Retrieved) -> None:
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
        _agree((found.ids, theirs), found)
        slow.append(_ms(partial(apply, cases, query_values)))
        fast.append(statistics.median(_ms(partial(retrieve, casebase, query, **TOP)) for _ in range(5)))
    ratio = statistics.median(slow) / statistics.median(fast)
    what = f"G11: top 20 of {label}"
    return Goal(what, CBRKIT, ratio, f"times cbrkit {version('cbrkit')}", ratio >= CBRKIT)


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
