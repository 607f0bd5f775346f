"""The same cards again: a recorded hand as the first one of a session, with the person at one decision."""

from dataclasses import dataclass
from itertools import islice
from random import Random

from baycarp.card import DECK
from baycarp.errors import TableError
from baycarp.game import Action
from baycarp.game.notation.hand import Hand, states
from baycarp.game.seats import seat_names

__all__ = ["RecordedOpening", "opening", "others"]


@dataclass(frozen=True, slots=True)
class RecordedOpening:
    """The first hand of a session, up to a decision of the person: its position, and all actions before.

    The deck has card ids: two hole cards a position, then five board cards. Stacks are chips by position
    before the blinds; None = those of the game.
    """

    seat: int
    deck: bytes
    stacks: tuple[int, ...] | None
    actions: tuple[Action, ...]

    @property
    def first(self) -> int:
        """The chair in position 0 of the hand: the person has chair 0."""
        return -self.seat % ((len(self.deck) - 5) // 2)


def opening(hand: Hand, act: int, seed: int) -> RecordedOpening:
    """The deal of a recorded hand, and its actions before one of them, whose player the person becomes.

    Cards that the record does not have (of players that folded, of the board to come) are drawn from the rest
    of the deck, all with one probability.

    Parameters
    ----------
    hand
        As recorded; all of its actions are verified.
    act
        The index of the action that is decided again, from 0.
    seed
        Of the drawn cards.

    Raises
    ------
    TableError
        No such action, or the player's cards are not recorded.
    NotationError
        An action that the rules forbid.
    """
    if not 0 <= act < len(hand.actions):
        raise TableError(f"action {act + 1}: expected one of the hand's, 1 to {len(hand.actions)}")
    seat = next(islice(states(hand), act, None)).to_act
    assert seat is not None
    if not hand.holes[seat]:
        raise TableError(f"action {act + 1}: the cards of its player are not recorded")
    known = {*hand.board, *(card for hole in hand.holes for card in hole)}
    rest = [card for card in range(len(DECK)) if card not in known]
    Random(seed).shuffle(rest)
    holes = [card for hole in hand.holes for card in (hole or (rest.pop(), rest.pop()))]
    board = [*hand.board, *(rest.pop() for _ in range(5 - len(hand.board)))]
    return RecordedOpening(seat, bytes((*holes, *board)), hand.stacks, hand.actions[:act])


def others(hand: Hand, start: RecordedOpening, person: str) -> tuple[str, ...]:
    """Names of the other players by chair, from 1: the recorded ones where these are distinct."""
    names = hand.players or ("",) * hand.variant.seats
    seats, found = seat_names(hand.variant), list[str]()
    for chair in range(1, len(names)):
        position = (chair - start.first) % len(names)
        name = names[position]
        found.append(seats[position] if name in ("", person, *found) else name)
    return tuple(found)
