"""A hand as the text of a PHH, which pokerkit reads back."""

from collections.abc import Sequence
from datetime import UTC, datetime, time
from decimal import Decimal
from typing import Any

from baycarp.card import text
from baycarp.errors import NotationError
from baycarp.game.action import Action
from baycarp.game.notation.hand import Hand, Refused, states
from baycarp.game.notation.money import Money
from baycarp.game.notation.phh_reader import MAX_RAISES, NO_CAP, SYMBOLS, opener
from baycarp.game.state import State
from baycarp.game.variant import DEEP

__all__ = ["body_of"]


def body_of(hand: Hand) -> str:
    """The fields of a hand, one a line.

    Raises
    ------
    NotationError
        PHH cannot express the hand.
    """
    variant = hand.variant
    _check_sayable(hand)
    limit = variant.betting == "limit"
    money = Money(hand.unit)
    stacks = hand.stacks or variant.stacks or (DEEP,) * variant.seats
    order = slice(None, None, -1) if variant.seats == 2 else slice(None)
    fields: dict[str, Any] = {
        "variant": "FT" if limit else "NT",
        "ante_trimming_status": len(set(variant.antes)) == 1,
        "antes": money.row(variant.antes[order]),
        "blinds_or_straddles": money.row(_posts(hand, stacks)[order]),
    }
    if limit:
        fields |= {"small_bet": money.amount(variant.small_bet), "big_bet": money.amount(variant.big_bet)}
    else:
        fields["min_bet"] = money.amount(variant.big_blind)
    fields |= {"starting_stacks": money.row(stacks), "actions": _actions(hand, money)}
    fields |= _about(hand)
    if hand.payoffs and DEEP not in stacks:
        ends = [stack + payoff for stack, payoff in zip(stacks, hand.payoffs, strict=True)]
        fields["finishing_stacks"] = money.row(ends)
    elif hand.payoffs:
        fields["_payoffs"] = money.row(hand.payoffs)
    cap = [NO_CAP if most is None else most for most in variant.max_raises]
    if tuple(cap) != (MAX_RAISES if limit else (NO_CAP,) * 4):
        fields["_max_raises"] = cap
    return "\n".join(f"{name} = {_value(value)}" for name, value in fields.items())


def _about(hand: Hand) -> dict[str, Any]:
    """The fields of the table, the time and the names, where they are known."""
    origin = hand.origin
    currency = {code: symbol for symbol, code in SYMBOLS.items()}.get(origin.currency, "")
    fields = {
        "venue": origin.room,
        **_clock(origin.time),
        "hand": hand.id,
        "table": origin.table,
        "players": list(hand.players),
        "currency": origin.currency,
        "currency_symbol": currency,
        "_tournament": origin.tournament,
        "_hero": None if origin.hero is None else origin.hero + 1,
        "_anonymous": True if origin.anonymous else None,
    }
    return {name: value for name, value in fields.items() if value not in ("", [], None)}


def _clock(moment: datetime | None) -> dict[str, Any]:
    if moment is None:
        return {}
    zone = getattr(moment.tzinfo, "key", None)
    if moment.tzinfo is not None and zone is None:
        moment, zone = moment.astimezone(UTC), "UTC"
    day = {"day": moment.day, "month": moment.month, "year": moment.year}
    return {"time": moment.time().replace(fold=0), "time_zone": zone, **day}


def _value(value: Any) -> str:
    """A value of TOML that pokerkit reads."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, str):
        quote = "'''" if "'" in value else "'"
        return f"{quote}{value}{quote}"
    if isinstance(value, Decimal):
        return "inf" if value.is_infinite() else f"{value:f}"
    return value.isoformat() if isinstance(value, time) else str(value)


def _check_sayable(hand: Hand) -> None:
    variant = hand.variant
    if variant.betting == "pot-limit":
        raise NotationError(f"hand {hand.id}: pot-limit hold'em: PHH has no such game")
    if variant.first[0] < 0 or (any(variant.blinds) and variant.big_blind > max(variant.blinds)):
        raise NotationError(f"hand {hand.id}: no big blind is posted: PHH has no such hand")
    sizes = variant.raise_sizes
    if variant.betting == "limit" and (sizes[0], sizes[2]) != (sizes[1], sizes[3]):
        raise NotationError(f"hand {hand.id}: raise sizes {sizes}: PHH has a small and a big bet alone")
    words = (*hand.players, str(hand.id), hand.origin.room, hand.origin.table, hand.origin.tournament)
    for word in words:
        if "'''" in word or word[-1:] == "'" or not word.isprintable():
            raise NotationError(f"hand {hand.id}: {word!r}: pokerkit cannot print such a name")


def _posts(hand: Hand, stacks: Sequence[int]) -> tuple[int, ...]:
    """The blinds; those of newcomers are negative, so that they do not move the first to act."""
    variant = hand.variant
    first = variant.first
    chips = zip(variant.blinds, variant.antes, stacks, strict=True)
    posted = [min(blind, stack - min(ante, stack)) for blind, ante, stack in chips]
    last = (first[0] - 1) % variant.seats
    posts = tuple(
        -blind if (chips, seat) > (posted[last], last) else blind
        for seat, (blind, chips) in enumerate(zip(variant.blinds, posted, strict=True))
    )
    signed = [chips if post >= 0 else -chips for chips, post in zip(posted, posts, strict=True)]
    if (opener(signed), 0, 0, 0) != first:
        raise NotationError(f"hand {hand.id}: first to act {first}: PHH cannot express it")
    return posts


def _actions(hand: Hand, money: Money) -> list[str]:
    lines = [f"d dh p{seat + 1} {text(hole or (255, 255))}" for seat, hole in enumerate(hand.holes)]
    dealt = 0
    for state, action in zip(states(hand), (*hand.actions, None), strict=True):
        if state.is_over and len(state.seats_in) > 1:
            lines += _showdown(state)
        for low, high in ((0, 3), (3, 4), (4, 5))[dealt : _streets(state)]:
            lines.append(f"d db {text(hand.board[low:high])}")
            dealt += 1
        if action is not None:
            if state.to_act is None:
                raise Refused("action after the end", f"hand {hand.id}: {action}")
            lines.append(f"p{state.to_act + 1} {_verb(action, money)}")
    return lines


def _showdown(state: State) -> list[str]:
    """Hands that are shown, and those that are mucked; none where neither is known."""
    shown = [(seat, text(state.holes[seat])) for seat in state.seats_in]
    return [
        f"p{seat + 1} sm{' ' * bool(cards)}{cards}"
        for seat, cards in ((seat, "" if seat in state.mucked else cards) for seat, cards in shown)
        if cards or seat in state.mucked
    ]


def _streets(state: State) -> int:
    """How many times the board has been dealt to."""
    return (0, 3, 4, 5).index(len(state.board))


def _verb(action: Action, money: Money) -> str:
    if action.name == "fold":
        return "f"
    return "cc" if action.name in ("check", "call") else f"cbr {money.amount(action.amount)}"
