"""CMA-ES (Hansen 2016): the only module that imports ``cma`` (the extra ``tune``)."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["Losses", "evolve"]

Losses: TypeAlias = Callable[[int, Sequence[NDArray[np.float64]]], Sequence[float]]
"""A generation's number and its points -> what each loses."""


def evolve(
    losses: Losses, dimensions: int, generations: int, seed: int, spread: float = 0.3, bound: float = 3.0
) -> Iterator[float]:
    """Search for the point of least loss, beginning at 0; yields the least loss after each generation.

    The points depend on the seed and on the values of earlier ones, on nothing else: a
    search that is given the same values again, from a journal, say, goes on as if nothing had happened.

    Parameters
    ----------
    losses
        Called once a generation.
    dimensions
        Of a point, 2 or more.
    generations
        At most; the search may converge before that.
    seed
        Fixes every draw; the global generator is left alone.
    spread
        The standard deviation of the first generation in each dimension.
    bound
        No coordinate is ever farther from 0.

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
        raise ImportError("tuning needs CMA-ES: pip install 'baycarp[tune]'") from error
    random = np.random.default_rng(seed)
    options = {
        "randn": lambda *shape: random.standard_normal(shape),
        "seed": np.nan,
        "bounds": [-bound, bound],
        "verbose": -9,
        "verb_log": 0,
        "signals_filename": "",
    }
    search, least = CMAEvolutionStrategy(np.zeros(dimensions), spread, options), np.inf
    for number in range(generations):
        if search.stop():
            return
        points = search.ask()
        values = [float(loss) for loss in losses(number, points)]
        search.tell(points, values)
        yield (least := min(least, *values))
