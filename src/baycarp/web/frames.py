"""A hand as the page draws it, from an observation: cards that the seat may not observe are not in it."""

from collections.abc import Sequence
from typing import Any

from baycarp.card import text
from baycarp.errors import CardError
from baycarp.game import STREETS, Act, Action, Observation, State, Variant
from baycarp.game.action import action_text
from baycarp.game.seats import seat_names
from baycarp.hand_names import best_five, hand_names
from baycarp.web.sizes import sizes

__all__ = ["Frame", "choices", "frame", "game_words", "holdings", "payoffs_of", "settle"]

Frame = dict[str, Any]
"""JSON values."""

SHOWN_DEPTH, DEEP_DEPTH = 100, 1000
"""At limit a stack of ``DEEP_DEPTH`` small bets or more is shown as one of ``SHOWN_DEPTH``."""


def frame(observation: Observation) -> Frame:
    """The hand as one seat observes it.

    Parameters
    ----------
    observation
        Of the seat; None as its seat = the public observation.

    Returns
    -------
    dict
        JSON values; amounts are chips, cards are two letters each (``"Ah"``), players are by position.
    """
    state, variant = observation.state, observation.variant
    seats = seat_names(variant)
    names = observation.players or seats
    acts = _acts(state)
    last = {act["seat"]: act for act in acts if act["street"] == STREETS[state.street]}
    stacks, bets = _stacks(state), (0,) * variant.seats if state.is_over else state.bets
    record = {
        "hand": observation.hand,
        "game": game_words(variant),
        "bigBlind": variant.big_blind,
        "seat": observation.seat,
        "button": variant.button,
        "street": STREETS[state.street],
        "board": _cards(observation.board),
        "pot": state.pot,
        "pots": _pots(state),
        "toAct": state.to_act,
        "over": state.is_over,
        "players": [
            {
                "name": names[position],
                "seat": seats[position],
                "stack": stacks[position],
                "in": state.committed[position],
                "bet": bets[position],
                "folded": position not in state.seats_in,
                "allIn": position in state.all_in,
                "last": last.get(position),
                **shown,
            }
            for position, shown in enumerate(holdings(observation))
        ],
        "posts": _posts(state),
        "acts": acts,
        "choices": choices(observation),
    }
    return settle(record, payoffs_of(state)) if state.is_over else record


def game_words(variant: Variant) -> str:
    """The game as players say it.

    Examples
    --------
    >>> game_words(Variant.load("holdem.nolimit.3p.100bb"))
    "No-limit hold'em, blinds 50/100, 3 players"
    >>> game_words(Variant.ring(2, 10))
    "Limit hold'em 10/20, blinds 5/10, 2 players"
    """
    kind = f"{variant.betting.capitalize()} hold'em"
    stakes = f" {variant.small_bet}/{variant.big_bet}" if variant.betting == "limit" else ""
    blinds = "/".join(map(str, sorted(filter(None, variant.blinds))))
    posted = [f"blinds {blinds}"] if blinds else []
    posted += [f"ante {max(variant.antes)}"] if any(variant.antes) else []
    return ", ".join([kind + stakes, *posted, f"{variant.seats} players"])


def holdings(observation: Observation) -> list[Frame]:
    """The hole cards of each position that the seat observes, high card first, with name and best five.

    From the flop on; before it, and where the cards are hidden, the name and the five are empty.
    """
    holes = [sorted(hole, reverse=True) for hole in observation.state.holes]
    known = [p for p, hole in enumerate(holes) if hole and len(observation.board) >= 3]
    hands = {position: (*holes[position], *observation.board) for position in known}
    names = dict(zip(known, hand_names([*hands.values()]), strict=True))
    return [
        {
            "cards": _cards(hole),
            "holding": names.get(position, ""),
            "best": _cards(best_five(hands[position])) if position in hands else [],
        }
        for position, hole in enumerate(holes)
    ]


