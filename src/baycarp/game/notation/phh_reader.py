"""The hand of a PHH's fields and action lines. ``phh_text`` reads the fields, ``phh`` calls this module."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, time, tzinfo
from functools import lru_cache
from typing import Any, NamedTuple

from baycarp.card import text
from baycarp.files import library
from baycarp.game.action import STREETS
from baycarp.game.notation.hand import Hand, Origin, Refused, Transcript, card_ids
from baycarp.game.notation.money import Amount, Scale, amount_of, is_infinite
from baycarp.game.state import State
from baycarp.game.variant import Variant

__all__ = ["MAX_RAISES", "NO_CAP", "SYMBOLS", "hand_of", "opener"]

MAX_RAISES = (4, 4, 4, 4)
"""pokerkit's cap in ``FT``: four bets or raises a street beside the blinds. PHH has no field for it."""

NO_CAP = 255

SYMBOLS = {"$": "USD", "€": "EUR", "£": "GBP"}
"""Currencies by the symbols that files have in place of ISO's letters."""

_PLAYERS = {f"p{number}": number - 1 for number in range(1, 11)}
_SHOWN = (0, 3, 4, 5)


def hand_of(fields: Mapping[str, Any], section: str) -> Hand:
    """The hand of the fields of a PHH, every action verified; ``section`` is its name in a PHHS.

    Raises
    ------
    BaycarpError
        A field or a line that makes no hand of hold'em.
    """
    kind = fields.get("variant")
    if kind not in ("FT", "NT"):
        reason = "another game" if isinstance(kind, str) else "broken fields"
        raise Refused(reason, f"{str(kind)[:20]!r}: expected a variant 'FT' or 'NT'")
    starting = _row(fields, "starting_stacks")
    seats = len(starting)
    if not 2 <= seats <= 10:
        raise Refused("wrong number of players", f"{seats}: expected 2 to 10")
    dealt = _Dealt(_row(fields, "actions"), seats)
    money = _Money(fields, seats, dealt.amounts)
    stacks = tuple(map(money.scale.chips, starting))
    script = Transcript(money.variant(kind == "FT", stacks), stacks, tuple(dealt.holes), dealt.board)
    _play(script, dealt.wagers, money.scale)
    for player in dealt.mucks:
        if player in script.state.seats_in:
            script.muck(player)
    payoffs = money.payoffs(script.state, starting)
    return script.hand(
        stacks=stacks,
        players=_players(fields, seats),
        payoffs=payoffs,
        id=_id(fields, section),
        unit=money.scale.unit,
        origin=_origin(fields, payoffs, seats),
    )


def _row(fields: Mapping[str, Any], name: str) -> list[Any]:
    row = fields.get(name)
    if not isinstance(row, list):
        raise Refused("broken fields", f"{name} {str(row)[:40]!r}: expected a list")
    return row


def _optional_row(fields: Mapping[str, Any], name: str) -> list[Any]:
    return _row(fields, name) if name in fields else []


class _Wager(NamedTuple):
    """A fold (``f``), a check or call (``cc``), or a bet or raise (``cbr``) to an amount."""

    player: int
    verb: str
    amount: Amount
    cards: int
    """Cards on the board before it."""


class _Dealt:
    """The action lines of a hand, separated into the cards that become known and the players' actions."""

    def __init__(self, lines: Sequence[object], seats: int) -> None:
        self.seats = seats
        self.holes: list[tuple[int, ...]] = [()] * seats
        self.board: tuple[int, ...] = ()
        self.wagers: list[_Wager] = []
        self.mucks: list[int] = []
        for line in lines:
            if not isinstance(line, str):
                raise Refused("broken fields", f"action {str(line)[:40]!r}: expected a text")
            self._read(line.partition("#")[0].split(), line)
        self.amounts = [wager.amount for wager in self.wagers if wager.verb == "cbr"]

    def _read(self, words: list[str], line: str) -> None:
        match words:
            case [actor, ("f" | "cc") as verb]:
                self.wagers.append(_Wager(self._player(actor), verb, 0, len(self.board)))
            case [actor, "cbr", *amount] if amount:
                chips = amount_of(" ".join(amount))
                self.wagers.append(_Wager(self._player(actor), "cbr", chips, len(self.board)))
            case ["d", "dh", actor, cards]:
                self._show(self._player(actor), cards)
            case ["d", "db", cards]:
                self._deal(cards)
            case [actor, "sm", cards]:
                self._showdown(self._player(actor), cards)
            case [actor, "sm"]:
                self.mucks.append(self._player(actor))
            case []:
                pass
            case _:
                raise Refused("unknown action", f"{line[:60]!r}")

    def _player(self, word: str) -> int:
        player = _PLAYERS.get(word, self.seats)
        if player >= self.seats:
            raise Refused("unknown player", f"{word[:20]!r}: expected p1 to p{self.seats}")
        return player

    def _deal(self, cards: str) -> None:
        if len(self.board) == 5:
            raise Refused("run twice", f"two boards: {cards[:20]!r} after {text(self.board)}")
        self.board += card_ids(cards, 1 if self.board else 3)

    def _show(self, player: int, cards: str) -> None:
        if "?" in cards:
            return
        known, ids = self.holes[player], card_ids(cards, 2)
        if known and set(known) != set(ids):
            raise Refused("another hand shown", f"p{player + 1} shows {cards}: expected {text(known)}")
        self.holes[player] = known or ids

    def _showdown(self, player: int, cards: str) -> None:
        """``-`` shows the cards that were dealt; cards that stay unknown are mucked."""
        if not cards.strip("?"):
            if not self.holes[player]:
                self.mucks.append(player)
        elif cards != "-":
            self._show(player, cards)


