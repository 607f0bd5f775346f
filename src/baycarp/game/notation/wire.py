"""The engine protocol on the wire: one JSON object a line, every field checked before it is used.

Both sides speak through this module: the engine that serves an agent (``baycarp.arena.engine``, whose first
lines define the messages) and the agent that is an external program (``agents.external.program``).
"""

import json
import math
import re
from dataclasses import fields, replace
from functools import lru_cache
from typing import Any, TypeAlias

from baycarp.card import text
from baycarp.errors import NotationError, VariantError
from baycarp.files import parse_json
from baycarp.game.action import STREETS, Action, action_text
from baycarp.game.notation.acpc import parse_matchstate
from baycarp.game.notation.hand import Hand, Transcript, card_ids
from baycarp.game.state import State
from baycarp.game.variant import DEEP, Variant, shipped

__all__ = [
    "LONGEST",
    "Lines",
    "Message",
    "game_message",
    "games",
    "hand_message",
    "identity",
    "number",
    "parse",
    "read_action",
    "read_game",
    "read_hand",
    "string",
    "whole",
    "wholes",
    "write",
]

LONGEST = 65536
"""Bytes of a line, at most; a longer one is dropped unread."""

Message: TypeAlias = dict[str, Any]

_ACTION = re.compile(r"(fold|check|call|bet|raise)(?: ([0-9]{1,12}))?")


class Lines:
    """A stream of bytes, cut into lines as it comes; never more than one line is kept."""

    def __init__(self) -> None:
        self._rest = b""
        self._long = False

    def feed(self, data: bytes) -> list[bytes | None]:
        """The lines that ``data`` completes; None = a line that was too long."""
        *whole, rest = (self._rest + data).split(b"\n")
        ended: list[bytes | None] = []
        for line in whole:
            ended.append(None if self._long or len(line) > LONGEST else line)
            self._long = False
        self._long = self._long or len(rest) > LONGEST
        self._rest = b"" if self._long else rest
        return ended

    def end(self) -> list[bytes | None]:
        """The last line, where the stream ended without a line end."""
        return self.feed(b"\n") if self._rest or self._long else []


def parse(line: bytes | None) -> Message:
    """Read a line as a message; its fields are still anything.

    Raises
    ------
    NotationError
        No JSON object, or a line that was too long.
    """
    if line is None:
        raise NotationError(f"line too long: expected at most {LONGEST} bytes")
    try:
        message = parse_json(line)
    except ValueError as error:
        raise NotationError(f"line {_short(line)}: expected a JSON object: {str(error)[:80]}") from None
    if not isinstance(message, dict):
        raise NotationError(f"line {_short(line)}: expected a JSON object")
    return message


def write(message: Message) -> bytes:
    """A message as a line; numbers that JSON does not have are null."""
    try:
        text = json.dumps(message, allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(message))
    return text.encode() + b"\n"


def identity(message: Message) -> Message:
    """The ``id`` that an answer to this message carries: a whole number or a short text; {} without one."""
    given = message.get("id")
    most = 100 if isinstance(given, str) else 2**63
    size = len(given) if isinstance(given, str) else abs(given) if isinstance(given, int) else most
    return {"id": given} if size < most else {}


def string(message: Message, key: str, default: str | None = None) -> str:
    """A field that is a text; without a default it must be there."""
    given = message.get(key, default)
    if not isinstance(given, str):
        raise _refused(message, key, "a text")
    return given


def whole(message: Message, key: str, default: int | None, least: int = 0, most: int = DEEP) -> int:
    """A field that is a whole number; without a default it must be there."""
    given = message.get(key, default)
    if not isinstance(given, int) or isinstance(given, bool) or not least <= given <= most:
        raise _refused(message, key, f"a whole number from {least} to {most}")
    return given


def number(message: Message, key: str) -> float | None:
    """A field that is a number of at least 0; None where it is null or missing."""
    given = message.get(key)
    if given is None:
        return None
    if not isinstance(given, int | float) or isinstance(given, bool) or not 0 <= given <= 1e9:
        raise _refused(message, key, "a number from 0 to 1e9")
    return float(given)


def wholes(message: Message, key: str, least: int = 0) -> tuple[int, ...] | None:
    """A field that is a list of whole numbers; None where it is null or missing."""
    given = message.get(key)
    if given is None:
        return None
    if not isinstance(given, list) or not all(
        isinstance(n, int) and not isinstance(n, bool) and least <= n <= 10 * DEEP for n in given
    ):
        raise _refused(message, key, f"a list of whole numbers of at least {least}")
    return tuple(given)


def read_action(state: State, given: str) -> Action:
    """Read an action; its amount may be left out where the rules leave one alone.

    Raises
    ------
    NotationError
        It is none, or needs an amount. Whether it is legal is decided by the rules.
    """
    found = _ACTION.fullmatch(given)
    if found is None:
        raise NotationError(f"action {given[:40]!r}: expected one like 'fold', 'call' or 'raise 20'")
    name, amount = found.groups()
    if amount is not None:
        return Action(name, int(amount))
    able = [action for action in state.legal_actions() if action.name == name]
    if len(able) > 1:
        raise NotationError(f"action {given!r}: expected an amount, {able[0].amount} to {able[-1].amount}")
    return able[0] if able else Action(name)


@lru_cache(maxsize=1)
def games() -> tuple[str, ...]:
    """The names of the games that ship."""
    return tuple(sorted(shipped()))


