"""The actions of a player, and their records. Tuples, because matches make thousands of them a second."""

import re
from typing import NamedTuple

from baycarp.errors import NotationError, brief

__all__ = ["ACTIONS", "STREETS", "Act", "Action", "action_from_text", "action_text"]

ACTIONS = ("fold", "check", "call", "bet", "raise")
"""The five actions of poker (Unger 2011, section 5.4.1), cheapest first; a case's solution is one of them."""

STREETS = ("preflop", "flop", "turn", "river")
"""The names of the streets, in every text that is written and read; street 0 is the first."""


class Action(NamedTuple):
    """One action of the player to act.

    Parameters
    ----------
    name
        One of ``ACTIONS``.
    amount
        Whole chips. For ``call`` the chips added; for ``bet`` and ``raise`` the player's total on this street
        *after* it ("raise to"). 0 for ``fold`` and ``check``.

    Examples
    --------
    >>> str(Action("raise", 40))
    'raise to 40'
    """

    name: str
    amount: int = 0

    def __str__(self) -> str:
        amount = brief(self.amount) if type(self.amount) is int else self.amount
        if self.name == "raise":
            return f"raise to {amount}"
        return f"{self.name} {amount}" if self.amount else self.name


class Act(NamedTuple):
    """An action as observed at the table, with its effect by the rules. Amounts are chips.

    Parameters
    ----------
    seat
        The actor's position in the hand (``Variant``: 0 = first left of the button).
    street
        0 pre-flop, 1 flop, 2 turn, 3 river.
    action
        The action.
    owed
        Chips that the player had to add to call, before it acted (0 = a check was free).
    paid
        Chips that the player added.
    bets
        Bets and raises made on the street before this act; the big blind counts as the first one pre-flop.
    pot
        All chips in the pot before this act, blinds and this street's bets included.
    """

    seat: int
    street: int
    action: Action
    owed: int
    paid: int
    bets: int
    pot: int


def action_text(action: Action) -> str:
    """An action as messages and records have it: ``fold``, ``call 5``, ``bet 10``, ``raise 20``."""
    return f"{action.name} {action.amount}" if action.amount else action.name


def action_from_text(text: str) -> Action:
    """The action that ``action_text`` wrote.

    Raises
    ------
    NotationError
        Not a name of ``ACTIONS``, alone or with a whole number of chips, at most 18 digits, after it.

    Examples
    --------
    >>> action_from_text("raise 20")
    Action(name='raise', amount=20)
    """
    name, space, amount = text.partition(" ")
    if name not in ACTIONS or (space and not re.fullmatch("[0-9]{1,18}", amount)):
        raise NotationError(f"action {text[:40]!r}: expected one like 'fold', 'call 5' or 'raise 20'")
    return Action(name, int(amount or 0))
