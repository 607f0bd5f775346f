"""The betting of heads-up fixed limit as one tree, and a table player's policies at all its decisions."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import ClassPolicies
from baycarp.agents.cases.classes import checked_policies
from baycarp.errors import TableError
from baycarp.game import State, Variant
from baycarp.rules.betting.context import FOLD_CALL_RAISE

__all__ = ["BettingTree", "ClassTable", "End", "Node", "betting_tree"]


@dataclass(frozen=True, slots=True)
class Node:
    """A decision.

    Parameters
    ----------
    state
        Without cards.
    children
        By column (fold, check or call, bet or raise) the number of what follows: from 0 on a node, below 0 an
        end, -1 the first; None = not legal.
    """

    state: State
    children: tuple[int | None, int | None, int | None]


@dataclass(frozen=True, slots=True)
class End:
    """The end of the betting: the chips that the loser pays, the position that folded (None: showdown)."""

    chips: int
    folded: int | None


@dataclass(frozen=True, slots=True, eq=False)
class BettingTree:
    """The betting of a game, each node after its parent."""

    variant: Variant
    nodes: tuple[Node, ...]
    ends: tuple[End, ...]


@lru_cache(maxsize=4)
def betting_tree(game: str) -> BettingTree:
    """The betting of a game.

    Parameters
    ----------
    game
        Heads-up fixed limit.

    Raises
    ------
    TableError
        Another game.

    Examples
    --------
    >>> tree = betting_tree("holdem.limit.2p.reverse_blinds")
    >>> len(tree.nodes), len(tree.ends)
    (6378, 10206)
    """
    variant = Variant.load(game)
    if variant.seats != 2 or variant.betting != "limit":
        raise TableError(f"game {variant.name!r}: expected heads-up fixed limit")
    states, children, ends = [State(variant)], list[list[int | None]](), list[End]()
    for state in states:  # grows
        following: list[int | None] = [None, None, None]
        for action in state.legal_actions():
            after = state.copy()
            after.apply(action)
            if not after.is_over:
                following[FOLD_CALL_RAISE[action.name]] = len(states)
                states.append(after)
                continue
            ends.append(End(min(after.committed), state.to_act if action.name == "fold" else None))
            following[FOLD_CALL_RAISE[action.name]] = -len(ends)
        children.append(following)
    nodes = (Node(state, (a, b, c)) for state, (a, b, c) in zip(states, children, strict=True))
    return BettingTree(variant, tuple(nodes), tuple(ends))


class ClassTable:
    """The policies of a player at every decision of a tree, and its classes of holdings on a board.

    Parameters
    ----------
    player
        Answers as a table.
    tree
        Of its game.

    Raises
    ------
    TableError
        The player does not play the game, or policies that are no probabilities of the legal actions.
    """

    def __init__(self, player: ClassPolicies, tree: BettingTree) -> None:
        self.player, self.tree = player, tree
        self.policies = [
            checked_policies(player.class_policies(node.state), node.state).astype(np.float32)
            for node in tree.nodes
        ]
        self._streets: dict[int, State] = {}
        for node in tree.nodes:
            self._streets.setdefault(node.state.street, node.state)

    def classes(self, board: Sequence[int]) -> list[NDArray[np.intp]]:
        """The class of each holding, street by street up to that of a board of ids; shape (1326,) each."""
        found = []
        for street, state in self._streets.items():
            cards = street + 2 if street else 0
            if cards <= len(board):
                dealt = state.copy()
                dealt.deal(board=list(board[:cards]))
                found.append(self.player.hand_classes(dealt).astype(np.intp))
        return found
