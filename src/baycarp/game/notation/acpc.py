"""The texts of the Annual Computer Poker Competition: MATCHSTATE lines and the dealer's log, both ways.

    MATCHSTATE:<position>:<hand>:<betting>:<cards>                     a dealer's message to one player
    STATE:<hand>:<betting>:<cards>:<payoffs>:<names>                   one finished hand of a log

Betting is ``f``, ``c`` (check or call), ``r`` (bet or raise), streets parted by ``/``. In no-limit ``r``
carries the player's total *of the hand*; here, of the street. Position 0 is the first left of the
button, heads-up ("reverse blinds") the big blind.
"""

import re
from collections.abc import Iterable, Iterator
from functools import partial
from math import isfinite
from os import PathLike
from pathlib import Path

from baycarp.errors import BaycarpError, NotationError
from baycarp.files import text_writer
from baycarp.files.escaped import is_text
from baycarp.game.action import STREETS
from baycarp.game.notation.hand import (
    LONGEST,
    Hand,
    Refusal,
    Refused,
    Source,
    Transcript,
    attempt,
    card_ids,
    lines,
    replay,
)
from baycarp.game.state import Observation, State
from baycarp.game.variant import Variant

__all__ = [
    "earlier_chips",
    "format_matchstate",
    "format_state",
    "parse_matchstate",
    "parse_state",
    "read_log",
    "write_log",
]

_TOKEN = re.compile(r"[fc/]|r([0-9]{0,12})")
_PAYOFF = re.compile(r"-?[0-9]{1,12}(\.[0-9]{1,9})?")
_NUMBER = re.compile(r"[0-9]{1,18}")


def parse_matchstate(line: str, variant: Variant) -> Observation:
    """Read a ``MATCHSTATE`` line as its receiver's observation.

    Parameters
    ----------
    line
        At most 4,096 characters; a line end is free.
    variant
        The game that is played, which the line does not name.

    Raises
    ------
    NotationError
        The fault, and its place in the line.

    Examples
    --------
    >>> line, game = "MATCHSTATE:0:7:r:AhKd|", Variant.load("holdem.limit.2p.reverse_blinds")
    >>> observation = parse_matchstate(line, game)
    >>> observation.seat, observation.hand, [str(action) for action in observation.legal_actions()]
    (0, 7, ['fold', 'call 10', 'raise to 30'])
    """
    where = f"MATCHSTATE {line[:80].rstrip()!r}"
    try:
        _, position, number, betting, cards = _fields(line, "MATCHSTATE", 5)
        seat = int(position) if _NUMBER.fullmatch(position) else -1
        if not 0 <= seat < variant.seats:
            raise Refused("bad position", f"{position!r}: expected 0..{variant.seats - 1}")
        script = _transcript(betting, cards, variant)
        if not script.state.holes[seat]:
            raise Refused("wrong number of cards", f"{cards!r}: expected the two cards of position {seat}")
        observation = script.state.observe(seat, hand=_number(number))
        if script.state.is_over:
            observation.state.deal(
                tuple(map(bytes, script.holes))
            )  # the cards of others in the line were shown
        return observation
    except Refused as error:
        raise error.at(where) from error
    except BaycarpError as error:
        raise Refused("not a state of this game", str(error), where) from error


def format_matchstate(observation: Observation) -> str:
    """Write a seat's observation as the dealer does.

    Raises
    ------
    NotationError
        A public view: the line needs a receiver.
    """
    if observation.seat is None:
        raise NotationError("MATCHSTATE: expected the observation of one seat, got a public view")
    return f"MATCHSTATE:{observation.seat}:{observation.hand}:{observation.state}"


def parse_state(line: str, variant: Variant) -> Hand:
    """Read a ``STATE`` line of a log.

    Raises
    ------
    NotationError
        The fault of the line, or of the hand under the rules of the game.
    """
    _, number, betting, cards, results, names = _fields(line, "STATE", 6)
    script = _transcript(betting, cards, variant)
    players = tuple(names.split("|"))
    if len(players) != variant.seats:
        raise Refused("wrong number of players", f"{names!r}: expected {variant.seats} names")
    return script.hand(players=players, payoffs=_payoffs(results, variant), id=_number(number))


def format_state(hand: Hand) -> str:
    """Print a hand as a line of a log: its payoffs, replayed where not stated, ``?`` where unknown.

    Raises
    ------
    NotationError
        The hand cannot be replayed; payoffs that are not one finite number a seat; or a name that would
        break the line.
    """
    state = replay(hand)
    if hand.payoffs and (len(hand.payoffs) != hand.variant.seats or not all(map(isfinite, hand.payoffs))):
        raise NotationError(f"payoffs {hand.payoffs}: expected {hand.variant.seats} finite numbers")
    try:
        results = "|".join(map(_number_text, hand.payoffs or state.payoffs()))
    except BaycarpError:
        results = "|".join("?" * hand.variant.seats)
    names = hand.players or tuple(f"p{seat + 1}" for seat in range(hand.variant.seats))
    wrong = [name for name in names if not name or set(name) & set(":|\r\n") or not is_text(name)]
    if wrong:
        raise NotationError(
            f"player {wrong[0]!r}: an ACPC name is text, is not empty, and holds no ':', '|' or line end"
        )
    number = hand.id if isinstance(hand.id, int) else 0
    return f"STATE:{number}:{state}:{results}:{'|'.join(names)}"


