"""Estimates of what a hand was worth with some of its luck taken out."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from baycarp.game.state import State

__all__ = ["ESTIMATORS", "Estimator"]

Policies = Sequence[Mapping[str, float] | None]

Estimator = Callable[[State, Policies, tuple[int, int, int]], NDArray[np.float64]]
"""Of a finished hand with all its cards, the policy behind every act, and what its deck belongs to (seed,
session, hand): chips by position."""

ESTIMATORS: dict[str, Estimator] = {}
