"""A log of the ACPC without a word about its game: the game is the one that its lines show."""

import re
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain, islice

from baycarp.errors import BaycarpError, NotationError
from baycarp.game.notation.acpc import parse_state
from baycarp.game.notation.format import Format
from baycarp.game.notation.hand import Hand, Refusal, Refused, attempt, replay
from baycarp.game.variant import Variant, shipped

__all__ = ["acpc_log", "game_shown", "is_no_hand"]

SHOWING = 100
"""Lines that a game is found by."""

SMALL_BETS = (2, 4, 10, 20, 40, 50, 100, 200, 400, 1000, 2000)
"""Of limit games that are tried where no shipped one fits, in chips."""

_LINE = re.compile(r"^(?:STATE:|# name/game/hands/seed\b)", re.MULTILINE)
_NAMED = re.compile(r"#\s*name/game/hands/seed\s+\S+\s+(\S+)")
_SIZE = re.compile(r"r[0-9]")


def acpc_log(game: Variant | None = None) -> Format:
    """The format of a dealer's log.

    Parameters
    ----------
    game
        Its game; None = the one that the log names, or that its first lines show.
    """
    return Format("ACPC log", _recognises, partial(_read, game))


def _recognises(beginning: str) -> bool:
    return _LINE.search(beginning) is not None


def is_no_hand(line: str) -> bool:
    """Whether a line of a log is blank, a comment or the score."""
    return not line.strip() or line.startswith(("#", ";", "SCORE:"))


def _read(game: Variant | None, source: Iterable[str], where: str, refusal: Refusal | None) -> Iterator[Hand]:
    rows = enumerate(source, start=1)
    if game is None:
        first = list(islice(rows, SHOWING))
        try:
            game = game_shown([line for _, line in first])
        except Refused as refused:
            if refusal is None:
                raise refused.at(where) from None
            refusal(refused.at(where))
            return
        rows = chain(first, rows)  # type: ignore[assignment]
    prefix = f"{where}, " if where else ""
    for number, line in rows:
        if not is_no_hand(line):
            yield from attempt(partial(parse_state, line, game), f"{prefix}line {number}", refusal)


def game_shown(lines: Iterable[str]) -> Variant:
    """The game of some lines of a log: named in a comment, or the first under which most lines are right.

    A line is right when the rules allow its betting and give its payoffs, where it has all cards. Shipped
    games are tried first, then limit games of other blinds.

    Raises
    ------
    Refused
        No such game.

    Examples
    --------
    >>> game_shown(["STATE:0:rfff:AhKd|7c2d|9s9h|QcJc:-5|-10|15|0:Ann|Bob|Cid|Dan"]).name
    'holdem.limit.4p'
    """
    hands = []
    for line in lines:
        if named := _NAMED.match(line):
            name = named[1].rsplit("/", 1)[-1].removesuffix(".game")
            if name in shipped():
                return Variant.load(name)
        if not is_no_hand(line):
            hands.append(line)
    best, found = 0, None
    for game in _candidates(hands):
        right = sum(_is_right(line, game) for line in hands)
        if right > best:
            best, found = right, game
        if right == len(hands):
            break
    if found is None or 2 * best < len(hands):
        expected = "expected those of a shipped game, or its game, like 'holdem.limit.3p'"
        raise Refused("game of a log unknown", f"{best} of {len(hands)} lines fit: {expected}")
    return found


def _candidates(hands: list[str]) -> Iterator[Variant]:
    """The games with as many seats as the first line has holdings, and its kind of betting."""
    fields = [line.split(":") for line in hands]
    seats = next((each[3].partition("/")[0].count("|") + 1 for each in fields if len(each) == 6), 0)
    if not 2 <= seats <= 10:
        return
    sized = any(_SIZE.search(each[2]) for each in fields if len(each) == 6)
    kind = "no-limit" if sized else "limit"
    for name in sorted(shipped(), key=lambda name: (".reverse_blinds" not in name, len(name), name)):
        game = Variant.load(name)
        if (game.betting, game.seats) == (kind, seats):
            yield game
    if not sized:
        for small_bet in SMALL_BETS:
            yield Variant.ring(seats, small_bet)


def _is_right(line: str, game: Variant) -> bool:
    try:
        hand = parse_state(line, game)
        state = replay(hand)
        stated = hand.payoffs
        settled = stated is not None and state.is_over and all(isinstance(chips, int) for chips in stated)
        return not settled or stated == state.payoffs()
    except NotationError:
        return False
    except BaycarpError:  # a showdown of unseen cards
        return True
