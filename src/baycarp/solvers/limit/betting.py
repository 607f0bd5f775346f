"""The betting of heads-up fixed limit as data: one tree a street, and the ways to reach it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import VariantError, brief
from baycarp.game import Variant
from baycarp.game.state import State
from baycarp.kernels.cfr import FOLD, ILLEGAL, LANES, LEAF, Betting

__all__ = ["ACTIONS", "LimitBetting", "NodePlace", "StreetBetting", "by_node", "limit_betting"]

ACTIONS = ("f", "c", "r")
"""The actions of a node: fold, check or call, bet or raise, as ACPC writes them."""

MOST_WAYS = 1 << 18
"""Ways through the betting of a hand without a fold, at most; a cap of four bets a street has 5,103."""


@dataclass(frozen=True, slots=True)
class StreetBetting:
    """The betting of one street, the same after all betting of the streets before.

    Parameters
    ----------
    sequences
        The betting at each node, as letters of ``ACTIONS``; a node stands after its parent.
    actors
        The position to act, by node.
    children
        By node and action: a node, ``FOLD``, ``LEAF - leaf``, or ``ILLEGAL``.
    folded
        By node: the chips that its actor has put in since the street's entry.
    endings
        The betting by leaf.
    matched
        By leaf: the chips of each player since the street's entry.
    entries
        float32, shape (blocks, LANES): the chips of each player before the street; 0 in unused lanes.
    lanes
        Lanes with an entry, of a street with one block.
    """

    sequences: tuple[str, ...]
    actors: tuple[int, ...]
    children: tuple[tuple[int, int, int], ...]
    folded: tuple[float, ...]
    endings: tuple[str, ...]
    matched: tuple[float, ...]
    entries: NDArray[np.float32] = field(compare=False)
    lanes: int


@dataclass(frozen=True, slots=True)
class NodePlace:
    """The place of a decision in the tables: street, block, lane and node."""

    street: int
    block: int
    lane: int
    node: int


@dataclass(frozen=True, slots=True)
class LimitBetting:
    """The betting of all streets of a game of two players; a ``solvers.solution.BettingGame``.

    Parameters
    ----------
    variant
        The game.
    streets
        In order.
    """

    variant: Variant
    streets: tuple[StreetBetting, ...]

    @property
    def about(self) -> str:
        """The games with this betting, in words."""
        return f"the betting of {self.variant.name}"

    def fits(self, variant: Variant) -> bool:
        """Whether a game has this betting: the same cap, and blinds in the same proportion to the bets."""
        try:
            other = limit_betting(variant)
        except VariantError:
            return False
        scale = self.variant.small_bet / variant.small_bet
        return all(map(partial(_is_same, scale), self.streets, other.streets))

    def choices(self, betting: str) -> tuple[str, ...]:
        """The actions of every decision, legal or not."""
        return ACTIONS

    def blocks(self, counts: Sequence[int]) -> list[tuple[int, int, int]]:
        """A block a street: nodes by block of entries; actions; buckets and lanes."""
        return [
            (len(street.entries) * len(street.actors), len(ACTIONS), count * LANES)
            for street, count in zip(self.streets, counts, strict=True)
        ]

    def cells(self, betting: str, counts: Sequence[int]) -> NDArray[np.int64]:
        """The cells of a decision by bucket and action."""
        place = self.place(betting)
        before = sum(rows * actions * own for rows, actions, own in self.blocks(counts)[: place.street])
        node = place.block * len(self.streets[place.street].actors) + place.node
        own = counts[place.street] * LANES
        actions = before + (node * len(ACTIONS) + np.arange(len(ACTIONS))) * own
        return place.lane + np.arange(0, own, LANES)[:, None] + actions

    def place(self, betting: str) -> NodePlace:
        """The decision after this betting, with ``/`` between the streets.

        Raises
        ------
        VariantError
            No decision of the game.

        Examples
        --------
        >>> tree = limit_betting(Variant.load("holdem.limit.2p.reverse_blinds"))
        >>> tree.place("rc/cr")
        NodePlace(street=1, block=0, lane=1, node=3)
        """
        *before, now = betting.split("/")
        try:
            block = lane = 0
            for street, done in zip(self.streets, before, strict=False):
                block, lane = _entered(street, block, lane, street.endings.index(done))
            return NodePlace(len(before), block, lane, self.streets[len(before)].sequences.index(now))
        except (ValueError, IndexError):
            raise VariantError(
                f"betting {brief(betting, 80)}: expected a decision of {self.variant.name}"
            ) from None


def _is_same(scale: float, own: StreetBetting, other: StreetBetting) -> bool:
    """Whether two streets have the same betting, the chips of the other one times a scale."""
    chips = [scale * amount for amount in (*other.folded, *other.matched)]
    alike = own.children == other.children and own.actors == other.actors
    return alike and np.allclose(chips, (*own.folded, *own.matched))


def _entered(street: StreetBetting, block: int, lane: int, leaf: int) -> tuple[int, int]:
    """The block and the lane of the next street that a leaf leads to."""
    leaves = len(street.endings)
    if len(street.entries) == 1:
        return divmod(lane * leaves + leaf, LANES)
    return block * leaves + leaf, lane


@lru_cache(maxsize=16)
def limit_betting(variant: Variant) -> LimitBetting:
    """The betting of a game.

    Raises
    ------
    VariantError
        Not fixed limit for two, stacks that may end a hand before its last bet, or no cap of the raises; one
        so high that there are more than ``MOST_WAYS`` ways through the betting.
    """
    if variant.betting != "limit" or variant.seats != 2:
        raise VariantError(
            f"{variant.name} ({variant.betting}, {variant.seats} seats): expected limit, 2 seats"
        )
    if None in variant.max_raises:
        raise VariantError(f"{variant.name}: expected a cap of the raises on every street")
    streets: list[StreetBetting] = []
    state = State(variant)
    entries = {(0, 0): 0.0}
    for _ in range(4):
        street = _street(state, entries)
        streets.append(street)
        if (ways := len(entries) * len(street.endings)) > MOST_WAYS:
            raise VariantError(
                f"{variant.name}: raises {variant.max_raises}: expected at most {MOST_WAYS} ways through "
                f"the betting, got {ways}"
            )
        entries = {
            _entered(street, block, lane, leaf): chips + matched
            for (block, lane), chips in entries.items()
            for leaf, matched in enumerate(street.matched)
        }
        if variant.stacks is not None and max(entries.values()) > min(variant.stacks):
            raise VariantError(f"{variant.name}: stacks {variant.stacks}: expected as deep as all bets")
        while not state.is_over and state.street < len(streets):
            state.apply(state.named("check" if not state.owed else "call"))
    return LimitBetting(variant, tuple(streets))


@dataclass(slots=True)
class _Nodes:
    """The nodes and leaves of a street as they are found, from the street's first state on."""

    street: int
    before: tuple[int, ...]
    states: list[State] = field(default_factory=list)
    sequences: list[str] = field(default_factory=list)
    endings: list[str] = field(default_factory=list)
    matched: list[float] = field(default_factory=list)

    def add(self, sequence: str, state: State) -> int:
        """A node, or a leaf, and its number as a child."""
        if state.is_over or state.street != self.street:
            self.endings.append(sequence)
            self.matched.append(float(state.committed[0] - self.before[0]))
            return LEAF + 1 - len(self.endings)
        self.states.append(state)
        self.sequences.append(sequence)
        return len(self.states) - 1

    def children(self, node: int) -> tuple[int, int, int]:
        """The children of a node, which are added."""
        to = [ILLEGAL] * len(ACTIONS)
        for action in self.states[node].legal_actions():
            after = self.states[node].copy()
            after.apply(action)
            letter = _LETTERS[action.name]
            is_fold = letter == "f"
            to[ACTIONS.index(letter)] = FOLD if is_fold else self.add(self.sequences[node] + letter, after)
        return to[0], to[1], to[2]


