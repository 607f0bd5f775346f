"""The compiled kernels beside their baselines and peers: ``baycarp bench kernels``.

Every part compares answers first, then times both sides in turn, in this process. A peer that is not
installed has no line; nor has the comparison with the definitions, which are in no wheel: they are built by
``pip install -C cmake.define.BAYCARP_REFERENCE=ON .``.
"""

from collections.abc import Callable, Iterator

from baycarp.cli.bench import lookups, ranking, strengths, sweeps
from baycarp.cli.bench.goal import Goal

__all__ = ["PARTS", "goals"]

PARTS: tuple[Callable[[], Iterator[Goal]], ...] = (
    ranking.goals,
    strengths.goals,
    sweeps.goals,
    lookups.goals,
)
"""What measures which kernels, in the order of their goals."""


def goals() -> Iterator[Goal]:
    """Measure part by part."""
    for part in PARTS:
        yield from part()
