"""All comparisons of ``baycarp bench kernels``."""

from collections.abc import Iterator

from baycarp.cli.bench.goal import Goal
from rivals import ranks, strengths, sweeps


def goals() -> Iterator[Goal]:
    """Ranks, single hands, and all holdings at once."""
    yield from ranks.goals()
    yield from strengths.goals()
    yield from sweeps.goals()