_LETTERS = {"fold": "f", "check": "c", "call": "c", "bet": "r", "raise": "r"}


def _street(state: State, entries: dict[tuple[int, int], float]) -> StreetBetting:
    """The tree of the street that a state is on; ``entries`` have their chips by block and lane."""
    nodes = _Nodes(state.street, (0, 0) if state.street == 0 else tuple(state.committed))
    nodes.add("", state)
    children: list[tuple[int, int, int]] = []
    while len(children) < len(nodes.states):
        children.append(nodes.children(len(children)))
    actors = [int(each.to_act or 0) for each in nodes.states]
    folded = [
        float(each.committed[actor] - nodes.before[actor])
        for each, actor in zip(nodes.states, actors, strict=True)
    ]
    chips = np.zeros((1 + max(block for block, _ in entries), LANES), np.float32)
    for place, amount in entries.items():
        chips[place] = amount
    return StreetBetting(
        sequences=tuple(nodes.sequences),
        actors=tuple(actors),
        children=tuple(children),
        folded=tuple(folded),
        endings=tuple(nodes.endings),
        matched=tuple(nodes.matched),
        entries=chips,
        lanes=min(len(entries), LANES),
    )


def by_node(
    betting: Betting, tree: LimitBetting, table: NDArray[np.float32]
) -> Iterator[tuple[tuple[int, int], NDArray[np.float32]]]:
    """Views of a table by street and node: shape (blocks, actions * buckets * lanes)."""
    first = 0
    for number, street in enumerate(tree.streets):
        sizes = [len(ACTIONS) * betting.buckets[number][actor] * LANES for actor in street.actors]
        blocks = table[first : first + len(street.entries) * sum(sizes)].reshape(-1, sum(sizes))
        first += blocks.size
        for node, (begin, end) in enumerate(pairwise(np.cumsum([0, *sizes]).tolist())):
            yield (number, node), blocks[:, begin:end]
