"""The readings of the betting for Unger's networks and cases (Unger 2011).

A node names the most aggressive act of a street, or how dear a player's calls were. A case counts in small
blinds, and takes the price of a bet where a check is free; CASPER's cases (``rules.casper``) do neither.

The price of a call (section 8.1.1): calls are divided by price, or pot odds stand beside them, since 67 % of
the network's faults are calls: all calls share one state there.
"""

import math
from functools import partial

from baycarp.game.action import Act
from baycarp.rules.betting.acts import FLOP, LATER, PREFLOP, most_aggressive
from baycarp.rules.betting.amounts import pot_share, small_blinds, to_call
from baycarp.rules.reading import Interval, PlayerView, Reading

__all__ = ["ODDS", "PRICED_FLOP", "PRICED_LATER", "PRICED_PREFLOP", "READINGS", "call_odds", "priced"]

_PREFLOP_CALLS = ("CallHalf", "Call", "CallRaise", "CallThreeBet")
_CALLS = ("Call", "CallRaise")

ODDS = ("NoCall", "a0_10", "a10_20", "a20_30", "a30_50")
"""The states of a pot-odds node, in percent of the pot after the call; the widths are our choice."""


def _dearer(states: tuple[str, ...], calls: tuple[str, ...]) -> tuple[str, ...]:
    at = states.index("Call")
    return (*states[:at], *calls, *states[at + 1 :])


PRICED_PREFLOP = _dearer(PREFLOP, _PREFLOP_CALLS)
PRICED_FLOP, PRICED_LATER = _dearer(FLOP, _CALLS), _dearer(LATER, _CALLS)
"""The states of ``PREFLOP``, ``FLOP`` and ``LATER`` with a state a price in place of the call."""


def priced(street: int, view: PlayerView) -> str | None:
    """Name the most aggressive act of a player on a street; calls are named by the dearest.

    Before the flop: half a bet (the small blind), a bet, a raise, a three-bet or more; later a bet, or a
    raise or more. The number of bets counts, not the part of them that the caller had paid.

    Returns
    -------
    str or None
        None without an action there.

    Source: Unger (2011), section 8.1.1; that a call of a three-bet is a state of its own is our choice.
    """
    name = most_aggressive(view.observation, view.position, street)
    if name != "Call":
        return name
    return max((_call(view, act) for act in _calls(view, street)), key=_PREFLOP_CALLS.index)


def _call(view: PlayerView, act: Act) -> str:
    if act.street:
        return "Call" if act.bets == 1 else "CallRaise"
    if act.bets <= 1:
        return "CallHalf" if act.owed < view.observation.variant.big_blind else "Call"
    return "CallRaise" if act.bets == 2 else "CallThreeBet"


def _calls(view: PlayerView, street: int) -> list[Act]:
    own = (act for act in view.observation.acts if act.seat == view.position and act.street == street)
    return [act for act in own if act.action.name == "call"]


def call_odds(street: int, view: PlayerView) -> str | None:
    """Name the worst pot odds at which a player called on a street, one of ``ODDS``.

    Returns
    -------
    str or None
        ``NoCall`` where it did something else; None without an action there.

    Source: Unger (2011), section 8.1.1.
    """
    if most_aggressive(view.observation, view.position, street) is None:
        return None
    shares = [act.paid / (act.pot + act.paid) for act in _calls(view, street)]
    return ODDS[1 + min(int(10 * max(shares)), 3)] if shares else "NoCall"


def _action(street: int, view: PlayerView) -> str | None:
    return most_aggressive(view.observation, view.position, street)


def _bets_committed(view: PlayerView) -> float:
    return small_blinds(view.observation.state.bets[view.position], view.observation.variant)


def _bets_total(view: PlayerView) -> float:
    return small_blinds(view.observation.state.committed[view.position], view.observation.variant)


def _bets_to_call(view: PlayerView) -> float | None:
    owed = to_call(view)
    return None if owed is None else small_blinds(owed, view.observation.variant)


def _pot_odds(view: PlayerView) -> float | None:
    """The cost is one bet where checking is free."""
    owed = to_call(view)
    if owed is None:
        return None
    state, variant = view.observation.state, view.observation.variant
    return pot_share(owed or (variant.small_bet if state.street < 2 else variant.big_bet), state.pot)


_NAMES = "Unger (2011), sections 2.3.7, 5.3.2"
_PRICE = "Unger (2011), section 8.1.1"
_CASE = "Unger (2011), section 5.4.1, figures 6.7, 6.12"
_AMOUNT = Interval(0, math.inf, "small blinds")

READINGS = (
    Reading("Action", PREFLOP, partial(_action, 0), _NAMES),
    Reading("ActionFlop", FLOP, partial(_action, 1), _NAMES),
    Reading("ActionTurn", LATER, partial(_action, 2), _NAMES),
    Reading("ActionRiver", LATER, partial(_action, 3), _NAMES),
    Reading("bets_committed", _AMOUNT, _bets_committed, _CASE),
    Reading("bets_to_call", _AMOUNT, _bets_to_call, _CASE),
    Reading("bets_total", _AMOUNT, _bets_total, _CASE),
    Reading("pot_odds", Interval(0, 1, "share of the pot"), _pot_odds, _CASE),
    Reading("PricedAction", PRICED_PREFLOP, partial(priced, 0), _PRICE),
    Reading("PricedActionFlop", PRICED_FLOP, partial(priced, 1), _PRICE),
    Reading("PricedActionTurn", PRICED_LATER, partial(priced, 2), _PRICE),
    Reading("PricedActionRiver", PRICED_LATER, partial(priced, 3), _PRICE),
    Reading("PotOdds", ODDS, partial(call_odds, 0), _PRICE),
    Reading("PotOddsFlop", ODDS, partial(call_odds, 1), _PRICE),
    Reading("PotOddsTurn", ODDS, partial(call_odds, 2), _PRICE),
    Reading("PotOddsRiver", ODDS, partial(call_odds, 3), _PRICE),
)
"""The priced nodes replace Action and its like of later streets in a network, or are added to them."""
