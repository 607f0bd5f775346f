"""Spreads count every case once; drift against scipy and against sampling noise."""

import numpy as np
import pytest
from reference.retrieval import FLOP, casebase, draw

from baycarp.cases import Spread, drift, spreads
from baycarp.errors import SchemaError


def test_every_case_is_in_one_bin_of_each_column():
    parts = [casebase(n, seed=n, indexed=False).columns() for n in (400, 90)]
    by_column = {spread.column: spread for spread in spreads(FLOP, parts)}
    assert set(by_column) == {*FLOP.columns, "solution", "outcome"}
    for spread in by_column.values():
        assert spread.counts.sum(1).tolist() == [400, 90]
        assert spread.counts.shape == (2, len(spread.bins))
    committed = by_column["bets committed"]  # few values: a bin for each
    values, counts = np.unique(parts[0]["numbers"][4], return_counts=True)
    assert committed.bins == tuple(f"{value:.3g}" for value in values)
    assert committed.counts[0].tolist() == counts.tolist()
    strength, cut = by_column["relative hand strength"], float
    lows = [cut(name.removesuffix("..")) for name in strength.bins]
    assert len(lows) == 10
    assert lows == sorted(lows)
    for low, high, count in zip(lows, [*lows[1:], 2.0], strength.counts[0], strict=True):
        held = parts[0]["numbers"][8]
        assert abs(((held >= low) & (held < high)).sum() - count) <= 0.1 * len(held)  # names are rounded
    kinds = by_column["opponent hand type 1"]
    assert kinds.bins[-1] == "-"
    assert kinds.counts[0, 3] == (parts[0]["codes"][0] == 3).sum()
    assert by_column["opponent hand type 3"].counts[0, -1] == (parts[0]["codes"][2] == 255).sum()
    assert (
        by_column["solution"].counts[1].tolist() == np.bincount(parts[1]["solutions"], minlength=5).tolist()
    )


def test_divergence_equals_scipy():
    distance = pytest.importorskip("scipy.spatial.distance")
    rng = np.random.default_rng(1)
    for _ in range(50):
        counts = rng.integers(0, 9, (2, 7))
        counts[:, 0] += 1
        drifted = drift(Spread("x", tuple("abcdefg"), counts))
        assert drifted.divergence == pytest.approx(distance.jensenshannon(*counts, base=2) ** 2, abs=1e-12)
        p, q = ((part + 0.5) / (part + 0.5).sum() for part in counts[:, counts.sum(0) > 0])
        index = sum((a - b) * np.log(a / b) for a, b in zip(p, q, strict=True))
        assert drifted.stability == pytest.approx(index)


def test_chance_is_the_mean_divergence_of_two_samples_of_one_distribution():
    rng, shares = np.random.default_rng(2), [0.4, 0.3, 0.2, 0.1]
    drifts = [
        drift(Spread("x", tuple("abcd"), np.stack([rng.multinomial(n, shares) for n in (300, 500)])))
        for _ in range(2000)
    ]
    assert np.mean([each.divergence for each in drifts]) == pytest.approx(drifts[0].chance, rel=0.08)


def test_the_column_that_drifted_has_the_largest_divergence():
    one, other = draw(3000, seed=1), draw(3000, seed=2)
    other["numbers"][8] = np.sqrt(other["numbers"][8])  # stronger hands
    drifts = {s.column: drift(s) for s in spreads(FLOP, [c | {"ids": np.arange(3000)} for c in (one, other)])}
    assert max(drifts, key=lambda column: drifts[column].divergence) == "relative hand strength"
    assert drifts["relative hand strength"].stability > 0.25
    assert all(d.divergence < 4 * d.chance for name, d in drifts.items() if name != "relative hand strength")


def test_drift_needs_cases_in_both_parts():
    with pytest.raises(SchemaError, match="at least one"):
        spreads(FLOP, [casebase(0).columns()])
    with pytest.raises(SchemaError, match="expected two"):
        drift(spreads(FLOP, [casebase(5, indexed=False).columns()])[0])
    with pytest.raises(SchemaError, match="expected two"):
        drift(Spread("x", ("a",), np.array([[3], [0]])))
