"""Exact retrieval beside brute force in numpy: one group a size and mode, answers compared first.

A round is 20 queries. The cases are synthetic (tests/reference/retrieval.py), clumped as real ones are.
"""

from functools import cache

import numpy as np
import pytest
from reference.retrieval import FLOP, casebase, queries

from baycarp.cases import retrieve
from benchmarks.rivals.retrieval import Brute

SIZES = [30_000, 300_000, pytest.param(1_000_000, marks=pytest.mark.slow)]
MODES = {"top 20": {"at_least": 0.0, "at_most": 20}, "93 %": {"at_least": 0.93, "fallback": 0}}
ASKED = 20


@cache
def prepared(n):
    base = casebase(n)
    return base, Brute(base)


def agree(n, limits):
    """The same similarities to 1e-12, and the same cases but for those within 1e-12 of the limit."""
    base, brute = prepared(n)
    for query in map(FLOP.situation, queries(ASKED, seed=99)):
        found = retrieve(base, query, **limits)
        rows, similarities = brute(query, **limits)
        assert len(rows) == len(found)
        assert np.allclose(np.sort(similarities)[::-1], found.similarities, rtol=0, atol=1e-12)
        assert found.scored < found.stored


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("way", ["numpy float64 brute", "baycarp", "baycarp, scan"])
def test_retrieval(benchmark, n, mode, way):
    agree(n, MODES[mode])
    base, brute = prepared(n)
    asked = [FLOP.situation(query) for query in queries(ASKED, seed=99)]
    if way == "baycarp, scan":
        base = casebase(n, indexed=False)
    benchmark.group = f"{ASKED} queries, {n:,} cases, {mode}"
    benchmark.extra_info["scored"] = float(
        np.mean([retrieve(base, q, **MODES[mode]).scored / n for q in asked])
    )
    if way.startswith("numpy"):
        benchmark.pedantic(lambda: [brute(q, **MODES[mode]) for q in asked], rounds=3)
    else:
        benchmark.pedantic(
            lambda: [retrieve(base, q, **MODES[mode]) for q in asked], rounds=15, warmup_rounds=1
        )


@pytest.mark.parametrize("n", SIZES)
def test_index(benchmark, n):
    benchmark.group = f"index of {n:,} cases"
    benchmark.pedantic(casebase, (n,), rounds=1)
