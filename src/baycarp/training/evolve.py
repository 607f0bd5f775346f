"""CMA-ES (Hansen 2016): the only module that imports ``cma`` (the extra ``tune``)."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.kernels.arguments import seeded

__all__ = ["Losses", "evolve"]

Losses: TypeAlias = Callable[[int, Sequence[NDArray[np.float64]]], Sequence[float]]
"""From a generation's number and its points to their losses."""


SPREAD = 0.3
"""The standard deviation of the first generation in each dimension."""

BOUND = 3.0
"""The greatest absolute value of a coordinate."""


def evolve(losses: Losses, dimensions: int, generations: int, seed: int) -> Iterator[float]:
    """Search for the point of least loss, starting at 0; yields the least loss after each generation.

    The points depend only on the seed and on the losses of earlier points: a search with the same losses,
    from a journal, say, has the same points.

    Parameters
    ----------
    losses
        Called once a generation.
    dimensions
        The dimensions of a point, 2 or more.
    generations
        The greatest number; the search may converge before that.
    seed
        Fixes every draw; the global generator is not used.

    Raises
    ------
    ImportError
        ``cma`` is not installed.

    Examples
    --------
    >>> least = list(evolve(lambda number, points: [((x - 1) ** 2).sum() for x in points], 2, 40, seed=1))
    >>> least[0] > 0.1, least[-1] < 1e-6
    (True, True)
    """
    try:
        from cma import CMAEvolutionStrategy
    except ImportError as error:
        raise ImportError(
            "tuning needs CMA-ES: pip install 'baycarp[tune]' (in a clone '.[tune]')"
        ) from error
    random = seeded(seed)
    options = {
        "randn": lambda *shape: random.standard_normal(shape),
        "seed": np.nan,
        "bounds": [-BOUND, BOUND],
        "verbose": -9,
        "verb_log": 0,
        "signals_filename": "",
    }
    search, least = CMAEvolutionStrategy(np.zeros(dimensions), SPREAD, options), np.inf
    for number in range(generations):
        if search.stop():
            return
        points = search.ask()
        values = [float(loss) for loss in losses(number, points)]
        search.tell(points, values)
        yield (least := min(least, *values))
