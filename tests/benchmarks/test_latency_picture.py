"""The picture of the benchmark of retrieval."""

import pytest

from benchmarks.parts.retrieval import save_latency

pytest.importorskip("matplotlib")


def test_latencies_have_lines_for_the_median_and_the_99th_percentile(tmp_path):
    path = tmp_path / "new" / "latency.svg"
    save_latency({"top 20": [(0.1, 0.2), (0.3, 0.9)], "93 %": [(0.2, 1), (0.5, 2)]}, (1000, 30_000), path)
    drawn = path.read_text("utf-8")
    assert drawn.count("stroke-dasharray") == 2
    assert all(text in drawn for text in ("30,000", "top 20", "93 %"))
