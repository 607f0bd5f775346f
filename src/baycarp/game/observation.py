"""What one seat may know of a hand. Agents are given nothing else."""

from typing import TYPE_CHECKING, NamedTuple

from baycarp.game.action import Act, Action
from baycarp.game.variant import Variant

if TYPE_CHECKING:
    from baycarp.game.state import State

__all__ = ["SHOWN", "Observation"]

SHOWN = (0, 3, 4, 5)
"""Cards of the board, by street."""


class Observation(NamedTuple):
    """A hand as one seat sees it.

    Parameters
    ----------
    state
        A state that holds only what the seat may know: its own hole cards, those shown, the board so far.
        To be read, not played on; ``state.copy()`` is free to be.
    seat
        The position that looks; None = what everybody may know.
    players
        Names by position, empty where nobody is named.
    hand
        The hand's number in its session, from 0.
    """

    state: "State"
    seat: int | None = None
    players: tuple[str, ...] = ()
    hand: int = 0

    @property
    def variant(self) -> Variant:
        """The game."""
        return self.state.variant

    @property
    def hole(self) -> tuple[int, ...]:
        """The seat's own two cards; empty where unseen."""
        return () if self.seat is None else self.state.hole_of(self.seat)

    @property
    def board(self) -> tuple[int, ...]:
        """The cards of the board so far."""
        return self.state.board

    @property
    def street(self) -> int:
        """0 pre-flop, 1 flop, 2 turn, 3 river."""
        return self.state.street

    @property
    def acts(self) -> tuple[Act, ...]:
        """All actions of the hand so far."""
        return self.state.acts

    def legal_actions(self) -> tuple[Action, ...]:
        """What the player to act may do."""
        return self.state.legal_actions()
