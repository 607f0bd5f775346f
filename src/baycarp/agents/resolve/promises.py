"""What is promised to the opponent: its best response to the blueprint, holding by holding."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.resolve.blueprint import Blueprint
from baycarp.agents.resolve.subgame import Subgame, as_action
from baycarp.game import State
from baycarp.kernels.spots import Engine

__all__ = ["PlayedTable", "Promises", "promises"]


class PlayedTable(NamedTuple):
    """A decision of the blueprint: its node, shares by class, and the class of each holding by board."""

    node: int
    table: NDArray[np.float64]
    classes: NDArray[np.uint16]


@dataclass(frozen=True, slots=True, eq=False)
class Promises:
    """What is promised.

    Parameters
    ----------
    values
        What each holding of the opponent has from the root on, in chips; the pot at the root counts as won:
        float64, shape (1326,). nan = it meets no own holding.
    tables
        The blueprint of both players, which the re-solve begins with; may be empty.
    """

    values: NDArray[np.float64]
    tables: tuple[PlayedTable, ...] = ()

    def within(self, subgame: Subgame, fewer: Subgame) -> "Promises":
        """The same promises of a subgame, in its tree with fewer steps."""
        tables = {each.node: each for each in self.tables}
        moved, waiting = list[PlayedTable](), [(subgame.tree.root, fewer.tree.root)]
        while waiting and tables:
            node, same = waiting.pop()
            kept = [node.steps.index(step) for step in same.steps]
            if kept:
                table = tables[subgame.arrays.index[node]]
                moved.append(PlayedTable(fewer.arrays.index[same], table.table[:, kept], table.classes))
            waiting += zip([node.children[k] for k in kept] or node.children, same.children, strict=True)
        return Promises(self.values, tuple(moved))


def promises(subgame: Subgame, blueprint: Blueprint, player: int, own: NDArray[np.float64]) -> Promises:
    """What each holding of the opponent wins from the root on by a best response to the blueprint.

    Parameters
    ----------
    subgame
        The rest of the hand.
    blueprint
        Of the own player.
    player
        The own number, 0 or 1.
    own
        The own range at the root: float64, shape (1326,).
    """
    held, tree = subgame.held, subgame.arrays
    weights = [own[held] / own[held].max(), np.ones(len(held))]
    if player:
        weights.reverse()
    lists = (subgame.cards, subgame.cards)
    engine = Engine(
        subgame.board, lists, weights, tree.kind, tree.player, tree.first, tree.count, tree.payoff
    )
    tables = tuple(_tables(subgame, blueprint, engine))
    for each in tables:
        if tree.player[each.node] == player:
            engine.play(*each)
    values = np.full(1326, np.nan)
    values[held] = engine.best_values(1 - player, 0)
    return Promises(values, tables)


def _tables(subgame: Subgame, blueprint: Blueprint, engine: Engine) -> Iterator[PlayedTable]:
    classes: dict[int, NDArray[np.uint16]] = {}
    for place in (*subgame.decisions(0), *subgame.decisions(1)):
        dealt = place.node.now.cards
        if dealt not in classes:
            boards = [subgame.board + cards for cards in engine.boards(place.number)]
            classes[dealt] = np.stack([_classes(blueprint, place.state, board) for board in boards])
        actions = tuple(as_action(place.state, step) for step in place.node.steps)
        yield PlayedTable(place.number, blueprint.table(place.state, actions), classes[dealt])


def _classes(blueprint: Blueprint, state: State, board: bytes) -> NDArray[np.uint16]:
    dealt = state.copy()
    dealt.deal(board=board)
    return blueprint.classes(dealt)
