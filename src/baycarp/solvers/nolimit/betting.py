"""The betting of an abstract no-limit game for two as arrays: fold, call, half pot, pot, all-in.

A bet that would put in most of the stack does not exist, all-in stands for it. So the stacks alone end the
betting, and raises need no cap.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import VariantError
from baycarp.game import Action, Variant
from baycarp.game.state import State
from baycarp.rules.betting.sizes import CALL, FCHPA, FOLD, BetRange

__all__ = ["COMMITTED", "BettingTree", "betting_tree", "choices"]

COMMITTED = 2 / 3
"""Bets of at least this share of the stack beyond the call are all-in (our choice)."""

MOST_NODES = 1 << 19
"""Decisions of a game, at most; 100 big blinds have 36,080."""


@dataclass(frozen=True, slots=True, eq=False)
class BettingTree:
    """The betting of a game for two: nodes, the edges of their actions, and ends.

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
        >>> tree = betting_tree(Variant.load("holdem.nolimit.2p.100bb"))
        >>> len(tree.actors), tree.actions(tree.node("pp"))
        (36080, {'f': -15, 'c': 49, 'h': 50, 'p': 51, 'a': 52})
        """
        node = 0
        for letter in letters:
            node = self.actions(node).get(letter, -1)
            if node < 0:
                raise VariantError(f"letters {letters!r:.80}: expected a decision of {self.variant.name}")
        return node


def choices(state: State) -> dict[str, Action]:
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
def betting_tree(variant: Variant) -> BettingTree:
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
    states, edges, letters = [State(variant)], [0], list[str]()
    children, chips, folded = list[int](), list[float](), list[int]()
    for state in states:  # grows
        for letter, action in choices(state).items():
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
    return BettingTree(
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
