"""The learner of the page: it learns from observations and rewards alone, and wins from ``call``."""

import re
from pathlib import Path

import numpy as np

from baycarp.arena.measure import interval

PAGE = Path(__file__).resolve().parents[2] / "docs" / "howto" / "environments.md"
HANDS = 20_000
"""Fresh hands of the trained and of the untrained table."""


def test_the_learner_of_the_page_wins_and_the_untrained_one_does_not():
    (source,) = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), flags=re.M | re.S)
    program = source[: source.index("untrained =")]
    assert set(re.findall(r"^(?:from|import) (\w+)", source, flags=re.M)) == {
        "collections",
        "numpy",
        "baycarp",
    }
    names = {}
    exec(program, names)
    env, play = names["env"], names["play"]
    rates = []
    for seed, hands, settings in (
        (3, HANDS, {"explore": 1}),
        (1, 5_000, {"explore": 0.3, "rate": 0.02}),
        (2, HANDS, {"explore": 0}),
    ):
        env.reset(seed=seed)
        rates.append(interval(np.array([*play(hands, **settings)]), unit="bb/h"))
    untrained, _, trained = rates
    assert trained.n == untrained.n == HANDS
    assert untrained.mean + untrained.margin < 0.1
    assert trained.mean - trained.margin > 0.1