def settle(record: Frame, payoffs: Sequence[float] | None) -> Frame:
    """A frame of a finished hand, with the chips that each player wins.

    Parameters
    ----------
    record
        The frame.
    payoffs
        Net chips by position, of a record net of the rake; None = unknown, cards are hidden.

    Returns
    -------
    dict
        The same with ``payoffs``; ``returned``, the chips of the last bet that nobody matched; ``showdown``;
        and by player ``won``, the chips of the pot that it gets, without those, and ``after``, its stack.
    """
    players = record["players"]
    antes = {post["seat"]: post["paid"] for post in record["posts"] if post["kind"] == "ante"}
    bets = [player["in"] - antes.get(position, 0) for position, player in enumerate(players)]
    second, most = sorted(bets)[-2:]
    returned = most - second
    for position, player in enumerate(players):
        gets = round(payoffs[position] + player["in"], 2) if payoffs else 0
        player["won"] = max(0, gets - (returned if bets[position] == most else 0))
        player["after"] = player["stack"] + gets
    showdown = sum(not player["folded"] for player in players) > 1
    return record | {"payoffs": payoffs and list(payoffs), "returned": returned, "showdown": showdown}


def payoffs_of(state: State) -> list[int] | None:
    """Net chips by position of a finished hand; None where cards that decide are hidden."""
    try:
        return list(state.payoffs())
    except CardError:
        return None


def choices(observation: Observation) -> Frame | None:
    """The legal actions of the observing seat, with usual sizes of a bet; None = no turn."""
    state = observation.state
    if observation.seat is None or state.to_act != observation.seat:
        return None
    legal = state.legal_actions()
    stay = next(action for action in legal if action.name in ("check", "call"))
    bets = [action for action in legal if action.name in ("bet", "raise")]
    return {
        "fold": any(action.name == "fold" for action in legal),
        "stay": action_text(stay),
        "owed": stay.amount,
        "callAllIn": 0 < stay.amount == state.stacks[observation.seat],
        "bet": sizes(observation, stay, bets) if bets else None,
    }


def _acts(state: State) -> list[Frame]:
    """The actions of the record, each with its effect."""
    left = dict(enumerate(state.begun().stacks))
    found = []
    for act in state.acts:
        left[act.seat] -= act.paid
        found.append(_act(act) | {"allIn": act.paid > 0 and left[act.seat] == 0})
    return found


def _act(act: Act) -> Frame:
    action = Action("call", act.paid) if act.action.name == "call" else act.action
    return {
        "seat": act.seat,
        "street": STREETS[act.street],
        "action": str(action),
        "kind": action.name,
        "amount": action.amount,
        "paid": act.paid,
    }


def _posts(state: State) -> list[Frame]:
    """What was paid before the first action: antes, blinds, straddles."""
    begun, big = state.begun(), state.variant.big_blind
    antes = [
        {"seat": position, "kind": "ante", "paid": paid - begun.bets[position]}
        for position, paid in enumerate(begun.committed)
        if paid > begun.bets[position]
    ]
    return antes + [
        {"seat": position, "kind": _blind(state.variant.blinds[position], big), "paid": paid}
        for paid, position in sorted(zip(begun.bets, range(state.variant.seats), strict=True))
        if paid
    ]


def _blind(blind: int, big: int) -> str:
    return "small blind" if blind < big else "big blind" if blind == big else "straddle"


def _stacks(state: State) -> list[int]:
    """Chips behind by position; of a limit game without end the stacks are shown as usual ones."""
    unit = state.variant.small_bet
    shown = []
    for left, paid in zip(state.stacks, state.committed, strict=True):
        deep = state.variant.betting == "limit" and left + paid >= DEEP_DEPTH * unit
        shown.append(max(0, SHOWN_DEPTH * unit - paid) if deep else left)
    return shown


def _pots(state: State) -> list[int]:
    """The main pot and the side pots, where there are several to contend for."""
    contended = [chips for chips, contenders in state.layers() if len(contenders) > 1]
    return contended if state.all_in and len(contended) > 1 else []


def _cards(ids: list[int] | tuple[int, ...]) -> list[str]:
    shown = text(ids)
    return [shown[i : i + 2] for i in range(0, len(shown), 2)]
