"""The protocol of a small game: two players, zero sum, chance, hidden information; its tree fits in memory.

A game is a set of functions of its states. A state is any value that is never changed; ``play`` returns the
next one. The poker of ``baycarp.game`` is not a small game: its tree does not fit in memory.
"""

from collections.abc import Sequence
from typing import Protocol, TypeVar

__all__ = ["CHANCE", "END", "Game"]

CHANCE, END = -1, -2
"""What ``turn`` returns, beside the players 0 and 1, where chance moves and where the game is over."""

State = TypeVar("State")


class Game(Protocol[State]):
    """A two-player zero-sum game as functions of its states.

    Each is called only where it has a meaning: ``probabilities`` where chance moves, ``information`` where a
    player does, ``actions`` where either does, ``returns`` at the end.
    """

    @property
    def name(self) -> str:
        """The name of the game, by which saved strategies refer to it."""
        ...

    def root(self) -> State:
        """The state before the first move."""
        ...

    def turn(self, state: State) -> int:
        """The player to act, 0 or 1, or ``CHANCE``, or ``END``."""
        ...

    def probabilities(self, state: State) -> Sequence[float]:
        """The probability of each move of chance, in the order of ``actions``, above 0; their sum is 1."""
        ...

    def actions(self, state: State) -> Sequence[str]:
        """The names of the legal actions, the same in all states of an information set; or chance's moves."""
        ...

    def information(self, state: State) -> str:
        """Everything that the player to act may know: equal texts are one information set.

        Its own earlier actions are part of it (perfect recall).
        """
        ...

    def play(self, state: State, move: int) -> State:
        """The state after a move, counted as in ``probabilities`` or ``actions``."""
        ...

    def returns(self, state: State) -> tuple[float, float]:
        """The payoff of each player, in units of the game; their sum is 0."""
        ...
