"""The betting of an abstract no-limit game for two as arrays: fold, call, and a few of eight bets.

The sizes depend on the street and on the bets that were made on it: many for the first bet, few for raises.
All-in exists everywhere, and stands for a bet that would put in most of the stack.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import VariantError, brief
from baycarp.game import Action, Variant
from baycarp.game.state import State
from baycarp.rules.betting.sizes import CALL, FOLD, SOLVED, BetRange, Sizes

__all__ = ["BETS", "COMMITTED", "NoLimitBetting", "nolimit_betting", "sized_actions"]

BETS: tuple[tuple[str, ...], ...] = (
    ("hip", "po", "i", "h"),
    ("sio", "hp", "i"),
    ("hpd", "i"),
    ("siov", "i"),
)
"""By street, and by the bets made on it, the big blind apart: letters of ``SOLVED``. All-in exists beside
them, and alone after the last ones. The first ones before the flop raise to 2, 2.5 and 3 big blinds."""

COMMITTED = 2 / 3
"""Bets of at least this share of the stack beyond the call are all-in (our choice)."""

MOST_NODES = 1 << 19
"""Decisions of a game, at most."""


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
    shares
        float32, by edge: what a bet puts in beyond the call, as a share of the pot after it; else 0.
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
    shares: NDArray[np.float32]
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

    def sizes(self, node: int) -> Sizes:
        """The bets of a node that has any, with their shares of the pot; all-in is one of them."""
        first, end = self.edges[node : node + 2].tolist()
        known = zip(self.letters[first:end], self.shares[first:end].tolist(), strict=True)
        return Sizes(tuple((letter, share) for letter, share in known if share > 0))

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
        (32536, {'f': -20, 'c': 67, 'i': 68, 'a': 69})
        """
        node = 0
        for letter in letters:
            node = self.actions(node).get(letter, -1)
            if node < 0:
                raise VariantError(
                    f"letters {brief(letters, 80)}: expected a decision of {self.variant.name}"
                )
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
    made = state.bets_made - (state.street == 0)
    if sizes := _sizes(state.street, made):
        for letter, action in sizes.actions(legal).items():
            if action.amount - legal.level < COMMITTED * legal.most:
                found[letter] = action
    return found | {SOLVED.all_in: legal.action(legal.most)}


@cache
def _sizes(street: int, made: int) -> Sizes | None:
    """The bets beside all-in of a decision after some bets on its street; None = none."""
    letters = BETS[street][made] if made < len(BETS[street]) else ""
    known = tuple(each for each in SOLVED.proportions if each[0] in letters)
    return Sizes(known, SOLVED.all_in) if known else None


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
    kinds = _Kinds.of(variant)
    nodes, edges = [np.zeros(1, np.int64)], []
    while len(nodes[-1]):  # the decisions after one act more, each by its kind
        edges.append(kinds.edges(nodes[-1]))
        after = kinds.children[edges[-1]]
        nodes.append(after[after >= 0])
        if sum(map(len, nodes)) > MOST_NODES:
            raise VariantError(f"{variant.name}: expected at most {MOST_NODES} decisions of its betting")
    kind, edge = np.concatenate(nodes), np.concatenate(edges)
    after = kinds.children[edge]
    is_end = after < 0
    end = -1 - after[is_end]
    return NoLimitBetting(
        variant,
        np.cumsum([0, *kinds.widths[kind]], dtype=np.int32),
        "".join([kinds.letters[each] for each in kind.tolist()]),
        np.where(is_end, np.negative(np.cumsum(is_end)), np.cumsum(~is_end)).astype(np.int32),
        kinds.shares[edge],
        kinds.actors[kind],
        kinds.streets[kind],
        kinds.chips[end],
        kinds.folded[end],
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Kinds:
    """The decisions of a game that differ by more than the betting that led there.

    ``children`` are kinds, or -1 - an end; the others are as of ``NoLimitBetting``, by kind and by end.
    """

    letters: list[str]
    children: NDArray[np.int64]
    shares: NDArray[np.float32]
    actors: NDArray[np.uint8]
    streets: NDArray[np.uint8]
    chips: NDArray[np.float32]
    folded: NDArray[np.int8]

    @staticmethod
    def of(variant: Variant) -> "_Kinds":
        """The kinds of a game, the first decision's first."""
        states = [State(variant)]
        numbers: dict[tuple[object, ...], int] = {}
        letters: list[str] = []
        children: list[int] = []
        shares: list[float] = []
        chips: list[float] = []
        folded: list[int] = []
        for state in states:  # grows
            actions = sized_actions(state)
            letters.append("".join(actions))
            legal = BetRange.of(state)
            for letter, action in actions.items():
                shares.append(legal.proportion(action) if legal and action.name == legal.name else 0.0)
                after = state.copy()
                after.apply(action)
                if after.is_over:
                    chips.append(min(after.committed) / variant.big_blind)
                    folded.append(_actor(state) if letter == FOLD else -1)
                    children.append(-len(chips))
                    continue
                is_answer = after.street == state.street
                known = after.street, after.to_act, after.committed, after.bounds(), is_answer
                children.append(numbers.setdefault(known, len(states)))
                if children[-1] == len(states):
                    states.append(after)
            if len(states) > MOST_NODES:
                raise VariantError(f"{variant.name}: expected at most {MOST_NODES} decisions of its betting")
        return _Kinds(
            letters,
            np.array(children),
            np.array(shares, np.float32),
            np.array([_actor(state) for state in states], np.uint8),
            np.array([state.street for state in states], np.uint8),
            np.array(chips, np.float32),
            np.array(folded, np.int8),
        )

    @property
    def widths(self) -> NDArray[np.int64]:
        """The number of actions of each kind."""
        return np.array([len(each) for each in self.letters])

    def edges(self, kinds: NDArray[np.int64]) -> NDArray[np.int64]:
        """The actions of some decisions of these kinds, one after the other, as places in ``children``."""
        counts = self.widths[kinds]
        first = (np.cumsum(self.widths) - self.widths)[kinds] - (np.cumsum(counts) - counts)
        found: NDArray[np.int64] = np.repeat(first, counts) + np.arange(counts.sum())
        return found


def _actor(state: State) -> int:
    assert state.to_act is not None
    return state.to_act
