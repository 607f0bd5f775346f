"""The betting of an abstract no-limit game for two as arrays: fold, call, half pot, pot, all-in.

A bet that would put in most of the stack does not exist, all-in stands for it. So the stacks alone end the
betting, and raises need no cap.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import VariantError
from baycarp.game import Action, Variant
from baycarp.game.state import State
from baycarp.rules.betting.sizes import CALL, FCHPA, FOLD, BetRange

__all__ = ["COMMITTED", "NoLimitBetting", "nolimit_betting", "sized_actions"]

COMMITTED = 2 / 3
"""Bets of at least this share of the stack beyond the call are all-in (our choice)."""

MOST_NODES = 1 << 19
"""Decisions of a game, at most; 100 big blinds have 36,080."""


@dataclass(frozen=True, slots=True, eq=False)
class NoLimitBetting:
    """The betting of a game for two: nodes, the edges of their actions, ends; a ``solution.BettingGame``.

    Parameters
    ----------
    variant
        The game.
    edges
        int32, shape (nodes + 1,): the edges of a node are ``edges[node]`` to ``edges[node + 1] - 1``. A node
        stands after its parent, the first one first.
    letters
        By edge: a letter of ``rules.betting.sizes``; fold and call first, then bets, ascending.
    children
        int32, by edge: a node, or -1 - end.
    actors, streets
        uint8, by node: the position to act, and the street.
    chips
        float32, by end: what the loser pays, in big blinds.
    folded
        int8, by end: the position that folded, -1 at a showdown.
    """

    variant: Variant
    edges: NDArray[np.int32]
    letters: str
    children: NDArray[np.int32]
    actors: NDArray[np.uint8]
    streets: NDArray[np.uint8]
    chips: NDArray[np.float32]
    folded: NDArray[np.int8]

    @property
    def about(self) -> str:
        """The games with this betting, in words."""
        return f"the blinds and stacks of {self.variant.name}, in any chips"

    def fits(self, variant: Variant) -> bool:
        """Whether a game has these blinds, antes and stacks, in big blinds."""
        return _in_big_blinds(variant) == _in_big_blinds(self.variant)

    def choices(self, betting: str) -> tuple[str, ...]:
        """The letters of a decision."""
        return tuple(self.actions(self.node(betting)))

    def blocks(self, counts: Sequence[int]) -> list[tuple[int, int, int]]:
        """A block a node: buckets, actions, 1."""
        rows = np.array(counts)[self.streets].tolist()
        return [(n, k, 1) for n, k in zip(rows, np.diff(self.edges).tolist(), strict=True)]

    def cells(self, betting: str, counts: Sequence[int]) -> NDArray[np.int64]:
        """The cells of a decision by bucket and action."""
        node = self.node(betting)
        first, end = _cell_ranges(self, tuple(counts))[node : node + 2].tolist()
        return np.arange(first, end).reshape(counts[self.streets[node]], -1)

    def actions(self, node: int) -> dict[str, int]:
        """The letters of a node, and what follows each: a node, or -1 - end."""
        first, end = self.edges[node : node + 2].tolist()
        return dict(zip(self.letters[first:end], self.children[first:end].tolist(), strict=True))

    def node(self, letters: str) -> int:
        """The decision after these letters.

        Raises
        ------
        VariantError
            No decision of the game.

        Examples
        --------
        >>> tree = nolimit_betting(Variant.load("holdem.nolimit.2p.100bb"))
        >>> len(tree.actors), tree.actions(tree.node("pp"))
        (36080, {'f': -15, 'c': 49, 'h': 50, 'p': 51, 'a': 52})
        """
        node = 0
        for letter in letters:
            node = self.actions(node).get(letter, -1)
            if node < 0:
                raise VariantError(f"letters {letters!r:.80}: expected a decision of {self.variant.name}")
        return node


@lru_cache(maxsize=4)
def _cell_ranges(betting: NoLimitBetting, counts: tuple[int, ...]) -> NDArray[np.int64]:
    """The first cell of every node, and the end of the last one's."""
    return np.cumsum([0, *(np.array(counts)[betting.streets] * np.diff(betting.edges)).tolist()])


def _in_big_blinds(variant: Variant) -> tuple[object, ...]:
    chips = (*variant.blinds, *variant.antes, *(variant.stacks or ()))
    amounts = tuple(chip / variant.big_blind for chip in chips)
    return variant.betting, variant.seats, variant.first, variant.max_raises, amounts


def sized_actions(state: State) -> dict[str, Action]:
    """The actions of the abstract game at a decision, by letter."""
    found = {
        FOLD if action.name == "fold" else CALL: action
        for action in state.legal_actions()
        if action.name in ("fold", "check", "call")
    }
    legal = BetRange.of(state)
    if legal is None:
        return found
    for letter, action in FCHPA.actions(legal).items():
        if action.amount - legal.level < COMMITTED * legal.most:
            found[letter] = action
    return found | {FCHPA.all_in: legal.action(legal.most)}


@lru_cache(maxsize=4)
def nolimit_betting(variant: Variant) -> NoLimitBetting:
    """The betting of a game.

    Raises
    ------
    VariantError
        Not no-limit for two, or more than ``MOST_NODES`` decisions.
    """
    if variant.betting != "no-limit" or variant.seats != 2:
        raise VariantError(
            f"{variant.name} ({variant.betting}, {variant.seats} seats): expected no-limit, 2 seats"
        )
    states = [State(variant)]
    edges = [0]
    letters: list[str] = []
    children: list[int] = []
    chips: list[float] = []
    folded: list[int] = []
    for state in states:  # grows
        for letter, action in sized_actions(state).items():
            after = state.copy()
            after.apply(action)
            letters.append(letter)
            if not after.is_over:
                children.append(len(states))
                states.append(after)
                continue
            chips.append(min(after.committed) / variant.big_blind)
            folded.append(_actor(state) if letter == FOLD else -1)
            children.append(-len(chips))
        edges.append(len(letters))
        if len(states) > MOST_NODES:
            raise VariantError(f"{variant.name}: expected at most {MOST_NODES} decisions of its betting")
    return NoLimitBetting(
        variant,
        np.array(edges, np.int32),
        "".join(letters),
        np.array(children, np.int32),
        np.array([_actor(state) for state in states], np.uint8),
        np.array([state.street for state in states], np.uint8),
        np.array(chips, np.float32),
        np.array(folded, np.int8),
    )


def _actor(state: State) -> int:
    assert state.to_act is not None
    return state.to_act
