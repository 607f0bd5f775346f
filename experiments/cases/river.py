"""The last street of a no-limit hand as a small game, in which a bet may be translated into a letter.

Both players may bet the letters, and raise all-in once. The first player may also open for other amounts;
the second then observes a letter, which chance draws by a translation, and plays on as if it had been bet.
So the second player's information sets are those of the game without such amounts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from baycarp.errors import ArgumentError
from baycarp.solvers.small.game import CHANCE, END

__all__ = ["Opening", "River"]

ALL_IN = "a"
"""The letter of the whole stack."""

State: TypeAlias = tuple[int, tuple[str, ...]]
"""The number of the deal, -1 before it, and the moves."""


@dataclass(frozen=True, slots=True)
class Opening:
    """An amount that the first player may open for, beside the letters.

    Parameters
    ----------
    chips
        The amount, below the stack.
    shares
        The probability of each letter that it is translated into, above 0; None = the second player
        observes the amount.
    """

    chips: int
    shares: Mapping[str, float] | None = None


@dataclass(frozen=True)
class River:
    """The street as ``baycarp.solvers.Game``; payoffs in chips, the pot is half of each player.

    Parameters
    ----------
    deals
        ``(first, second, result)``: the numbers of the players' holdings, and 1, 0 or -1 where the first
        player wins, splits or loses the showdown. They have equal probabilities.
    pot, stack
        Chips: the pot, and what each player has left.
    letters
        The chips of each letter; ``a`` is the stack.
    openings
        Other amounts of the first player, by name.

    Raises
    ------
    ArgumentError
        No deal, letters without ``a`` or of another stack, or an amount that is not below the stack.

    Examples
    --------
    >>> game = River([(0, 0, 1)], 20, 400, {"p": 20, "a": 400}, {"180": Opening(180, {"p": 0.25, "a": 0.75})})
    >>> game.actions((0, ())), game.probabilities((0, ("180",))), game.information((0, ("180", "~p")))
    (('check', 'p', 'a', '180'), (0.25, 0.75), '0:p')
    """

    deals: Sequence[tuple[int, int, int]]
    pot: int
    stack: int
    letters: Mapping[str, int]
    openings: Mapping[str, Opening] = field(default_factory=dict)

    name = "river"

    def __post_init__(self) -> None:
        chips = [*self.letters.values(), *(opening.chips for opening in self.openings.values())]
        if (
            not self.deals
            or self.letters.get(ALL_IN) != self.stack
            or not all(0 < each <= self.stack for each in chips)
        ):
            raise ArgumentError(
                f"{self.letters}, {self.openings}: expected deals, and chips up to {self.stack}"
            )

    def root(self) -> State:
        """Nothing is dealt."""
        return -1, ()

    def turn(self, state: State) -> int:
        """Chance deals and translates; the players act in turn."""
        deal, moves = state
        if deal < 0 or self._translates(moves):
            return CHANCE
        acts = _acts(moves)
        if acts[-1:] in (("fold",), ("call",)) or acts == ("check", "check"):
            return END
        return len(acts) % 2

    def probabilities(self, state: State) -> Sequence[float]:
        """Equal ones of the deals, or those of the translation."""
        deal, moves = state
        if deal < 0:
            return (1 / len(self.deals),) * len(self.deals)
        return tuple(self._shares(moves).values())

    def actions(self, state: State) -> Sequence[str]:
        """Check and the letters, and other amounts of an opening; facing a bet, fold, call and all-in."""
        moves = state[1]
        if not moves:
            return ("check", *self.letters, *self.openings)
        if moves == ("check",):
            return ("check", *self.letters)
        faced, others = moves[-1].lstrip("~"), _acts(moves)
        raised = len([act for act in others if act != "check"]) > 1
        return ("fold", "call") if raised or self._chips(faced) == self.stack else ("fold", "call", ALL_IN)

    def information(self, state: State) -> str:
        """The player's holding, and the moves as it observes them."""
        deal, moves = state
        player = self.turn(state)
        if player and moves[-1].startswith("~"):
            return f"{self.deals[deal][1]}:{moves[-1][1:]}"
        return f"{self.deals[deal][player]}:{' '.join(_acts(moves))}"

    def play(self, state: State, move: int) -> State:
        """Deal, translate, or act."""
        deal, moves = state
        if deal < 0:
            return move, moves
        if self._translates(moves):
            return deal, (*moves, "~" + tuple(self._shares(moves))[move])
        return deal, (*moves, self.actions(state)[move])

    def returns(self, state: State) -> tuple[float, float]:
        """The chips of the player that folds, or of a showdown."""
        deal, moves = state
        paid = [self.pot / 2, self.pot / 2]
        for number, act in enumerate(acts := _acts(moves)):
            if act == "call":
                paid[number % 2] = paid[1 - number % 2]
            elif act not in ("check", "fold"):
                paid[number % 2] = self.pot / 2 + self._chips(act)
        if acts[-1] == "fold":
            folded = (len(acts) - 1) % 2
            won = paid[1] if folded else -paid[0]
        else:
            won = self.deals[deal][2] * paid[0]
        return won, -won

    def _chips(self, bet: str) -> int:
        return self.letters[bet] if bet in self.letters else self.openings[bet].chips

    def _shares(self, moves: tuple[str, ...]) -> Mapping[str, float]:
        return self.openings[moves[0]].shares or {}

    def _translates(self, moves: tuple[str, ...]) -> bool:
        return len(moves) == 1 and moves[0] in self.openings and bool(self._shares(moves))


def _acts(moves: tuple[str, ...]) -> tuple[str, ...]:
    """The players' moves, without those of chance."""
    return tuple(move for move in moves if not move.startswith("~"))
