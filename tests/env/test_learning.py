"""The learner of the page: it learns from observations and rewards alone, and wins from ``call``."""

import re
from pathlib import Path

import numpy as np
import pytest

from baycarp.arena.measure import interval

PAGE = Path(__file__).resolve().parents[2] / "docs" / "howto" / "environments.md"
TRAINING = 5_000


@pytest.mark.parametrize("fresh", [2_000, pytest.param(20_000, marks=pytest.mark.slow)])
def test_the_learner_of_the_page_wins_and_the_untrained_one_does_not(fresh):
    """More than 0.1 big blinds a hand at 95 %, on hands that it has not seen."""
    (source,) = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), flags=re.M | re.S)
    assert set(re.findall(r"^(?:from|import) (\w+)", source, flags=re.M)) == {
        "collections",
        "numpy",
        "baycarp",
    }
    names = {}
    exec(source[: source.index("untrained =")], names)  # without its own hands, which take longer

    def rate(seed, hands, **settings):
        names["env"].reset(seed=seed)
        return interval(np.array([*names["play"](hands, **settings)]), unit="bb/h")

    untrained = rate(3, fresh, explore=1)
    rate(1, TRAINING, explore=0.3, rate=0.02)
    trained = rate(2, fresh, explore=0)
    assert trained.n == untrained.n == fresh
    assert trained.mean - trained.margin > 0.1 > untrained.mean
