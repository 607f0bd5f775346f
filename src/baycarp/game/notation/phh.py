"""Poker hand histories, PHH (one hand) and PHHS (many), both ways, through pokerkit (extra ``phh``).

Fixed limit (``FT``) and no-limit (``NT``) hold'em; other games are refused by name. PHH's p1, p2, ... are
positions 0, 1, ...; but heads-up its lists of blinds and antes are written **button first**: ``[1, 2]`` means
that p1, the big blind, posts 2 (pokerkit turns them round, and so does this module).

PHH amounts may be fractions and stacks infinite. Chips here are whole: amounts are multiplied by the least
number that makes all of them whole, and ``Hand.unit`` is what one chip is then worth.
"""

import re
import warnings
from collections.abc import Iterable, Iterator
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from baycarp.card import text
from baycarp.errors import BaycarpError, NotationError
from baycarp.game.action import Action
from baycarp.game.notation.hand import (
    LONGEST_HAND,
    Hand,
    Refusal,
    Refused,
    attempt,
    lines,
    states,
    write_text,
)
from baycarp.game.notation.money import Money
from baycarp.game.notation.phh_reader import MAX_RAISES, NO_CAP, hand_of, order
from baycarp.game.state import State
from baycarp.game.variant import DEEP

if TYPE_CHECKING:
    from pokerkit import HandHistory

__all__ = ["Section", "format_phh", "parse_phh", "read_phhs", "read_section", "sections", "write_phhs"]

_SECTION = re.compile(r"\s*\[\s*([\w.-]{1,40}|'[^'\n]{1,40}'|\"[^\"\n]{1,40}\")\s*\]\s*(?:#.*)?")


def parse_phh(string: str) -> Hand:
    """Read one hand.

    Raises
    ------
    NotationError
        pokerkit is not installed; or the fault of the text or of the hand.

    Examples
    --------
    >>> hand = parse_phh('''
    ... variant = "NT"
    ... antes = [0, 0]
    ... blinds_or_straddles = [1, 2]
    ... min_bet = 2
    ... starting_stacks = [200, 200]
    ... actions = ["d dh p1 AcAd", "d dh p2 ????", "p2 cbr 6", "p1 f"]
    ... ''')
    >>> hand.variant.blinds, [str(action) for action in hand.actions]
    ((2, 1), ['raise to 6', 'fold'])
    """
    hands = list(sections(string.splitlines(keepends=True)))
    if len(hands) != 1:
        raise NotationError(f"PHH: expected one hand, got {len(hands)} sections")
    return read_section(hands[0])


def format_phh(hand: Hand) -> str:
    """Print one hand.

    Raises
    ------
    NotationError
        pokerkit is not installed, or PHH cannot express the hand.
    """
    return _write(_pokerkit(), hand) + "\n"


def read_phhs(path: str | PathLike[str], refusal: Refusal | None = None) -> Iterator[Hand]:
    """Read the hands of a PHHS file, or the one of a PHH file (``.gz`` is unpacked on the way).

    Parameters
    ----------
    path
        The file: one hand, or several under headers ``[1]``, ``[2]``, ...
    refusal
        Called with each hand that cannot be read, as a ``Refused`` whose reason can be counted (another game
        than hold'em is one); without it the first one is raised.

    Raises
    ------
    NotationError
        pokerkit is not installed, or the file cannot be read; or the fault of a hand, and its line.
    """
    _pokerkit()
    for section in sections(lines(path)):
        yield from attempt(partial(read_section, section), f"{path}, {section.where}", refusal)


def write_phhs(path: str | PathLike[str], hands: Iterable[Hand]) -> int:
    """Write hands as a PHHS file (packed where the path ends in ``.gz``) and return their number."""
    history, count = _pokerkit(), 0
    with write_text(path) as file:
        for count, hand in enumerate(hands, start=1):
            file.write(f"[{count}]\n{_write(history, hand)}\n\n")
    return count


def _pokerkit() -> "type[HandHistory]":
    try:
        from pokerkit import HandHistory
    except ImportError:
        raise NotationError("PHH needs pokerkit: pip install 'baycarp[phh]' (in a clone '.[phh]')") from None
    return cast("type[HandHistory]", HandHistory)


class Section(NamedTuple):
    """One hand of a file, not read yet: its name, the line that it begins on, its text."""

    name: str
    line: int
    body: str

    @property
    def where(self) -> str:
        """Its place in the file."""
        return f"line {self.line}" + (f" (hand {self.name})" if self.name else "")


def sections(source: Iterable[str]) -> Iterator[Section]:
    """Part the lines of a file at its headers, one hand at a time; without headers it is all one hand."""
    name, line, body, size, headed = "", 1, list[str](), 0, False
    for number, row in enumerate(source, start=1):
        if head := _SECTION.fullmatch(row):
            if headed:
                yield Section(name, line, "".join(body))
            name = head[1].strip("'\"")
            line = number
            body = []
            size = 0
            headed = True
        elif size <= LONGEST_HAND:  # a longer one is refused by its beginning
            body.append(row)
            size += len(row)
    yield Section(name, line, "".join(body))


