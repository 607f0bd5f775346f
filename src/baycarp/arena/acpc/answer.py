"""A client's answer to a state: its line, then ``:`` and ``f``, ``c``, ``r`` or, in no-limit, ``r<total>``.

In no-limit ``r`` carries the player's total *of the hand*; an ``Action`` holds its total of the street.
"""

import re

from baycarp.game.action import Action
from baycarp.game.notation.acpc import format_matchstate
from baycarp.game.state import Observation, State

__all__ = ["format_answer", "read_answer"]

_ANSWER = re.compile(r"([fcr])([0-9]{0,4096})")  # a line is no longer
_LETTER = {"fold": "f", "check": "c", "call": "c", "bet": "r", "raise": "r"}


def format_answer(observation: Observation, action: Action) -> str:
    """The line that answers a state.

    Examples
    --------
    >>> from baycarp.game.notation.acpc import parse_matchstate
    >>> from baycarp.game.variant import Variant
    >>> game = Variant.load("holdem.nolimit.2p.reverse_blinds")
    >>> observation = parse_matchstate("MATCHSTATE:0:7:r300c/:AhKd|/Qs7d2c", game)
    >>> format_answer(observation, Action("bet", 200))
    'MATCHSTATE:0:7:r300c/:AhKd|/Qs7d2c:r500'
    """
    letter = _LETTER[action.name]
    sized = letter == "r" and observation.variant.betting == "no-limit"
    total = str(action.amount + _before(observation.state)) if sized else ""
    return f"{format_matchstate(observation)}:{letter}{total}"


def read_answer(state: State, text: str) -> tuple[Action, bool]:
    """Read the action of an answer, and mend what is not legal as the original dealer does.

    Parameters
    ----------
    state
        A hand with a player to act.
    text
        What stands behind the state's line and its ``:``.

    Returns
    -------
    action : Action
        A legal action: a raise of a wrong size becomes the nearest legal one; any other illegal or malformed
        answer becomes a call, or a check where that is free.
    mended : bool
        Whether it differs from the client's answer.

    Examples
    --------
    >>> from baycarp.game.variant import Variant
    >>> hand = State(Variant.load("holdem.nolimit.2p.reverse_blinds"))
    >>> [str(read_answer(hand, text)[0]) for text in ("r250", "r150", "r99999", "f", "x")]
    ['raise to 250', 'raise to 200', 'raise to 20000', 'fold', 'call 50']
    """
    owed, least, most, bets = state.bounds()
    stay = state.named("call" if owed else "check")
    matched = _ANSWER.fullmatch(text.strip())
    if matched is None:
        return stay, True
    letter, size = matched.groups()
    if letter == "c":
        return stay, bool(size)
    if letter == "f":
        return (Action("fold"), bool(size)) if owed else (stay, True)
    limit = state.variant.betting == "limit"
    if not least or not (limit or size):
        return stay, True
    wanted = least if limit else int(size) - _before(state)
    amount = min(max(wanted, least), most)
    return Action("raise" if bets else "bet", amount), bool(size) if limit else amount != wanted


def _before(state: State) -> int:
    """Chips that the player to act had put in before this street, antes apart."""
    seat = state.to_act
    assert seat is not None
    ante = min(state.variant.antes[seat], state.stacks[seat] + state.committed[seat])
    return state.committed[seat] - state.bets[seat] - ante
