"""A client's answer to a state: its line, then ``:`` and ``f``, ``c``, ``r`` or, in no-limit, ``r<total>``.

In no-limit ``r`` carries the player's total *of the hand*; an ``Action`` holds its total of the street.
"""

import re

from baycarp.game.action import Action
from baycarp.game.notation.acpc import earlier_chips, format_matchstate
from baycarp.game.state import Observation, State

__all__ = ["format_answer", "read_answer"]

_KIND = {"f": "f", "c": "c", "k": "c", "r": "r", "b": "r"}
_SIZE = re.compile(r"\s*([-+]?[0-9]{1,4096})")
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
    return f"{format_matchstate(observation)}:{_written(observation.state, action)}"


def read_answer(state: State, text: str) -> tuple[Action, bool]:
    """Read the action of an answer, and mend what is not legal, as the original dealer does.

    The first letter decides, of either case: ``f``, ``c`` or ``k``, ``r`` or ``b``. In no-limit the whole
    number after ``r``, blanks and sign allowed, is the size, and a raise without one is a call. Everything
    after them is ignored: ``rr`` is a raise in fixed limit, ``r-5`` the least raise in no-limit
    (``readAction`` and ``isValidAction`` of ``project_acpc_server/game.c``).

    Parameters
    ----------
    state
        A hand with a player to act.
    text
        The text after the state's line and its ``:``.

    Returns
    -------
    action : Action
        A legal action: a raise of a wrong size becomes the nearest legal one; any other illegal or malformed
        answer becomes a call, or a check where that is free.
    mended : bool
        Whether the answer is not the text of this action.

    Examples
    --------
    >>> from baycarp.game.variant import Variant
    >>> hand = State(Variant.load("holdem.nolimit.2p.reverse_blinds"))
    >>> [str(read_answer(hand, text)[0]) for text in ("r250", "r-5", "r99999", "f", "x")]
    ['raise to 250', 'raise to 200', 'raise to 20000', 'fold', 'call 50']
    """
    action = _read(state, text)
    return action, text.rstrip() != _written(state, action)


def _read(state: State, text: str) -> Action:
    owed, least, most, bets = state.bounds()
    kind = _KIND.get(text[:1].lower())
    if kind == "f" and owed:
        return Action("fold")
    if kind == "r" and least:
        name = "raise" if bets else "bet"
        if state.variant.betting == "limit":
            return Action(name, least)
        if size := _SIZE.match(text, 1):
            return Action(name, min(max(int(size[1]) - earlier_chips(state), least), most))
    return state.named("call" if owed else "check")


def _written(state: State, action: Action) -> str:
    letter = _LETTER[action.name]
    sized = letter == "r" and state.variant.betting == "no-limit"
    return f"{letter}{action.amount + earlier_chips(state)}" if sized else letter
