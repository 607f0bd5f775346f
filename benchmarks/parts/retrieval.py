"""Exact retrieval on cases of real decisions: ``python -m benchmarks retrieval``.

Times are CPU time. The queries are decisions of fresh hands. For a size above the number of cases, more are
drawn from them; the line reports this. The times by size are the lines "p50" and "p99", or a picture. The
sums over a million cases are measured on cases of the queries' own table, too, where they take longer.

    python -m benchmarks.retrieval_cases FOLDER  # a million flop cases
    python -m benchmarks retrieval --cases FOLDER --picture latency.svg
"""

import time
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from baycarp.arena.decks import HELD_OUT
from baycarp.cases import CaseBase, Situation, retrieve, retrieve_all, totals
from baycarp.cli.options import JSON, count, option, options
from baycarp.draw import drawable
from baycarp.draw.picture import picture
from baycarp.errors import ModelError
from baycarp.strategies.baycarp import SCHEMAS
from baycarp.strategies.model import SHIPPED
from benchmarks.parts.clock import seconds
from benchmarks.parts.goal import Goal, at_most, printing
from benchmarks.parts.rivals import rivals
from benchmarks.parts.sizes import sized
from benchmarks.retrieval_cases import (
    FORMULAS,
    Sessions,
    decisions,
    gathered,
    retrieval_cases,
    table_of,
)

__all__ = ["FLOP", "MODES", "SIZES", "TOP", "add", "goals"]

FLOP = SCHEMAS[1]
TOP: dict[str, Any] = {"at_least": 0.0, "at_most": 20}
ALL: dict[str, Any] = {"at_least": 0.93, "fallback": 0}
"""The 20 most similar; all at or above the flop's threshold."""
MODES = {"top 20": TOP, "97 %": ALL | {"at_least": 0.97}, "93 %": ALL}

SIZES = (30_000, 100_000, 300_000, 1_000_000, 3_000_000)


MILLISECONDS = {(1_000_000, "top 20"): 0.5, (3_000_000, "top 20"): 1.0}
"""The greatest median."""

SUMMED = {1_000_000: 2.0}
"""The greatest 99th percentile of the votes and outcomes of all cases at or above 93 %, in milliseconds."""

OWN = Sessions(table_of(FORMULAS, 1), 10)
"""Sessions of the players of the queries, 9 seconds each: more of their cases are similar to a query than of
the model's, so that the sums take longer."""

add = options(
    JSON,
    option(
        "--cases",
        type=Path,
        default=SHIPPED / "flop.npz",
        help="flop cases: a file, or a folder of benchmarks.retrieval_cases (default: the shipped model's)",
    ),
    option(
        "--picture", type=Path, metavar="FILE", help="draw the times by size, as SVG or PNG by the ending"
    ),
    option("--most", type=count, default=SIZES[-1], help="the largest size"),
)


def goals(args: Namespace) -> Iterator[Goal]:
    """Measure size by size, each five times with all queries."""
    if args.picture:
        drawable(args.picture)
    met, asked, compare = _met(args.cases), questions(), rivals("retrieval")
    sizes = [size for size in SIZES if size <= args.most]
    latency: dict[str, list[tuple[float, float]]] = {mode: [] for mode in MODES}
    for size in sizes:
        casebase, label = sized(met, size)
        for mode, limits in MODES.items():
            works = [partial(retrieve, casebase, query, **limits) for query in asked]
            times = [1e3 * seconds(work) for _ in range(5) for work in works]
            median, slow = np.percentile(times, (50, 99)).tolist()
            latency[mode].append((median, slow))
            must = MILLISECONDS.get((size, mode))
            yield Goal(f"{mode} of {label}: p50", median, "ms", must, met=median < must if must else None)
            yield Goal(f"{mode} of {label}: p99", slow, "ms")
        yield from _sums(casebase, asked, label, SUMMED.get(size))
        yield Goal(f"bytes a case, {label}", casebase.snapshot().nbytes / len(casebase), "bytes")
        began = time.perf_counter()
        retrieve_all(casebase, asked, **TOP)
        rate = len(asked) / (time.perf_counter() - began)
        yield Goal(f"batch, top 20 of {label}, one thread", rate, "queries/s")
        yield from compare(casebase, asked, size, label)
    for size in (size for size in sizes if size in SUMMED and not args.cases.is_dir()):
        casebase, label = sized(_of_own_table(), size)
        yield from _sums(casebase, asked, f"the queries' own table, {label}", SUMMED[size])
    if args.picture and sizes:
        save_latency(latency, sizes, args.picture)


def save_latency(
    times: Mapping[str, Sequence[tuple[float, float]]], sizes: Sequence[int], path: Path
) -> None:
    """Draw the time of queries by the number of cases.

    Parameters
    ----------
    times
        By kind of query, the median and the 99th percentile (dashed) of each size, ms.
    sizes
        Sizes of the case-bases.
    path
        PNG, SVG or PDF by its suffix.
    """
    with picture(path) as axes:
        for kind, both in times.items():
            medians, slow = zip(*both, strict=True)
            (line,) = axes.loglog(sizes, medians, "o-", label=kind)
            axes.loglog(sizes, slow, "o--", color=line.get_color())
        axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
        axes.minorticks_off()
        axes.set(xlabel="cases", ylabel="ms: median, dashed 99th percentile")
        axes.legend()


def _sums(casebase: CaseBase, asked: list[Situation], label: str, must: float | None) -> Iterator[Goal]:
    """The times of sums over all cases at or above 93 %, of votes and outcomes with a goal."""
    for sums, alike, most in ("votes, outcomes", False, must), ("votes, outcomes, similarities", True, None):
        works = (partial(totals, casebase, query, **ALL, similarities=alike) for query in asked)
        median, slow = np.percentile([1e3 * seconds(work) for work in works for _ in range(5)], (50, 99))
        yield Goal(f"{sums} over 93 % of {label}: p50", float(median), "ms")
        what = f"{sums} over 93 % of {label}: p99"
        yield at_most(what, most, float(slow), "ms") if most else Goal(what, float(slow), "ms")


def _of_own_table() -> CaseBase:
    """The cases of ``OWN``."""
    with TemporaryDirectory() as folder:
        return retrieval_cases(OWN, 1, Path(folder))


def _met(path: Path) -> CaseBase:
    """The cases of a file, or of all sessions in a folder."""
    if not path.is_dir():
        return CaseBase.load(path, FLOP)
    parts = sorted(path.glob("cases-*.npz"))
    if not parts:
        raise ModelError(f"{path}: expected sessions of cases, as benchmarks.retrieval_cases writes them")
    return gathered(parts, 1)


def questions(hands: int = 80) -> list[Situation]:
    """The flop decisions of fresh hands of formula players, each from the observation of its player."""
    return [step.case.situation for step in decisions(table_of(FORMULAS, 1), HELD_OUT, hands, (1,))]


run = printing(goals)
