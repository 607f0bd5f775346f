"""All comparisons of ``python -m benchmarks kernels``."""

from collections.abc import Iterator

from benchmarks.parts.goal import Goal
from benchmarks.rivals import ranks, strengths, sweeps


def goals() -> Iterator[Goal]:
    """Ranks, single hands, and all holdings at once."""
    yield from ranks.goals()
    yield from strengths.goals()
    yield from sweeps.goals()