def read_section(section: Section) -> Hand:
    """Read one hand of a file.

    Raises
    ------
    NotationError
        pokerkit is not installed; or the fault of the hand.
    """
    history, body = _pokerkit(), section.body
    if len(body) > LONGEST_HAND:
        raise Refused("hand too long", f"{len(body)} characters: expected at most {LONGEST_HAND}")
    try:
        with warnings.catch_warnings():
            # An unknown field is no reason to refuse a hand.
            warnings.simplefilter("ignore")
            history_read = history.loads(body)
    except Exception as error:  # pokerkit and tomllib raise what comes
        raise Refused("broken fields", f"{type(error).__name__}: {str(error)[:200]}") from error
    if history_read.variant not in ("FT", "NT"):
        raise Refused("another game", f"{history_read.variant!r}: expected 'FT' or 'NT'")
    try:
        return hand_of(history_read, section.name)
    except NotationError:
        raise
    except BaycarpError as error:
        raise Refused("not a hand of this game", str(error)) from error
    except (TypeError, AttributeError) as error:
        raise Refused("broken fields", f"a field of a wrong type: {error}") from error


def _write(history: "type[HandHistory]", hand: Hand) -> str:
    variant, limit = hand.variant, hand.variant.betting == "limit"
    _check_sayable(hand)
    money = Money(hand.unit)
    stacks = hand.stacks or variant.stacks or (DEEP,) * variant.seats
    deep = DEEP in stacks
    order = slice(None, None, -1) if variant.seats == 2 else slice(None)
    own: dict[str, Any] = {}
    cap = tuple(NO_CAP if most is None else most for most in variant.max_raises)
    if cap != (MAX_RAISES if limit else (NO_CAP,) * 4):
        own["_max_raises"] = list(cap)
    if hand.payoffs and deep:
        own["_payoffs"] = money.row(hand.payoffs)
    fields: dict[str, Any] = {
        "variant": "FT" if limit else "NT",
        "ante_trimming_status": len(set(variant.antes)) == 1,
        "antes": money.row(variant.antes[order]),
        "blinds_or_straddles": money.row(variant.blinds[order]),
        "starting_stacks": money.row(stacks),
        "actions": _actions(hand, money),
        "hand": hand.id,
        "players": list(hand.players) or None,
        "user_defined_fields": own,
    }
    if limit:
        fields |= {"small_bet": money.amount(variant.small_bet), "big_bet": money.amount(variant.big_bet)}
    else:
        fields["min_bet"] = money.amount(variant.big_blind)
    if hand.payoffs and not deep:
        ends = [stack + payoff for stack, payoff in zip(stacks, hand.payoffs, strict=True)]
        fields["finishing_stacks"] = money.row(ends)
    return str(history(**fields).dumps())


def _check_sayable(hand: Hand) -> None:
    variant = hand.variant
    if variant.first != order(variant.blinds):
        raise NotationError(
            f"hand {hand.id}: first to act {variant.first}: PHH has {order(variant.blinds)} alone"
        )
    sizes = variant.raise_sizes
    if variant.betting == "limit" and (sizes[0], sizes[2]) != (sizes[1], sizes[3]):
        raise NotationError(f"hand {hand.id}: raise sizes {sizes}: PHH has a small and a big bet alone")
    for word in (*hand.players, str(hand.id)):
        if "'''" in word or not word.isprintable():
            raise NotationError(f"hand {hand.id}: {word!r}: pokerkit cannot print such a name")


def _actions(hand: Hand, money: Money) -> list[str]:
    lines = [f"d dh p{seat + 1} {text(hole or (255, 255))}" for seat, hole in enumerate(hand.holes)]
    dealt = 0
    for state, action in zip(states(hand), (*hand.actions, None), strict=True):
        if state.is_over and len(state.seats_in) > 1:
            lines += [f"p{seat + 1} sm {text(state.holes[seat])}".strip() for seat in state.seats_in]
        for low, high in ((0, 3), (3, 4), (4, 5))[dealt : _streets(state)]:
            lines.append(f"d db {text(hand.board[low:high])}")
            dealt += 1
        if action is not None:
            if state.to_act is None:
                raise Refused("action after the end", f"hand {hand.id}: {action}")
            lines.append(f"p{state.to_act + 1} {_verb(action, money)}")
    return lines


def _streets(state: State) -> int:
    """How many times the board has been dealt to."""
    return (0, 3, 4, 5).index(len(state.board))


def _verb(action: Action, money: Money) -> str:
    if action.name == "fold":
        return "f"
    return "cc" if action.name in ("check", "call") else f"cbr {money.amount(action.amount)}"
