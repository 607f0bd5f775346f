"""The readings of the betting for Unger's networks and cases (Unger 2011).

A node names the most aggressive act of a street, or how dear a player's calls were. A case counts in small
blinds, and takes the price of a bet where a check is free; CASPER's cases (``rules.casper``) do neither.
"""

import math
from functools import partial

from baycarp.rules.betting.acts import FLOP, LATER, PREFLOP, most_aggressive
from baycarp.rules.betting.amounts import pot_share, small_blinds, to_call
from baycarp.rules.betting.calls import ODDS, PRICED_FLOP, PRICED_LATER, PRICED_PREFLOP, call_odds, priced
from baycarp.rules.reading import Interval, PlayerView, Reading

__all__ = ["READINGS"]


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
