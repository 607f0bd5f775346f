"""From a posterior over hand groups to weights of holdings (Unger 2011, figures 5.2b and 6.3)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.card import Cards, as_cards, text
from baycarp.errors import RangeError, brief
from baycarp.kernels.evidence import weigh_top_labels
from baycarp.rules.hand import GROUP_OF, GROUPS, TYPES, hand_types

__all__ = ["GroupsTo", "Pruned", "RangeRule", "TopGroups", "Weighted"]

_KNOWN = frozenset(GROUPS)


class _ProbableGroups:
    """Every holding of the most probable groups at weight 1, known cards removed.

    Where known cards leave none of their holdings, the next group is added. Of two groups that are equally
    probable the stronger comes first.
    """

    __slots__ = ()

    def counts(self, chances: NDArray[np.float64]) -> list[int]:
        """The number of groups of each player."""
        raise NotImplementedError

    def __call__(self, posterior: Mapping[str, float], known: Cards = ()) -> NDArray[np.float64]:
        """Weigh the holdings.

        Parameters
        ----------
        posterior
            Probability of each state of HandGroup; a state left out has none.
        known
            Cards that the player cannot hold: the board and one's own.

        Returns
        -------
        float64 array, shape (1326,), read-only
            0 or 1.

        Raises
        ------
        RangeError
            A state that is no hand group, or no holding left in any.
        CardError
            An unknown or a duplicate card.
        """
        return self.weigh_all(_chances(posterior), known)[0]

    def weigh_all(self, chances: NDArray[np.float64], known: Cards = ()) -> list[NDArray[np.float64]]:
        """Weigh the holdings of several players, whose groups have these probabilities.

        Parameters
        ----------
        chances
            By player and group in order; float64, shape (players, 10).
        known
            As above.

        Returns
        -------
        A range for each player; players with the same groups share one array.
        """
        weights = weigh_top_labels(chances, self.counts(chances), GROUP_OF, known)
        left = [each for each in weights if each is not None]
        if len(left) < len(weights):
            raise RangeError(f"no holding is left once {text(as_cards(known))} are known")
        for each in left:
            each.flags.writeable = False  # shared
        return left


@dataclass(frozen=True, slots=True)
class TopGroups(_ProbableGroups):
    """The holdings of the ``count`` most probable groups.

    Source: Unger (2011), section 5.3.4: the four most probable.

    Examples
    --------
    >>> weights = TopGroups(1)({"HandGroup1": 0.6, "HandGroup2": 0.4}, known="AsAh")
    >>> int(weights.sum())  # KK, QQ, JJ; of AA one is left, of AKs two
    21
    """

    count: int = 4

    def __post_init__(self) -> None:
        if self.count not in range(1, len(GROUPS) + 1):
            raise RangeError(
                f"groups {brief(self.count)}: expected a number of hand groups, 1..{len(GROUPS)}"
            )

    def counts(self, chances: NDArray[np.float64]) -> list[int]:
        """The same number of each player."""
        return [self.count] * len(chances)


@dataclass(frozen=True, slots=True)
class GroupsTo(_ProbableGroups):
    """As ``TopGroups``, but as many groups as it takes for their probabilities to sum to ``share``.

    Source: Unger (2011), sections 5.3.4 and 8.1.1: its own proposal.

    Examples
    --------
    >>> weights = GroupsTo(0.75)({"HandGroup1": 0.8, "HandGroup2": 0.2})
    >>> int(weights.sum())  # AA, KK, QQ, JJ and AKs
    28
    """

    share: float = 0.75

    def __post_init__(self) -> None:
        _require_share("groups", self.share)

    def counts(self, chances: NDArray[np.float64]) -> list[int]:
        """As many of each player as it takes."""
        sums = np.cumsum(-np.sort(-chances, axis=1), axis=1)
        reached = sums >= np.minimum(self.share, sums[:, -1:]) - 1e-12
        counts: list[int] = (reached.argmax(axis=1) + 1).tolist()
        return counts


@dataclass(frozen=True, slots=True)
class Pruned:
    """The holdings of the chosen groups that make one of the most probable hand types.

    Before the flop, and where no holding would be left, the groups alone.

    Parameters
    ----------
    groups
        How hand groups become a range.
    share
        As many of the most probable types count as it takes for their probabilities to sum to it.

    Source: Unger (2011), sections 8.1.3 and 9.1, which would refine the range by the types; the share is our
    choice.

    Examples
    --------
    >>> busted = {"Busted": 0.2, "AcePairStrong": 0.8}
    >>> weights = Pruned(TopGroups(1), 0.75)({"HandGroup1": 1.0}, "As7d2c", busted)
    >>> int(weights.sum())  # three of AK suited; AA has three aces by now
    3
    """

    groups: TopGroups | GroupsTo = TopGroups()
    share: float = 0.9

    def __post_init__(self) -> None:
        _require_share("types", self.share)

    def __call__(
        self, posterior: Mapping[str, float], board: Cards, types: Mapping[str, float], hole: Cards = ()
    ) -> NDArray[np.float64]:
        """Weigh the holdings: 0 or 1; ``types`` are the probabilities of the hand types, empty pre-flop."""
        shares = np.array([[types.get(name, 0.0) for name in TYPES]] if types else [[]])
        return self.weigh_all(_chances(posterior), shares, board, hole)[0]

    def weigh_all(
        self, chances: NDArray[np.float64], types: NDArray[np.float64], board: Cards, hole: Cards = ()
    ) -> list[NDArray[np.float64]]:
        """Weigh the holdings of several players, given the probabilities of their groups and of their types.

        Parameters
        ----------
        chances, types
            By player, and by group or type in order; float64, shapes (players, 10) and (players, 17). Before
            the flop there are no types: shape (players, 0).
        board, hole
            As above.
        """
        table = as_cards(board, "board")
        wide = self.groups.weigh_all(chances, [*table, *as_cards(hole, "hole")])
        if not types.size:
            return wide
        return [self._pruned(*each, hand_types(table)) for each in zip(wide, types, strict=True)]

    def _pruned(
        self, wide: NDArray[np.float64], types: NDArray[np.float64], type_of: NDArray[np.uint8]
    ) -> NDArray[np.float64]:
        """The holdings of the most probable types; all of them where none would be left."""
        ranking = np.argsort(-types, kind="stable")
        sums = np.cumsum(types[ranking])
        kept = ranking[: int((sums >= min(self.share, sums[-1]) - 1e-12).argmax()) + 1]
        narrow: NDArray[np.float64] = wide * np.isin(type_of, kept)
        return narrow if narrow.any() else wide


@dataclass(frozen=True, slots=True)
class Weighted:
    """Every holding at its posterior probability (``network.holdings``): no range at all, but weights."""


RangeRule: TypeAlias = TopGroups | GroupsTo | Pruned | Weighted
"""How the posterior becomes a range."""


def _require_share(of: str, share: float) -> None:
    if not 0 < share <= 1:
        raise RangeError(f"share of {of} {brief(share)}: expected above 0, at most 1")


def _chances(posterior: Mapping[str, float]) -> NDArray[np.float64]:
    """The probability of each group, in order, of one player; shape (1, 10)."""
    for state in posterior.keys() - _KNOWN:
        raise RangeError(f"unknown hand group {brief(state)}: expected HandGroup1..HandGroup10")
    return np.array([[posterior.get(group, 0.0) for group in GROUPS]])