class _Money:
    """The amounts of a hand, by position and in chips."""

    def __init__(self, fields: Mapping[str, Any], seats: int, wagers: Sequence[Amount]) -> None:
        self.fields, self.seats = fields, seats
        self.blinds = _by_position(fields, "blinds_or_straddles", seats)
        self.antes = _by_position(fields, "antes", seats)
        names = ("starting_stacks", "finishing_stacks", "winnings", "_payoffs")
        others = [amount for name in names for amount in _optional_row(fields, name)]
        bets = [fields[name] for name in ("small_bet", "big_bet", "min_bet") if name in fields]
        self.scale = Scale([*self.blinds, *self.antes, *others, *bets, *wagers])

    def variant(self, limit: bool, stacks: tuple[int, ...]) -> Variant:
        """The rules; a post of a newcomer is written as a negative blind."""
        posts, antes = ([self.scale.chips(each) for each in row] for row in (self.blinds, self.antes))
        if min(antes) < 0:
            raise Refused("bad amount", f"antes {antes}: expected amounts from 0 up")
        small, big = (self._bet("small_bet"), self._bet("big_bet")) if limit else (self._bet("min_bet"), 0)
        if not limit and any(posts) and small > max(map(abs, posts)):
            detail = f"{small} against {max(map(abs, posts))}"
            raise Refused("least bet is above every blind", detail)
        antes = self._antes(antes, stacks)
        cap = self.fields.get("_max_raises", MAX_RAISES if limit else (NO_CAP,) * 4)
        if not isinstance(cap, list | tuple) or not all(type(most) is int for most in cap):
            raise Refused("bad amount", f"_max_raises {str(cap)[:40]}: expected whole numbers")
        bets = (small, small, big, big) if limit else (small,)
        return _variant(bets, tuple(posts), tuple(antes), tuple(cap))

    def _bet(self, name: str) -> int:
        if name not in self.fields:
            raise Refused("broken fields", f"expected a field {name}")
        return self.scale.chips(self.fields[name])

    def _antes(self, antes: list[int], stacks: tuple[int, ...]) -> list[int]:
        """Trimmed antes are matched like bets, as equal ones are here; others are dead, as unequal ones are.

        Untrimmed ones become what each could pay, and trimmed ones that a stack cut short the whole ante.
        """
        if not self.fields.get("ante_trimming_status"):
            return list(map(min, antes, stacks))
        most = max(antes)
        if not all(ante in (most, stack) for ante, stack in zip(antes, stacks, strict=True)):
            raise Refused("antes of another rule", f"{antes}, trimmed: expected equal ones")
        return [most] * self.seats

    def payoffs(self, state: State, starting: Sequence[Any]) -> tuple[int, ...] | None:
        """Net chips by the fields; ``winnings`` are what a player took from the pot."""
        names = ("_payoffs", "finishing_stacks", "winnings")
        own, ends, won = rows = [_optional_row(self.fields, name) for name in names]
        for name, row in zip(names, rows, strict=True):
            if row and len(row) != self.seats:
                raise Refused("bad payoffs", f"{name} {row}: expected {self.seats}")
        if own:
            return tuple(map(self.scale.chips, own))
        if ends and not any(map(is_infinite, [*starting, *ends])):
            return tuple(
                self.scale.chips(end) - self.scale.chips(start)
                for start, end in zip(starting, ends, strict=True)
            )
        return _after_winnings(state, [self.scale.chips(each) for each in won]) if won else None


def _after_winnings(state: State, won: Sequence[int]) -> tuple[int, ...]:
    """Winnings less what was paid. Most sources leave an uncalled bet out of both; some leave it in both."""
    antes = state.variant.antes
    dead = antes if len(set(antes)) > 1 else (0,) * len(antes)
    bets = [put - ante for put, ante in zip(state.committed, dead, strict=True)]
    called = sorted(bets)[-2]
    for most in (called, max(bets)):
        payoffs = tuple(win - ante - min(bet, most) for win, ante, bet in zip(won, dead, bets, strict=True))
        if sum(payoffs) <= 0:
            return payoffs
    raise Refused("chips do not add up", f"winnings {list(won)} of {state.pot} paid")


