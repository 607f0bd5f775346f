"""Bet sizes found from data: each stands for at least a share of all bets.

Source: van der Kleij (2010), section 7.2.2: sizes that are rare leave a model without data, and one size for
all large bets treats twice the pot and sixty times the pot alike. He proposes an algorithm that finds sizes
with a least share of the data each; this one is ours: the partition of the bets, by proportion of the pot
after the call, with the least squared distance of logarithms within its parts.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ArgumentError
from baycarp.game.notation.hand import Hand, replay
from baycarp.opponents.moves.tree_policy import MoveRows
from baycarp.rules.betting.sizes import BetRange, Sizes, bets, hard
from baycarp.rules.features import MOVES
from experiments.players.choices import choices_of

__all__ = ["MOST", "SizedChoices", "find_sizes", "sized_choices"]

Array = NDArray[np.float64]

LETTERS = "abdeghi"
"""The names of found sizes, ascending."""

MOST = len(LETTERS)
"""Sizes, at most: as many as the moves of ``rules.features`` have, so that every model of them fits."""

GRID = 50
"""Steps of a logarithm: proportions that differ by less than 2 % may count as equal."""


def find_sizes(proportions: Array, least: float = 0.05, most: int = MOST) -> Sizes:
    """The sizes that stand for bets.

    Parameters
    ----------
    proportions
        Of the pot after the call, above 0; at least one.
    least
        The share of the bets that each size has at least, above 0 up to 1.
    most
        The greatest number of sizes, 1 to 7; there are fewer where shares do not allow it.

    Returns
    -------
    Sizes
        Each at the geometric mean of its bets, to four decimals; no letter for the least bet or all-in.

    Raises
    ------
    ArgumentError
        No proportion, one that is not a finite number above 0, or a setting out of its range.

    Examples
    --------
    >>> find_sizes(np.array([0.5] * 60 + [1.0] * 35 + [2.0, 40.0, 50.0, 50.0, 60.0])).proportions
    (('a', 0.5), ('b', 1.0), ('d', 26.0517))
    """
    good = len(proportions) and np.isfinite(proportions).all() and (proportions > 0).all()
    if not good or not 0 < least <= 1 or not 1 <= most <= MOST:
        raise ArgumentError(
            f"{len(proportions)} proportions, least {least}, most {most}: "
            f"expected finite ones above 0, a share above 0 up to 1, and 1 to {MOST} sizes"
        )
    logarithms = np.log(proportions)
    steps, place = np.unique(np.round(logarithms * GRID), return_inverse=True)
    sums = [np.bincount(place, logarithms**power, len(steps)) for power in (0, 1, 2)]
    count, first, second = (np.concatenate([[0.0], np.cumsum(each)]) for each in sums)
    ends = _partition((count, first, second), least * len(proportions), most)
    means = [(first[b] - first[a]) / (count[b] - count[a]) for a, b in pairwise(ends)]
    return Sizes(tuple(zip(LETTERS, np.exp(means).round(4).tolist(), strict=False)))


def _partition(sums: tuple[Array, Array, Array], least: float, most: int) -> list[int]:
    """The ends of the parts, from 0, of the best partition into the most parts that have ``least`` each."""
    count, first, second = sums
    places = len(count)
    below, above = np.meshgrid(np.arange(places), np.arange(places), indexing="ij")
    held = count[above] - count[below]
    wide = np.where(held > 0, held, 1.0)
    cost = second[above] - second[below] - (first[above] - first[below]) ** 2 / wide
    cost[(below >= above) | (held < least - 1e-9)] = np.inf
    totals, before = cost[0], list[NDArray[np.intp]]()
    for _ in range(most - 1):
        longer = totals[:, None] + cost
        if not np.isfinite(longer[:, -1]).any():
            break
        before.append(longer.argmin(axis=0))
        totals = longer.min(axis=0)
    ends = [places - 1]
    for starts in reversed(before):
        ends.append(int(starts[ends[-1]]))
    return [0, *reversed(ends)]


@dataclass(frozen=True, slots=True)
class SizedChoices:
    """The bets and raises among decisions.

    Parameters
    ----------
    choices
        Bets and raises alone; their moves by ``rules.betting.sizes.KLEIJ``.
    proportions
        Of the pot after the call: shape (n,).
    legal
        The bets that the rules allow at each.
    """

    choices: MoveRows
    proportions: Array
    legal: tuple[BetRange, ...]

    def __len__(self) -> int:
        return len(self.proportions)

    def by(self, sizes: Sizes) -> MoveRows:
        """The same with the moves of other sizes, the nearest by ratio: 2 = the least one.

        Raises
        ------
        ArgumentError
            More sizes than there are moves.
        """
        letters = sizes.letters
        if len(letters) > len(MOVES) - 2:
            raise ArgumentError(f"{len(letters)} sizes: expected at most {len(MOVES) - 2}")
        moves = [
            2 + letters.index(next(iter(sizes.shares(proportion, legal, hard))))
            for proportion, legal in zip(self.proportions.tolist(), self.legal, strict=True)
        ]
        return replace(self.choices, moves=np.array(moves, np.int8))


def sized_choices(hands: Iterable[Hand]) -> SizedChoices:
    """The bets and raises of recorded no-limit hands, with their features.

    Raises
    ------
    ArgumentError
        No decision, or a hand without names.
    VariantError
        A fixed-limit game.
    """
    played = list(hands)
    choices, _ = choices_of(played)
    found = [(legal.proportion(act.action), legal) for hand in played for act, legal in bets(replay(hand))]
    proportions = np.array([proportion for proportion, _ in found])
    return SizedChoices(choices[choices.moves >= 2], proportions, tuple(legal for _, legal in found))