_GAME = tuple(field.name for field in fields(Variant) if field.init)


def game_message(variant: Variant) -> Message:
    """A game in full."""
    return {name: getattr(variant, name) for name in _GAME}


def read_game(given: Any) -> Variant:
    """A game: the name of one that ships, the text of an ACPC game file, or an object with all of its fields.

    Raises
    ------
    VariantError
        There is none of that name, or its rules contradict themselves.
    NotationError
        A field of another type.
    """
    if isinstance(given, dict):
        return _read_full(given)
    if not isinstance(given, str):
        raise NotationError(f"game {_short(given)}: expected a name, a GAMEDEF text or an object")
    if given.lstrip()[:7].upper() == "GAMEDEF":
        return Variant.parse(given)
    if given not in games():
        raise VariantError(f"game {given[:80]!r}: expected a GAMEDEF text or one of {', '.join(games())}")
    return Variant.load(given)


def _read_full(game: Message) -> Variant:
    seats = whole(game, "seats", None)
    raises = game.get("max_raises", [None] * 4)
    if not isinstance(raises, list):
        raise _refused(game, "max_raises", "a list of whole numbers or nulls")
    return Variant(
        name=string(game, "name", "holdem")[:100],
        betting=string(game, "betting"),
        seats=seats,
        blinds=wholes(game, "blinds") or (),
        antes=wholes(game, "antes") or (0,) * min(seats, 10),
        stacks=wholes(game, "stacks"),
        raise_sizes=wholes(game, "raise_sizes") or (),
        max_raises=tuple(None if n is None else whole({"max_raises": n}, "max_raises", None) for n in raises),
        first=wholes(game, "first") or (),
    )


def hand_message(hand: Hand) -> Message:
    """A hand, as far as the message has it; see ``read_hand``."""
    message: Message = {"hand": hand.id, "actions": [action_text(action) for action in hand.actions]}
    message |= {"holes": [text(hole) for hole in hand.holes], "board": text(hand.board)}
    if hand.players:
        message["players"] = list(hand.players)
    return message if hand.stacks is None else message | {"stacks": list(hand.stacks)}


def read_hand(message: Message, game: Variant | None) -> tuple[Hand, int | None]:
    """The hand of a message, every action verified, and the observing seat.

    Parameters
    ----------
    message
        ``state`` (a MATCHSTATE line), or ``actions`` with ``holes``, ``board``, ``seat``, ``hand``; besides
        ``game``, ``stacks``, ``players``.
    game
        Where the message names none.

    Raises
    ------
    BaycarpError
        The type names the cause: NotationError, VariantError, CardError, ...
    """
    variant = read_game(message["game"]) if "game" in message else game
    if variant is None:
        raise NotationError("game: expected one here, or in a message 'new' before")
    stacks = wholes(message, "stacks", least=1)
    players = _players(message, variant)
    if "state" in message:
        return _from_matchstate(string(message, "state"), variant, stacks, players)
    holes = tuple(card_ids(hole, 0, 2) for hole in _texts(message, "holes"))
    if len(holes) not in (0, variant.seats):
        raise _refused(message, "holes", f"{variant.seats} texts, empty where unseen")
    board = card_ids(string(message, "board", ""), 0, 3, 4, 5)
    script = Transcript(variant, stacks, holes, board)
    for given in _texts(message, "actions"):
        script.act(read_action(script.state, given))
    least, most = _streets(script.state)
    if not (0, 3, 4, 5)[least] <= len(board) <= (0, 3, 4, 5)[most]:
        raise _refused(message, "board", f"the cards of the {STREETS[most]}")
    seat = None if message.get("seat") is None else whole(message, "seat", None, most=variant.seats - 1)
    hand = whole(message, "hand", 0, most=10**18)
    return Hand(variant, script.actions, script.holes, board, stacks, players, id=hand), seat


def _streets(state: State) -> tuple[int, int]:
    """Between which two streets the board of a hand may stand: before the last action, and after it."""
    acted = state.acts[-1].street if state.acts else 0
    return acted, 3 if state.is_over else state.street


def _from_matchstate(
    line: str, variant: Variant, stacks: tuple[int, ...] | None, players: tuple[str, ...]
) -> tuple[Hand, int | None]:
    observation = parse_matchstate(line, replace(variant, stacks=stacks) if stacks else variant)
    hand = Hand.of(observation.state, players, observation.hand)
    return replace(hand, variant=variant, stacks=stacks), observation.seat


def _players(message: Message, variant: Variant) -> tuple[str, ...]:
    players = _texts(message, "players")
    if len(players) not in (0, variant.seats) or len(set(players)) != len(players):
        raise _refused(message, "players", f"{variant.seats} different names")
    return players


def _texts(message: Message, key: str) -> tuple[str, ...]:
    given = message.get(key, [])
    if not isinstance(given, list) or not all(isinstance(item, str) for item in given):
        raise _refused(message, key, "a list of texts")
    return tuple(given)


def _refused(message: Message, key: str, expected: str) -> NotationError:
    got = f"got {_short(message[key])}" if key in message else "it is missing"
    return NotationError(f"{key}: expected {expected}, {got}")


def _short(given: Any) -> str:
    text = repr(given[:80] if isinstance(given, bytes | str | list) else given)
    return text if len(text) <= 100 else text[:97] + "..."


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
