"""Decisions that fall back to far cases, by table size and street, on sessions that no model is made from."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.decks import HELD_OUT, numbers
from baycarp.cases import Settled, retrieve_all
from baycarp.strategies.model import Model
from baycarp.training.curriculum import Curriculum
from experiments.recipes.retrieval_cases import decisions

__all__ = ["SESSION", "Starved", "fallbacks", "interval", "starvation_by_seats"]

SESSION = 100
"""Hands of a session, at most: the players change with each."""

Z = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True)
class Starved:
    """The decisions of one street at one table size.

    Parameters
    ----------
    seats, base
        The size, and the case-base.
    asked, fell_back
        Decisions, and those of them that no case is near enough to.
    low, high
        The 95 % interval of the share (``interval``).
    """

    seats: int
    base: str
    asked: int
    fell_back: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """The share that fell back; nan without a decision."""
        return self.fell_back / self.asked if self.asked else float("nan")


def interval(fell_back: NDArray[np.bool_], clusters: NDArray[np.int64]) -> tuple[float, float]:
    """The 95 % interval of a share whose decisions come in clusters.

    Wilson's interval for the number of independent decisions that has the variance of the clustered ones
    (Kish 1965); never of more decisions than there are.

    Parameters
    ----------
    fell_back
        bool, shape (n,): by decision.
    clusters
        int64, shape (n,): the hand of each.

    Returns
    -------
    tuple of float
        Lower and upper end, 0..1; 0 and 1 without a decision.

    Examples
    --------
    >>> low, high = interval(np.zeros(100, bool), np.arange(100))
    >>> print(f"{low:.3f} {high:.3f}")
    0.000 0.037
    """
    n, share = len(fell_back), float(np.mean(fell_back)) if len(fell_back) else 0.0
    if not n:
        return 0.0, 1.0
    _, hand = np.unique(clusters, return_inverse=True)
    excess = np.bincount(hand, fell_back - share)
    plain, count = n * share * (1 - share), max(2, len(excess))
    design = float(excess @ excess) * count / (count - 1) / plain if plain else 1.0
    n_eff = n / max(1.0, design)
    middle, width = (
        share + Z**2 / (2 * n_eff),
        Z * np.sqrt(share * (1 - share) / n_eff + Z**2 / (4 * n_eff**2)),
    )
    whole = 1 + Z**2 / n_eff
    return max(0.0, float((middle - width) / whole)), min(1.0, float((middle + width) / whole))


def fallbacks(model: Model, steps: Sequence[Settled], base: str) -> NDArray[np.bool_]:
    """By decision of a case-base, whether no case of the model is near enough; bool, shape (n,)."""
    asked = [step.case.situation for step in steps if step.base == base]
    found = retrieve_all(model.casebases[base], asked, at_most=1, fallback=0)
    return np.array([len(each) == 0 for each in found], bool)


def starvation_by_seats(
    model: Model,
    curriculum: Curriculum,
    hands: int,
    tick: Callable[[int], None] = lambda played: None,
) -> Iterator[Starved]:
    """Play held-out sessions at each size, and query the model with every decision of every player.

    Queries are described as the model's cases are; their beliefs start afresh with each session.

    Parameters
    ----------
    model
        With cases.
    curriculum
        The sizes, players and seed; its shares do not matter.
    hands
        Hands at each size, in sessions of at most ``SESSION``.
    tick
        Receives the number of hands played.
    """
    count, played = -(-hands // SESSION), 0
    for seats in curriculum.seats:
        of_size = Curriculum({seats: 1}, curriculum.seed, curriculum.players)
        steps: list[Settled] = []
        for number in numbers(HELD_OUT, count):
            each = -(-hands // count)
            steps += decisions(of_size.table(number), number, each, model=model)
            tick(played := played + each)
        asked = {step.base for step in steps}
        for base in filter(asked.__contains__, model.casebases):
            fell_back = fallbacks(model, steps, base)
            hand = np.array([step.case.provenance["hand"] for step in steps if step.base == base], np.int64)
            low, high = interval(fell_back, hand)
            yield Starved(seats, base, len(fell_back), int(fell_back.sum()), low, high)
