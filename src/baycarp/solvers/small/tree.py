"""A small game as arrays: its nodes, and the sequences of both players (von Stengel 1996).

A sequence of a player is the list of its own actions on the way to a node. By perfect recall an information
set has one sequence that leads to it, and each of its actions ends one sequence. So a strategy is a vector
over sequences, and the payoff of two of them is a bilinear form. Every algorithm on the whole game is then
a few array operations for each depth of a player's own decisions, instead of a walk of the nodes.

Source: B. von Stengel, Efficient computation of behavior strategies, Games and Economic Behavior 14 (1996).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import VariantError, brief
from baycarp.kernels.arguments import real
from baycarp.solvers.small.game import CHANCE, END, Game
from baycarp.solvers.small.sequences import Side, side_of

__all__ = ["MOST_NODES", "GameTree", "Nodes", "Payoffs", "flatten"]

MOST_NODES = 5_000_000
"""Nodes of a game that is flattened, at most."""

WITHIN = 1e-9
"""The largest error of a sum of probabilities, and of the payoffs of both players."""


@dataclass(frozen=True, slots=True, eq=False)
class Nodes:
    """The nodes of a game; the children of a node follow each other, in the order of its moves.

    Parameters
    ----------
    turn
        The player to act, ``CHANCE`` or ``END``, int8.
    child
        The first child, int64; 0 at the end.
    moves
        The number of children, int64.
    information
        The information set of the player to act, by its number in the ``Side``; -1 elsewhere.
    chance
        The probability that chance moves from the parent to the node; 1 where a player moves.
    payoff
        What player 0 wins at the end, else 0.
    """

    turn: NDArray[np.int8]
    child: NDArray[np.int64]
    moves: NDArray[np.int64]
    information: NDArray[np.int64]
    chance: NDArray[np.float64]
    payoff: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Payoffs:
    """The payoffs of one player, an entry for each pair of sequences at which the game ends.

    Parameters
    ----------
    own, other
        The sequence of the player and of its opponent, int64.
    payoff
        The sum over the ends with these sequences of the payoff times the probability of chance's moves.
    """

    own: NDArray[np.int64]
    other: NDArray[np.int64]
    payoff: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class GameTree:
    """A game as arrays; made by ``flatten``.

    Parameters
    ----------
    game
        The game.
    nodes
        Its nodes.
    sides
        The information sets and sequences of each player.
    payoffs
        By player.
    """

    game: Game[Any]
    nodes: Nodes
    sides: tuple[Side, Side]
    payoffs: tuple[Payoffs, Payoffs]

    def gains(self, player: int, plan: NDArray[np.float64]) -> NDArray[np.float64]:
        """What a player wins at the ends of each of its sequences, against a plan of its opponent.

        Parameters
        ----------
        player
            0 or 1.
        plan
            The opponent's probability of each of its sequences.

        Returns
        -------
        float64, shape (sequences of the player,)
            Payoffs times the probability of chance's and of the opponent's moves.
        """
        ends = self.payoffs[player]
        weights = ends.payoff * plan[ends.other]
        return np.asarray(np.bincount(ends.own, weights, self.sides[player].sequences), np.float64)


def flatten(game: Game[Any]) -> GameTree:
    """Walk a whole game once, verify it, and store it as arrays.

    Parameters
    ----------
    game
        A game of at most ``MOST_NODES`` nodes.

    Raises
    ------
    VariantError
        Other than two payoffs of sum 0, probabilities that are not above 0 with sum 1 or not one for each
        move of chance, two actions of one name, different actions in one information set, a player that does
        not recall its own actions, or too many nodes.
    ArgumentError
        A probability or a payoff beyond 64 bits.
    TypeError
        No game, or no number.

    Examples
    --------
    >>> from baycarp.solvers.small.kuhn import Kuhn
    >>> tree = flatten(Kuhn())
    >>> len(tree.nodes.turn), [len(side.informations) for side in tree.sides]
    (58, [6, 6])
    """
    if not (hasattr(game, "root") and hasattr(game, "turn")):
        raise TypeError(f"game: expected a Game, got {brief(game)}")
    walk = _Walk(game)
    walk.run()
    sides = side_of(walk.sets[0]), side_of(walk.sets[1])
    return GameTree(game, walk.nodes(sides), sides, walk.payoffs(sides))


@dataclass(slots=True)
class _Walk:
    """A game's states in order of depth, and what is stored of each."""

    game: Game[Any]
    turn: list[int] = field(default_factory=list)
    child: list[int] = field(default_factory=list)
    moves: list[int] = field(default_factory=list)
    information: list[str] = field(default_factory=list)
    chance: list[float] = field(default_factory=list)
    payoff: list[float] = field(default_factory=list)
    last: list[tuple[tuple[str, int], tuple[str, int]]] = field(default_factory=list)
    """The last own action (information set, number) of each player before each node."""
    sets: tuple[dict[str, tuple[tuple[str, ...], tuple[str, int]]], ...] = field(
        default_factory=lambda: ({}, {})
    )
    """By player and information set: the actions, and the last own action before it."""

    def run(self) -> None:
        states = [self.game.root()]
        self.last.append((("", 0), ("", 0)))
        self.chance.append(1.0)
        for number, state in enumerate(states):  # which grows
            turn = self.game.turn(state)
            self.turn.append(turn)
            self.payoff.append(self._payoff(state) if turn == END else 0.0)
            odds = self._odds(state, turn, number)
            self.child.append(len(states) if odds else 0)
            self.moves.append(len(odds))
            if len(states) + len(odds) > MOST_NODES:
                raise VariantError(f"{self.game.name}: expected at most {MOST_NODES} nodes")
            states.extend(self.game.play(state, move) for move in range(len(odds)))
            self.chance.extend(odds)
            before, key = self.last[number], self.information[number]
            for move in range(len(odds)):
                after = (key, move)
                self.last.append((after if turn == 0 else before[0], after if turn == 1 else before[1]))

    def _odds(self, state: Any, turn: int, number: int) -> list[float]:
        """The probability of each move, 1 for a player's; its information set is stored."""
        self.information.append("")
        if turn == END:
            return []
        if turn == CHANCE:
            name = f"{self.game.name}: a probability"
            odds = [real(each, name) for each in self.game.probabilities(state)]
            if not all(each > 0 for each in odds) or not abs(sum(odds) - 1) <= WITHIN:
                raise VariantError(
                    f"{self.game.name}: {brief(state)}: {odds}: expected probabilities with sum 1"
                )
            if len(odds) != (moves := len(self.game.actions(state))):
                raise VariantError(
                    f"{self.game.name}: {brief(state)}: {len(odds)} probabilities for {moves} moves"
                )
            return odds
        if turn not in (0, 1):
            raise VariantError(
                f"{self.game.name}: {brief(state)}: turn {turn}: expected 0, 1, {CHANCE} or {END}"
            )
        actions, key = tuple(self.game.actions(state)), self.game.information(state)
        if not actions or not key:
            raise VariantError(
                f"{self.game.name}: {brief(state)}: expected an action and a name of what is known"
            )
        self.information[number] = key
        self._verify(turn, key, actions, self.last[number][turn])
        return [1.0] * len(actions)

    def _verify(self, turn: int, key: str, actions: tuple[str, ...], last: tuple[str, int]) -> None:
        where = f"{self.game.name}: player {turn}, information set {brief(key)}"
        if key not in self.sets[turn] and len(set(actions)) < len(actions):
            twice = next(action for action in actions if actions.count(action) > 1)
            raise VariantError(f"{where}: action {brief(twice)} stands twice: expected different names")
        known, before = self.sets[turn].setdefault(key, (actions, last))
        if known != actions:
            raise VariantError(f"{where}: actions {known} and {actions}: expected the same")
        if before != last:
            raise VariantError(
                f"{where}: own actions before it differ, {before} and {last}: no perfect recall"
            )

    def _payoff(self, state: Any) -> float:
        payoffs = [real(each, f"{self.game.name}: a payoff") for each in self.game.returns(state)]
        if len(payoffs) != 2 or not abs(sum(payoffs)) <= WITHIN:
            raise VariantError(f"{self.game.name}: {brief(state)}: payoffs {payoffs}: expected sum 0 of two")
        return payoffs[0]

    def nodes(self, sides: tuple[Side, Side]) -> Nodes:
        number = [{key: n for n, key in enumerate(side.informations)} for side in sides]
        keys = zip(self.turn, self.information, strict=True)
        return Nodes(
            np.array(self.turn, np.int8),
            np.array(self.child, np.int64),
            np.array(self.moves, np.int64),
            np.array([number[turn][key] if turn >= 0 else -1 for turn, key in keys], np.int64),
            np.array(self.chance),
            np.array(self.payoff),
        )

    def payoffs(self, sides: tuple[Side, Side]) -> tuple[Payoffs, Payoffs]:
        reach = self.chance[:]
        sums: dict[tuple[int, int], float] = {}
        for node, (turn, child, moves) in enumerate(zip(self.turn, self.child, self.moves, strict=True)):
            for each in range(child, child + moves):
                reach[each] *= reach[node]
            if turn == END:
                first, second = self.last[node]
                pair = sides[0].sequence(*first), sides[1].sequence(*second)
                sums[pair] = sums.get(pair, 0.0) + reach[node] * self.payoff[node]
        return _ends(sums.items(), 0, 1), _ends(sums.items(), 1, -1)


def _ends(sums: Iterable[tuple[tuple[int, int], float]], player: int, sign: int) -> Payoffs:
    """The payoffs of one player, in the order of its sequences; pairs that cancel out are left out."""
    rows = sorted((pair[player], pair[1 - player], sign * payoff) for pair, payoff in sums if payoff)
    own, other, payoff = zip(*rows, strict=True) if rows else ((), (), ())
    return Payoffs(np.array(own, np.int64), np.array(other, np.int64), np.array(payoff, np.float64))
