"""The belief about one opponent, which every opponent model has."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.ranges import Range
from baycarp.rules.hand import GROUP_OF, GROUPS, TYPES, hand_types

__all__ = ["LEAST", "NONE", "Belief", "Chances", "belief_of", "mean_types", "short_digest"]

Chances: TypeAlias = NDArray[np.float64]

NONE: Chances = np.empty(0)
"""No probabilities: they are not computed, or there are no hand types yet."""

LEAST = 0.01
"""The least probability of a state that could have been observed."""


@dataclass(frozen=True, slots=True)
class Belief:
    """The posterior about one opponent now.

    Parameters
    ----------
    position, player
        The opponent's position and name.
    evidence
        The observations of it: node -> state.
    group_chances
        Probability of each hand group, in the order of ``GROUPS``; float64, empty where none is computed.
    type_chances
        Probability of each hand type on this street, in the order of ``TYPES``; empty pre-flop.
    weights
        The range that follows: float64, shape (1326,), known cards removed.
    """

    position: int
    player: str
    evidence: dict[str, str]
    group_chances: Chances
    type_chances: Chances
    weights: NDArray[np.float64]

    @property
    def range(self) -> Range:
        """The range with these weights."""
        return Range(self.weights)

    @property
    def groups(self) -> dict[str, float]:
        """Probability of each hand group by name."""
        return dict(zip(GROUPS, self.group_chances.tolist(), strict=False))

    @property
    def types(self) -> dict[str, float]:
        """Probability of each hand type by name; empty pre-flop."""
        return dict(zip(TYPES, self.type_chances.tolist(), strict=False))


def mean_types(beliefs: Mapping[int, Belief]) -> dict[str, float]:
    """The mean of the opponents' hand-type posteriors, likeliest first: what several opponents add up to.

    That the combined runs of the network (Unger 2011, section 5.3.4) are averaged is our choice.
    """
    every = [belief.type_chances for belief in beliefs.values() if len(belief.type_chances)]
    if not every:
        return {}
    mean = (sum(every[1:], every[0]) / len(every)).tolist()
    return dict(sorted(zip(TYPES, mean, strict=True), key=itemgetter(1), reverse=True))


def belief_of(
    opponent: tuple[int, str], evidence: dict[str, str], held: Chances, board: tuple[int, ...]
) -> Belief:
    """The belief that follows from the probability of each holding.

    Parameters
    ----------
    opponent
        Its position and name.
    evidence
        The observations of it.
    held
        float64, shape (1326,), sums to 1; 0 where a known card is needed.
    board
        No card, or three to five ids.
    """
    groups = np.bincount(GROUP_OF, held, minlength=len(GROUPS)).astype(np.float64)
    types = NONE
    if board:
        free = held > 0
        types = np.bincount(hand_types(board)[free], held[free], minlength=len(TYPES)).astype(np.float64)
    return Belief(*opponent, evidence, groups, types, held / held.max())


def short_digest(text: str) -> str:
    """The first 16 hexadecimal digits of the SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