def _by_position(fields: Mapping[str, Any], name: str, seats: int) -> list[Any]:
    given = _row(fields, name)
    if len(given) > seats:
        raise Refused("bad amount", f"{name}: {len(given)} of them: expected {seats}")
    given = given + [0] * (seats - len(given))
    return given[::-1] if seats == 2 else given


@lru_cache(maxsize=4096)
def _variant(
    bets: tuple[int, ...], posts: tuple[int, ...], antes: tuple[int, ...], cap: tuple[int, ...]
) -> Variant:
    """The rules: no-limit with one bet, fixed limit with four."""
    limit = len(bets) == 4
    blinds = tuple(map(abs, posts))
    return Variant(
        name=f"PHH {'FT' if limit else 'NT'} {len(posts)}",
        betting="limit" if limit else "no-limit",
        seats=len(posts),
        blinds=blinds,
        antes=antes,
        stacks=None,
        raise_sizes=bets if limit else (),
        max_raises=tuple(None if most == NO_CAP else most for most in cap),
        first=(opener(posts), 0, 0, 0),
        least_bet=0 if bets[0] == max(blinds) or (limit and any(blinds)) else bets[0],
    )


def opener(posts: Sequence[int]) -> int:
    """First to act pre-flop: after the largest blind or straddle; a newcomer's post is negative."""
    last = max(range(len(posts)), key=lambda seat: (posts[seat], seat))
    return (last + 1) % len(posts)


def _play(script: Transcript, wagers: Sequence[_Wager], scale: Scale) -> None:
    state = script.state
    for player, verb, amount, cards in wagers:
        if player != state.to_act or cards != _SHOWN[state.street]:
            raise _wrong_turn(state, player, verb, cards)
        if verb == "f":
            script.fold()
        elif verb == "cc":
            script.stay()
        else:
            script.push(scale.chips(amount))


def _wrong_turn(state: State, player: int, verb: str, cards: int) -> Refused:
    if state.to_act is None:
        return Refused("action after the end", f"p{player + 1} {verb}")
    action = f"p{player + 1} {verb} with {cards} cards on the board"
    return Refused("wrong turn", f"{action}: p{state.to_act + 1} is to act on the {STREETS[state.street]}")


def _players(fields: Mapping[str, Any], seats: int) -> tuple[str, ...]:
    players = tuple(_optional_row(fields, "players"))
    if len(players) not in (0, seats) or not all(isinstance(name, str) for name in players):
        raise Refused("wrong number of players", f"{players}: expected {seats} names")
    return players


def _id(fields: Mapping[str, Any], section: str) -> int | str:
    number = fields.get("hand")
    if isinstance(number, bool) or not isinstance(number, int | str):
        return section or 0
    if isinstance(number, int) and not 0 <= number < 1 << 63:
        raise Refused("bad hand number", f"{str(number)[:40]}: expected a whole number from 0 up, of 63 bits")
    return number


def _origin(fields: Mapping[str, Any], payoffs: tuple[int, ...] | None, seats: int) -> Origin:
    hero = fields.get("_hero")
    return Origin(
        room=_word(fields, "venue"),
        table=_word(fields, "table"),
        time=_time(fields),
        currency=_word(fields, "currency") or SYMBOLS.get(_word(fields, "currency_symbol"), ""),
        tournament=_word(fields, "_tournament"),
        hero=hero - 1 if type(hero) is int and 1 <= hero <= seats else None,
        rake=max(0, -sum(payoffs)) if payoffs else 0,
        anonymous=fields.get("_anonymous") is True,
    )


def _word(fields: Mapping[str, Any], name: str) -> str:
    word = fields.get(name, "")
    return str(word)[:200] if isinstance(word, int | str) else ""


def _time(fields: Mapping[str, Any]) -> datetime | None:
    """The date with the time of day, if it has one; None where there is no date."""
    day = tuple(fields.get(name) for name in ("year", "month", "day"))
    clock = fields.get("time")
    try:
        date = datetime(*day) if all(type(part) is int for part in day) else None  # type: ignore[arg-type]
    except (ValueError, OverflowError):
        return None
    if date is None or not isinstance(clock, time):
        return date
    zone = fields.get("time_zone")
    zone = _zone(zone) if isinstance(zone, str) else None
    return datetime.combine(date, clock.replace(tzinfo=None), zone)


@lru_cache(maxsize=64)
def _zone(name: str) -> tzinfo | None:
    if name == "UTC":
        return UTC
    try:
        return library.zone(name)
    except (ValueError, OSError, KeyError):
        return None
