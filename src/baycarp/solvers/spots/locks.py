"""Fixed parts of a strategy: at a node, of all a player's decisions, or a frequency of a whole range."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from baycarp.card import HOLDINGS, text
from baycarp.errors import ArgumentError, brief
from baycarp.ranges import Range
from baycarp.solvers.spots.betting import Kind
from baycarp.solvers.spots.sizes import PLAYERS
from baycarp.solvers.spots.spot import Spot, SpotRange
from baycarp.solvers.spots.tree import SpotNode, SpotTree

__all__ = [
    "FixedTable",
    "Follow",
    "Lock",
    "RangeFrequency",
    "Restricted",
    "SpotDecision",
    "SpotLock",
    "fixed_tables",
]

Table = NDArray[np.float64]
"""Shares by action and holding, shape (actions, 1326); nan = free."""

EXACT = 1e-6
"""The shares of a holding sum to 1 within this."""

MOST_TABLES = 20_000
"""Decisions on boards that one player is locked at, at most."""


@dataclass(frozen=True, slots=True, eq=False)
class FixedTable:
    """Fixed shares at a decision on the cards dealt after the start; None = on all."""

    node: SpotNode
    cards: tuple[int, ...] | None
    shares: Table


class SpotLock(Protocol):
    """What fixes shares of actions."""

    def tables(self, spot: Spot, tree: SpotTree) -> Iterable[FixedTable]:
        """The decisions that are fixed.

        Raises
        ------
        ArgumentError
            No such decision, or shares that are none.
        """


@dataclass(frozen=True, slots=True, eq=False)
class Lock:
    """Fixed shares of the actions of one decision.

    The shares of a holding that are not given are free: its free actions share what is left, as the
    equilibrium of the locked game has it. Nothing is scaled: shares of all actions must sum to 1.

    Parameters
    ----------
    line
        To the decision, on every card; with cards in it, on these alone.
    shares
        By action, as ``tree`` prints it or by its size: a share for every holding, or one for each as a
        ``Range``, its text or 1,326 weights (0 where it has none). Or an array, shape (actions, 1326), nan =
        free.
    holdings
        Those that are locked, by a weight above 0; empty = all.

    Examples
    --------
    >>> from baycarp.solvers.spots.spot import Spot
    >>> spot = Spot("Td9d6hQc2s", 200, 900, sizes="60%")
    >>> (found,) = Lock("", {"bet 60%": 0.2}).tables(spot, spot.build_tree())
    >>> found.shares[:, 0]  # 20 % are bet, the rest is free
    array([nan, 0.2])
    """

    line: str
    shares: Mapping[str, "float | SpotRange"] | ArrayLike
    holdings: SpotRange = ""

    def tables(self, spot: Spot, tree: SpotTree) -> Iterator[FixedTable]:
        """One decision."""
        place = tree.find(self.line)
        node = place.node.children[0] if place.node.kind is Kind.DEAL else place.node
        if node.kind is not Kind.DECISION:
            raise ArgumentError(f"line {self.line[:80]!r}: expected a decision")
        needed = node.now.cards - len(spot.cards)
        if place.cards and len(place.cards) != needed:
            raise ArgumentError(
                f"line {self.line[:80]!r}: expected no card, or the {needed} dealt on the way"
            )
        table = self._table(node, tree)
        if not isinstance(self.holdings, str) or self.holdings.strip():
            table[:, Range(self.holdings).weights == 0] = np.nan
        verify_shares(table, node, self.line)
        yield FixedTable(node, place.cards if place.cards or not needed else None, table)

    def _table(self, node: SpotNode, tree: SpotTree) -> Table:
        if not isinstance(self.shares, Mapping):
            table = np.array(self.shares, np.float64)
            if table.shape != (len(node.steps), 1326):
                raise ArgumentError(
                    f"shares of shape {table.shape}: expected {(len(node.steps), 1326)}, a row each of "
                    f"{', '.join(map(str, node.steps))}"
                )
            return table
        table = np.full((len(node.steps), 1326), np.nan)
        for word, share in self.shares.items():
            at = node.steps.index(tree.step(node, word))
            table[at] = share if isinstance(share, int | float) else Range(share).weights
        return table


@dataclass(frozen=True, slots=True, eq=False)
class SpotDecision:
    """A decision that a model is asked about.

    Parameters
    ----------
    line
        To it; cards are in it.
    node
        The node of the tree, with its steps.
    board
        Its cards.
    player
        0 out of position, 1 in position.
    way
        The steps to it with the cards between them.
    """

    line: str
    node: SpotNode
    board: tuple[int, ...]
    player: int
    way: tuple[tuple[SpotNode, int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Follow:
    """A player follows a model at all its decisions.

    Parameters
    ----------
    player
        ``"oop"`` or ``"ip"``.
    policies
        Of a decision, the shares of its steps for all holdings at once: shape (steps, 1326); nan = free.
        Holdings that the board blocks may be anything.
    cards
        Whether the model depends on the cards that are dealt after the start; False = it is asked once a
        node, with the board of the start.

    Raises
    ------
    ArgumentError
        Another player.
    """

    player: str
    policies: Callable[[SpotDecision], ArrayLike]
    cards: bool = True

    def __post_init__(self) -> None:
        seat(self.player)

    def tables(self, spot: Spot, tree: SpotTree) -> Iterator[FixedTable]:
        """All decisions of the player, on every board."""
        for made, (node, line, way, cards) in enumerate(self._decisions(spot, tree)):
            if made == MOST_TABLES:
                raise ArgumentError(
                    f"{self.player} decides on more than {MOST_TABLES:,} boards: expected a later street, "
                    "fewer sizes, or a model that does not depend on the cards"
                )
            board = (*spot.cards, *cards)
            asked = SpotDecision(line, node, board, node.now.player, way)
            table = np.array(self.policies(asked), np.float64)
            if table.shape != (len(node.steps), 1326):
                raise ArgumentError(
                    f"policies at {line!r}: shape {table.shape}: expected {(len(node.steps), 1326)}"
                )
            blocked = np.isin(HOLDINGS, board).any(axis=1)
            table[:, blocked] = 1 / len(node.steps)
            verify_shares(table, node, line)
            dealt = node.now.cards > len(spot.cards)
            yield FixedTable(node, cards if self.cards or not dealt else None, table)

    def _decisions(
        self, spot: Spot, tree: SpotTree
    ) -> Iterator[tuple[SpotNode, str, tuple[tuple[SpotNode, int], ...], tuple[int, ...]]]:
        waiting = [(tree.root, "", tuple[tuple[SpotNode, int], ...](), tuple[int, ...]())]
        player = seat(self.player)
        while waiting:
            node, line, way, cards = waiting.pop()
            if node.kind is Kind.DEAL:
                known = {*spot.cards, *cards}
                dealt = [card for card in range(52) if card not in known] if self.cards else []
                waiting += [
                    (node.children[0], f"{line}, {text([card])}", way, (*cards, card)) for card in dealt
                ] or [(node.children[0], line, way, cards)]
                continue
            if node.kind is Kind.DECISION and node.now.player == player:
                yield node, line, way, cards
            for at, (step, child) in enumerate(zip(node.steps, node.children, strict=True)):
                after = f"{line}, {step}" if line else str(step)
                waiting.append((child, after, (*way, (node, at)), cards))


@dataclass(frozen=True, slots=True)
class RangeFrequency:
    """A frequency of an action over a whole range: the solver finds the holdings that fit it best.

    Every holding is paid a bonus in chips for the action, and the bonus is found that gives the frequency.
    It counts as a part of the locked game, and of no value that is reported.

    Parameters
    ----------
    line
        To a decision on the spot's first street.
    step
        The action.
    share
        0 to 1.

    Raises
    ------
    ArgumentError
        A share outside its range.
    """

    line: str
    step: str
    share: float

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise ArgumentError(f"share {brief(self.share)}: expected 0 to 1")

    def way(self, spot: Spot, tree: SpotTree) -> tuple[tuple[SpotNode, int], ...]:
        """The decisions on the way, each with its action; the last ones are those that are meant.

        Raises
        ------
        ArgumentError
            No decision of the first street, or no such action.
        """
        found = tree.find(self.line)
        node = found.node
        if node.kind is not Kind.DECISION or node.now.cards != len(spot.cards):
            raise ArgumentError(f"line {self.line[:80]!r}: expected a decision on the spot's first street")
        return (*found.way, (node, node.steps.index(tree.step(node, self.step))))


@dataclass(frozen=True, slots=True, eq=False)
class Restricted:
    """A player follows a model with a probability, and plays freely otherwise.

    Source: Johanson, Zinkevich and Bowling (2007): the other player's part of the equilibrium is a
    restricted Nash response. The two are types of the player with the same holdings.

    Parameters
    ----------
    model
        What the player follows.
    player
        ``"oop"`` or ``"ip"``.
    share
        The probability of the model, 0 to 1.

    Raises
    ------
    ArgumentError
        Another player, or a share outside its range.
    """

    model: SpotLock
    player: str
    share: float

    def __post_init__(self) -> None:
        seat(self.player)
        if not 0 <= self.share <= 1:
            raise ArgumentError(f"share {brief(self.share)}: expected 0 to 1")


def seat(player: str) -> int:
    """The number of a player; raises ``ArgumentError``."""
    if player not in PLAYERS:
        raise ArgumentError(f"player {brief(player, 20)}: expected one of {', '.join(PLAYERS)}")
    return PLAYERS.index(player)


def verify_shares(table: Table, node: SpotNode, line: str) -> None:
    """Raise ``ArgumentError`` where shares are outside 0..1, or where fixed ones do not leave a mixture."""
    free = np.isnan(table)
    known = np.where(free, 0.0, table)
    if ((known < 0) | (known > 1) | np.isinf(table)).any():
        raise ArgumentError(f"line {line[:80]!r}: shares: expected 0 to 1")
    sums = known.sum(axis=0)
    wrong = np.flatnonzero((sums > 1 + EXACT) | (~free.any(axis=0) & (sums < 1 - EXACT)))
    if len(wrong):
        at = wrong[0]
        raise ArgumentError(
            f"line {line[:80]!r}: shares of {text(HOLDINGS[at])} sum to {sums[at]:.6g}: expected 1, or at "
            f"most 1 where an action of {', '.join(map(str, node.steps))} is free"
        )


def fixed_tables(locks: Sequence[SpotLock], spot: Spot, tree: SpotTree) -> list[FixedTable]:
    """The tables of locks, those of one decision joined.

    Raises
    ------
    ArgumentError
        Two locks that fix the same share, or a decision on all cards and on some.
    RangeError
        A range that cannot be read.
    """
    found = dict[tuple[SpotNode, tuple[int, ...] | None], FixedTable]()
    for lock in locks:
        for each in lock.tables(spot, tree):
            key = each.node, each.cards
            if key in found:
                both = ~np.isnan(found[key].shares) & ~np.isnan(each.shares)
                if both.any():
                    raise ArgumentError("locks: expected each share of a holding once")
                joined = np.where(np.isnan(each.shares), found[key].shares, each.shares)
                verify_shares(joined, each.node, "")
                each = FixedTable(*key, joined)
            found[key] = each
    nodes = {node for node, cards in found if cards is None}
    if any(node in nodes for node, cards in found if cards):
        raise ArgumentError("locks: expected a decision on all cards, or on each that is named")
    return list(found.values())