def read_log(source: Source, variant: Variant, refusal: Refusal | None = None) -> Iterator[Hand]:
    """Read the hands of a dealer's log.

    Parameters
    ----------
    source
        A path (``.gz`` is unpacked) or lines; comments, blank lines and the SCORE line are passed over.
    variant
        The game that was played.
    refusal
        Called with each hand that cannot be read, as a ``Refused`` that carries its line number and a reason
        that can be counted; without it the first one is raised.
    """
    for number, line in enumerate(lines(source), start=1):
        if line.strip() and not line.startswith(("#", ";", "SCORE:")):
            yield from attempt(partial(parse_state, line, variant), f"line {number}", refusal)


def write_log(target: str | PathLike[str], hands: Iterable[Hand]) -> int:
    """Write hands as a dealer's log (packed where the path ends in ``.gz``) and return their number.

    The last line is the SCORE, the payoffs summed by name, unless one is unknown.
    """
    written, scores, known = 0, dict[str, float](), True
    with text_writer(Path(target)) as file:
        for hand in hands:
            line = format_state(hand)
            file.write(line + "\n")
            written += 1
            *_, results, names = line.split(":")
            known = known and "?" not in results
            for name, payoff in zip(names.split("|"), results.split("|"), strict=True):
                scores[name] = scores.get(name, 0) + (float(payoff) if known else 0)
        if written and known:
            file.write(f"SCORE:{'|'.join(map(_number_text, scores.values()))}:{'|'.join(scores)}\n")
    return written


def _fields(line: str, kind: str, count: int) -> list[str]:
    if len(line) > LONGEST:
        raise Refused("line too long", f"{len(line)} characters: expected at most {LONGEST}")
    fields = line.rstrip("\r\n").split(":")
    if fields[0] != kind or len(fields) != count:
        raise Refused(
            "wrong fields", f"{len(fields)} after {fields[0][:20]!r}: expected {count} of a {kind} line"
        )
    return fields


def _number(field: str) -> int:
    if not _NUMBER.fullmatch(field):
        raise Refused("bad hand number", f"{field[:40]!r}: expected a whole number")
    return int(field)


def _payoffs(field: str, variant: Variant) -> tuple[float, ...] | None:
    parts = field.split("|")
    if len(parts) != variant.seats:
        raise Refused("bad payoffs", f"{field[:80]!r}: expected {variant.seats} of them")
    if set(parts) == {"?"}:
        return None
    for part in parts:
        if not _PAYOFF.fullmatch(part):
            raise Refused("bad payoffs", f"{part[:40]!r}: expected chips")
    return tuple(float(part) if "." in part else int(part) for part in parts)


def _number_text(amount: float) -> str:
    return f"{amount:.6f}".rstrip("0").rstrip(".") if amount % 1 else str(int(amount))


def _transcript(betting: str, cards: str, variant: Variant) -> Transcript:
    """Play the betting over the cards; both must have the same streets."""
    hidden, *streets = cards.split("/")
    holes = tuple(card_ids(hole, 0, 2) for hole in hidden.split("|"))
    if len(holes) != variant.seats:
        raise Refused("wrong number of players", f"{hidden!r}: expected the hole cards of {variant.seats}")
    board = card_ids("".join(streets), 0, 3, 4, 5)
    script = Transcript(variant, None, holes, board)
    rounds, at = 0, 0
    while at < len(betting):
        token = _TOKEN.match(betting, at)
        if token is None:
            raise Refused("unknown action", f"{betting[at : at + 10]!r} at column {at + 1} of {betting!r}")
        at = token.end()
        if token[0] == "/":
            rounds += 1
        elif script.state.street != rounds and script.state.to_act is not None:
            raise Refused("wrong round", f"{token[0]!r} at column {token.start() + 1} of {betting!r}")
        else:
            _do(script, token[0], token[1])
    if len(board) == 5 and rounds < 3 and not script.state.is_over:
        raise Refused("run out with nobody all-in", f"{betting!r} with five cards: expected the stacks")
    low, high = _rounds(script.state)
    if not low <= rounds <= high:
        raise Refused("wrong round", f"{rounds} '/' in {betting!r}: expected {low}")
    if len(board) != (0, 3, 4, 5)[rounds]:
        raise Refused(
            "board of another street", f"{len(board)} cards on the {STREETS[rounds]} of {betting!r}"
        )
    return script


def _do(script: Transcript, letter: str, total: str | None) -> None:
    state = script.state
    if letter == "f":
        if state.to_act is not None and not state.owed:
            detail = f"{state.acting} on the {STREETS[state.street]}"
            raise Refused("fold where a check is free", detail)
        script.fold()
    elif letter == "c":
        script.stay()
    elif (state.variant.betting == "limit") != (not total):
        raise Refused("wrong raise", f"{letter!r}: a size belongs to no-limit, and to it alone")
    elif not total or state.to_act is None:
        script.push()
    else:
        script.push(int(total) - earlier_chips(state))


def earlier_chips(state: State) -> int:
    """Chips that the player to act has put in on earlier streets, antes apart.

    In no-limit ACPC writes a raise as the total of the hand; an ``Action`` has the total of the street.
    """
    seat = state.to_act
    assert seat is not None
    ante = min(state.variant.antes[seat], state.stacks[seat] + state.committed[seat])
    return state.committed[seat] - state.bets[seat] - ante


def _rounds(state: State) -> tuple[int, int]:
    """The least and the greatest number of ``/`` that the betting of a state may have."""
    if not state.is_over:
        return state.street, state.street
    last = state.acts[-1].street if state.acts else 0
    return last, last if len(state.seats_in) == 1 else 3
