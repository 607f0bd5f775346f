"""A hand as the page draws it, from an observation: cards that the seat may not observe are not in it."""

from collections.abc import Mapping
from typing import Any

from baycarp.card import text
from baycarp.game import STREETS, Act, Action, Observation
from baycarp.game.action import action_text
from baycarp.game.seats import seat_names

__all__ = ["Frame", "act_frame", "choices", "frame"]

Frame = dict[str, Any]
"""JSON values."""

FRACTIONS = {"1/3 pot": 1 / 3, "1/2 pot": 1 / 2, "2/3 pot": 2 / 3, "pot": 1.0, "2 pots": 2.0}
"""Sizes that the page offers beside the least bet and all-in, as parts of the pot after a call."""


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
    state = observation.state
    holes = [_cards(state.hole_of(position)) for position in range(observation.variant.seats)]
    seats = seat_names(observation.variant)
    names = observation.players or seats
    street = [act for act in observation.acts if act.street == state.street]
    last = {act.seat: act_frame(act) for act in street}
    return {
        "hand": observation.hand,
        "seat": observation.seat,
        "button": observation.variant.button,
        "street": STREETS[state.street],
        "board": _cards(observation.board),
        "pot": state.pot,
        "toAct": state.to_act,
        "over": state.is_over,
        "players": [
            {
                "name": names[position],
                "seat": seats[position],
                "stack": None if observation.variant.stacks is None else state.stacks[position],
                "in": state.committed[position],
                "folded": position not in state.seats_in,
                "cards": holes[position],
                "last": last.get(position),
            }
            for position in range(observation.variant.seats)
        ],
        "acts": [act_frame(act) for act in observation.acts],
        "choices": choices(observation),
    }


def act_frame(act: Act) -> Frame:
    """An action of the record, with its effect."""
    action = Action("call", act.paid) if act.action.name == "call" else act.action
    return {
        "seat": act.seat,
        "street": STREETS[act.street],
        "action": str(action),
        "kind": act.action.name,
        "paid": act.paid,
    }


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
        "bet": _sizes(observation, stay, bets) if bets else None,
    }


def _sizes(observation: Observation, stay: Action, bets: list[Action]) -> Mapping[str, Any]:
    """The least and greatest total of a bet, and usual ones between them."""
    state = observation.state
    least = bets[0].amount
    most = bets[-1].amount
    assert state.to_act is not None
    level, pot = state.bets[state.to_act] + stay.amount, state.pot + stay.amount
    usual = {name: min(most, max(least, round(level + part * pot))) for name, part in FRACTIONS.items()}
    return {
        "kind": bets[0].name,
        "least": least,
        "most": most,
        "sizes": {"least": least, **usual, "all-in": most} if most > least else {},
    }


def _cards(ids: tuple[int, ...]) -> list[str]:
    shown = text(ids)
    return [shown[i : i + 2] for i in range(0, len(shown), 2)]
