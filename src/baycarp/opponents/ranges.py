"""From a posterior over hand groups to weights of holdings (Unger 2011, figures 5.2b and 6.3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from baycarp.card import Cards, as_cards, text
from baycarp.errors import RangeError
from baycarp.kernels.evidence import weigh_by_label
from baycarp.rules.hand import GROUP_OF, GROUPS, TYPES, hand_types

__all__ = ["GroupsTo", "Pruned", "TopGroups", "Weighted"]

_KNOWN = frozenset(GROUPS)


@dataclass(frozen=True, slots=True)
class TopGroups:
    """The ``count`` most probable groups, every holding of them at weight 1, known cards removed.

    Where known cards leave none of their holdings, the next group is added. Of two groups that are equally
    probable the stronger comes first.

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
            raise RangeError(f"groups {self.count!r}: expected a number of hand groups, 1..{len(GROUPS)}")

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
        return self.weigh(_chances(posterior), known)

    def weigh(self, chances: Sequence[float], known: Cards = ()) -> NDArray[np.float64]:
        """Weigh the holdings, given the probability of each group in order."""
        return _weights(_most_probable(chances), self.count, known)


@dataclass(frozen=True, slots=True)
class GroupsTo:
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

    def __call__(self, posterior: Mapping[str, float], known: Cards = ()) -> NDArray[np.float64]:
        """Weigh the holdings; parameters, result and errors are those of ``TopGroups``."""
        return self.weigh(_chances(posterior), known)

    def weigh(self, chances: Sequence[float], known: Cards = ()) -> NDArray[np.float64]:
        """Weigh the holdings, given the probability of each group in order."""
        groups = _most_probable(chances)
        sums = np.cumsum([chances[group] for group in groups])
        reached = sums >= min(self.share, sums[-1]) - 1e-12
        return _weights(groups, int(reached.argmax()) + 1, known)


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
        shares = [types.get(name, 0.0) for name in TYPES] if types else ()
        return self.weigh(_chances(posterior), shares, board, hole)

    def weigh(
        self, chances: Sequence[float], types: Sequence[float], board: Cards, hole: Cards = ()
    ) -> NDArray[np.float64]:
        """Weigh the holdings, given the probability of each group and of each type in order."""
        table = as_cards(board, "board")
        wide = self.groups.weigh(chances, [*table, *as_cards(hole, "hole")])
        if not types:
            return wide
        ranking = sorted(range(len(TYPES)), key=types.__getitem__, reverse=True)
        sums = np.cumsum([types[kind] for kind in ranking])
        kept = ranking[: int((sums >= min(self.share, sums[-1]) - 1e-12).argmax()) + 1]
        narrow: NDArray[np.float64] = wide * np.isin(hand_types(table), kept)
        return narrow if narrow.any() else wide


@dataclass(frozen=True, slots=True)
class Weighted:
    """Every holding at its posterior probability (``opponents.holdings``): no range at all, but weights."""


def _require_share(of: str, share: float) -> None:
    if not 0 < share <= 1:
        raise RangeError(f"share of {of} {share!r}: expected above 0, at most 1")


def _chances(posterior: Mapping[str, float]) -> list[float]:
    """The probability of each group, in order."""
    for state in posterior.keys() - _KNOWN:
        raise RangeError(f"unknown hand group {state!r}: expected HandGroup1..HandGroup10")
    return [posterior.get(group, 0.0) for group in GROUPS]


def _most_probable(chances: Sequence[float]) -> list[int]:
    """The groups, most probable first."""
    return sorted(range(len(GROUPS)), key=chances.__getitem__, reverse=True)  # stable: equals stay in order


def _weights(groups: list[int], count: int, known: Cards) -> NDArray[np.float64]:
    cards = known if type(known) is tuple else tuple(as_cards(known, "known cards").tolist())
    for last in range(count, len(GROUPS) + 1):
        weights = _holdings(frozenset(groups[:last]), cards)
        if weights is not None:
            return weights
    raise RangeError(f"no holding is left once {text(as_cards(known))} are known")


@lru_cache(maxsize=64)
def _holdings(groups: frozenset[int], known: tuple[int, ...]) -> NDArray[np.float64] | None:
    """The holdings of some groups: one array for all opponents with these groups, whose strength is equal."""
    chosen = np.array([group in groups for group in range(len(GROUPS))], np.float64)
    weights = weigh_by_label(chosen, GROUP_OF, known)
    if weights is not None:
        weights.flags.writeable = False
    return weights
