"""The games that a player can play, and whether it can decide an observation."""

from dataclasses import dataclass

from baycarp.card import text
from baycarp.errors import CardError, IllegalAction, TableError, brief
from baycarp.game.seats import seat_names
from baycarp.game.state import SHOWN, Observation
from baycarp.game.variant import Variant
from baycarp.kernels.arguments import instance

__all__ = ["Plays"]


@dataclass(frozen=True, slots=True)
class Plays:
    """The games of a player: kinds of betting ("limit", "no-limit", "pot-limit") and a number of seats."""

    betting: frozenset[str]
    fewest: int = 2
    most: int = 10

    def __str__(self) -> str:
        *first, last = sorted(self.betting)
        betting = f"{', '.join(first)} and {last}" if first else last
        seats = f"{self.fewest} to {self.most}" if self.fewest < self.most else str(self.most)
        return f"{betting}, {seats} seats"

    def fits(self, variant: Variant) -> bool:
        """Whether the player can sit in this game."""
        instance(variant, Variant, "variant")
        return variant.betting in self.betting and self.fewest <= variant.seats <= self.most

    def verify(self, variant: Variant, player: str = "") -> None:
        """Raise the reason if the player cannot sit in this game.

        Parameters
        ----------
        variant
            The game.
        player
            What cannot sit there, for the message: ``"agent 'rule'"``.

        Raises
        ------
        TableError
            It names the player, the game and the player's games.
        TypeError
            Something other than a game.

        Examples
        --------
        >>> Plays(frozenset({"limit"})).verify(Variant.load("holdem.nolimit.3p"), "agent 'rule'")
        Traceback (most recent call last):
        baycarp.errors.TableError: agent 'rule' cannot play holdem.nolimit.3p (no-limit, 3 seats): \
expected limit, 2 to 10 seats
        """
        if not self.fits(variant):
            what = f"{player} cannot play " if player else ""
            game = f"{variant.name} ({variant.betting}, {variant.seats} seats)"
            raise TableError(f"{what}{game}: expected {self}")

    def verify_turn(self, observation: Observation, cards: bool = True) -> None:
        """Raise the reason if the player cannot decide an observation.

        Parameters
        ----------
        observation
            The hand as the player's seat sees it.
        cards
            Whether the player looks at cards.

        Raises
        ------
        TableError
            The player does not play the game.
        IllegalAction
            It is not the seat's turn.
        CardError
            The seat's own cards, or cards of the board on this street, are unknown.
        TypeError
            Something other than an observation.
        """
        if not isinstance(observation, Observation):
            raise TypeError(f"expected an Observation, got {brief(observation)}")
        self.verify(observation.variant)
        state = observation.state
        if observation.seat is None or observation.seat != state.to_act:
            named: dict[int | None, str] = dict(enumerate(seat_names(observation.variant)))
            named[None] = "nobody"
            raise IllegalAction(f"{named[observation.seat]} cannot act: to act is {named[state.to_act]}")
        if not cards:
            return
        if len(observation.hole) != 2:
            raise CardError(
                f"hole cards of {seat_names(state.variant)[observation.seat]}: expected two, got none"
            )
        if len(observation.board) != SHOWN[observation.street]:
            board = text(observation.board)
            expected = f"expected {SHOWN[observation.street]} cards, got {len(observation.board)}"
            raise CardError(f"board {board!r}: {expected}")
