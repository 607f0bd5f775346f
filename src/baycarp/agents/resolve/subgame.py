"""The rest of a hand of two players from the start of its street: the betting as a tree."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import isclose
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.card import HOLDINGS, blocked_by
from baycarp.errors import VariantError
from baycarp.game import Action, State, Variant
from baycarp.game.state import SHOWN
from baycarp.solvers.spots.betting import BettingRules, Kind, Moment, Step
from baycarp.solvers.spots.sizes import parse_menu
from baycarp.solvers.spots.tree import SpotNode, SpotTree, TreeArrays

__all__ = ["MENUS", "SIZED", "Place", "Shares", "Subgame", "as_action", "street_start"]

Shares: TypeAlias = Callable[[State, Sequence[Action]], NDArray[np.float64]]
"""The shares of these actions of the player to act, by holding: shape (actions, 1326), sums of 1. The state
is public; the board of its street is known."""

MENUS = {4: ("75%, a", "a"), 5: ("50%, 100%, a", "2.5x, a")}
"""Sizes of bets and raises where the rules leave them open, by the cards on the board at the root."""

SIZED = ("bet", "raise", "all-in")
"""Names of steps that have a size."""


class Place(NamedTuple):
    """A decision: its number in the arrays of the tree, its node, and the hand there without new cards."""

    number: int
    node: SpotNode
    state: State


def street_start(state: State) -> State:
    """The hand at the first decision of its street; hole cards are not known."""
    start = state.begun()
    for act in state.acts:
        if act.street == state.street:
            break
        start.apply(act.action)
    start.deal(board=state.board[: SHOWN[state.street]])
    return start


def as_action(state: State, step: Step, unit: float = 1.0) -> Action:
    """A step of a tree as the nearest legal action of a hand, of which ``unit`` chips are one of the tree."""
    legal = {action.name: action for action in state.legal_actions()}
    if step.name not in SIZED:
        return legal.get(step.name) or legal.get("check") or legal["call"]
    name = "raise" if "raise" in legal else "bet"
    if name not in legal:
        return legal.get("check") or legal["call"]
    _, least, most, _ = state.bounds()
    total = most if step.name == "all-in" else min(max(round(unit * step.total), least), most)
    return Action(name, total)


@lru_cache(maxsize=256)
def _tree(pot: float, stack: float, cards: int, betting: str | Variant) -> tuple[SpotTree, TreeArrays]:
    sizes, raises = MENUS[cards]
    rules = BettingRules(
        pot, stack, parse_menu(sizes, "sizes"), parse_menu(raises, "raises"), betting=betting
    )
    tree = SpotTree(rules, Moment(cards))
    return tree, tree.arrays()


@lru_cache(maxsize=64)
def _calling(tree: SpotTree, player: int, cards: int) -> tuple[SpotTree, TreeArrays]:
    """A tree without the raises of a player once there are more cards on the board."""
    fewer = tree.copy()
    for node in fewer:
        if node.now.player != player or node.now.cards == cards or node.kind is not Kind.DECISION:
            continue
        if any(step.name == "fold" for step in node.steps):
            kept = [number for number, step in enumerate(node.steps) if step.name not in SIZED]
            node.steps = [node.steps[number] for number in kept]
            node.children = [node.children[number] for number in kept]
    return fewer, fewer.arrays()


@dataclass(frozen=True, eq=False)
class Subgame:
    """The rest of a hand.

    Parameters
    ----------
    start
        The hand at the first decision of the street.
    seats
        The positions of the first and of the second player to act.
    tree, arrays
        The betting from there; bets that were made on the street are in it.
    way
        The steps that were made on the street: nodes, and the numbers of their steps.
    added
        The line so far, if a bet of it is not in the tree of the rules.
    """

    start: State
    seats: tuple[int, int]
    tree: SpotTree
    arrays: TreeArrays
    way: tuple[tuple[SpotNode, int], ...]
    added: tuple[Step, ...] = ()

    @staticmethod
    def of(state: State) -> "Subgame":
        """The rest of a hand on the turn or the river, from the start of its street.

        Raises
        ------
        VariantError
            The hand is before the turn or over, has other than two players in, or one is all-in.
        """
        variant = state.variant
        inside = sorted(state.seats_in, key=lambda seat: (seat - variant.first[state.street]) % variant.seats)
        if state.to_act is None or state.street < 2 or len(inside) != 2:
            raise VariantError(
                f"a hand on street {state.street} with {len(inside)} players in: expected a decision of two, "
                "on the turn or the river"
            )
        start = street_start(state)
        stack = min(start.stacks[seat] for seat in inside)
        if not stack:
            raise VariantError("a player is all-in: expected chips behind both")
        betting = variant if variant.betting == "limit" else variant.betting
        tree, arrays = _tree(float(start.pot), float(stack), len(start.board), betting)
        steps = [act for act in state.acts if act.street == state.street]
        if any(act.seat not in inside for act in steps):
            raise VariantError("a third player acted on the street: expected two from its start on")
        line = [Step(act.action.name, float(min(act.action.amount, stack))) for act in steps]
        is_known = _way(tree, line) is not None
        if not is_known:
            tree = tree.copy()
            _widen(tree, line)
            arrays = tree.arrays()
        way = _way(tree, line)
        assert way is not None
        return Subgame(start, (inside[0], inside[1]), tree, arrays, way, () if is_known else tuple(line))

    @property
    def place(self) -> Place:
        """The decision that the hand is at."""
        node = self.way[-1][0].children[self.way[-1][1]] if self.way else self.tree.root
        state = self.start.copy()
        for at, step in self.way:
            state.apply(as_action(state, at.steps[step]))
        return Place(self.arrays.index[node], node, state)

    def river_of(self, start: State) -> SpotNode:
        """The first decision of a hand's river, of which this subgame is the turn."""
        line = [
            Step(act.action.name, float(act.action.amount))
            for act in start.acts
            if act.street == start.street - 1
        ]
        way = _way(self.tree, line)
        if not way or way[-1][0].children[way[-1][1]].kind is not Kind.DEAL:
            raise VariantError(f"{start.betting}: expected the river after this turn")
        return way[-1][0].children[way[-1][1]].children[0]

    def calling(self, player: int) -> "Subgame":
        """The same without a player's raises on later streets: its strategies are strategies of this one."""
        tree, arrays = _calling(self.tree, player, len(self.start.board))
        way = _way(tree, [node.steps[step] for node, step in self.way])
        assert way is not None
        return replace(self, tree=tree, arrays=arrays, way=way)

    @property
    def board(self) -> bytes:
        """The cards of the root."""
        return bytes(self.start.board)

    @cached_property
    def held(self) -> NDArray[np.intp]:
        """The holdings beside the board, by index."""
        return np.flatnonzero(~blocked_by(self.start.board))

    @cached_property
    def cards(self) -> NDArray[np.uint8]:
        """Their cards; uint8, shape (n, 2)."""
        return HOLDINGS[self.held].astype(np.uint8)

    def decisions(self, player: int) -> Iterator[Place]:
        """All decisions of a player, 0 = the first to act; cards to come are not known there."""
        waiting = [(self.tree.root, self.start)]
        while waiting:
            node, state = waiting.pop()
            if node.kind is Kind.DEAL:
                waiting.append((node.children[0], state))
            if node.kind is not Kind.DECISION:
                continue
            if node.now.player == player:
                yield Place(self.arrays.index[node], node, state)
            for step, child in zip(node.steps, node.children, strict=True):
                if child.kind in (Kind.DECISION, Kind.DEAL):
                    after = state.copy()
                    after.apply(as_action(state, step))
                    waiting.append((child, after))


def _way(tree: SpotTree, line: Sequence[Step]) -> tuple[tuple[SpotNode, int], ...] | None:
    """The nodes and steps of a line; None where a bet is not in the tree."""
    node, way = tree.root, []
    for step in line:
        at = next((number for number, each in enumerate(node.steps) if _is_same(each, step)), None)
        if at is None:
            return None
        way.append((node, at))
        node = node.children[at]
    return tuple(way)


def _is_same(one: Step, other: Step) -> bool:
    if other.name not in SIZED:
        return one.name == other.name
    return one.name in SIZED and isclose(one.total, other.total)


def _widen(tree: SpotTree, line: Sequence[Step]) -> None:
    """Add the bets of a line."""
    node, words = tree.root, list[str]()
    for step in line:
        name = f"{step.total:.10g}c" if step.name in SIZED else step.name
        if not any(_is_same(each, step) for each in node.steps):
            tree.add(", ".join(words), name)
        words.append(name)
        node = next(
            child for each, child in zip(node.steps, node.children, strict=True) if _is_same(each, step)
        )
