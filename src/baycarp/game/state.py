"""One hand: its past, the legal actions, and one seat's observation of it.

The rules are compiled (``csrc/include/baycarp/game.h`` states them); this is the Python interface. An action
is checked in three ways: ``verify`` raises the reason, ``can`` returns a bool, ``apply`` verifies and does.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

import numpy as np

from baycarp.card import Cards, as_cards, text
from baycarp.errors import CardError, IllegalAction, VariantError, brief
from baycarp.files import plain_text
from baycarp.game.action import Act, Action
from baycarp.game.seats import seat_names
from baycarp.game.situation import as_html
from baycarp.game.variant import Variant
from baycarp.kernels.game import CALL, DEEP, FOLD, RAISE, Hand

__all__ = ["SHOWN", "Observation", "State"]

SHOWN = (0, 3, 4, 5)
"""Cards of the board, by street."""

_UNSEEN = bytes([255])
_FOLD, _CHECK = Action("fold"), Action("check")
_KIND = {"fold": FOLD, "check": CALL, "call": CALL, "bet": RAISE, "raise": RAISE}


@lru_cache(maxsize=8192)
def _legal(owed: int, least: int, most: int, bets: int) -> tuple[Action, ...]:
    """Actions are values, so tables of them are made once."""
    actions = [Action("fold"), Action("call", owed)] if owed else [Action("check")]
    name = "raise" if bets else "bet"
    actions += [Action(name, amount) for amount in sorted({least, most} - {0})]
    return tuple(actions)


class State(Hand):
    """A hand of ``variant``, from the blinds on.

    Parameters
    ----------
    variant
        The game.
    stacks
        Chips at the start by position; None = the variant's.
    deck
        Hole cards position by position, two each, then the five of the board. None = no card is known yet;
        ``deal`` adds cards.

    Raises
    ------
    VariantError
        Stacks that do not fit the game.
    CardError
        An unknown or duplicate card, or a deck of another size.

    Examples
    --------
    >>> hand = State(Variant.load("holdem.limit.2p.reverse_blinds"))
    >>> [str(action) for action in hand.legal_actions()]
    ['fold', 'call 5', 'raise to 20']
    >>> hand.apply(hand.named("raise")).paid
    15
    >>> hand.to_act, hand.owed, hand.pot
    (0, 10, 30)
    """

    __slots__ = ("acts", "variant")

    acts: tuple[Act, ...]
    variant: Variant

    def __init__(
        self, variant: Variant, stacks: Sequence[int] | None = None, deck: "Cards | None" = None
    ) -> None:
        if stacks is None:
            stacks = variant.stacks
        if stacks is None:
            if variant.betting != "limit":
                raise VariantError(f"game {variant.name!r}: no-limit needs stacks")
            stacks = (DEEP,) * variant.seats
        super().__init__(variant.rules, tuple(islice(stacks, variant.seats + 1)))
        self.variant = variant
        self.acts = ()
        if deck is not None:
            ids = _ids(deck, "deck", (2 * variant.seats + 5,))
            self.known = ids[:-5].ljust(20, _UNSEEN) + ids[-5:]

    def begun(self) -> "State":
        """The same hand before its first action, without cards."""
        paid = zip(self.stacks, self.committed, strict=True)
        return State(self.variant, tuple(behind + chips for behind, chips in paid))

    def deal(
        self,
        holes: Mapping[int, Cards] | Sequence[Cards] = (),
        board: "Cards | None" = None,
    ) -> None:
        """Make cards known, or known anew: hole cards by position, and the board from its first card on.

        The board has at least the cards of the street: 3, 4 or 5 on the flop. A street to come may be given
        with it.

        Raises
        ------
        CardError
            An unknown or duplicate card, or a wrong number; the hand is then unchanged.
        """
        known = self.known
        for seat, hole in holes.items() if isinstance(holes, Mapping) else enumerate(holes):
            if not 0 <= seat < self.variant.seats:
                raise CardError(f"hole cards of position {seat}: expected one below {self.variant.seats}")
            ids = _ids(hole, f"hole cards of position {seat}", (0, 2))
            known = known[: 2 * seat] + ids.ljust(2, _UNSEEN) + known[2 * seat + 2 :]
        if board is not None:
            known = known[:20] + _ids(board, "board", SHOWN[self.street :]).ljust(5, _UNSEEN)
        self.known = known

    def legal_actions(self) -> tuple[Action, ...]:
        """The legal actions of the player to act, cheapest first; of no-limit's bets the least and greatest.

        Empty when the hand is over.
        """
        return () if self.is_over else _legal(*self.bounds())

    def named(self, name: str) -> Action:
        """The legal action of that name, the least in size.

        Raises
        ------
        IllegalAction
            None is legal now.
        """
        for action in self.legal_actions():
            if action.name == name:
                return action
        raise IllegalAction(f"cannot {name}: {self.options()}")

    def verify(self, action: Action) -> None:
        """Raise the reason if ``action`` is not legal now.

        Raises
        ------
        IllegalAction
            It names the action and the legal ones.
        """
        if not isinstance(action, Action):
            raise IllegalAction(f"{brief(action)}: expected an Action; {self.options()}")
        legal = self.legal_actions()
        if action in legal:
            return
        bet = legal[-1] if legal and legal[-1].name in ("bet", "raise") else None
        if bet and bet.name == action.name and isinstance(action.amount, int):
            _, least, most, _ = self.bounds()
            if least <= action.amount <= most:
                return
        raise IllegalAction(f"cannot {action}: {self.options()}")

    def can(self, action: Action) -> bool:
        """Whether ``action`` is legal now."""
        try:
            self.verify(action)
        except IllegalAction:
            return False
        return True

    def apply(self, action: Action) -> Act:
        """Apply an action, and return its record.

        A fold where a check is free is applied too: people do so, and records contain it, though it is none
        of the ``legal_actions``.

        Raises
        ------
        IllegalAction
            It names the action and the legal ones; the hand is unchanged.
        """
        if action != _FOLD or self.is_over:
            self.verify(action)
        return self.play(_KIND[action.name], action.amount)

    def play(self, kind: int, amount: int = 0) -> Act:
        """Apply an action of a kind, and return its record.

        Parameters
        ----------
        kind
            ``FOLD``, ``CALL`` (check or call) or ``RAISE`` (bet or raise) of ``kernels.game``.
        amount
            For ``RAISE``, the player's total on the street after it, in chips.

        Raises
        ------
        IllegalAction
            Another kind, or an illegal amount; the hand is unchanged.
        """
        seat, street, owed, paid, bets, pot = self.act(kind, amount)
        if kind == RAISE:
            action = Action("raise" if bets else "bet", amount)
        elif kind == CALL:
            action = Action("call", owed) if owed else _CHECK
        else:
            action = _FOLD
        act = Act(seat, street, action, owed, paid, bets, pot)
        self.acts += (act,)
        return act

    def copy(self) -> "State":
        """An independent copy."""
        other = self.clone()
        other.acts, other.variant = self.acts, self.variant
        return other

    def observe(self, seat: int | None = None, players: tuple[str, ...] = (), hand: int = 0) -> "Observation":
        """The observation of ``seat`` now; None = the public one.

        At a showdown all players still in have shown their hands.
        """
        view = self.seen_by(-1 if seat is None else seat)
        view.acts, view.variant = self.acts, self.variant
        return Observation(view, seat, players, hand)

    @property
    def betting(self) -> str:
        """The betting as ACPC writes it: ``f``, ``c``, ``r`` in order, ``/`` between streets.

        In no-limit ``r`` carries the player's total over the whole hand, antes apart.
        """
        totals = [min(blind, paid) for blind, paid in zip(self.variant.blinds, self.committed, strict=True)]
        letters, street = [], 0
        for act in self.acts:
            letters.append("/" * (act.street - street))
            street = act.street
            totals[act.seat] += act.paid
            kind = _KIND[act.action.name]
            letters.append("fcr"[kind])
            if kind == RAISE and self.variant.betting == "no-limit":
                letters.append(str(totals[act.seat]))
        return "".join(letters) + "/" * (self.street - street)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self.same(other) and self.acts == other.acts and self.variant == other.variant

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        board = "".join("/" + text(self.board[a:b]) for a, b in ((0, 3), (3, 4), (4, 5)) if self.board[a:b])
        return f"{self.betting}:{'|'.join(text(hole) for hole in self.holes)}{board}"

    def __repr__(self) -> str:
        then = "over" if self.is_over else f"{self.acting} to act"
        return f"<State of {self.variant.name}: {self} ({then}, pot {self.pot})>"

    @property
    def acting(self) -> str:
        """The seat to act, by its name; empty once the hand is over."""
        return "" if self.to_act is None else seat_names(self.variant)[self.to_act]

    def options(self) -> str:
        """What the player to act may do, for messages."""
        if self.is_over:
            return "the hand is over"
        legal = self.legal_actions()
        words = [str(action) for action in legal]
        if len(legal) > 1 and legal[-2].name == legal[-1].name:
            words[-2:] = [f"{legal[-2]}..{legal[-1].amount}"]
        return f"{self.acting} may {', '.join(words)}"


class Observation(NamedTuple):
    """A hand as one seat observes it: the only input of an agent's decision.

    Parameters
    ----------
    state
        A state with the cards that the seat may observe: its own, those shown, the board so far. It is
        read only; ``state.copy()`` may be changed.
    seat
        The observing position; None = the public observation.
    players
        Names by position, empty where they are unknown.
    hand
        The hand's number in its session, from 0.
    """

    state: State
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
        """The legal actions of the player to act."""
        return self.state.legal_actions()

    def _repr_html_(self) -> str:
        """The situation as a person would draw it, in a notebook."""
        return plain_text(as_html(self))


def _ids(given: Cards, name: str, counts: tuple[int, ...]) -> bytes:
    """Card ids; bytes and uint8 arrays as they are, since the compiled hand checks its input."""
    if isinstance(given, np.ndarray) and given.dtype == np.uint8:
        given = given.tobytes()
    if not isinstance(given, bytes):
        return as_cards(given, name, counts).tobytes()
    if len(given) not in counts:
        raise CardError(f"{name}: expected {' or '.join(map(str, counts))} cards, got {len(given)}")
    return given
