"""The hand of a PHH's fields and action lines. ``phh`` reads the text and calls this module."""

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from baycarp.card import text
from baycarp.game.action import STREETS
from baycarp.game.notation.hand import Hand, Refused, Transcript, card_ids
from baycarp.game.notation.money import Scale, amount_of, is_infinite
from baycarp.game.variant import DEEP, Variant

__all__ = ["MAX_RAISES", "NO_CAP", "hand_of", "order"]

MAX_RAISES = (4, 4, 4, 4)
"""pokerkit's cap in ``FT``: four bets or raises a street beside the blinds. PHH has no field for it."""

NO_CAP = 255


def hand_of(history: Any, section: str) -> Hand:
    """The hand of a ``HandHistory``, every action verified; ``section`` is its name in a PHHS.

    Raises
    ------
    BaycarpError
        A field or a line that makes no hand of hold'em.
    """
    dealt = _Dealt(history)
    scale = _scale(history, dealt.amounts)
    variant, stacks = _variant(history, scale)
    script = Transcript(variant, stacks, dealt.holes, dealt.board)
    for player, verb, amount, cards in dealt.wagers:
        _do(script, player, verb, scale.chips(amount), cards)
    players = tuple(history.players or ())
    if len(players) not in (0, variant.seats) or not all(isinstance(name, str) for name in players):
        raise Refused("wrong number of players", f"{players}: expected {variant.seats} names")
    return script.hand(
        stacks=stacks,
        players=players,
        payoffs=_payoffs(history, scale),
        id=history.hand if isinstance(history.hand, int | str) else section or 0,
        unit=scale.unit,
    )


class _Dealt:
    """The action lines of a hand, separated into the cards that become known and the players' actions."""

    def __init__(self, history: Any) -> None:
        seats = len(history.starting_stacks)
        if not 2 <= seats <= 10:
            raise Refused("wrong number of players", f"{seats}: expected 2 to 10")
        for name in ("antes", "blinds_or_straddles", "finishing_stacks"):
            if (count := len(getattr(history, name) or ())) > seats:
                raise Refused("bad amount", f"{name}: {count} of them: expected {seats}")
        known: list[tuple[int, ...]] = [()] * seats
        self.board: tuple[int, ...] = ()
        self.wagers: list[tuple[int, str, Decimal, int]] = []
        """Player, verb, amount, cards on the board before it."""
        for line in history.actions:
            words = line.split("#")[0].split()
            match words:
                case []:
                    pass
                case ["d", "db", cards]:
                    self.board += card_ids(cards, 3 if not self.board else 1)
                case ["d", "dh", actor, cards] | [actor, "sm", cards] if cards != "-":
                    self._show(known, _player(actor, seats), cards)
                case [actor, "sm"] | [actor, "sm", "-"]:
                    _player(actor, seats)
                case [actor, ("f" | "cc") as verb]:
                    self.wagers.append((_player(actor, seats), verb, Decimal(0), len(self.board)))
                case [actor, "cbr", amount]:
                    self.wagers.append((_player(actor, seats), "cbr", amount_of(amount), len(self.board)))
                case _:
                    raise Refused("unknown action", f"{line[:60]!r}")
        self.holes = tuple(known)
        self.amounts = [amount for _, _, amount, _ in self.wagers]

    @staticmethod
    def _show(known: list[tuple[int, ...]], player: int, cards: str) -> None:
        if "?" in cards:
            return
        ids = card_ids(cards, 2)
        if known[player] and set(known[player]) != set(ids):
            raise Refused(
                "another hand shown", f"p{player + 1} shows {cards}: expected {text(known[player])}"
            )
        known[player] = known[player] or ids


def _scale(history: Any, amounts: Sequence[Decimal]) -> Scale:
    fields = [
        *history.antes,
        *(history.blinds_or_straddles or ()),
        *history.starting_stacks,
        *(history.finishing_stacks or ()),
    ]
    bets = [bet for bet in (history.small_bet, history.big_bet, history.min_bet) if bet is not None]
    own = history.user_defined_fields.get("_payoffs", ())
    return Scale([*fields, *bets, *own, *amounts])


def _player(word: str, seats: int) -> int:
    match = re.fullmatch(r"p([0-9]{1,2})", word)
    if match is None or not 1 <= int(match[1]) <= seats:
        raise Refused("unknown player", f"{word[:20]!r}: expected p1 to p{seats}")
    return int(match[1]) - 1


