from collections.abc import Iterable, Sequence
from typing import final

import numpy as np
from numpy.typing import NDArray

from baycarp.kernels.game import Hand, Rules

__all__ = ["MOST_EPISODES", "MOST_SIZES", "Episodes", "Menu"]

MOST_SIZES: int
"""Sizes of a menu, at most."""

MOST_EPISODES: int
"""Hands that are stepped together, at most."""

@final
class Menu:
    """The choices of a game by number, and its observations (csrc/include/baycarp/episode.h).

    Parameters
    ----------
    rules
        Of the game.
    sizes
        Of no-limit bets and raises: rising shares of the pot after the call. Fixed limit reads none.

    Raises
    ------
    ArgumentError
        Sizes that do not rise, are not above 0, or are too many.
    """

    rules: Rules
    sizes: tuple[float, ...]
    def __init__(self, rules: Rules, sizes: Iterable[float]) -> None: ...
    @property
    def choices(self) -> int:
        """Number of choices: fold, check or call, each size, all-in; in fixed limit three."""

    @property
    def width(self) -> int:
        """Numbers of an observation."""

    def amounts(self, hand: Hand) -> tuple[int, ...]:
        """The chips of every choice: the total of a bet or raise, 0 for the others, -1 = illegal."""

    def observe(
        self, hand: Hand, acts: Iterable[tuple[int, int, str]], seat: int, public: bool = False
    ) -> NDArray[np.float32]:
        """The observation of a position, shape (width,).

        Parameters
        ----------
        hand
            Of the hand's cards the position's own are read, and the board's up to the street.
        acts
            Position, street and name of every action so far.
        seat
            The position.
        public
            Without the position's own cards.

        Raises
        ------
        ArgumentError
            No such position.
        CardError
            A card of the board that is unseen.
        """

@final
class Episodes:
    """Hands of one game, stepped together: a learner against opponents that look at no cards.

    A hand that ends is followed by the next one. Equal seeds give equal hands.

    Parameters
    ----------
    menu
        The choices.
    stacks
        Chips by position at the start of every hand.
    habits
        Of the seats after the learner's, in order: chances to fold and to raise where it owes, and to bet
        where it does not; None = every kind of legal action is as likely.
    seat
        The learner's position; None = the next one every hand.
    count
        Hands at once, 1 to ``MOST_EPISODES``.

    Raises
    ------
    ArgumentError
        A number out of its range.
    VariantError
        Stacks that do not fit the game.
    """

    menu: Menu
    count: int
    def __init__(
        self,
        menu: Menu,
        stacks: tuple[int, ...],
        habits: Sequence[tuple[float, float, float] | None],
        seat: int | None,
        count: int,
    ) -> None: ...
    def start(self, seed: int) -> None:
        """Begin with the hands of a seed, 0 to 2**64 - 1."""

    def observe(self) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """Observations, shape (count, width), and masks, shape (count, choices), of the decisions."""

    def step(
        self, choices: NDArray[np.int64]
    ) -> tuple[
        NDArray[np.float32],
        NDArray[np.int8],
        NDArray[np.int64],
        NDArray[np.bool_],
        NDArray[np.bool_],
        NDArray[np.float32],
    ]:
        """One choice in each hand; a hand that ends is followed by the next one at once.

        Returns
        -------
        float32, shape (count, width); int8, shape (count, choices)
            Observations and masks of the next decisions.
        int64, shape (count,)
            Chips won by the hands that ended, else 0.
        bool, shape (count,), twice
            Whether the hand ended; whether the choice was illegal, and became a check, else a fold.
        float32, shape (count, width)
            The last observations of the hands that ended; other rows have no meaning.

        Raises
        ------
        ArgumentError
            Choices of another number.
        """

    def deck(self, episode: int) -> tuple[int, bytes]:
        """The learner's position and all cards of an episode's hand: hole cards by position, then the board.

        For records and tests: a learner must not read it.
        """
