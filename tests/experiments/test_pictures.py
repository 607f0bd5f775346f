"""Pictures of experiments."""

import pytest

from experiments.pictures import save_learning

pytest.importorskip("matplotlib")


def test_learning_curves_have_a_panel_for_each_measure(tmp_path):
    lines = {"population": [(1.0, 0.1), (1.0, 0.1)], "own model": [(1.5, 0.1), (0.8, 0.1)]}
    path = tmp_path / "new" / "learning.svg"
    save_learning({"holding": lines, "choice": lines}, (0, 1000), path)
    drawn = path.read_text("utf-8")
    assert drawn.count('id="axes_') == 2
    assert drawn.count('id="LineCollection_') == 4 + 2  # the intervals of each line, and the legend
