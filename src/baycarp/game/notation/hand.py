"""A hand as a record: the players, their stacks, cards and actions; and its replay under the rules.

Every reader of another notation returns a ``Hand``; every writer takes one. All notations have the same
three verbs (fold; check or call; bet or raise): a reader passes its verbs to a ``Transcript``, which
interprets each by the rules and refuses what they forbid.

Heads-up, one player is the button *and* the small blind, and notations disagree on the order of the players:

    position      ACPC, PHH, baycarp         IRC of 1995
    0 (p1)        big blind                  small blind, first on every street
    1 (p2)        button, small blind        big blind

IRC's is another order of play, kept in ``Variant.first``.

What real rooms have, as data::

    who is dealt in    the positions; who sits out has none. Position 0 is the first dealt in left of the
                       button's seat, also where the button is dead.
    live posts         chips that count as a bet (blinds, straddles, a newcomer's or a missed big blind):
                       ``Variant.blinds``, as far as the stack goes; ``Variant.first`` has who opens.
    dead money         a missed small blind, a button or big-blind ante, a bomb ante: ``Variant.antes``,
                       unequal, which belong to the main pot and are no bet.
    the big blind      ``Variant.least_bet`` where it is not the largest live post: a straddle is larger, or
                       nobody posted it (all must still match it). With a straddle a raise is by it at least.
    a bomb pot         ``Variant.first[0]`` is -1: no betting before the flop.
    a short post       the whole blind in ``Variant.blinds``; the rules put the short stack all-in.
    free folds         an ``Action("fold")`` where a check is free, kept as it happened.
    uncalled bets      no line of their own: the rules return what nobody matched.
    mucked hands       ``Hand.mucked``; at the showdown a mucked hand loses, unseen.
    rake               ``Origin.rake``; ``Hand.payoffs`` are net of it and sum to its negative. The rules know
                       no rake: replayed payoffs sum to 0.
    a hand run twice   is refused ("run twice"), as are other games ("another game").
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from os import PathLike
from pathlib import Path
from typing import Literal, TypeAlias

from baycarp.card import DECK
from baycarp.errors import BaycarpError, CardError, IllegalAction, NotationError, brief, reason
from baycarp.files.archives import text_lines
from baycarp.game.action import STREETS, Action
from baycarp.game.seats import seat_names
from baycarp.game.state import Observation, State
from baycarp.game.variant import DEEP, Variant
from baycarp.kernels.game import CALL, FOLD, RAISE

__all__ = ["Hand", "Origin", "Refusal", "Refused", "Source", "Transcript", "replay", "states"]

LONGEST = 4096
"""Limit of the characters of a hand in one line; a longer line is refused unread."""

LONGEST_HAND = 1 << 16
"""Limit of the characters of a hand in several lines, and of a line that a file is read by."""

_ID = {name: card for card, name in enumerate(DECK)}

Source: TypeAlias = "str | PathLike[str] | Iterable[str]"
"""The source of a reader of lines: a path (``.gz`` is unpacked on the way), or the lines."""


class Refused(NotationError):
    """A hand that cannot be read or replayed.

    Parameters
    ----------
    reason
        The fault in a few fixed words, so that refusals can be counted. Among them "another game" (not
        hold'em), "run twice", "cancelled hand", "cut off" (the text ends in the hand), "chips do not add up"
        (the text contradicts itself or the rules), "unknown format".
    detail
        The value, and the expected ones.
    where
        The place in the text, or the hand.
    """

    def __init__(self, reason: str, detail: str, where: str = "") -> None:
        super().__init__(": ".join(part for part in (where, reason, detail) if part))
        self.reason, self.detail, self.where = reason, detail, where

    def __reduce__(self) -> tuple[type["Refused"], tuple[str, str, str]]:
        return Refused, (self.reason, self.detail, self.where)

    def at(self, where: str) -> "Refused":
        """The same refusal, with its place."""
        return self if self.where else Refused(self.reason, self.detail, where)


Refusal: TypeAlias = Callable[[Refused], None]
"""Called by a reader with each hand that it refuses, before the next one; without it the reader raises."""


@dataclass(frozen=True, slots=True)
class Origin:
    """A hand's table, time and money, as far as its source states them; empty where it does not.

    Parameters
    ----------
    room
        The poker room or program, as its reader's ``Format`` is named: ``"PokerStars"``.
    table
        The table's name.
    time
        The start of the hand; aware where the source has a zone, else naive.
    currency
        ISO's letters (``"USD"``, ``"EUR"``); "" = chips of a tournament or of play money.
    tournament
        Its number or name; "" = a cash game.
    hero
        The position of the player that the record was made for, whose cards were dealt face up.
    rake
        Chips that the house took from the pot, of the hand's ``unit``.
    anonymous
        Whether names stand for seats (``"Player 4"``), so that equal names of two hands may be two players.
    """

    room: str = ""
    table: str = ""
    time: datetime | None = None
    currency: str = ""
    tournament: str = ""
    hero: int | None = None
    rake: int = 0
    anonymous: bool = False


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand, finished or not, as in its source.

    Parameters
    ----------
    variant
        The game.
    actions
        In order; amounts as in ``Action`` (bets and raises are totals of the street).
    holes
        Hole cards by position, two ids each, ``()`` where unseen.
    board
        Ids, 0, 3, 4 or 5.
    stacks
        Chips by position before the blinds; None = as deep as needed.
    players
        Names by position; may be empty.
    payoffs
        Net chips by position *as the source states them*, which may differ from the replayed ones (an all-in
        settled in expectation has fractions, rake is taken off); None = not stated.
    id
        The source's number or name of the hand.
    unit
        The value of a chip in the source's money, where amounts are whole cents ``Decimal("0.01")``.
    mucked
        The positions that gave up unseen hands at the showdown.
    origin
        The room, table and time.
    """

    variant: Variant
    actions: tuple[Action, ...]
    holes: tuple[tuple[int, ...], ...]
    board: tuple[int, ...] = ()
    stacks: tuple[int, ...] | None = None
    players: tuple[str, ...] = ()
    payoffs: tuple[float, ...] | None = None
    id: int | str = 0
    unit: Decimal = Decimal(1)
    mucked: tuple[int, ...] = ()
    origin: Origin = Origin()

    @classmethod
    def of(cls, state: State, players: tuple[str, ...] = (), id: int | str = 0) -> "Hand":
        """The record of a state; with payoffs where the hand is over and its cards are known."""
        stacks = tuple(map(sum, zip(state.stacks, state.committed, strict=True)))
        try:
            payoffs = state.payoffs() if state.is_over else None
        except CardError:
            payoffs = None
        return cls(
            variant=state.variant,
            actions=tuple(act.action for act in state.acts),
            holes=state.holes,
            board=state.board,
            stacks=None if stacks == (state.variant.stacks or (DEEP,) * state.variant.seats) else stacks,
            players=players,
            payoffs=payoffs,
            id=id,
            mucked=state.mucked,
        )

    def observe(self, seat: int | None = None) -> Observation:
        """The observation of a seat (None = public) at the end of the record."""
        return self._observed(replay(self), seat)

    def observation(self, street: int | str, seat: int | None = None, last: bool = False) -> Observation:
        """The observation of a seat at a decision.

        Parameters
        ----------
        street
            0..3, or a name of ``game.action.STREETS``.
        seat
            The position that decides; None = the first to decide on the street.
        last
            The seat's last decision on the street instead of its first.

        Raises
        ------
        NotationError
            That seat had nothing to decide there, or the hand cannot be replayed.
        """
        if street not in (*STREETS, 0, 1, 2, 3):
            raise NotationError(f"street {brief(street)}: expected 0..3 or one of {', '.join(STREETS)}")
        number = STREETS.index(street) if isinstance(street, str) else street
        found = None
        for state in states(self):
            if state.street == number and state.to_act is not None and seat in (None, state.to_act):
                seat, found = state.to_act, state
                if not last:
                    break
        if found is None:
            seat_name = "any position" if seat is None else seat_names(self.variant)[seat]
            raise NotationError(f"hand {self.id}: no decision of {seat_name} on the {STREETS[number]}")
        return self._observed(found, seat)

    def _observed(self, state: State, seat: int | None) -> Observation:
        return state.observe(seat, players=self.players, hand=self.id if isinstance(self.id, int) else 0)


class Transcript:
    """A hand while it is read: the three verbs of every notation as actions under the rules.

    ``state`` is the state after the last action; known cards are dealt at the start.
    """

    def __init__(
        self,
        variant: Variant,
        stacks: tuple[int, ...] | None = None,
        holes: tuple[tuple[int, ...], ...] = (),
        board: tuple[int, ...] = (),
    ) -> None:
        known = [card for hole in holes for card in hole] + list(board)
        if known and not (isinstance(min(known), int) and min(known) >= 0 and max(known) < 52):
            raise Refused("unknown card", f"holes {holes}, board {board}: expected ids 0..51")
        if len(set(known)) != len(known):
            twice = next(card for i, card in enumerate(known) if card in known[:i])
            raise Refused("card dealt twice", DECK[twice])
        self.holes, self.board = tuple(holes), tuple(board)
        self.state = State(variant, stacks)
        if known:
            self.state.deal(tuple(map(bytes, holes)), bytes(board))

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions so far."""
        return tuple([act.action for act in self.state.acts])

    def hand(
        self,
        stacks: tuple[int, ...] | None = None,
        players: tuple[str, ...] = (),
        payoffs: tuple[float, ...] | None = None,
        id: int | str = 0,
        unit: Decimal = Decimal(1),
        origin: Origin = Origin(),
    ) -> Hand:
        """The record of what was read so far; the parameters are those of ``Hand``."""
        return Hand(
            self.state.variant,
            self.actions,
            self.holes,
            self.board,
            stacks,
            players,
            payoffs,
            id,
            unit,
            self.state.mucked,
            origin,
        )

    def fold(self) -> None:
        """The player to act folds, also where a check is free."""
        self._play(FOLD, 0)

    def muck(self, seat: int) -> None:
        """A player gives up its hand at the showdown, unseen."""
        if seat not in self.state.seats_in:
            raise Refused("muck of a folded hand", f"position {seat}: expected one of {self.state.seats_in}")
        self.state.mucked = tuple(sorted({*self.state.mucked, seat}))

    def stay(self) -> None:
        """The player to act checks where that is free, and calls where not."""
        self._play(CALL, 0)

    def push(self, to: int | None = None) -> None:
        """The player to act bets or raises, to a total of the street; None = by the limit's fixed size."""
        self._play(RAISE, self.state.bounds()[1] if to is None else to)

    def act(self, action: Action) -> None:
        """Apply an action.

        Raises
        ------
        Refused
            The action is not legal; the position and the street are named.
        """
        try:
            self.state.apply(action)
        except IllegalAction as error:
            raise self._illegal(str(action), str(error)) from error

    def _play(self, kind: int, amount: int) -> None:
        state = self.state
        try:
            state.play(kind, amount)
        except IllegalAction as error:
            if kind == RAISE:
                name = "raise" if state.bets_made else "bet"
                word = str(Action(name, amount))
            else:
                word = "fold" if kind == FOLD else "call" if state.owed else "check"
            raise self._illegal(word, f"cannot {word}: {state.options()}") from error

    def _illegal(self, word: str, fault: str) -> Refused:
        state, street = self.state, STREETS[self.state.street]
        if state.to_act is None:
            return Refused("action after the end", f"{word} on the {street}")
        return Refused("illegal action", f"{state.acting} on the {street}: {fault}")


def _steps(hand: Hand) -> Iterator[State]:
    """One state, shown after the deal and after each action."""
    done = 0
    try:
        script = Transcript(hand.variant, hand.stacks, hand.holes, hand.board)
        script.state.mucked = hand.mucked
        yield script.state
        for action in hand.actions:
            done += 1
            script.act(action)
            yield script.state
    except Refused as error:
        raise error.at(f"hand {hand.id}, action {done} of {len(hand.actions)}") from error


def states(hand: Hand) -> Iterator[State]:
    """Every state of a hand, from the deal to the end: one more than it has actions.

    Raises
    ------
    NotationError
        An action that the rules forbid, with the number of the hand and of the action.
    """
    for state in _steps(hand):
        yield state.copy()


def replay(hand: Hand) -> State:
    """The state after all actions of a hand, each verified.

    Raises
    ------
    NotationError
        An action that the rules forbid, with the number of the hand and of the action.
    """
    for state in _steps(hand):
        last = state
    return last


def card_ids(string: str, *counts: int) -> tuple[int, ...]:
    """Cards printed without blanks, as machines print them: ``"AhKd"`` -> (50, 45)."""
    try:
        ids = tuple(_ID[string[at : at + 2]] for at in range(0, len(string), 2))
    except KeyError as error:
        raise Refused("unknown card", f"{error.args[0]!r} in {string!r}") from None
    if counts and len(ids) not in counts:
        expected = " or ".join(map(str, counts))
        raise Refused("wrong number of cards", f"{string!r}: expected {expected}, got {len(ids)}")
    return ids


def lines(source: Source, errors: Literal["strict", "replace"] = "strict") -> Iterator[str]:
    """The lines of a regular file (``.gz`` is unpacked on the way) or of anything that gives lines.

    Of a line of a file that is longer than ``LONGEST_HAND`` only the beginning is given, one character more
    than any reader accepts: that bounds the memory.

    Parameters
    ----------
    source
        A path, or lines.
    errors
        What is done with bytes that are no UTF-8: an error, or a replacement character.

    Raises
    ------
    NotationError
        A file that is missing, is cut, is a pipe or a device, or is no UTF-8 text.
    """
    if not isinstance(source, str | PathLike):
        yield from source
        return
    try:
        yield from text_lines(Path(source), LONGEST_HAND, errors)
    except (OSError, ValueError) as error:
        raise NotationError(f"{source}: cannot be read: {reason(error)}") from error


def attempt(read: Callable[[], Hand], where: str, refusal: Refusal | None) -> Iterator[Hand]:
    """Read one hand, if it can be read. A fault goes to ``refusal``, or is raised, with its place."""
    try:
        hand = read()
    except Refused as error:
        refused = error.at(where)
    except BaycarpError as error:
        refused = Refused("not a hand of this game", str(error), where)
    else:
        yield hand
        return
    if refusal is None:
        raise refused
    refusal(refused)
