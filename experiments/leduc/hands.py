"""The ends of Leduc hands, their probability between two strategies, and what a player observes of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.solvers import CHANCE, END, GameTree, StrategyProfile, value

__all__ = ["Ends", "Observed", "between", "ends_of", "won"]


class Observed(NamedTuple):
    """What a player knows after a hand.

    Parameters
    ----------
    own
        Its card.
    card
        That of its opponent; "" where none was shown.
    public
        The public card; "" where the hand ended before it.
    rounds
        The actions of each round.
    """

    own: str
    card: str
    public: str
    rounds: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Ends:
    """Every end of the game, as arrays.

    Parameters
    ----------
    tree
        Leduc hold'em.
    chance
        The probability of chance's moves to each end, float64.
    last
        By player, its last sequence before each end, int64.
    observed
        By player, its observations, each once.
    groups
        By player, the number of its observation of each end, int64.
    """

    tree: GameTree
    chance: NDArray[np.float64]
    last: tuple[NDArray[np.int64], NDArray[np.int64]]
    observed: tuple[tuple[Observed, ...], tuple[Observed, ...]]
    groups: tuple[NDArray[np.int64], NDArray[np.int64]]

    def chances(self, strategy: StrategyProfile, player: int) -> NDArray[np.float64]:
        """The probability of each observation of a player when both follow a strategy; their sum is 1."""
        first, second = (
            side.plan(own) for side, own in zip(self.tree.sides, strategy.probabilities, strict=True)
        )
        reached = self.chance * first[self.last[0]] * second[self.last[1]]
        return np.asarray(np.bincount(self.groups[player], reached))


State: TypeAlias = tuple[str, tuple[str, ...]]
Row: TypeAlias = tuple[State, float, int, int]
"""A state at the end, the probability of chance's moves, and the last sequence of each player."""


def ends_of(tree: GameTree) -> Ends:
    """Walk Leduc hold'em once."""
    states, chance, first, second = zip(*_walk(tree, tree.game.root(), 1.0, (0, 0)), strict=True)
    observed = [[_observed(state, player) for state in states] for player in (0, 1)]
    names = [tuple(dict.fromkeys(each)) for each in observed]
    numbers = [{name: number for number, name in enumerate(each)} for each in names]
    groups = [
        np.array([number[each] for each in seat]) for number, seat in zip(numbers, observed, strict=True)
    ]
    return Ends(
        tree,
        np.array(chance),
        (np.array(first), np.array(second)),
        (names[0], names[1]),
        (groups[0], groups[1]),
    )


def _walk(tree: GameTree, state: State, chance: float, last: tuple[int, int]) -> Iterator[Row]:
    game = tree.game
    turn = game.turn(state)
    if turn == END:
        yield state, chance, *last
    elif turn == CHANCE:
        for move, odds in enumerate(game.probabilities(state)):
            yield from _walk(tree, game.play(state, move), chance * odds, last)
    else:
        first = tree.sides[turn].sequence(game.information(state), 0)
        for move in range(len(game.actions(state))):
            after = (first + move, last[1]) if turn == 0 else (last[0], first + move)
            yield from _walk(tree, game.play(state, move), chance, after)


def _observed(state: State, player: int) -> Observed:
    cards, rounds = state
    is_shown = not rounds[-1].endswith("f")
    return Observed(cards[player], cards[1 - player] if is_shown else "", cards[2:], rounds)


def between(own: StrategyProfile, opponent: StrategyProfile, player: int) -> StrategyProfile:
    """A strategy in the seat of a player, and that of its opponent in the other seat."""
    first, second = (own, opponent) if player == 0 else (opponent, own)
    return StrategyProfile(own.tree, (first.probabilities[0], second.probabilities[1]))


def won(own: StrategyProfile, opponent: StrategyProfile) -> float:
    """What a strategy wins from another, in chips a hand, the mean of both seats; exact."""
    return (value(between(own, opponent, 0)) - value(between(own, opponent, 1))) / 2