def _variant(history: Any, scale: Scale) -> tuple[Variant, tuple[int, ...]]:
    seats = len(history.starting_stacks)
    blinds = _by_position(history.blinds_or_straddles or [], seats, "blinds_or_straddles", scale)
    antes = _by_position(history.antes, seats, "antes", scale)
    limit = history.variant == "FT"
    smallest = scale.chips(history.small_bet if limit else history.min_bet)
    if not limit and smallest != max(blinds):
        raise Refused("least bet is not the big blind", f"{smallest} against {max(blinds)}")
    stacks = tuple(DEEP if is_infinite(stack) else scale.chips(stack) for stack in history.starting_stacks)
    _check_antes(history, antes, stacks)
    variant = Variant(
        name=f"PHH {history.variant} {seats}",
        betting="limit" if limit else "no-limit",
        seats=seats,
        blinds=blinds,
        antes=antes,
        stacks=None,
        raise_sizes=(smallest,) * 2 + (scale.chips(history.big_bet),) * 2 if limit else (),
        max_raises=_cap(history),
        first=order(blinds),
    )
    return variant, stacks


def _check_antes(history: Any, antes: tuple[int, ...], stacks: tuple[int, ...]) -> None:
    """Trimmed antes are matched like bets, others are dead money; here it is the equal ones that match."""
    equal, trimmed = len(set(antes)) == 1, bool(history.ante_trimming_status)
    short = any(stack < ante for stack, ante in zip(stacks, antes, strict=True))
    if any(antes) and equal != trimmed and (trimmed or short):
        raise Refused("antes of another rule", f"{antes}, trimmed: {trimmed}: expected {equal}")


def _cap(history: Any) -> tuple[int | None, ...]:
    """PHH has no field for a cap: our own field has it, with 255 for "any number" as ACPC's files do."""
    cap = history.user_defined_fields.get(
        "_max_raises", MAX_RAISES if history.variant == "FT" else (NO_CAP,) * 4
    )
    if not all(type(most) is int for most in cap):
        raise Refused("bad amount", f"_max_raises {str(cap)[:40]}: expected whole numbers")
    return tuple(None if most == NO_CAP else most for most in cap)


def _by_position(given: Sequence[object], seats: int, name: str, scale: Scale) -> tuple[int, ...]:
    chips = tuple(map(scale.chips, given))
    if len(chips) > seats or min(chips, default=0) < 0:
        raise Refused("bad amount", f"{name} {list(given)}: expected {seats} amounts from 0 up")
    chips += (0,) * (seats - len(chips))
    return chips[::-1] if seats == 2 else chips


def _do(script: Transcript, player: int, verb: str, amount: int, cards: int) -> None:
    state = script.state
    if state.to_act is None:
        raise Refused("action after the end", f"p{player + 1} {verb}")
    if player != state.to_act or cards != (0, 3, 4, 5)[state.street]:
        action_text = f"p{player + 1} {verb} with {cards} cards on the board"
        raise Refused(
            "wrong turn", f"{action_text}: p{state.to_act + 1} is to act on the {STREETS[state.street]}"
        )
    if verb == "f":
        script.fold()
    elif verb == "cc":
        script.stay()
    else:
        script.push(amount)


def _payoffs(history: Any, scale: Scale) -> tuple[int, ...] | None:
    if "_payoffs" in history.user_defined_fields:
        return tuple(map(scale.chips, history.user_defined_fields["_payoffs"]))
    if history.finishing_stacks is None or any(
        map(is_infinite, [*history.starting_stacks, *history.finishing_stacks])
    ):
        return None
    pairs = zip(history.starting_stacks, history.finishing_stacks, strict=False)
    payoffs = tuple(scale.chips(end) - scale.chips(start) for start, end in pairs)
    if len(payoffs) != len(history.starting_stacks):
        raise Refused(
            "bad payoffs", f"{history.finishing_stacks}: expected one for each of {history.starting_stacks}"
        )
    return payoffs


def order(blinds: Sequence[int]) -> tuple[int, ...]:
    """First to act by street: after the largest blind or straddle, then the first left of the button."""
    opener = max(range(len(blinds)), key=lambda seat: (blinds[seat], seat))
    return ((opener + 1) % len(blinds), 0, 0, 0)
