"""The one-line form of test beds on the Meerkat interface: a heads-up limit hand on a line. Read only.

    <id>; <name>{<bankroll> <blind> <net>} <name>{...}; 0d{Tc 2d} 1d{As 8h} 0c 1c d{8s Js Ah} 1r1 0f.

Amounts are small bets. ``0`` is the button and small blind, first before the flop and last after it: **our
position 1**. ``d`` deals hole cards (with a seat) or the board; ``r`` carries the size of the bet, no total.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from decimal import Decimal
from functools import partial

from baycarp.game.action import STREETS
from baycarp.game.notation.format import Format
from baycarp.game.notation.hand import (
    LONGEST,
    Hand,
    Refusal,
    Refused,
    Transcript,
    attempt,
    card_ids,
)
from baycarp.game.variant import Variant

__all__ = ["HEADS_UP", "MEERKAT", "parse_line", "read_lines"]

HEADS_UP = replace(Variant.ring(2), name="Meerkat heads-up limit")
"""The game of the form, in chips of half a small bet."""

_UNIT = Decimal("0.5")
_NUMBER = r"-?[0-9]{1,9}(?:\.[0-9]{1,6})?"
_ID = re.compile(r"[0-9]{1,18}")
_PLAYER = rf"([^{{}}\s]+)\{{{_NUMBER} {_NUMBER} ({_NUMBER})\}}"
_PLAYERS = re.compile(f"{_PLAYER} {_PLAYER}")
_LINE = re.compile(r"[0-9]{1,18}; [^{};]+\{[^{};]*\} [^{};]+\{[^{};]*\}; ")
_HOLE = re.compile(r"([01])d\{(\w\w) (\w\w)\}")
_BOARD = re.compile(r"d\{(\w\w(?: \w\w)*)\}")
_ACTION = re.compile(rf"([01])(f|c|r({_NUMBER}))")
_WORD = re.compile(r"\s*([^\s{]+(?:\{[^}]*\})?)")


def parse_line(line: str, variant: Variant = HEADS_UP) -> Hand:
    """Read one hand.

    Parameters
    ----------
    line
        At most 4,096 characters; a line end is free.
    variant
        The game in chips of half a small bet.

    Raises
    ------
    NotationError
        The fault of the line, or of the hand under the rules of the game.

    Examples
    --------
    >>> hand = parse_line("7; Ann{0.0 0.5 -0.5} Bob{0.0 1.0 0.5}; 0d{Jh Ad} 1d{6s Th} 0f.")
    >>> hand.players, hand.payoffs
    (('Bob', 'Ann'), (1, -1))
    """
    if len(line) > LONGEST:
        raise Refused("line too long", f"{len(line)} characters: expected at most {LONGEST}")
    fields = line.rstrip("\r\n").split("; ")
    if len(fields) != 3 or not _ID.fullmatch(fields[0]) or not fields[2].endswith("."):
        raise Refused("wrong fields", f"{line[:60]!r}: expected 'id; players; actions.'")
    number, names, story = fields
    players = _PLAYERS.fullmatch(names)
    if players is None:
        raise Refused(
            "wrong number of players", f"{names[:80]!r}: expected two, each name{{bankroll blind net}}"
        )
    script, after = _deal(_words(story[:-1]), variant)
    _play(script, after)
    return script.hand(
        players=(players[3], players[1]),
        payoffs=(_chips(players[4]), _chips(players[2])),
        id=int(number),
        unit=_UNIT,
    )


def read_lines(source: Iterable[str], where: str = "", refusal: Refusal | None = None) -> Iterator[Hand]:
    """Read the hands of lines, as a ``Format`` does; ``#`` begins a comment."""
    for number, line in enumerate(source, start=1):
        if line.strip() and not line.startswith("#"):
            place = f"{where}, line {number}" if where else f"line {number}"
            yield from attempt(partial(parse_line, line), place, refusal)


def _recognises(beginning: str) -> bool:
    rows = (row for row in beginning.splitlines() if row.strip() and not row.startswith("#"))
    return _LINE.match(next(rows, "")) is not None


MEERKAT = Format("Meerkat", _recognises, read_lines)


def _words(story: str) -> list[str]:
    words, at = [], 0
    while at < len(story.rstrip()):
        match = _WORD.match(story, at)
        if match is None:
            raise Refused("unknown action", f"{story[at : at + 10]!r} at column {at + 1} of the actions")
        words.append(match[1])
        at = match.end()
    return words


def _deal(words: list[str], variant: Variant) -> tuple[Transcript, list[str]]:
    """All cards at once, and the words that are left; a board's place is checked as it comes."""
    holes: dict[int, tuple[int, ...]] = {}
    board: tuple[int, ...] = ()
    after = []
    for word in words:
        if hole := _HOLE.fullmatch(word):
            holes[1 - int(hole[1])] = card_ids(hole[2] + hole[3])
            continue
        if dealt := _BOARD.fullmatch(word):
            board += card_ids(dealt[1].replace(" ", ""), 1 if board else 3)
        after.append(word)
    if len(words) - len(after) != len(holes):
        raise Refused("wrong number of cards", "a seat is dealt two hands")
    if len(board) > 5:
        raise Refused("wrong number of cards", f"{len(board)} on the board: expected at most 5")
    return Transcript(variant, None, (holes.get(0, ()), holes.get(1, ())), board), after


def _play(script: Transcript, words: list[str]) -> None:
    state, dealt = script.state, 0
    for word in words:
        dealt += word.startswith("d")
        if state.to_act is None:
            raise Refused("action after the end", f"{word!r}")
        if state.street != dealt:
            raise Refused("wrong round", f"{word!r} on the {STREETS[state.street]}")
        if not word.startswith("d"):
            _do(script, word)
    if not state.is_over:
        raise Refused("unfinished", f"{words[-1:]}: expected a fold, or a call on the river")


def _do(script: Transcript, word: str) -> None:
    state, match = script.state, _ACTION.fullmatch(word)
    if match is None:
        raise Refused("unknown action", f"{word[:20]!r}: expected like '0c', '1r2' or 'd{{As}}'")
    if state.to_act != 1 - int(match[1]):
        raise Refused("wrong turn", f"{word!r} on the {STREETS[state.street]}: {state.acting} is to act")
    if match[2] == "f":
        if not state.owed:
            raise Refused("fold where a check is free", f"{word!r}")
        script.fold()
    elif match[2] == "c":
        script.stay()
    else:
        script.push(max(state.bets) + _chips(match[3]))


def _chips(amount: str) -> int:
    chips = Decimal(amount) / _UNIT
    if chips % 1:
        raise Refused("bad amount", f"{amount}: expected halves of a small bet")
    return int(chips)
