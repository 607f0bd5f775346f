"""The hidden nodes by the cards alone: how often each group, type and partial hand is dealt.

A network's table for a hidden node, divided by the probabilities of the deal, is the evidence of the betting:
the likelihood ratio of the holdings. ``data/dealt.npz`` counts the holdings on many random boards.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from baycarp.bn.network import Network, Structure
from baycarp.card import CLASS_OF
from baycarp.errors import ModelError, brief
from baycarp.files import ArrayForm, FileForm, read_arrays
from baycarp.opponents.network.topology import HIDDEN, TYPE_NODES, hidden, states_of, street_of, topology
from baycarp.rules.board import change, flop, flush, flush_change, straight, straight_change
from baycarp.rules.hand import GROUP_OF, hand_types, partial_hands

__all__ = ["BOARD_NODES", "FULL", "card_parents", "codes", "dealt", "verify"]

FULL = topology(partial=True, classes=True)
"""It has every hidden node, each with all the cards that it can hang on."""

_OF_CARDS = {"HandGroup": GROUP_OF, "HandClass": CLASS_OF}
"""The nodes that the hole cards alone determine."""

BOARD_NODES: dict[str, Callable[[tuple[int, ...]], str]] = {
    "Board": lambda board: flop(board[:3]),
    "BoardChangeTurn": lambda board: change(board[:4]),
    "BoardChangeRiver": lambda board: change(board[:5]),
    "FlushBoardFlop": lambda board: flush(board[:3]),
    "StraightBoardFlop": lambda board: straight(board[:3]),
    "FlushChangeTurn": lambda board: flush_change(board[:4]),
    "StraightChangeTurn": lambda board: straight_change(board[:4]),
    "FlushChangeRiver": lambda board: flush_change(board[:5]),
    "StraightChangeRiver": lambda board: straight_change(board[:5]),
}
"""The nodes that the board alone determines."""


def card_parents(structure: Structure, node: str) -> tuple[str, ...]:
    """The parents of a hidden node that cards determine, the player's or the board's, in network order."""
    return tuple(parent for parent in structure.parents[node] if parent in HIDDEN or parent in BOARD_NODES)


def verify(network: Network, where: object) -> None:
    """Refuse a network that nothing is believed by, or that holds acts or cards to be impossible.

    Parameters
    ----------
    network
        The network.
    where
        Its file, for the message.

    Raises
    ------
    ModelError
        A node that is no reading or lacks, states or arcs that are not those of the cards, or a probability
        of 0: opponents may do anything.
    """
    structure = network.structure
    for node in ("HandGroup", *filter(None, TYPE_NODES)):
        if node not in structure.states:
            raise ModelError(f"{where}: nodes {brief(structure.nodes)}: expected {node!r} among them")
    for node, states in structure.states.items():
        if states != (expected := states_of(node)):
            readings = f"expected the states {brief(expected)}" if expected else "expected nodes of readings"
            raise ModelError(f"{where}: node {brief(node)} with states {brief(states)}: {readings}")
        if node in HIDDEN and (other := {*card_parents(structure, node)} - {*card_parents(FULL, node)}):
            raise ModelError(f"{where}: {brief(node)}: expected no arc from {brief(min(other))}")
        if not network.cpt(node).min() > 0:
            raise ModelError(f"{where}: table of {brief(node)}: expected probabilities above 0")


def codes(structure: Structure, board: tuple[int, ...], street: int) -> dict[str, NDArray[np.uint8]]:
    """The states that every holding has on a board, as codes of each hidden node; uint8, shape (1326,).

    Holdings that the board blocks have ``rules.hand.BLOCKED`` on the flop and later.
    """
    return {node: _codes(node, board) for node in hidden(structure, street)}


def _codes(node: str, board: tuple[int, ...]) -> NDArray[np.uint8]:
    shown = board[: street_of(node) + 2]
    if node in _OF_CARDS:
        return _OF_CARDS[node]
    return partial_hands(shown) if node.startswith("Partial") else hand_types(shown)


DEALT = Path(__file__).parents[2] / "data" / "dealt.npz"

COUNTS = FileForm({}, families={"": ArrayForm("int64", least=0)})
"""Of the file: the counts of each hidden node."""


@cache
def dealt(parents: tuple[str, ...], node: str) -> NDArray[np.float64]:
    """The probability that the states of a hidden node are dealt, given some of its card parents.

    Parameters
    ----------
    parents
        Of ``card_parents``, in the order of the axes wanted.
    node
        The hidden node.

    Returns
    -------
    float64 array, read-only
        Axes: the parents, then the node's states; each row sums to 1. States that are never dealt have a tiny
        probability instead of 0, so that it can be a divisor.
    """
    order = [*card_parents(FULL, node), node]
    axes = [order.index(name) for name in (*parents, node)]
    table: NDArray[np.float64] = np.einsum(_counts()[node], range(len(order)), axes) + 1e-3
    table /= table.sum(axis=-1, keepdims=True)
    table.flags.writeable = False
    return table


@cache
def _counts() -> dict[str, NDArray[np.int64]]:
    return read_arrays(DEALT, COUNTS)
